/** What one command prints goes into the next: notifications and payments, with the real program. */
import test from 'ava';
import { type Cli, type Failed, openCli } from '../helpers/programs/cli.js';
import { BRAND, NOWHERE, openOutbox, PRIVATE } from '../helpers/programs/cli-outbox.js';

interface Row {
  readonly id: string;
  readonly gateway_reference: string;
  readonly state: string;
}

/** The outbox with a payment that was given up, and with two tests that nobody heard. */
async function openWithTests(kashbox: Cli): Promise<{ dead: Row; tests: string[] }> {
  await openOutbox(kashbox, NOWHERE, 2);
  const tests: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const ran = await kashbox('webhooks', 'test', '--brand', BRAND, '--json');
    tests.push(ran.json<Row>().id);
  }
  const [dead] = (await kashbox('webhooks', 'list', '--failed', '--json')).json<Row[]>();
  return { dead: dead ?? { id: '', gateway_reference: '', state: '' }, tests };
}

test.serial('listings of what failed go into replay, and tests among them stop nothing', async (t) => {
  const kashbox = await openCli(t, PRIVATE);
  const { dead, tests } = await openWithTests(kashbox);
  const list = async (...flags: string[]) => (await kashbox('webhooks', 'list', ...flags)).stdout;
  t.regex(dead.id, /^ntf_[0-9a-f]{24}$/);
  const failed = await kashbox.piped(await list('--failed', '--ndjson'), 'webhooks', 'replay', '-');
  t.is(failed.code, 0, failed.stderr);
  t.is(failed.stderr, '');
  t.regex(failed.stdout, /^payment\.failed of payment [0-9A-Z]{12} is due again/);
  const given = await list('--status', 'FAILED', '--ndjson');
  t.is(given.trimEnd().split('\n').length, 2);
  const passed = await kashbox.piped(`${given}${dead.id}\n`, 'webhooks', 'replay', '-', '--json');
  t.is(passed.code, 0, passed.stderr);
  t.is(passed.stderr, 'Passed over 2 tests: a test is sent once.\n');
  t.deepEqual(
    passed.json<Row[]>().map(({ id, state }) => [id, state]),
    [[dead.id, 'PENDING']],
  );
  const [first = '', second = ''] = tests;
  t.is((await kashbox('webhooks', 'replay', first, second)).code, 0);
  const alone = await kashbox('webhooks', 'replay', first, '--json');
  t.is(alone.code, 4);
  t.like(alone.json<Failed>().error, {
    code: 'state_refused',
    message: `${first} was a test notification, which is not repeated`,
  });
});

test.serial('the id or reference of a payment replays its last notification', async (t) => {
  const kashbox = await openCli(t);
  await openOutbox(kashbox, NOWHERE, 1);
  const [{ id, gateway_reference: reference } = { id: '', gateway_reference: '' }] = (
    await kashbox('webhooks', 'list', '--json')
  ).json<Row[]>();
  const replayed = await kashbox('webhooks', 'replay', reference.toLowerCase(), '--json');
  t.is(replayed.code, 0, replayed.stderr);
  t.like(replayed.json(), { id, state: 'PENDING', was: 'FAILED' });
  t.is((await kashbox('webhooks', 'replay', 'K7Q2M9XW4TZB')).code, 3);
});

test.serial('"-" accepts a list as --json prints it, and rejects CSV with what to do', async (t) => {
  const kashbox = await openCli(t);
  await openOutbox(kashbox, NOWHERE, 2);
  const listed = await kashbox('payments', 'list', '--json');
  const shown = await kashbox.piped(listed.stdout, 'payments', 'show', '-', '--json');
  t.is(shown.code, 0, shown.stderr);
  const ids = (rows: Row[]) => rows.map(({ id }) => id);
  t.deepEqual(ids(shown.json<Row[]>()), ids(listed.json<Row[]>()));
  const csv = (await kashbox('payments', 'list', '--csv')).stdout;
  const refused = await kashbox.piped(csv, 'payments', 'show', '-');
  t.is(refused.code, 2);
  t.regex(refused.stderr, /--ndjson/);
  const long = await kashbox.piped('x'.repeat(2_000), 'payments', 'show', '-', '--json');
  t.is(long.code, 3);
  t.true(long.stdout.length < 400, long.stdout);
});
