/** The loop that delivers what is due: real receivers, store and sender; private addresses are allowed. */
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createNotifier } from '../../../daemon/loops/notifier.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { openLog } from '../../../src/base/io/log.js';
import { createSender, type NotificationSender } from '../../../src/notify/send.js';
import { checkSignature } from '../../../src/notify/signature.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openReceiver } from '../../helpers/network/receiver.js';
import { hostedOrder } from '../../helpers/shop/hosted.js';
import { putNotification } from '../../helpers/shop/outbox.js';
import { rows } from '../../helpers/shop/scene.js';
import { engines, openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';
import { freshDatabase } from '../../helpers/stores/postgres.js';
import { until } from '../../helpers/until.js';

const env = { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true' };
const { log } = openLog('silent');

interface Note {
  readonly id: string;
  readonly state: string;
  readonly tries: number;
  readonly next_at: number;
  readonly lease: string | null;
}

const notes = async (core: Core) => (await rows(core, 'notifications')) as unknown as Note[];

function start(t: ExecutionContext, core: Core) {
  const records = { record: () => {} };
  const notifier = createNotifier(core, log, { sender: createSender(), records });
  notifier.start();
  t.teardown(() => notifier.stop());
  return notifier;
}

/** A brand that is notified at an address. @returns its webhook secret. */
async function brandAt(core: Core, name: string, webhookUrl: string): Promise<string> {
  const made = await createMerchant(core, { name, webhookUrl, allowIps: [], who: 'test' });
  return made.webhook_secret;
}

/** Makes so many notifications due: each is of a payment that was cancelled. */
async function makeDue(core: Core, brand: string, count: number): Promise<void> {
  const one = async () => cancelSession(core, await hostedOrder(core, brand, 50_000));
  for (let left = count; left > 0; left -= 50) {
    await Promise.all(Array.from({ length: Math.min(left, 50) }, one));
  }
}

for (const engine of engines) {
  test(`${engine}: a due notification is delivered once, signed, and the attempt is stored`, async (t) => {
    const core = await openTestCore(t, engine, { env });
    const shop = await openReceiver(t);
    const secret = await brandAt(core, 'Alo', shop.url);
    start(t, core);
    await makeDue(core, 'Alo', 1);
    await shop.different(1);
    await until(async () => (await notes(core)).every(({ state }) => state === 'DELIVERED'));
    const [got, ...others] = shop.received;
    t.deepEqual(others, []);
    t.is(got?.headers['content-type'], 'application/json');
    const check = checkSignature(String(got?.headers['x-service-signature']), {
      body: got?.body ?? '',
      secrets: [secret],
      now: core.clock.now(),
      toleranceS: 300,
    });
    t.is(check.result, 'valid');
    const [attempt, ...more] = await rows(core, 'attempts');
    t.deepEqual(more, []);
    t.like(attempt, {
      notification_id: got?.id,
      outcome: 'delivered',
      status: 200,
      answer: 'ok',
      asked_by: 'schedule',
    });
  });

  test(`${engine}: two daemons share what is due, and each notification is sent once`, async (t) => {
    const [one, two] = await twoCores(t, engine);
    const shops = await Promise.all([openReceiver(t), openReceiver(t), openReceiver(t)]);
    for (const [index, shop] of shops.entries()) {
      await brandAt(one, `Shop ${index}`, shop.url);
      await makeDue(one, `Shop ${index}`, 60);
    }
    const notifiers = [start(t, one), start(t, two)];
    await Promise.all(shops.map((shop) => shop.different(60)));
    await until(async () => (await notes(one)).every(({ state }) => state === 'DELIVERED'));
    t.deepEqual(
      shops.map(({ received }) => received.length),
      [60, 60, 60],
    );
    t.is((await rows(one, 'attempts')).length, 180);
    const sent = notifiers.map((notifier) => notifier.attempts().delivered);
    t.is(
      sent.reduce((sum, count) => sum + count, 0),
      180,
    );
  });
}

async function twoCores(t: ExecutionContext, engine: Engine): Promise<[Core, Core]> {
  const folder = await temporaryFolder(t);
  const database = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await freshDatabase(t) } : {};
  const open = () => openCore({ folder, env: { ...env, ...database } });
  const cores: [Core, Core] = [await open(), await open()];
  t.teardown(() => Promise.all(cores.map((core) => core.close())));
  return cores;
}

test('an answer other than 200 is tried again after 5 s, more or less, and Retry-After is kept to', async (t) => {
  const core = await openTestCore(t, 'sqlite', { env });
  const shop = await openReceiver(t, (_got, response) => void response.writeHead(204).end());
  const busy = await openReceiver(t, (_got, response) => {
    response.writeHead(503, { 'retry-after': '90' }).end('later');
  });
  await brandAt(core, 'Alo', shop.url);
  await brandAt(core, 'Busy', busy.url);
  await makeDue(core, 'Alo', 1);
  await makeDue(core, 'Busy', 1);
  start(t, core);
  await until(async () => (await notes(core)).every(({ tries, lease }) => tries === 1 && lease === null));
  const attempts = (await rows(core, 'attempts')) as {
    status: number;
    detail: string;
    at: number;
    notification_id: string;
  }[];
  t.deepEqual(attempts.map(({ status }) => status).sort(), [204, 503]);
  t.is(attempts.find(({ status }) => status === 204)?.detail, 'answered 204, 200 is required');
  for (const { notification_id, status, at } of attempts) {
    const note = (await notes(core)).find(({ id }) => id === notification_id);
    const wait = (note?.next_at ?? 0) - at;
    if (status === 204) t.true(wait >= 4_000 && wait < 30_000, `${wait}`);
    else t.true(wait >= 90_000 && wait < 120_000, `${wait}`);
    t.is(note?.state, 'PENDING');
  }
});

test('an endpoint that hangs with many due delays no other', async (t) => {
  const core = await openTestCore(t, 'sqlite', { env });
  const dead = await openReceiver(t, () => {});
  const shop = await openReceiver(t);
  await brandAt(core, 'Dead', dead.url);
  await brandAt(core, 'Alo', shop.url);
  await makeDue(core, 'Dead', 300);
  const began = performance.now();
  start(t, core);
  await dead.different(1);
  await makeDue(core, 'Alo', 100);
  await shop.different(100);
  // One at a time, each given up after 5 s.
  const most = 2 + (performance.now() - began) / 5_000;
  t.true(dead.received.length <= most, `${dead.received.length} to the one that hangs`);
});

test('a shop that hangs delays no other shop on the same host', async (t) => {
  const core = await openTestCore(t, 'sqlite', { env });
  const host = await openReceiver(t, ({ path }, response) => {
    if (path !== '/slow') response.end('ok');
  });
  await brandAt(core, 'Slow', host.url.replace('/hook', '/slow'));
  await brandAt(core, 'Alo', host.url);
  await makeDue(core, 'Slow', 50);
  start(t, core);
  await host.different(1);
  await makeDue(core, 'Alo', 10);
  await until(async () => host.received.filter(({ path }) => path === '/hook').length === 10);
  const all = (await rows(core, 'notifications')) as { url: string; state: string }[];
  const toSlow = all.filter(({ url, state }) => url.endsWith('/slow') && state === 'PENDING');
  t.is(toSlow.length, 50);
});

test('an endpoint whose secret cannot be opened is tried slowly, and delays no other', async (t) => {
  const core = await openTestCore(t, 'sqlite', { env });
  const locked = await openReceiver(t);
  const shop = await openReceiver(t);
  await brandAt(core, 'Locked', locked.url);
  await brandAt(core, 'Alo', shop.url);
  await core.store.write((db) =>
    db.query.updateTable('brands').set({ webhook_secret: 'broken' }).where('name', '=', 'Locked').execute(),
  );
  await makeDue(core, 'Locked', 100);
  const began = performance.now();
  start(t, core);
  await makeDue(core, 'Alo', 100);
  await shop.different(100);
  const taken = (await notes(core)).filter(({ state, lease }) => state === 'PENDING' && lease !== null);
  // One at a time, each of which takes up its place for 2 s; and of Alo what is being written down.
  const most = 2 + (performance.now() - began) / 2_000 + 4;
  t.true(taken.length > 0 && taken.length <= most, `${taken.length} were taken`);
  t.is(locked.received.length, 0);
});

test('a notification that a notifier leased and did not finish is due again after the lease', async (t) => {
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const core = await openTestCore(t, 'sqlite', { env, clock });
  let isHanging = true;
  const shop = await openReceiver(t, (_got, response) => {
    if (!isHanging) response.end('ok');
  });
  await brandAt(core, 'Alo', shop.url);
  await makeDue(core, 'Alo', 1);
  start(t, core);
  await shop.different(1);
  const [taken] = await notes(core);
  t.is(taken?.state, 'PENDING');
  t.truthy(taken?.lease);
  isHanging = false;
  // Another daemon, while the first still waits for its answer.
  start(t, core);
  await sleep(100);
  t.is(shop.received.length, 1);
  clock.ahead = 11_000;
  await until(async () => (await notes(core)).every(({ state }) => state === 'DELIVERED'));
  t.deepEqual(new Set(shop.received.map(({ id }) => id)), new Set([taken?.id]));
  t.is(shop.received.length, 2);
});

test('when stopped it leases nothing more, and records the attempts under way', async (t) => {
  const core = await openTestCore(t, 'sqlite', { env });
  const shop = await openReceiver(t, (_got, response) => void setTimeout(() => response.end('ok'), 300));
  await brandAt(core, 'Alo', shop.url);
  await makeDue(core, 'Alo', 5);
  const notifier = start(t, core);
  await shop.different(1);
  await notifier.stop();
  const came = shop.received.length;
  t.is((await rows(core, 'attempts')).length, came);
  await sleep(1_500);
  t.is(shop.received.length, came);
  t.is((await notes(core)).filter(({ state }) => state === 'PENDING').length, 5 - came);
});

test('endpoints that hang, each with a backlog, do not go before a shop that has just come', async (t) => {
  const core = await openTestCore(t, 'sqlite', { env });
  const { brand } = await createMerchant(core, { name: 'Alo', allowIps: [], who: 'test' });
  const now = core.clock.now();
  for (let index = 0; index < 200; index += 1) {
    const url = `http://127.0.1.${index % 100}/`;
    const row = { id: `ntf_${index}`, brand_id: brand.id, url, endpoint: url, next_at: now - 60_000 };
    await putNotification(core, row);
  }
  await putNotification(core, {
    id: 'ntf_new',
    brand_id: brand.id,
    url: 'new',
    endpoint: 'new',
    next_at: now,
  });
  const asked: string[] = [];
  const late = { outcome: 'timeout', status: null, detail: 'late', answer: null, ms: 5_000 } as const;
  const send: NotificationSender['send'] = async ({ url }) => {
    asked.push(url);
    await sleep(20);
    return { ...late, redirect: null, retryAfterS: null };
  };
  const notifier = createNotifier(core, log, { sender: { send }, records: { record: () => {} } });
  notifier.start();
  t.teardown(() => notifier.stop());
  await until(async () => asked.length === 201);
  // Behind the hundred, at most one full round of 64 late; by age alone it would be the last.
  t.true(asked.indexOf('new') <= 128, `${asked.indexOf('new')}`);
});

for (const engine of engines) {
  test(`${engine}: notifications written while the clock was ahead are sent after it is corrected`, async (t) => {
    const clock = { ahead: 2 * 86_400_000, now: () => Date.now() + clock.ahead };
    const core = await openTestCore(t, engine, { env, clock });
    const shop = await openReceiver(t);
    const { brand } = await createMerchant(core, { name: 'Alo', allowIps: [], who: 'test' });
    const at = { brand_id: brand.id, url: shop.url, endpoint: shop.url };
    start(t, core);
    await putNotification(core, { ...at, id: 'ntf_before' });
    await shop.different(1);
    await putNotification(core, { ...at, id: 'ntf_while', next_at: clock.now() + 60_000 });
    const retry = { tries: 3, created_at: Date.now() - 60_000, next_at: clock.now() + 60_000 };
    await putNotification(core, { ...at, ...retry, id: 'ntf_retry' });
    const planned = { tries: 3, created_at: Date.now() - 60_000, next_at: Date.now() + 3_600_000 };
    clock.ahead = 0;
    await putNotification(core, { ...at, ...planned, id: 'ntf_planned' });
    await shop.different(3);
    t.deepEqual(shop.received.map(({ id }) => id).sort(), ['ntf_before', 'ntf_retry', 'ntf_while']);
  });
}
