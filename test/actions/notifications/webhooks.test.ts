/** What an operator sees of the outbox and sends again, on both engines; nothing is sent anywhere. */
import test from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { recordAttempt, takeNotifications } from '../../../src/actions/notifications/deliver-notification.js';
import {
  listNotifications,
  type NotificationInFull,
  replayFailed,
  replayNotification,
  showNotifications,
} from '../../../src/actions/notifications/notifications.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import type { AttemptResult } from '../../../src/domain/notifications/notification.js';
import { hostedScene, OPERATOR } from '../../helpers/shop/hosted.js';
import { putNotification } from '../../helpers/shop/outbox.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const HOOK = 'https://shop.example/hook';
const ENDPOINT = 'https://shop.example:443';
const SECOND = 1_000;
const ALL = { failed: false, limit: 50 };

const REFUSED: AttemptResult = {
  outcome: 'refused',
  status: 500,
  detail: 'answered 500, 200 is required',
  answer: 'oops',
  redirect: null,
  ms: 12,
  retryAfterS: null,
};
const BLOCKED: AttemptResult = { ...REFUSED, outcome: 'blocked', status: null, answer: null };
const HEARD: AttemptResult = { ...REFUSED, outcome: 'delivered', status: 200, detail: 'answered 200' };

type Stage = Awaited<ReturnType<typeof hostedScene>>;

/** Cancels a payment, so that its shop is to hear of it. @returns the ids of payment and notification. */
async function cancelled({ core, order, clock }: Stage) {
  const payment = await order(50_000);
  clock.advance(SECOND);
  await cancelSession(core, payment);
  const [row] = await listNotifications(core, { ...ALL, payment });
  return { payment, id: row?.id ?? '' };
}

/** Makes one attempt with whatever is due first. */
async function attempt({ core, shop }: Stage, result: AttemptResult): Promise<void> {
  const [taken] = await takeNotifications(core, [{ lane: `${shop.brand.brandId} ${ENDPOINT}`, room: 1 }]);
  if (taken === undefined) throw new Error('nothing is due');
  await recordAttempt(core, taken, result, { at: core.clock.now(), askedBy: 'schedule' });
}

async function one({ core }: Stage, id: string): Promise<NotificationInFull> {
  const [found] = [await showNotifications(core, id)].flat();
  if (found === undefined) throw new Error(`${id} was not found`);
  return found;
}

const replay = ({ core }: Stage, id: string) => replayNotification(core, { id, who: OPERATOR });

for (const engine of engines) {
  test(`${engine}: a notification being sent is not replayed until its lease ends, a test never`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock, shop } = stage;
    const { id } = await cancelled(stage);
    await takeNotifications(core, [{ lane: `${shop.brand.brandId} ${ENDPOINT}`, room: 1 }]);
    t.true((await one(stage, id)).under_way);
    await t.throwsAsync(replay(stage, id), { code: 'state_refused', message: /being sent/ });
    t.deepEqual(await auditOf(core, id), []);
    clock.advance(60 * SECOND);
    t.false((await one(stage, id)).under_way);
    t.like(await replay(stage, id), { was: 'PENDING' });
    const ping = 'ntf_111111111111111111111111';
    const closed = { brand_id: shop.brand.brandId, event: 'ping' } as const;
    await putNotification(core, { ...closed, id: ping, state: 'FAILED', tries: 1 });
    await t.throwsAsync(replay(stage, ping), { code: 'state_refused', message: /test/ });
    const all = { sinceMs: 0, who: OPERATOR };
    t.deepEqual(await replayFailed(core, all), { replayed: [], under_way: 0 });
  });

  test(`${engine}: all that failed is replayed at once, except what is being sent, is older or another's`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock, shop } = stage;
    const payment = await stage.order(50_000);
    const now = clock.now();
    const row = (n: number, more: object) =>
      putNotification(core, {
        id: `ntf_${String(n).padStart(24, '0')}`,
        brand_id: shop.brand.brandId,
        session_id: payment,
        sequence: n,
        url: HOOK,
        endpoint: ENDPOINT,
        ...more,
      });
    // More than one portion, several of one moment.
    for (let n = 1; n <= 230; n += 1) {
      await row(n, { state: 'FAILED', tries: 10, created_at: now + Math.floor(n / 3) });
    }
    await row(231, { state: 'FAILED', tries: 10, created_at: now - 1 });
    await row(232, { state: 'PENDING', tries: 2, next_at: now + 60 * SECOND, created_at: now });
    await row(233, { state: 'PENDING', tries: 2, next_at: now + SECOND, lease: 'somebody', created_at: now });
    await row(234, { state: 'PENDING', tries: 0, created_at: now });
    await row(235, { state: 'DELIVERED', tries: 3, created_at: now });
    const { replayed, under_way } = await replayFailed(core, {
      brand: shop.brand.name,
      sinceMs: now,
      who: OPERATOR,
    });
    t.is(under_way, 1);
    t.deepEqual(
      replayed.map(({ id }) => Number(id.slice(4))).sort((a, b) => a - b),
      [...Array.from({ length: 230 }, (_, n) => n + 1), 232],
    );
    const due = await listNotifications(core, { ...ALL, state: 'PENDING', limit: 1_000 });
    t.is(due.filter(({ tries }) => tries === 0).length, 232);
    const again = await replayFailed(core, { sinceMs: now, who: OPERATOR });
    t.deepEqual(again, { replayed: [], under_way: 1 });
    const nobody = { brand: 'Nobody', sinceMs: now, who: OPERATOR };
    await t.throwsAsync(replayFailed(core, nobody), { code: 'not_found' });
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: the newest comes first, and can be chosen by state, payment, age and failure`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock } = stage;
    const dead = await cancelled(stage);
    await attempt(stage, BLOCKED);
    const heard = await cancelled(stage);
    await attempt(stage, HEARD);
    const tried = await cancelled(stage);
    await attempt(stage, REFUSED);
    const since = clock.now();
    const fresh = await cancelled(stage);
    const listed = async (wanted: object) =>
      (await listNotifications(core, { ...ALL, ...wanted })).map(({ id }) => id);
    t.deepEqual(await listed({}), [fresh.id, tried.id, heard.id, dead.id]);
    t.deepEqual(await listed({ limit: 1 }), [fresh.id]);
    t.deepEqual(await listed({ state: 'PENDING' }), [fresh.id, tried.id]);
    t.deepEqual(await listed({ failed: true }), [tried.id, dead.id]);
    t.deepEqual(await listed({ sinceMs: since + SECOND }), [fresh.id]);
    t.deepEqual(await listed({ payment: heard.payment }), [heard.id]);
    t.deepEqual(await listed({ brand: stage.shop.brand.name, state: 'FAILED' }), [dead.id]);
    const [, row] = await listNotifications(core, ALL);
    t.like(row, {
      event: 'payment.failed',
      tries: 1,
      endpoint: ENDPOINT,
      last_status: 500,
      under_way: false,
    });
    t.is(row?.last_detail, REFUSED.detail);
    t.not(row?.next_at, null);
    await t.throwsAsync(listed({ brand: 'Nobody' }), { code: 'not_found' });
    await t.throwsAsync(listed({ payment: 'NOTHERE' }), { code: 'not_found' });
  });

  test(`${engine}: all of a payment is shown in order, each with every attempt; the last is replayed`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock } = stage;
    const payment = await stage.order(50_000);
    await stage.bank(payment, 'FT 26-71');
    await attempt(stage, REFUSED);
    clock.advance(10 * SECOND);
    await attempt(stage, HEARD);
    const [review] = await stage.open();
    await stage.approve(review?.id ?? '');
    const shown = await showNotifications(core, review?.gateway_reference.toLowerCase() ?? '');
    t.true(Array.isArray(shown));
    const [pending, completed, ...others] = [shown].flat();
    t.deepEqual(others, []);
    t.like(pending, { event: 'payment.pending', sequence: 1, state: 'DELIVERED', next_at: null });
    t.like(completed, { event: 'payment.completed', sequence: 2, state: 'PENDING', attempts: [] });
    t.deepEqual(
      pending?.attempts.map(({ outcome, status, answer, asked_by }) => [outcome, status, answer, asked_by]),
      [
        ['refused', 500, 'oops', 'schedule'],
        ['delivered', 200, 'oops', 'schedule'],
      ],
    );
    t.is(JSON.parse(completed?.content ?? '').status, 'COMPLETED');
    t.false(Array.isArray(await showNotifications(core, completed?.id ?? '')));
    await t.throwsAsync(showNotifications(core, 'ntf_000000000000000000000000'), { code: 'not_found' });
    const untold = await stage.order(50_000);
    await t.throwsAsync(showNotifications(core, untold), {
      code: 'not_found',
      message: /^There is no notification of payment /,
    });
    await t.throwsAsync(replay(stage, untold), {
      code: 'not_found',
      message: /^There is no notification of payment /,
    });
    await t.throwsAsync(replay(stage, 'K7Q2M9XW4TZB'), { code: 'not_found', message: /no payment/ });
    const { id } = completed ?? {};
    for (const named of [payment, ` ${review?.gateway_reference.toLowerCase()} `]) {
      t.like(await replay(stage, named), { id, event: 'payment.completed' });
    }
  });

  test(`${engine}: a replay starts over with the same id and body, even after a delivery`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, clock } = stage;
    const { id } = await cancelled(stage);
    const { content } = await one(stage, id);
    for (const result of [BLOCKED, HEARD]) {
      await attempt(stage, result);
      clock.advance(SECOND);
      const was = result === HEARD ? 'DELIVERED' : 'FAILED';
      t.like(await replay(stage, id), { id, state: 'PENDING', was, moved: false, url: HOOK });
      const again = await one(stage, id);
      t.like(again, { id, content, state: 'PENDING', tries: 0, closed_at: null });
      t.is(Date.parse(again.next_at ?? ''), clock.now());
    }
    t.is((await one(stage, id)).attempts.length, 2);
    const audit = await auditOf(core, id);
    t.deepEqual(
      audit.map(({ action, who, before }) => [action, who, JSON.parse(before ?? '').state]),
      [
        ['notification.replay', OPERATOR, 'FAILED'],
        ['notification.replay', OPERATOR, 'DELIVERED'],
      ],
    );
    await t.throwsAsync(replay(stage, 'ntf_000000000000000000000000'), { code: 'not_found' });
  });

  test(`${engine}: a replay goes to the payment's own address, else to the one that the brand has today`, async (t) => {
    const stage = await hostedScene(t, engine, { webhookUrl: HOOK });
    const { core, shop } = stage;
    const { id } = await cancelled(stage);
    await attempt(stage, BLOCKED);
    const url = 'https://new.example:8443/hook';
    await updateBrand(core, { brand: shop.brand.name, webhookUrl: url, who: OPERATOR });
    t.like(await replay(stage, id), { url, moved: true });
    t.like(await one(stage, id), { url, endpoint: 'https://new.example:8443' });
    t.like(await replay(stage, id), { url, moved: false });
    await updateBrand(core, { brand: shop.brand.name, webhookUrl: '', who: OPERATOR });
    const own = 'https://own.example/hook';
    const payment = await stage.order(50_000, own);
    await cancelSession(core, payment);
    await updateBrand(core, { brand: shop.brand.name, webhookUrl: HOOK, who: OPERATOR });
    const [told] = await listNotifications(core, { ...ALL, payment });
    t.like(await replay(stage, told?.id ?? ''), { url: own, moved: false });
  });
}
