/**
 * Two daemons on one store, on each engine: whoever races for a payment, it is credited once; and a claim
 * and its SMS that pass each other on different daemons still meet.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { createBrand } from '../../src/actions/brands/create-brand.js';
import { type Core, openCore } from '../../src/actions/core/core.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Answer, type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { type Environment, startNode, withinTime } from '../helpers/programs/processes.js';
import { openShop, WALLET } from '../helpers/shop/shop.js';
import { createPayment, newSms, relaySms, type ShopKeys, verifyPayment } from '../helpers/shop/till.js';
import { engines, temporaryFolder } from '../helpers/stores/engines.js';
import { freshDatabase } from '../helpers/stores/postgres.js';
import { amount, isSoak } from '../helpers/tiers.js';

const SESSIONS = 20;
const REQUESTS = 200;
const ROUNDS = amount(1, 5);
const PAIRS = amount(10, 50);

interface Scene {
  readonly core: Core;
  readonly daemons: readonly [Daemon, Daemon];
  /** Two brands of one merchant that share a wallet, so that the same money may be claimed by either. */
  readonly brands: readonly [ShopKeys, ShopKeys];
}

async function openScene(t: ExecutionContext, engine: (typeof engines)[number]): Promise<Scene> {
  const home = await temporaryFolder(t);
  const env: Environment = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await freshDatabase(t) } : {};
  const core = await openCore({ folder: home, env });
  t.teardown(() => core.close());
  const who = 'test';
  const { merchantId, brandKey, deviceKey } = await openShop(core);
  const second = await createBrand(core, { merchant: merchantId, name: 'Alo Online', who });
  await setAccount(core, { brand: second.brand.id, channel: 'mfs_a', type: 'personal', number: WALLET, who });
  const daemons = await Promise.all([startDaemon(t, { home, env }), startDaemon(t, { home, env })]);
  return {
    core,
    daemons,
    brands: [
      { brandKey, deviceKey },
      { brandKey: second.brand_key, deviceKey },
    ],
  };
}

async function newSession(daemon: Daemon, keys: ShopKeys): Promise<string> {
  const { status, body } = await createPayment(daemon, keys);
  if (status !== 200) throw new Error(`create: ${status} ${JSON.stringify(body)}`);
  return String(body.id);
}

/** One of two things by turns. */
function turn<T>(pair: readonly [T, T], n: number): T {
  return n % 2 === 0 ? pair[0] : pair[1];
}

async function transactionsOf(core: Core, reference: string) {
  return core.store.read((db) =>
    db.query
      .selectFrom('transactions')
      .where('reference', '=', reference)
      .select(['session_id', 'reference'])
      .execute(),
  );
}

async function statusOf(core: Core, sessions: readonly string[]): Promise<string[]> {
  const rows = await core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', 'in', sessions).select(['id', 'status']).execute(),
  );
  return sessions.map((id) => rows.find((row) => row.id === id)?.status ?? 'absent');
}

/** Twenty sessions, ten of each brand, all claim one SMS, ten times each, over both daemons at once. */
async function raceOnce(t: ExecutionContext, scene: Scene): Promise<void> {
  const { core, daemons, brands } = scene;
  const { sms, reference } = newSms();
  const relayed = await relaySms(daemons[0], brands[0], [sms]);
  t.is(relayed.status, 200, daemons[1].process.stderr());
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) => {
      const keys = turn(brands, n);
      return { keys, id: await newSession(turn(daemons, n), keys) };
    }),
  );
  const requests = Array.from({ length: REQUESTS }, async (_, n) => {
    const { id, keys } = sessions[n % SESSIONS] ?? t.fail();
    const daemon = turn(daemons, Math.floor(n / SESSIONS));
    return { id, answer: await verifyPayment(daemon, keys, id, reference) };
  });
  const answers = await Promise.all(requests);
  const credited = await transactionsOf(core, reference);
  t.is(credited.length, 1, 'one transaction row');
  const winner = credited[0]?.session_id;
  const statuses = await statusOf(
    core,
    sessions.map(({ id }) => id),
  );
  t.is(statuses.filter((status) => status === 'COMPLETED').length, 1, 'one completed session');
  for (const { id, answer } of answers) checkAnswer(t, answer, id === winner, reference);
  t.is(answers.filter(({ answer }) => answer.status === 200).length, REQUESTS / SESSIONS);
}

function checkAnswer(t: ExecutionContext, answer: Answer, isWinner: boolean, reference: string): void {
  if (isWinner) {
    t.is(answer.status, 200, JSON.stringify(answer.body));
    t.like(answer.body, { status: true, data: { status: 'COMPLETED', transaction_id: reference } });
    return;
  }
  t.is(answer.status, 400, JSON.stringify(answer.body));
  t.is(answer.body.status, false);
  t.regex(String(answer.body.message), /already verified and credited/);
}

/** The control: @returns how many credits one reference got without a unique key. */
async function naiveRound(t: ExecutionContext, engine: string, address: string, table: string) {
  const program = fileURLToPath(new URL('../fixtures/naive-credit.js', import.meta.url));
  const args = [program, engine, address, table, '10', String(REQUESTS / 2)];
  const processes = [startNode(t, args), startNode(t, args)];
  await Promise.all(processes.map((one) => one.printed(/ready/)));
  for (const one of processes) one.stdin.write('go\n');
  for (const one of processes) t.deepEqual(await withinTime(one), { code: 0, signal: null }, one.stderr());
}

for (const engine of engines) {
  test.serial(
    `${engine}: of 200 concurrent claims of one payment over two daemons, one session wins`,
    async (t) => {
      const scene = await openScene(t, engine);
      for (let round = 1; round <= ROUNDS; round += 1) await raceOnce(t, scene);
    },
  );

  test.serial(`${engine}: claim and SMS at the same moment on two daemons always meet`, async (t) => {
    const { core, daemons, brands } = await openScene(t, engine);
    const sessions: string[] = [];
    const seen = new Set<number>();
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const keys = turn(brands, pair);
      const id = await newSession(turn(daemons, pair), keys);
      sessions.push(id);
      const { sms, reference } = newSms();
      const claim = () => verifyPayment(turn(daemons, pair), keys, id, reference);
      const relay = () => relaySms(turn(daemons, pair + 1), keys, [sms]);
      // Neither may always have the head start of being sent first.
      const [first, second] = await Promise.all(pair % 4 < 2 ? [claim(), relay()] : [relay(), claim()]);
      const [claimed, relayed] = pair % 4 < 2 ? [first, second] : [second, first];
      t.is(relayed.status, 200, daemons[1].process.stderr());
      seen.add(claimed.status);
    }
    t.deepEqual(
      [...seen].filter((status) => status !== 200 && status !== 404),
      [],
    );
    t.log(`answers to the claims: ${[...seen].join(', ')}`);
    const statuses = await statusOf(core, sessions);
    t.deepEqual(new Set(statuses), new Set(['COMPLETED']), 'without another call');
  });
}

/** The control of the tests above: what they would see of a program that is wrong. */
async function control(t: ExecutionContext): Promise<void> {
  const file = join(await temporaryFolder(t), 'naive.db');
  const raw = new SqliteFile(file);
  t.teardown(() => raw.close());
  raw.exec('PRAGMA journal_mode = WAL');
  const url = await freshDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  const worst = { sqlite: 0, postgres: 0 };
  for (let round = 0; round < 3; round += 1) {
    const table = `credits_${randomBytes(4).toString('hex')}`;
    raw.exec(`CREATE TABLE ${table} (reference TEXT)`);
    await client.query(`CREATE TABLE ${table} (reference TEXT)`);
    await naiveRound(t, 'sqlite', file, table);
    await naiveRound(t, 'postgres', url, table);
    worst.sqlite = Math.max(worst.sqlite, raw.column(`SELECT count(*) FROM ${table}`)[0] as number);
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    worst.postgres = Math.max(worst.postgres, rows[0]?.n ?? 0);
  }
  t.log(`credits of one payment: ${JSON.stringify(worst)}`);
  t.true(worst.sqlite > 1);
  t.true(worst.postgres > 1);
}

if (isSoak) test.serial('without a unique key as many processes credit one payment more than once', control);
