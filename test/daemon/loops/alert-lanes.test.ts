/** Alerts that arrive: urgent ones first, a target that asks for a pause gets it, many are told as one. */
import test from 'ava';
import { recordDelivery, sendAlert, takeAlertMessages } from '../../../src/actions/alerts/deliver-alerts.js';
import { raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import { tellSummaries } from '../../../src/actions/alerts/tell-summaries.js';
import type { Core } from '../../../src/actions/core/core.js';
import { insertAlertMessage } from '../../../src/store/tables/alert-messages.js';
import { insertAlert } from '../../../src/store/tables/alerts.js';
import { openReceiver } from '../../helpers/network/receiver.js';
import { openShop, type Shop } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { add, alertSender } from './alert-scene.js';

const TOKEN = '123456:AAH-not_a_real_token_of_anybody_0';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A chat that takes 20 messages a minute, as groups do. */
async function openChat(t: Parameters<typeof openReceiver>[0], now: () => number) {
  const taken: { readonly at: number; readonly text: string }[] = [];
  const bot = await openReceiver(t, ({ body }, response) => {
    const [oldest] = taken.slice(-20);
    const isFull = taken.length >= 20 && oldest !== undefined && now() - oldest.at < MINUTE;
    if (!isFull) {
      taken.push({ at: now(), text: (JSON.parse(body) as { text: string }).text });
      return void response.end('{"ok":true}');
    }
    const wait = Math.ceil((oldest.at + MINUTE - now()) / SECOND);
    const said = { ok: false, error_code: 429, parameters: { retry_after: wait } };
    response.writeHead(429).end(JSON.stringify(said));
  });
  return { bot, taken };
}

const reviewDetail = (n: number) => ({
  ...({ payment: `P${n}`, channel: 'bank', reference: `R${n}`, verification: `rev_${n}` } as const),
  ...{ reason: 'bank_transfer', amount: '500.00', brand: 'Alo Store', customer: 'Mallory' },
});

function raiseReview(core: Core, shop: Shop, n: number) {
  return core.store.write((db) =>
    raiseAlert(core, db, {
      ...{ kind: 'review.waiting', merchantId: shop.merchantId, detail: reviewDetail(n) },
      incident: `review.waiting:${n}`,
    }),
  );
}

function raiseDispute(core: Core, shop: Shop) {
  const detail = { payment: 'P', channel: 'mfs_a', reference: 'R', amount: '70000.00' } as const;
  return core.store.write((db) =>
    raiseAlert(core, db, {
      ...{ kind: 'payment.disputed', merchantId: shop.merchantId, detail, incident: 'payment.disputed:1' },
    }),
  );
}

/** Lets a daemon's delivery run for that long, a second at a time. */
async function runFor(
  core: Core,
  clock: ReturnType<typeof testClock>,
  seconds: number,
  isOver: () => boolean,
) {
  for (let second = 0; second < seconds; second += 1) {
    for (;;) {
      const { taken } = await takeAlertMessages(core, { busy: new Set() });
      if (taken.length === 0) break;
      for (const message of taken)
        await recordDelivery(core, message, await sendAlert(core, alertSender, message));
    }
    if (isOver()) return second;
    clock.advance(SECOND);
  }
  return seconds;
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, an urgent alert overtakes 1,300 that wait for a chat of 20 a minute`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const { bot, taken } = await openChat(t, () => clock.now());
    const api = new URL(bot.url).origin;
    const { target } = await add(core, {
      kind: 'telegram',
      chat: '-1007',
      token: TOKEN,
      api,
      allowPrivate: false,
    });
    // As an earlier version has left them, one by one.
    const at = clock.now();
    await core.store.write(async (db) => {
      for (let n = 0; n < 1_300; n += 1) {
        const facts = { kind: 'review.waiting', merchant_id: shop.merchantId, device_id: null } as const;
        const detail = JSON.stringify(reviewDetail(n));
        await insertAlert(db, { ...facts, id: `a${n}`, incident: `i${n}`, detail, at, ended_at: at });
        await insertAlertMessage(db, {
          ...{ id: `m${String(n).padStart(4, '0')}`, alert_id: `a${n}`, target_id: target.id, tries: 0 },
          ...{ state: 'PENDING', next_at: at, error: null, urgent: 0, held_for: null },
        });
      }
    });
    await runFor(core, clock, 30, () => false);
    t.is(taken.length, 20);
    await raiseDispute(core, shop);
    const isTold = () => taken.some(({ text }) => text.includes('70000.00 BDT under R'));
    t.true((await runFor(core, clock, 90, isTold)) <= 40, 'as soon as the chat takes a message again');
    await runFor(core, clock, 600, () => false);
    const states = await core.store.read((db) =>
      db.query.selectFrom('alert_messages').groupBy('state').select('state').execute(),
    );
    t.false(
      states.some(({ state }) => state === 'FAILED'),
      'a pause costs no try',
    );
  });

  test(`on ${engine}, alerts of a kind beyond ten in ten minutes are sent as one`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const { bot, taken } = await openChat(t, () => clock.now());
    const api = new URL(bot.url).origin;
    await add(core, { kind: 'telegram', chat: '-1007', token: TOKEN, api, allowPrivate: false });
    clock.advance(10 * MINUTE - (clock.now() % (10 * MINUTE)));
    for (let n = 0; n < 47; n += 1) await raiseReview(core, shop, n);
    await runFor(core, clock, 60, () => false);
    t.is(taken.length, 10);
    t.is(await tellSummaries(core), 0);
    clock.advance(10 * MINUTE);
    t.is(await tellSummaries(core), 1);
    await runFor(core, clock, 1, () => false);
    t.is(taken.length, 11);
    t.true(taken[10]?.text.startsWith('37 payments to review: "kashbox verifications list".\n'));
    t.true(taken[10]?.text.includes('- review.waiting: 37\n'));
    await raiseReview(core, shop, 99);
    await runFor(core, clock, 1, () => false);
    t.is(taken.length, 12, 'the next one is told by itself again');
  });
}
