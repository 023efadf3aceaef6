/**
 * Secrets are planted everywhere and used rightly and wrongly; then everything that was logged, printed or
 * stored is searched for them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { openCore } from '../../src/actions/core/core.js';
import { enrollDevice } from '../../src/actions/devices/enroll-device.js';
import { createMerchant } from '../../src/actions/merchants/change-merchant.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { type Environment, kashboxProgram, relayProgram, runNode } from '../helpers/programs/processes.js';
import { WALLET } from '../helpers/shop/shop.js';
import { createPayment, newSms, relaySms, verifyPayment } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { freshDatabase } from '../helpers/stores/postgres.js';

/** Name and text of everything that nobody may find. */
type Canaries = Readonly<Record<string, string | Buffer>>;

interface Planted {
  readonly home: string;
  readonly env: Environment;
  readonly secrets: {
    readonly brand_key: string;
    readonly webhook_secret: string;
    readonly device_key: string;
    readonly gateway_key: string;
    readonly pairing_code: string;
  };
}

async function plant(t: ExecutionContext, env: Environment): Promise<Planted> {
  const home = await temporaryFolder(t);
  const core = await openCore({ folder: home, env });
  try {
    const who = 'test';
    const made = await createMerchant(core, { name: 'Alo Store', allowIps: [], who });
    await setAccount(core, { brand: 'Alo Store', channel: 'mfs_a', type: 'personal', number: WALLET, who });
    const phone = await enrollDevice(core, {
      merchant: 'Alo Store',
      name: 'relay',
      sims: [`1=${WALLET}`],
      who,
    });
    return { home, env, secrets: { ...made, ...phone } };
  } finally {
    await core.close();
  }
}

function canariesOf({ home, secrets }: Planted): Canaries {
  const { brand_key, webhook_secret, device_key, gateway_key, pairing_code } = secrets;
  const sealingKey = readFileSync(join(home, 'secret.key'), 'utf8').trim();
  return {
    brand_key,
    webhook_secret,
    'bytes of webhook_secret': Buffer.from(webhook_secret.replace('whsec_', ''), 'base64'),
    device_key,
    gateway_key,
    pairing_code,
    sealingKey,
    'bytes of sealingKey': Buffer.from(sealingKey, 'hex'),
    'half of brand_key': brand_key.slice(8, 30),
    'half of device_key': device_key.slice(8, 30),
  };
}

/** @returns where which secret was found. */
function leaks(canaries: Canaries, places: Readonly<Record<string, string | Buffer>>): string[] {
  return Object.entries(places).flatMap(([place, content]) => {
    const bytes = Buffer.from(content as string);
    return Object.entries(canaries).flatMap(([name, secret]) =>
      bytes.includes(secret) ? [`${name} in ${place}`] : [],
    );
  });
}

/** Rightly and wrongly, as clients do: in headers, bodies, paths, queries, and to the wrong port. */
async function useSecrets(t: ExecutionContext, daemon: Daemon, { secrets }: Planted): Promise<string> {
  const { brand_key, device_key, gateway_key, webhook_secret } = secrets;
  const keys = { brandKey: brand_key, deviceKey: device_key };
  const created = await createPayment(daemon, keys);
  t.is(created.status, 200);
  const { sms, reference } = newSms();
  t.is((await relaySms(daemon, keys, [sms])).status, 200);
  t.is((await verifyPayment(daemon, keys, String(created.body.id), reference)).status, 200);
  const order = { cus_name: 'Customer', amount: 500 };
  const create = '/api/v2/payment/create';
  await daemon.post(create, { authorization: `Bearer ${brand_key}` }, order);
  await daemon.post(create, {}, { ...order, api_key: brand_key });
  await daemon.post(`${create}?api_key=${brand_key}`, {}, order);
  await daemon.post(`/api/v2/${brand_key}/${webhook_secret}`, { 'brand-key': brand_key }, order);
  await daemon.post(create, { 'brand-key': `${brand_key}x`, 'secret-key': webhook_secret }, order);
  await daemon.post(
    create,
    { 'brand-key': brand_key },
    { ...order, amount: brand_key, cus_name: [device_key] },
  );
  await daemon.post(create, { 'brand-key': brand_key, 'content-type': brand_key }, order);
  await daemon.post('/api/v2/relay/sync', { 'device-key': gateway_key }, { messages: gateway_key });
  await daemon.post(
    '/api/v2/relay/sync',
    { 'device-key': device_key },
    { messages: [device_key], health: device_key },
  );
  await daemon.get(`/healthz?api_key=${brand_key}`);
  await daemon.get(`${create}?api_key=${brand_key}`);
  await daemon.post(create, { 'brand-key': brand_key.repeat(600) }, order).catch(() => {});
  await new Promise((resolve) => {
    const headers = { 'brand-key': brand_key };
    request(`${daemon.plainUrl}${create}?api_key=${brand_key}`, { method: 'POST', headers }, resolve).end(
      brand_key,
    );
  });
  return sms.body;
}

/** The phone pairs and works with the code and key; what it prints and logs. */
async function usePhone(t: ExecutionContext, daemon: Daemon, planted: Planted): Promise<string> {
  const phone = await temporaryFolder(t);
  const { url, fingerprint } = daemon;
  const trust = ['--url', url, '--fingerprint', fingerprint];
  const code = ['--code', planted.secrets.pairing_code];
  const outputs = [];
  for (const args of [
    ['pair', ...trust, ...code],
    ['pair', ...trust, ...code],
    ['run', '--platform', 'simulator', '--once', '--log-json'],
    ['status', '--json'],
  ]) {
    outputs.push(await runNode(t, [relayProgram, ...args, '--home', phone]));
  }
  t.deepEqual(
    outputs.map(({ code }) => code),
    [0, 4, 0, 0],
    'the code works once, the key that it gave works',
  );
  return outputs.map(({ stdout, stderr }) => stdout + stderr).join('\n');
}

/** What the operator's commands show afterwards. */
async function lookAround(t: ExecutionContext, { home, env }: Planted): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  const commands = [
    ['merchants', 'show', 'Alo Store'],
    ['brands', 'show', 'Alo Store'],
    ['keys', 'list', '--brand', 'Alo Store'],
    ['devices', 'show', 'relay'],
    ['payments', 'list'],
    ['doctor'],
  ];
  for (const args of commands) {
    const variables = { ...env, HOME: home, KASHBOX_HOME: home, KASHBOX_DEBUG: '1' };
    const { stdout, stderr } = await runNode(t, [kashboxProgram, ...args, '--json'], variables);
    shown[args.join(' ')] = stdout + stderr;
    t.true(stdout.length > 2, stderr);
  }
  return shown;
}

/** Everything in the home folder but the two files that are keys. */
function filesIn(home: string): Record<string, Buffer> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(home, name)).isFile());
  const kept = files.filter((name) => !['secret.key', join('tls', 'key.pem')].includes(name));
  return Object.fromEntries(kept.map((name) => [name, readFileSync(join(home, name))]));
}

test.serial('sqlite: no secret is logged, printed, or stored in clear', async (t) => {
  const planted = await plant(t, {});
  const canaries = canariesOf(planted);
  const daemon = await startDaemon(t, { home: planted.home, env: { KASHBOX_LOG_LEVEL: 'debug' } });
  const smsText = await useSecrets(t, daemon, planted);
  const phone = await usePhone(t, daemon, planted);
  const shown = await lookAround(t, planted);
  const stored = filesIn(planted.home);
  daemon.process.kill('SIGTERM');
  await daemon.process.ended;
  const printed = { log: daemon.process.stderr(), stdout: daemon.process.stdout(), phone, ...shown };
  t.true(Object.keys(stored).includes('kashbox.db'));
  t.true(printed.log.split('\n').length > 15, 'the log is not silent');
  t.deepEqual(leaks(canaries, { ...printed, ...stored }), []);
  t.deepEqual(
    leaks({ 'text of an SMS': smsText, 'number of a payer': '01900000001' }, { log: printed.log }),
    [],
  );
});

test.serial('postgres: no secret is stored in clear, no password is logged', async (t) => {
  const password = 'canary-of-the-database';
  const url = new URL(await freshDatabase(t));
  url.password = password;
  const planted = await plant(t, { KASHBOX_DATABASE_URL: url.href });
  const canaries = { ...canariesOf(planted), password };
  const daemon = await startDaemon(t, {
    home: planted.home,
    env: { ...planted.env, KASHBOX_LOG_LEVEL: 'debug' },
  });
  await useSecrets(t, daemon, planted);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const stored: Record<string, string> = {};
  for (const { name } of tables) {
    stored[name] = JSON.stringify((await client.query(`SELECT to_json(t)::text FROM ${name} AS t`)).rows);
  }
  await client.end();
  t.true((stored.brand_keys ?? '').length > 10);
  url.port = '1';
  const away = { ...planted, env: { KASHBOX_DATABASE_URL: url.href } };
  const variables = { ...away.env, HOME: planted.home, KASHBOX_HOME: planted.home, KASHBOX_DEBUG: '1' };
  const failed = await runNode(t, [kashboxProgram, 'daemon', '--log-level', 'debug'], variables);
  t.is(failed.code, 5, failed.stderr);
  const printed = { log: daemon.process.stderr(), failed: failed.stdout + failed.stderr };
  t.deepEqual(leaks(canaries, { ...printed, ...stored, ...filesIn(planted.home) }), []);
});

test('a secret that leaks would be found', (t) => {
  const canaries = { key: 'bk_canary', bytes: Buffer.from([1, 2, 3]) };
  const places = { log: 'GET /?api_key=bk_canary', file: Buffer.from([0, 1, 2, 3, 4]), clean: 'nothing' };
  t.deepEqual(leaks(canaries, places), ['key in log', 'bytes in file']);
});
