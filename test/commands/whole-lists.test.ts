/** An export is whole unless a limit is given; a table is not, and says so. */
import test from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { type Cli, openCli } from '../helpers/programs/cli.js';
import { multiply } from '../helpers/stores/many-rows.js';

const MANY = 1_234;

/** A shop with so many payments and SMS. */
async function openHistory(kashbox: Cli, count: number): Promise<void> {
  const account = 'mfs_a:personal:01711000001';
  await kashbox('setup', '--merchant-name', 'Alo', '--account', account);
  await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'R', '--amount', '5');
  const sms = ['sms', 'add', '--merchant', 'Alo', '--recipient', '01711000001', '--sender', 'bKash'];
  await kashbox(...sms, '--text', 'Hello');
  const core = await openCore({ folder: kashbox.home, env: {} });
  await multiply(core, 'sessions', count);
  await multiply(core, 'sms', count);
  await core.close();
}

test('--json, --ndjson and --csv contain every row, or up to N with --limit N', async (t) => {
  const kashbox = await openCli(t);
  await openHistory(kashbox, MANY);
  for (const list of ['payments', 'sms']) {
    const rowsOf = async (...how: string[]) => {
      const ran = await kashbox(list, 'list', ...how);
      t.is(ran.code, 0);
      t.is(ran.stderr, '', how.join(' '));
      if (how.includes('--json')) return ran.json<{ id: string }[]>().map(({ id }) => id);
      if (how.includes('--ndjson')) return ran.ndjson<{ id: string }>().map(({ id }) => id);
      const [head, ...records] = ran.stdout.trimEnd().split('\r\n');
      t.regex(head ?? '', /^id,/);
      return records.map((record) => record.split(',')[0]);
    };
    const all = await rowsOf('--json');
    t.is(new Set(all).size, MANY);
    t.deepEqual(await rowsOf('--ndjson'), all);
    t.deepEqual(await rowsOf('--csv'), all);
    for (const how of ['--json', '--ndjson', '--csv']) {
      t.deepEqual(await rowsOf(how, '--limit', '7'), all.slice(0, 7));
    }
    t.is((await rowsOf('--csv', '--limit', '1100')).length, 1_100);
  }
});

test('a table shows 50 rows, or as many as --limit says, and reports more on stderr', async (t) => {
  const kashbox = await openCli(t);
  await openHistory(kashbox, 51);
  const shown = async (...how: string[]) => {
    const { stdout, stderr } = await kashbox('payments', 'list', ...how);
    return { rows: stdout.trimEnd().split('\n').length - 1, stderr };
  };
  const more = (count: number) =>
    `${count} are shown, and there are more: --limit COUNT shows more, --csv all of them.\n`;
  t.deepEqual(await shown(), { rows: 50, stderr: more(50) });
  t.deepEqual(await shown('--limit', '5'), { rows: 5, stderr: more(5) });
  t.deepEqual(await shown('--limit', '51'), { rows: 51, stderr: '' });
  t.deepEqual(await shown('--status', 'COMPLETED'), { rows: 0, stderr: '' });
});

test('an empty list is an empty array, no line, or a head alone; a failure leaves nothing before it', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const printed = async (...how: string[]) => (await kashbox('payments', 'list', ...how)).stdout;
  t.is(await printed('--json'), '[]\n');
  t.is(await printed('--ndjson'), '');
  t.regex(await printed('--csv'), /^id,gateway_reference,[\w,]+\r\n$/);
  const failed = await kashbox('payments', 'list', '--brand', 'nobody', '--csv');
  t.deepEqual([failed.code, failed.stdout], [3, '']);
  const json = await kashbox('payments', 'list', '--brand', 'nobody', '--json');
  t.deepEqual(Object.keys(json.json()), ['error']);
});

test('off a terminal a table is whole, or as wide as COLUMNS says', async (t) => {
  const name = `A shop of a very long name, ${'which goes on and on, '.repeat(4)}and ends here`;
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', name);
  t.true((await kashbox('merchants', 'list')).stdout.includes(name));
  const narrow = await openCli(t, { COLUMNS: '80' });
  await narrow('merchants', 'create', '--name', name);
  const lines = (await narrow('merchants', 'list')).stdout.trimEnd().split('\n');
  t.true(lines.every((line) => [...line].length <= 80));
  t.true(lines[1]?.includes('…'));
});
