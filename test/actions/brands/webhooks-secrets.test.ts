/** Which secrets sign before, during and after a rotation, and what a test of an address keeps. */
import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { findBrandInFull } from '../../../src/actions/brands/brand-view.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { rotateWebhookSecret, secretsOfBrand } from '../../../src/actions/brands/webhook-secrets.js';
import { requireBrand } from '../../../src/actions/input/require-row.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { sendNotification } from '../../../src/actions/notifications/deliver-notification.js';
import {
  listNotifications,
  pingWebhook,
  showNotifications,
} from '../../../src/actions/notifications/notifications.js';
import type { AttemptResult } from '../../../src/domain/notifications/notification.js';
import type { NotificationSender, Post } from '../../../src/notify/send.js';
import { checkSignature } from '../../../src/notify/signature.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { changeBrand } from '../../../src/store/tables/brands.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { auditOf, everyRow } from '../../helpers/stores/rows.js';

const who = 'cli:tester';
const brand = 'Alo';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

const HEARD: AttemptResult = {
  outcome: 'delivered',
  status: 200,
  detail: 'answered 200',
  answer: 'ok',
  redirect: null,
  ms: 3.4,
  retryAfterS: null,
};

/** Keeps what it is given to send. */
function keeping(result: AttemptResult) {
  const posts: Post[] = [];
  const sender: NotificationSender = {
    send: async (post) => {
      posts.push(post);
      return result;
    },
  };
  return { posts, sender };
}

async function open(t: ExecutionContext, engine: Engine, webhookUrl = 'https://shop.example/hook') {
  // The published verifier takes the time from the machine.
  const clock = testClock(Math.floor(Date.now() / SECOND) * SECOND);
  const core = await openTestCore(t, engine, { clock });
  const made = await createMerchant(core, { name: brand, webhookUrl, allowIps: [], who });
  return { clock, core, brandId: made.brand.id, first: made.webhook_secret };
}

/** @returns which of the secrets receivers would take for a notification that is signed now. */
async function signingNow({ core }: Awaited<ReturnType<typeof open>>, secrets: readonly string[]) {
  const { posts, sender } = keeping(HEARD);
  const row = await core.store.read((db) => requireBrand(db, brand));
  const content = '{"event":"payment.completed"}';
  const about = { ...row, brand_id: row.id, id: 'ntf_1', url: '', tries: 0 };
  const sent = { ...about, format: 'json', content } as const;
  await sendNotification(core, sender, sent);
  const headers = { ...posts[0]?.headers };
  const header = headers['x-service-signature'];
  const own = secrets.map((secret) => {
    const check = { body: content, secrets: [secret], now: core.clock.now(), toleranceS: 300 };
    return checkSignature(header, check).result === 'valid';
  });
  return { own, headers, content };
}

/** The same by the published verifier of Standard Webhooks. */
function published(secret: string, headers: Record<string, string>, content: string): boolean {
  try {
    new Webhook(secret).verify(content, headers);
    return true;
  } catch {
    return false;
  }
}

for (const engine of engines) {
  test(`${engine}: both secrets sign until the overlap is over, then only the new one`, async (t) => {
    const stage = await open(t, engine);
    const { clock, core, first, brandId } = stage;
    const sealed = (await core.store.read((db) => requireBrand(db, brand))).webhook_secret;
    // So that the end of the overlap is near the time of the machine, by which the verifier judges.
    const overlapMs = 60 * SECOND;
    const rotated = await rotateWebhookSecret(core, { brand, overlapMs, who });
    const second = rotated.webhook_secret;
    t.not(second, first);
    const row = await core.store.read((db) => requireBrand(db, brand));
    t.is(row.old_webhook_secret, sealed);
    t.not((await findBrandInFull(core, brand)).old_webhook_secret_expires_at, null);
    clock.advance(overlapMs - SECOND);
    const before = await signingNow(stage, [first, second]);
    t.deepEqual(before.own, [true, true]);
    t.true(published(first, before.headers, before.content));
    t.true(published(second, before.headers, before.content));
    clock.advance(2 * SECOND);
    const after = await signingNow(stage, [first, second]);
    t.deepEqual(after.own, [false, true]);
    t.false(published(first, after.headers, after.content));
    t.true(published(second, after.headers, after.content));
    t.is((await findBrandInFull(core, brand)).old_webhook_secret_expires_at, null);
    t.deepEqual(await secretsOfBrand(core, brand, clock.now() - 2 * SECOND), [second, first]);
    const audit = await auditOf(core, brandId);
    t.like(
      audit.find(({ action }) => action === 'webhook_secret.rotate'),
      { who },
    );
    const stored = await everyRow(core);
    for (const secret of [first, second]) t.false(stored.includes(secret.slice(6)));
  });

  test(`${engine}: without overlap every older secret expires at once, with overlap none expires early`, async (t) => {
    const stage = await open(t, engine);
    const { core, first } = stage;
    const rotate = async (overlapMs: number) =>
      (await rotateWebhookSecret(core, { brand, overlapMs, who })).webhook_secret;
    const second = await rotate(7 * DAY);
    stage.clock.advance(7 * DAY - SECOND);
    const error = await t.throwsAsync(rotate(HOUR), {
      code: 'state_refused',
      message: /^Brand "Alo" already has two secrets that sign until /,
    });
    t.regex(String((error as { hint?: string }).hint), /without --overlap, which expires older secrets/);
    t.deepEqual((await signingNow(stage, [first, second])).own, [true, true]);
    const third = await rotate(0);
    t.deepEqual((await signingNow(stage, [first, second, third])).own, [false, false, true]);
    const fourth = await rotate(HOUR);
    t.deepEqual((await signingNow(stage, [second, third, fourth])).own, [false, true, true]);
    stage.clock.advance(HOUR);
    const fifth = await rotate(HOUR);
    t.deepEqual((await signingNow(stage, [third, fourth, fifth])).own, [false, true, true]);
    await t.throwsAsync(rotate(7 * DAY + 1), { code: 'invalid_input' });
    const unknown = rotateWebhookSecret(core, { brand: 'Nobody', overlapMs: 0, who });
    await t.throwsAsync(unknown, { code: 'not_found' });
    t.deepEqual((await signingNow(stage, [fifth])).own, [true]);
  });

  test(`${engine}: of two rotations at once with an overlap one is refused, and no secret is lost`, async (t) => {
    const stage = await open(t, engine);
    const { core, first } = stage;
    const input = { brand, overlapMs: HOUR, who };
    const both = await Promise.allSettled([
      rotateWebhookSecret(core, input),
      rotateWebhookSecret(core, input),
    ]);
    const made = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.webhook_secret] : []));
    t.is(made.length, 1);
    t.like(
      both.find((one) => one.status === 'rejected'),
      { reason: { code: 'state_refused' } },
    );
    t.deepEqual((await signingNow(stage, [first, ...made])).own, [true, true]);
  });

  test(`${engine}: a test is signed, sent once as the brand likes it, and kept with its attempt`, async (t) => {
    const { core, clock, first } = await open(t, engine);
    await updateBrand(core, { brand, webhookFormat: 'form', who });
    const { posts, sender } = keeping(HEARD);
    const pinged = await pingWebhook(core, sender, { brand, who });
    t.like(pinged, { brand, state: 'DELIVERED', url: 'https://shop.example/hook' });
    t.like(pinged.attempt, { outcome: 'delivered', status: 200, ms: 3, answer: 'ok', asked_by: who });
    const [post, ...others] = posts;
    t.deepEqual(others, []);
    t.is(post?.contentType, 'application/x-www-form-urlencoded');
    t.is(new URLSearchParams(post?.content).get('event'), 'ping');
    t.is(post?.headers['webhook-id'], pinged.id);
    const check = { body: post?.content ?? '', secrets: [first], now: clock.now(), toleranceS: 1 };
    t.is(checkSignature(post?.headers['x-service-signature'], check).result, 'valid');
    const [kept] = [await showNotifications(core, pinged.id)].flat();
    t.like(kept, { payment: null, event: 'ping', state: 'DELIVERED', tries: 1, content: post?.content });
    t.deepEqual(kept?.attempts, [pinged.attempt]);
  });

  test(`${engine}: a failed test notification is closed at once, so that no daemon resends it`, async (t) => {
    const { core } = await open(t, engine);
    const timeout = { ...HEARD, outcome: 'timeout', status: null, answer: null } as const;
    const pinged = await pingWebhook(core, keeping(timeout).sender, { brand, who });
    t.like(pinged, { state: 'FAILED' });
    t.like(pinged.attempt, { outcome: 'timeout', status: null });
    t.deepEqual(await listNotifications(core, { failed: true, limit: 9 }), []);
    const listed = await listNotifications(core, { failed: false, limit: 9 });
    t.deepEqual(
      listed.map(({ id, state, next_at }) => [id, state, next_at]),
      [[pinged.id, 'FAILED', null]],
    );
  });

  test(`${engine}: a brand without an address is refused, and nothing is kept`, async (t) => {
    const { core } = await open(t, engine, '');
    const { posts, sender } = keeping(HEARD);
    const refused = pingWebhook(core, sender, { brand, who });
    const error = await t.throwsAsync(refused, { code: 'invalid_input' });
    t.regex(String((error as { hint?: string }).hint), /--webhook-url/);
    t.deepEqual(posts, []);
    t.deepEqual(await listNotifications(core, { failed: false, limit: 9 }), []);
  });
}

test('a brand whose secret was sealed with another key file is sent nothing, and its attempts say why', async (t) => {
  const stage = await open(t, 'sqlite');
  const { core, brandId } = stage;
  const { webhook_secret: sealed } = await core.store.read((db) => requireBrand(db, brand));
  const foreign = sealed.slice(0, -8) + (sealed.endsWith('AAAAAAA=') ? 'BBBBBBB=' : 'AAAAAAA=');
  await core.store.write((db) => changeBrand(db, brandId, { webhook_secret: foreign }));
  const { posts, sender } = keeping(HEARD);
  const pinged = await pingWebhook(core, sender, { brand, who });
  t.deepEqual(posts, []);
  t.is(pinged.state, 'FAILED');
  t.is(pinged.attempt.outcome, 'unsigned');
  t.regex(pinged.attempt.detail, /secret\.key/);
  await rotateWebhookSecret(core, { brand, overlapMs: 0, who });
  t.is((await pingWebhook(core, sender, { brand, who })).state, 'DELIVERED');
});
