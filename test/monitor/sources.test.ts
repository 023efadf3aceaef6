/** What the dashboard reads: the store through one board, and phones from another machine's daemon. */

import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import test from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { listPayments } from '../../src/actions/sessions/list-payments.js';
import { loadDashboard } from '../../src/actions/upkeep/load-dashboard.js';
import { type Remote, remoteSource } from '../../src/monitor/source-remote.js';
import { storeSource } from '../../src/monitor/source-store.js';
import { tlsPair } from '../helpers/network/tls-pair.js';
import { openCli } from '../helpers/programs/cli.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, temporaryFolder, testClock } from '../helpers/stores/engines.js';
import { planOf, recorded } from '../helpers/stores/plans.js';
import { fragilePostgres } from '../helpers/stores/postgres-outage.js';
import { operator } from './frames.js';

for (const engine of engines) {
  test(`${engine}: the board counts what the store holds, problems first`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    await busyShop(core, clock, 6);
    const board = await loadDashboard(core);
    t.is(board.devices.length, 6);
    const { last_hour: hour, latest } = board.payments;
    const all = await listPayments(core, { limit: 1_000 });
    t.deepEqual(latest, all.slice(0, 50));
    t.is(hour.slots.length, 30);
    const within = all.filter(({ created_at }) => created_at >= (hour.slots[0]?.at ?? ''));
    const count = (wanted: string) => within.filter(({ status }) => status === wanted).length;
    t.is(hour.opened, within.length);
    t.deepEqual([hour.completed, hour.pending], [count('COMPLETED'), count('PENDING')]);
    const sum = (of: 'opened' | 'completed') => hour.slots.reduce((total, slot) => total + slot[of], 0);
    t.deepEqual([sum('opened'), sum('completed')], [hour.opened, hour.completed]);
    const paid = within.reduce((sum, { paid }) => sum + Math.round(Number(paid ?? 0) * 100), 0);
    t.is(hour.paid, (paid / 100).toFixed(2));
    const { today, yesterday } = board.payments;
    const credited = all.filter(({ status }) => status === 'COMPLETED');
    t.is(today.completed + yesterday.completed, credited.length);
    t.is(
      Number(today.paid) + Number(yesterday.paid),
      credited.reduce((all, { paid }) => all + Number(paid), 0),
    );
    t.is(board.reviews.waiting, board.reviews.oldest.length);
    t.true(board.reviews.waiting > 0);
    t.deepEqual([board.notifications.pending, board.notifications.failed], [3, 2]);
    t.deepEqual(
      board.notifications.failing.map(({ state }) => state),
      ['FAILED', 'FAILED', 'PENDING', 'PENDING', 'PENDING'],
    );
    t.deepEqual([board.dispatches.queued, board.dispatches.leased], [2, 1]);
    t.is(board.alerts.open, 2);
    t.deepEqual(
      board.alerts.latest
        .filter(({ kind }) => kind !== 'review.waiting')
        .map(({ ended_at }) => ended_at === null),
      [true, true, false],
    );
    t.is(board.jobs.find(({ name }) => name === 'recheck-claims')?.state, 'failed');
    clock.advance(3_600_000);
    const later = await loadDashboard(core);
    t.is(later.payments.last_hour.opened, 0);
    t.is(later.jobs.find(({ name }) => name === 'recheck-claims')?.state, 'silent');
  });

  test(`${engine}: an empty store has a board, too`, async (t) => {
    const board = await loadDashboard(await openTestCore(t, engine));
    t.deepEqual(board.devices, []);
    t.is(board.payments.last_hour.paid, '0.00');
    t.true(board.jobs.every(({ state }) => state === 'silent'));
  });

  test(`${engine}: queries run every three seconds find payments, reviews and due work by an index`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    await openShop(core);
    const statements = new Map<string, readonly unknown[]>();
    await loadDashboard(recorded(core, statements));
    const large =
      /(from|join) "(sessions|reviews|notifications|dispatches|alerts|claims|transactions|proofs|sms_gaps)"/;
    const asked = [...statements].filter(([sql]) => large.test(sql));
    t.true(asked.length >= 8, `${asked.length} statements were seen`);
    await core.store.write(async (db) => {
      if (engine === 'postgres') await db.execute('SET LOCAL enable_seqscan = off', []);
      for (const [sql, parameters] of asked) {
        // To walk along an index is what a list wants. Phones, brands and the like are few, as is what
        // was found by an index before.
        const isFew = '(d|p|b|m|waiting|devices|[(]subquery-\\d+[)])';
        const plan = (await planOf(db, sql, parameters)).split('\n');
        const scans = plan.filter((line) => /SCAN \S+$|Seq Scan/.test(line));
        t.deepEqual(
          scans.filter((line) => !new RegExp(`(SCAN| ) ${isFew}$`).test(line)),
          [],
          sql,
        );
      }
    });
  });
}

test('after a restart of PostgreSQL the store is read again by itself', async (t) => {
  const postgres = await fragilePostgres(t);
  await postgres.start();
  const folder = await temporaryFolder(t);
  const source = storeSource(
    () => openCore({ folder, env: { KASHBOX_DATABASE_URL: postgres.url } }),
    operator,
  );
  t.teardown(() => source.close());
  const before = await source.read();
  await postgres.stop('crash');
  await t.throwsAsync(source.read(), { code: 'store_unreachable' });
  await postgres.start();
  let after = null;
  while (after === null) after = await source.read().catch(() => sleep(50, null));
  t.deepEqual(Object.keys(after), Object.keys(before));
});

const remoteOf = (url: string, change: Partial<Remote> = {}): Remote => ({
  url: new URL(url),
  deviceKeys: 'dk_nobody',
  fingerprint: null,
  ca: null,
  ...change,
});

test('phones are read from another machine with their keys and the fingerprint alone', async (t) => {
  const cli = await openCli(t);
  const core = await openCore({ folder: cli.home, env: {} });
  const { deviceKey } = await openShop(core, 'Amar Dokan').finally(() => core.close());
  const { url, fingerprint } = await startDaemon(t, { home: cli.home });
  const keys = { KASHBOX_DEVICE_KEYS: `${deviceKey}, dk_unknown` };
  const elsewhere = await openCli(t, keys);
  const named = ['--url', url, '--fingerprint', fingerprint.toUpperCase()];
  const { devices } = (await elsewhere('monitor', '--json', ...named)).json<{
    readonly devices: readonly { readonly name: string; readonly state: string }[];
  }>();
  t.deepEqual(
    devices.map(({ name, state }) => [name, state]),
    [
      ['Amar Dokan phone', 'OFFLINE'],
      ['key 2', 'UNKNOWN'],
    ],
  );
  const piped = await cli.piped(`${deviceKey}\n`, 'monitor', '--json', ...named, '--device-keys', '-');
  t.is(piped.code, 0);

  const read = (change: Partial<Remote>) => remoteSource(remoteOf(url, change)).read();
  await t.throwsAsync(read({ fingerprint }), {
    code: 'device_keys_invalid',
    message: /answers 401: .*DEVICE-KEYS/,
  });
  await t.throwsAsync(read({}), { code: 'daemon_unreachable', message: /self-signed certificate/ });
});

test('keys are not sent to a server with another certificate', async (t) => {
  const { cert, key } = await tlsPair();
  let received = '';
  const server = createServer({ cert, key }, (socket) => {
    socket
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        socket.end('HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n');
      });
  }).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => {});
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = (change: Partial<Remote>) => remoteSource(remoteOf(url, change)).read();
  await t.throwsAsync(read({ fingerprint: 'a'.repeat(64) }), {
    message: /another fingerprint: [0-9a-f]{64}/,
  });
  await t.throwsAsync(read({}), { message: /self-signed/ });
  t.is(received, '');
  const fingerprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
  await t.throwsAsync(read({ fingerprint }), { message: /answers 500/ });
  t.regex(received, /dk_nobody/);
  server.close();
  await t.throwsAsync(remoteSource(remoteOf('https://127.0.0.1:1')).read(), {
    message: /connection refused/,
  });
});

test('a fault in the address, the fingerprint or the keys is reported, with exit code 2', async (t) => {
  const cli = await openCli(t);
  const good = ['monitor', '--json', '--url', 'https://pay.example.com'];
  const wrong: [args: readonly string[], says: RegExp][] = [
    [['monitor', '--json', '--url', 'http://pay.example.com', '--device-keys', 'k'], /no https address/],
    [good, /no device keys/],
    [[...good, '--device-keys', 'k', '--fingerprint', 'abc'], /no SHA-256/],
    [['monitor', '--device-keys', 'k'], /--url/],
  ];
  for (const [args, says] of wrong) {
    const { code, stdout, stderr } = await cli(...args);
    t.is(code, 2);
    t.regex(stdout + stderr, says);
  }
});
