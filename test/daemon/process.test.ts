/** The daemon as a process: what it prints, how it ends, and what its log keeps to itself under load. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { dhakaIso } from '../../src/base/values/clock.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import { kashboxProgram, runNode, withinTime } from '../helpers/programs/processes.js';
import { bkashId, bkashText, openShop, type Shop } from '../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../helpers/stores/engines.js';
import { CREATE, SMS } from './api.js';
import { openTlsWire, requestText } from './wire.js';

/** A home with a shop in it. */
async function home(
  t: ExecutionContext<unknown>,
): Promise<{ home: string; shop: Shop; sessions(): Promise<number> }> {
  const folder = await temporaryFolder(t);
  const core = await openTestCore(t, 'sqlite', { folder });
  const sessions = async () =>
    (await core.store.read((db) => db.query.selectFrom('sessions').select('id').execute())).length;
  return { home: folder, shop: await openShop(core), sessions };
}

function runDaemonCommand(t: ExecutionContext<unknown>, folder: string, ...args: readonly string[]) {
  const ports = { KASHBOX_PORT: '0', KASHBOX_HTTP_PORT: '0' };
  return runNode(t, [kashboxProgram, 'daemon', ...args], { HOME: folder, KASHBOX_HOME: folder, ...ports });
}

test('a stop under load loses nothing that was answered and ends with 0; the log holds no secret', async (t) => {
  const { home: folder, shop, sessions } = await home(t);
  const daemon = await startDaemon(t, { home: folder });
  const headers = { 'brand-key': shop.brandKey, 'x-canary': 'CANARYheader' };
  let created = 0;
  let stopping = false;
  const worker = async () => {
    for (;;) {
      try {
        const order = { cus_name: 'CANARYname', amount: 5, api_key: 'CANARYbody' };
        const { status } = await daemon.post(`${CREATE}?api_key=CANARYquery`, headers, order);
        if (status !== 200) return `answered ${status}`;
        created += 1;
      } catch (error) {
        return stopping ? 'gone' : String(error);
      }
    }
  };
  const workers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(worker));
  while (created < 200) await sleep(10);
  stopping = true;
  daemon.process.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
  t.deepEqual([...new Set(await workers)], ['gone']);
  t.true((await sessions()) >= created);
  const log = daemon.process.stderr();
  t.regex(log, /"msg":"stopped"/);
  for (const secret of ['CANARY', shop.brandKey]) t.false(log.includes(secret));
  t.deepEqual(daemon.process.stdout().trim().split('\n').length, 1);
});

test('a second signal ends a daemon that is still waiting for a client', async (t) => {
  const { home: folder } = await home(t);
  const daemon = await startDaemon(t, { home: folder });
  // A request whose body does not end is under way for as long as the drain allows.
  const wire = await openTlsWire(t, Number(new URL(daemon.url).port));
  wire.socket.write(
    requestText(`POST ${CREATE}`, { 'content-type': 'application/json', 'content-length': 9 }, '{'),
  );
  await daemon.get('/readyz');
  daemon.process.kill('SIGINT');
  await daemon.process.logged(/stopping/);
  daemon.process.kill('SIGINT');
  t.deepEqual(await withinTime(daemon.process), { code: 1, signal: null });
  t.regex(daemon.process.stderr(), /told twice to stop/);
});

test('SIGHUP reads the certificate again and the daemon stays', async (t) => {
  const { home: folder } = await home(t);
  const daemon = await startDaemon(t, { home: folder });
  writeFileSync(join(folder, 'tls', 'key.pem'), 'broken');
  daemon.process.kill('SIGHUP');
  await daemon.process.logged(/not reloaded/);
  t.is((await daemon.get('/readyz')).status, 200);
});

test('an error that prevents the start is reported with its remedy and its exit code', async (t) => {
  const { home: folder } = await home(t);
  const daemon = await startDaemon(t, { home: folder });
  const taken = await runDaemonCommand(t, folder, '--port', new URL(daemon.url).port);
  t.is(taken.code, 5);
  t.regex(taken.stderr, /Error: 127\.0\.0\.1:\d+ is in use.*\nNext: .*--port/);
  const json = await runDaemonCommand(t, folder, '--http-port', new URL(daemon.plainUrl).port, '--json');
  t.is(json.code, 5);
  t.is(JSON.parse(json.stdout).error.code, 'port_unavailable');
  for (const args of [
    ['--port', '99999'],
    ['--tls-cert', 'x'],
    ['--trust-proxy', 'all'],
    ['--log-level', 'loud'],
  ]) {
    const wrong = await runDaemonCommand(t, folder, ...args);
    t.is(wrong.code, 2, args.join(' '));
  }
  t.true(existsSync(join(folder, 'tls', 'cert.pem')));
});

test('disabled certificate checks are logged as an error', async (t) => {
  const { home: folder } = await home(t);
  const daemon = await startDaemon(t, { home: folder, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  await daemon.process.logged(/"level":"error".*NODE_TLS_REJECT_UNAUTHORIZED=0/);
  t.true(readFileSync(join(folder, 'tls', 'cert.pem'), 'utf8').startsWith('-----BEGIN'));
});

test('a broken SMS format is left out: the log and doctor name it, and the SMS of a phone are taken', async (t) => {
  const { home: folder, shop } = await home(t);
  mkdirSync(join(folder, 'formats', 'folder.json'), { recursive: true });
  writeFileSync(join(folder, 'formats', 'mine.json'), '{"channel": "mfs_a",');
  const daemon = await startDaemon(t, { home: folder });
  for (const name of ['mine.json', 'folder.json']) {
    await daemon.process.logged(new RegExp(`"level":"error".*left out: SMS format ${name}`));
  }
  const at = Date.now();
  const body = bkashText({ taka: '5.00', trxId: bkashId(at, 1), at });
  const sms = { messages: [{ id: 'm1', sender: 'bKash', body, received_at: dhakaIso(at), sim_slot: 1 }] };
  t.is((await daemon.post(SMS, { 'device-key': shop.deviceKey }, sms)).status, 200);
  const doctor = await runNode(t, [kashboxProgram, 'doctor'], { HOME: folder, KASHBOX_HOME: folder });
  t.is(doctor.code, 4);
  t.regex(doctor.stdout, /FAIL {2}SMS formats: SMS format mine\.json: /);
  t.regex(doctor.stdout, /FAIL {2}SMS formats: SMS format folder\.json: /);
});
