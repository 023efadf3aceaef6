/** Reports for people and programs: tables with a verdict, pages in files, and days typed in any way. */
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { bookDays, HOSTILE } from '../helpers/shop/book-days.js';

const REPORTS = ['daily', 'channels', 'devices', 'balances'];

test('a report says below its table whether the books are whole, and which command shows what is not', async (t) => {
  const kashbox = await openCli(t);
  const [, before = '', yesterday = '', today = ''] = await bookDays(t, kashbox.home, 4);
  const daily = await kashbox('report', 'daily', '--days', '4');
  t.is(daily.code, 0);
  t.regex(daily.stdout, /^DATE {8}OPENED/);
  const whole = `Wallets on ${today}: the balances match: \\d+\\.\\d\\d in, 0\\.00 out, 0\\.00 fees\\.`;
  t.regex(daily.stdout, new RegExp(whole));
  t.true(
    daily.stdout.includes(`7.77 BDT came in and belongs to no payment.\n  See: kashbox sms list --unmatched`),
  );
  const until = await kashbox('report', 'daily', '--until', 'today');
  t.true(until.stdout.includes(`Wallets on ${yesterday}: the balances do NOT match (bKash 01711000001).\n`));
  t.true(until.stdout.includes(`  See: kashbox report balances --since ${yesterday}\n`));

  const balances = await kashbox('report', 'balances');
  t.true(balances.stdout.includes('The balances do NOT match: 1 of 4 days of wallets do not add up.\n'));
  t.regex(
    balances.stdout,
    new RegExp(`${yesterday}, bKash 01711000001: 200\\.00 BDT more came in than its SMS say,\n {2}between `),
  );
  t.true(balances.stdout.includes('  See: kashbox gaps list --open\n'));
  const first = await kashbox('report', 'balances', '--until', yesterday);
  t.true(first.stdout.includes('The balances match.\n'));
  t.true(first.stdout.includes(before));
  t.is(
    (await kashbox('report', 'balances', '--until', '2020-01-01')).stdout,
    'No SMS of a wallet came in these days.\n',
  );
});

test('on a narrow terminal bars are drawn smaller and keep their scale; columns of nothing are left out', async (t) => {
  const bars = async (columns: string) => {
    const kashbox = await openCli(t, { COLUMNS: columns });
    await bookDays(t, kashbox.home, 3);
    const rows = (await kashbox('report', 'daily', '--days', '3')).stdout.split('\n').slice(1, 4);
    return rows.map((row) => row.length - row.trimEnd().indexOf('█'));
  };
  const [wide, narrow] = [await bars('200'), await bars('64')];
  t.deepEqual([Math.max(...wide), Math.max(...narrow)], [20, 11]);
  t.true(Math.min(...wide) < 20 && Math.min(...narrow) < 11);
  const kashbox = await openCli(t);
  await bookDays(t, kashbox.home, 1);
  t.regex(
    (await kashbox('report', 'devices')).stdout,
    /^PHONE +STATE +SMS {2}MONEY +PAID {2}SILENT {2}GAPS\n/,
  );
});

test('for programs a report is rows and nothing else', async (t) => {
  const kashbox = await openCli(t);
  await bookDays(t, kashbox.home, 3);
  for (const report of REPORTS) {
    const json = (await kashbox('report', report, '--json')).json<object[]>();
    const csv = (await kashbox('report', report, '--csv')).stdout.trimEnd().split('\r\n');
    t.is(csv.length, json.length + 1, report);
    const columns = Object.keys(json[0] ?? {}).filter((name) => name !== 'reasons' && name !== 'transfers');
    t.deepEqual(csv[0]?.split(','), columns, report);
    t.deepEqual((await kashbox('report', report, '--ndjson')).ndjson<object>(), json, report);
  }
});

test('days are typed as people say them, and a day that cannot be is refused without a store', async (t) => {
  const kashbox = await openCli(t);
  const dates = await bookDays(t, kashbox.home, 3);
  const told = async (...how: string[]) =>
    (await kashbox('report', 'daily', '--json', ...how)).json<{ date: string }[]>().map(({ date }) => date);
  t.deepEqual(await told('--days', '3'), dates);
  t.deepEqual(await told('--days', '১'), dates.slice(2));
  t.deepEqual(await told('--since', 'yesterday'), dates.slice(1));
  t.deepEqual(await told('--since', 'yesterday', '--until', 'today'), dates.slice(1, 2));
  t.deepEqual(await told('--days', '2', '--until', 'today'), dates.slice(0, 2));
  t.deepEqual(
    await told('--until', `${dates[1]} 00:01`, '--days', '2'),
    [...(await told('--days', '4')).slice(0, 1), ...dates].slice(1, 3),
  );
  t.is((await told()).length, 30);
  const empty = await openCli(t);
  for (const [line, message] of [
    ['--days 0', /^--days must be at least 1$/],
    ['--days 3661', /^--days must be at most 3660$/],
    ['--days 3 --since 7d', /both say where to begin/],
    ['--since 2099-01-01', /has not come yet/],
    ['--since today --until yesterday', /is not before until/],
    ['--until soon', /"soon" is no time/],
    ['--force', /html/],
    ['--html a --csv', /html/],
  ] as const) {
    const ran = await empty('report', 'daily', ...line.split(' '), '--json');
    t.is(ran.code, 2, line);
    t.regex(ran.json<Failed>().error.message, message, line);
  }
  t.is((await kashbox('report', 'daily', '--since', '2000-01-01')).code, 2);
  t.is((await kashbox('report', 'devices', '--merchant', 'nobody')).code, 3);
});

test('--html makes one page for its owner alone, and replaces nothing that is there without --force', async (t) => {
  const kashbox = await openCli(t);
  const dates = await bookDays(t, kashbox.home, 3);
  const file = `${kashbox.home}/page.html`;
  for (const report of REPORTS) {
    const made = await kashbox('report', report, '--days', '3', '--html', file, '--force');
    t.deepEqual([made.code, made.stderr, made.stdout], [0, '', `${file}: open it in a browser.\n`], report);
    t.is(statSync(file).mode & 0o777, 0o600);
    const page = readFileSync(file, 'utf8');
    t.true(page.includes(`${dates[0]} to ${dates[2]}, 3 days`), report);
    t.true(
      page.includes('&lt;script&gt;alert(1)&lt;/script&gt; &quot;আলো&quot; &amp; &#39;স্টোর&#39;'),
      report,
    );
    t.false(page.includes('<script'), report);
    t.regex(
      page,
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">/,
    );
    t.notRegex(page, /(?:https?:|url\(|@import|<link|<img)/, report);
    t.is((await kashbox('report', report, '--days', '3', '--html', '-')).stdout.length, page.length, report);
  }
  const taken = await kashbox('report', 'daily', '--html', file);
  t.is(taken.code, 4);
  t.regex(taken.stderr, /already exists\nNext: .*--force/);
  writeFileSync(`${kashbox.home}/target`, 'kept');
  symlinkSync(`${kashbox.home}/target`, `${kashbox.home}/link`);
  t.is((await kashbox('report', 'daily', '--html', `${kashbox.home}/link`, '--force')).code, 0);
  t.is(readFileSync(`${kashbox.home}/target`, 'utf8'), 'kept', 'what a link leads to stays');
  for (const [place, message] of [
    [kashbox.home, /is a folder/],
    [`${kashbox.home}/none/page.html`, /There is no folder/],
    ['/dev/null', /is no file/],
  ] as const) {
    const refused = await kashbox('report', 'daily', '--html', place, '--force');
    t.is(refused.code, 2, place);
    t.regex(refused.stderr, message, place);
  }
  const brand = await kashbox(
    'report',
    'channels',
    '--brand',
    HOSTILE,
    '--until',
    '2020-01-01',
    '--html',
    '-',
  );
  t.true(brand.stdout.includes('Nothing was paid in these days.'));
});
