/** What a notification lives through in days, on a clock that the test moves: rows 82 to 84 of the faults. */
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createNotifier } from '../../../daemon/loops/notifier.js';
import { rotateWebhookSecret } from '../../../src/actions/brands/webhook-secrets.js';
import type { Core } from '../../../src/actions/core/core.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { replayNotification } from '../../../src/actions/notifications/notifications.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { openLog } from '../../../src/base/io/log.js';
import { MAX_TRIES } from '../../../src/domain/notifications/notification.js';
import { createSender } from '../../../src/notify/send.js';
import { checkSignature } from '../../../src/notify/signature.js';
import { openReceiver, type Received } from '../../helpers/network/receiver.js';
import { hostedOrder } from '../../helpers/shop/hosted.js';
import { putNotification } from '../../helpers/shop/outbox.js';
import { rows } from '../../helpers/shop/scene.js';
import { openTestCore } from '../../helpers/stores/engines.js';

const env = { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true' };
const HOUR = 3_600_000;
const { log } = openLog('silent');

/** A core whose clock can be moved on, with a brand that is notified at that address. */
async function stageAt(t: ExecutionContext, webhookUrl: string) {
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const core = await openTestCore(t, 'sqlite', { env, clock });
  const made = await createMerchant(core, { name: 'Alo', webhookUrl, allowIps: [], who: 'test' });
  return { core, clock, secret: made.webhook_secret, brandId: made.brand.id };
}

function start(t: ExecutionContext, core: Core): void {
  const notifier = createNotifier(core, log, { sender: createSender(), records: { record: () => {} } });
  notifier.start();
  t.teardown(() => notifier.stop());
}

const tell = async (core: Core) => cancelSession(core, await hostedOrder(core, 'Alo', 50_000));

interface Note {
  readonly id: string;
  readonly state: string;
  readonly tries: number;
  readonly next_at: number;
  readonly lease: string | null;
}

async function onlyNote(core: Core): Promise<Note> {
  const [note] = (await rows(core, 'notifications')) as unknown as Note[];
  if (note === undefined) throw new Error('nothing was written');
  return note;
}

async function until(core: Core, holds: (note: Note) => boolean): Promise<Note> {
  for (let left = 600; left > 0; left -= 1) {
    const note = await onlyNote(core);
    if (note.lease === null && holds(note)) return note;
    await sleep(25);
  }
  throw new Error('it did not come to that');
}

test('82: of a shop that is down for days each try is kept, and in the end it can be replayed', async (t) => {
  let isDown = true;
  const shop = await openReceiver(t, (_got, response) => void response.writeHead(isDown ? 503 : 200).end());
  const { core, clock } = await stageAt(t, shop.url);
  await tell(core);
  start(t, core);
  const began = clock.now();
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    const { next_at } = await until(core, (note) => note.tries === tries);
    clock.ahead += next_at - clock.now();
    core.moved.tell('the clock');
  }
  const dead = await until(core, ({ state }) => state === 'FAILED');
  t.is(dead.tries, MAX_TRIES);
  t.true(clock.now() - began > 30 * HOUR && clock.now() - began < 60 * HOUR);
  t.is((await rows(core, 'attempts')).length, MAX_TRIES);
  isDown = false;
  await replayNotification(core, { id: dead.id, who: 'test' });
  core.moved.tell('the replay');
  await until(core, ({ state }) => state === 'DELIVERED');
  t.deepEqual(new Set(shop.received.map(({ id }) => id)), new Set([dead.id]));
  t.is(new Set(shop.received.map(({ body }) => body)).size, 1);
});

test('83: a secret that is rotated between two tries: both sign until the overlap is over', async (t) => {
  const shop = await openReceiver(t, (_got, response) => void response.writeHead(500).end());
  const { core, clock, secret: old } = await stageAt(t, shop.url);
  await tell(core);
  start(t, core);
  await until(core, ({ tries }) => tries === 1);
  const { webhook_secret: present } = await rotateWebhookSecret(core, {
    brand: 'Alo',
    overlapMs: HOUR,
    who: 'test',
  });
  clock.ahead = HOUR / 2;
  core.moved.tell('the clock');
  await until(core, ({ tries }) => tries === 2);
  clock.ahead = 3 * HOUR;
  core.moved.tell('the clock');
  await until(core, ({ tries }) => tries === 3);
  const fits = ({ headers, body }: Received, secret: string) =>
    checkSignature(String(headers['x-service-signature']), {
      body,
      secrets: [secret],
      now: clock.now(),
      toleranceS: Number.POSITIVE_INFINITY,
    }).result;
  t.deepEqual(
    shop.received.map((got) => [fits(got, old), fits(got, present)]),
    [
      ['valid', 'wrong'],
      ['valid', 'valid'],
      ['wrong', 'valid'],
    ],
  );
});

test('84: ten thousand that are due to an endpoint that hangs keep no other shop waiting', async (t) => {
  const hanging = await openReceiver(t, () => {});
  const shop = await openReceiver(t);
  const { core, brandId } = await stageAt(t, shop.url);
  const now = core.clock.now();
  for (let made = 0; made < 10_000; made += 500) {
    const some = Array.from({ length: 500 }, (_, at) =>
      putNotification(core, {
        id: `ntf_${made + at}`,
        brand_id: brandId,
        url: hanging.url,
        endpoint: hanging.url,
        next_at: now - HOUR,
      }),
    );
    await Promise.all(some);
  }
  start(t, core);
  await hanging.different(1);
  const fromHere = hanging.received.length;
  for (let told = 0; told < 50; told += 1) await tell(core);
  await shop.different(50);
  // One at a time, each for 5 s: so few that nothing was waited for.
  t.true(hanging.received.length - fromHere <= 6, `${hanging.received.length - fromHere}`);
});
