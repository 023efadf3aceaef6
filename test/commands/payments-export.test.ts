/** An export has every payment with what books want of it, whole or not at all, and is safe to open. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import test from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { type Cli, openCli } from '../helpers/programs/cli.js';
import { bareEnvironment, kashboxProgram } from '../helpers/programs/processes.js';
import { bookDays, HOSTILE } from '../helpers/shop/book-days.js';
import { multiply } from '../helpers/stores/many-rows.js';
import { smallDisk } from '../helpers/stores/small-disk.js';

interface Row {
  readonly id: string;
  readonly cus_name: string;
  readonly status: string;
  readonly paid: string | null;
}

const rowsOf = async (kashbox: Cli, ...how: string[]) =>
  (await kashbox('payments', 'export', '-', '--format', 'json', ...how)).json<Row[]>();

test('a payment has its ids, amounts, account, payer, times and metadata, in all formats alike', async (t) => {
  const kashbox = await openCli(t);
  const dates = await bookDays(t, kashbox.home, 3);
  const rows = await rowsOf(kashbox);
  t.is(rows.length, 3);
  t.like(rows[0], {
    brand: HOSTILE,
    status: 'COMPLETED',
    cus_name: 'Customer',
    amount: '746.90',
    paid: '746.90',
    fee: '0.00',
    net: '746.90',
    ...{ refunded: null, due: null, due_on_delivery: null },
    usdt: null,
    channel: 'mfs_a',
    recipient: '01711000001',
    payer: '01711000081',
    credited_by: 'rule',
    meta_data: '{"order":7}',
    created_at: `${dates[0]}T00:01:00+06:00`,
    completed_at: `${dates[0]}T00:01:00+06:00`,
  });
  const lines = await kashbox('payments', 'export', '-', '--format', 'ndjson');
  t.deepEqual(lines.ndjson<Row>(), rows);
  const file = `${kashbox.home}/paid.csv`;
  const made = await kashbox('payments', 'export', file, '--json');
  t.deepEqual(made.json(), { file, format: 'csv', payments: 3, bytes: statSync(file).size });
  t.is(statSync(file).mode & 0o777, 0o600);
  const [head, ...records] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  t.deepEqual(head?.split(','), Object.keys(rows[0] ?? {}));
  t.is(records.length, 3);
  t.is((await kashbox('payments', 'export')).stdout, readFileSync(file, 'utf8'), 'a pipe needs no name');
  const named = await kashbox('payments', 'export', `${kashbox.home}/paid.ndjson`);
  t.is(named.stdout, `${kashbox.home}/paid.ndjson: 3 payments.\n`);
  t.is(readFileSync(`${kashbox.home}/paid.ndjson`, 'utf8'), lines.stdout);
});

test('brand, state, channel and days choose payments; what is not paid has no amounts of money', async (t) => {
  const kashbox = await openCli(t);
  const [first = '', second = ''] = await bookDays(t, kashbox.home, 3);
  await kashbox('payments', 'create', '--brand', HOSTILE, '--name', '=cmd()', '--amount', '5');
  const countOf = async (...how: string[]) => (await rowsOf(kashbox, ...how)).length;
  t.is(await countOf(), 4);
  t.is(await countOf('--status', 'PENDING'), 1);
  t.is(await countOf('--channel', 'mfs_a'), 3);
  t.is(await countOf('--channel', 'bep20'), 0);
  t.is(await countOf('--since', first, '--until', second), 1);
  t.is(await countOf('--since', second), 3);
  t.is(await countOf('--brand', HOSTILE), 4);
  t.is((await kashbox('payments', 'export', '-', '--brand', 'nobody')).code, 3);
  const [open] = await rowsOf(kashbox, '--status', 'PENDING');
  t.like(open, { cus_name: '=cmd()', paid: null, net: null, completed_at: null, payer: null });
  const csv = (await kashbox('payments', 'export', '-', '--status', 'PENDING')).stdout;
  t.true(csv.includes(",'=cmd(),"), 'no spreadsheet runs a name');
  t.is((await kashbox('payments', 'export', '-', '--status', 'FAILED', '--format', 'json')).stdout, '[]\n');
  t.regex((await kashbox('payments', 'export', '-', '--status', 'FAILED')).stdout, /^id,[\w,]+\r\n$/);
  t.is((await kashbox('payments', 'export', '-', '--status', 'FAILED', '--format', 'ndjson')).stdout, '');
});

test('pages of one moment join to a whole, the oldest first and each payment once', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'R', '--amount', '5');
  const core = await openCore({ folder: kashbox.home, env: {} });
  await multiply(core, 'sessions', 2_345);
  await core.close();
  const ids = (await rowsOf(kashbox)).map(({ id }) => id);
  t.is(ids.length, 2_345);
  t.deepEqual(ids, [...new Set(ids)].sort());
});

test('a name that is wrong is refused, and what is there stays', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const file = `${kashbox.home}/paid.csv`;
  t.is((await kashbox('payments', 'export', file)).stdout, `${file}: 0 payments.\n`);
  const taken = await kashbox('payments', 'export', file);
  t.is(taken.code, 4);
  t.regex(taken.stderr, /already exists\nNext: .*--force/);
  t.is((await kashbox('payments', 'export', file, '--force')).code, 0);
  for (const [line, message] of [
    [kashbox.home, /is a folder/],
    [`${kashbox.home}/none/a.csv`, /There is no folder/],
    ['- --json', /--json tells of the file/],
    ['- --format xlsx', /format/],
    ['- --since soon', /"soon" is no time/],
  ] as const) {
    const ran = await kashbox('payments', 'export', ...line.split(' '));
    t.is(ran.code, 2, line);
    t.regex(`${ran.stdout}${ran.stderr}`, message, line);
  }
  t.deepEqual(
    readdirSync(kashbox.home).filter((name) => name.includes('.part-')),
    [],
  );
});

test('a reader that goes early ends it quietly, and a full disk in words', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'R', '--amount', '5');
  const core = await openCore({ folder: kashbox.home, env: {} });
  await multiply(core, 'sessions', 3_000);
  await core.close();
  const inShell = (line: string) =>
    spawnSync('sh', ['-c', line], {
      env: {
        ...bareEnvironment({ KASHBOX_HOME: kashbox.home }),
        NODE: process.execPath,
        KASHBOX: kashboxProgram,
      },
      encoding: 'utf8',
    });
  const early = inShell('{ "$NODE" "$KASHBOX" payments export; echo $? >&2; } | head -n 1');
  t.regex(early.stdout, /^id,[\w,]+\r\n$/);
  t.is(early.stderr, '0\n');
  // A table, and a note on stderr that it is cut.
  const both = inShell('{ "$NODE" "$KASHBOX" payments list 2>&1; echo $? >&3; } 3>&2 | true');
  t.is(both.stderr, '0\n');
  for (const command of ['payments export', 'payments list --csv', 'version']) {
    const full = inShell(`"$NODE" "$KASHBOX" ${command} > /dev/full`);
    t.is(full.status, 5, command);
    t.regex(
      full.stderr,
      /^Error: The output cannot be written \(ENOSPC\)\nNext: Free some space.*\n$/,
      command,
    );
  }
  const disk = await smallDisk(t, 256);
  if (disk === null) return;
  const args = [kashboxProgram, 'payments', 'export', `${disk.folder}/paid.csv`];
  const child = disk.start(args, { KASHBOX_HOME: kashbox.home });
  t.is((await child.ended).code, 5);
});

test('--bom begins CSV, and nothing else, with a byte order mark', async (t) => {
  const kashbox = await openCli(t);
  await bookDays(t, kashbox.home, 1);
  const [plain, marked] = [
    (await kashbox('payments', 'export', '-')).stdout,
    (await kashbox('payments', 'export', '-', '--bom')).stdout,
  ];
  t.is(marked, `\uFEFF${plain}`);
  t.is((await kashbox('payments', 'export', '-', '--format', 'json', '--bom')).code, 2);
});
