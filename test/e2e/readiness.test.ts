/**
 * While nothing can be written, /readyz says so, so that no payment is sent here; it is green again by itself
 * soon after writes work again, though nobody pays meanwhile.
 */
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { openCore } from '../../src/actions/core/core.js';
import { storeSource } from '../../src/monitor/source-store.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import {
  type Environment,
  kashboxProgram,
  type Owner,
  runNode,
  startNode,
  startProgram,
  withinTime,
} from '../helpers/programs/processes.js';
import { createPayment, equipShop, type ShopKeys } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { fragilePostgres } from '../helpers/stores/postgres-outage.js';
import { smallDisk } from '../helpers/stores/small-disk.js';
import { until } from '../helpers/until.js';
import { operator } from '../monitor/frames.js';

const readiness = async (daemon: Daemon) => {
  const { status, body } = await daemon.get('/readyz');
  return `${status} ${body.message}`;
};
const becomes = (daemon: Daemon, wanted: string) => until(async () => (await readiness(daemon)) === wanted);

/** What the log says of the store; and every line of an error that is the store's. */
const toldOf = (log: string) =>
  log
    .split('\n')
    .filter((line) => /"level":"(error|warn)"/.test(line) && /store_|the store is/.test(line))
    .filter((line) => !line.includes('"route"'))
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

const BEGUN = 'the store is not writable: payments are refused until it is';
const OVER = 'the store is writable again';

/**
 * Waits for the log to say that it is over. Each begin and each end is told once: connections that learn of a
 * change one after the other may make it begin and end more than once.
 */
async function toldInTurn(t: ExecutionContext, log: () => string): Promise<void> {
  await until(() => toldOf(log()).at(-1) === OVER);
  const told = toldOf(log());
  t.deepEqual(
    told,
    told.map((_, at) => (at % 2 === 0 ? BEGUN : OVER)),
  );
}

async function refusesWhile(daemon: Daemon, keys: ShopKeys, wanted: string): Promise<void> {
  // The first that is refused may be the one that finds out.
  await until(async () => (await createPayment(daemon, keys)).status === 503);
  await becomes(daemon, wanted);
}

test('a disk that is full: not ready, and ready again once there is room', async (t) => {
  const disk = await smallDisk(t, 16 * 1_024);
  if (disk === null) return t.pass();
  const home = disk.folder;
  const keys = await equipShop(home);
  const daemon = await startDaemon(t, { home, disk });
  const { seen } = daemon;
  await becomes(daemon, '200 ready');
  disk.fill();
  await refusesWhile(daemon, keys, '503 The disk of the store is full');
  disk.free();
  await becomes(daemon, '200 ready');
  t.is((await createPayment(daemon, keys)).status, 200);
  await toldInTurn(t, () => readFileSync(join(seen, 'log'), 'utf8'));
});

const longReader = fileURLToPath(new URL('../fixtures/long-reader.js', import.meta.url));

/** A shop whose daemon has ended by `signal`; from then on another process reads its store. */
async function shopWithReader(t: ExecutionContext, signal: 'SIGKILL' | 'SIGTERM') {
  const home = await temporaryFolder(t);
  const keys = await equipShop(home);
  const file = join(home, 'kashbox.db');
  const first = await startDaemon(t, { home });
  t.is((await createPayment(first, keys)).status, 200);
  first.process.kill(signal);
  await withinTime(first.process);
  const reader = startNode(t, [longReader, file], {});
  await reader.printed(/^reading$/m);
  const daemon = await startDaemon(t, { home });
  const countPayments = () => {
    const store = new SqliteFile(file, { readOnly: true });
    const row = store.prepare('SELECT count(*) AS n FROM sessions').get();
    store.close();
    return row?.n;
  };
  return { home, file, keys, reader, daemon, countPayments };
}

test('after a kill, while another process reads: not ready, nothing stored, and ready once it ends', async (t) => {
  const { home, file, keys, reader, daemon, countPayments } = await shopWithReader(t, 'SIGKILL');
  const why = 'Another process is reading the store; waiting for it to end (to find it: lsof kashbox.db)';
  t.is(await readiness(daemon), `503 ${why}`);
  t.is((await daemon.get('/healthz')).status, 200);
  const refused = await createPayment(daemon, keys);
  t.is(`${refused.status} ${refused.body.message}`, `503 ${why}`);
  t.is(refused.headers['retry-after'], '1');
  t.is(countPayments(), 1);
  const command = await runKashbox(t, home, {}, 'merchants', 'create', '--name', 'Alo');
  t.is(command.code, 0, 'a command does not wait');
  t.is(await readiness(daemon), `503 ${why}`);
  reader.kill('SIGKILL');
  await becomes(daemon, '200 ready');
  t.is((await createPayment(daemon, keys)).status, 200);
  t.is(countPayments(), 2);
  await toldInTurn(t, daemon.process.stderr);
  t.regex(daemon.process.stderr(), new RegExp(`"next":"[^"]*lsof ${file} or fuser ${file}`));
});

test('after an orderly end a daemon is ready immediately, though another process reads', async (t) => {
  const { keys, daemon } = await shopWithReader(t, 'SIGTERM');
  t.is(await readiness(daemon), '200 ready');
  t.is((await createPayment(daemon, keys)).status, 200);
  t.deepEqual(toldOf(daemon.process.stderr()), []);
});

/** Changes a setting of the server for all its connections, also those that are open. */
async function setOnServer(url: string, setting: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET default_transaction_read_only = off');
  await client.query(`ALTER SYSTEM SET ${setting}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

test('PostgreSQL with read-only transactions: not ready, reported once, and ready again', async (t) => {
  const postgres = await fragilePostgres(t);
  await postgres.start();
  const home = await temporaryFolder(t);
  const env = { KASHBOX_DATABASE_URL: postgres.url };
  const keys = await equipShop(home, env);
  const source = storeSource(() => openCore({ folder: home, env }), operator);
  t.teardown(() => source.close());
  t.is((await source.read()).shop?.store.problem, null);
  const daemon = await startDaemon(t, { home, env });
  await becomes(daemon, '200 ready');
  await setOnServer(postgres.url, 'default_transaction_read_only = on');
  await refusesWhile(daemon, keys, '503 This PostgreSQL takes no writes: its transactions are read-only');
  const doctor = await runKashbox(t, home, env, 'doctor', '--json');
  t.is(doctor.code, 4);
  t.regex(doctor.stdout, /its transactions are read-only/);
  t.regex((await source.read()).shop?.store.problem ?? '', /its transactions are read-only/);
  await setOnServer(postgres.url, 'default_transaction_read_only = off');
  await becomes(daemon, '200 ready');
  t.is((await createPayment(daemon, keys)).status, 200);
  await toldInTurn(t, daemon.process.stderr);
});

function runKashbox(t: Owner, home: string, env: Environment, ...args: readonly string[]) {
  return runNode(t, [kashboxProgram, ...args], { ...env, HOME: home, KASHBOX_HOME: home });
}

test('a server that becomes a standby is named as one by daemon, commands and doctor', async (t) => {
  const standby = 'This PostgreSQL is a read-only standby';
  const postgres = await fragilePostgres(t);
  await postgres.start();
  const home = await temporaryFolder(t);
  const env = { KASHBOX_DATABASE_URL: postgres.url };
  const keys = await equipShop(home, env);
  const daemon = await startDaemon(t, { home, env });
  await becomes(daemon, '200 ready');
  await postgres.stop('fast');
  postgres.setStandby(true);
  await postgres.start();
  await refusesWhile(daemon, keys, `503 ${standby}`);
  for (const args of [['payments', 'list'], ['daemon'], ['doctor']]) {
    const { code, stdout, stderr } = await runKashbox(t, home, env, ...args);
    t.is(code, args[0] === 'doctor' ? 4 : 5, args.join(' '));
    t.true(`${stdout}${stderr}`.includes(standby), `${args.join(' ')}: ${stdout}${stderr}`);
    t.true(`${stdout}${stderr}`.includes('the address of the primary'));
  }
  await postgres.stop('fast');
  postgres.setStandby(false);
  await postgres.start();
  await becomes(daemon, '200 ready');
});

const NOBODY = 65_534;

test('a daemon does not start on a file that it may read and not write, and says why', async (t) => {
  if (process.getuid?.() !== 0) {
    t.log('only root can make a file that is not this user’s: not tried');
    return t.pass();
  }
  const home = await temporaryFolder(t);
  await (await openCore({ folder: home, env: {} })).close();
  for (const path of ['.', ...readdirSync(home)]) chownSync(join(home, path), NOBODY, NOBODY);
  chownSync(join(home, 'kashbox.db'), 0, 0);
  chmodSync(join(home, 'kashbox.db'), 0o644);
  const asNobody = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
  const args = [...asNobody, process.execPath, kashboxProgram, 'daemon', '--port', '0', '--http-port', '0'];
  const daemon = startProgram(t, 'setpriv', args, { HOME: home, KASHBOX_HOME: home });
  t.deepEqual(await withinTime(daemon), { code: 5, signal: null }, daemon.stderr());
  t.regex(daemon.stderr(), /Error: The store can be read but not written\nNext: /);
  t.is(daemon.stdout(), '');
  rmSync(home, { recursive: true });
});
