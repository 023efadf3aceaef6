/**
 * The second part of the demo: one headless payment (API v2), from the shop's request to the confirmed SMS
 * and the signed notification. The customer is faster than the SMS. Each step fails where the spec is not
 * kept.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hear, type Notices } from './notices.js';
import { deliver } from './phone.js';
import { CUSTOMER_NUMBER, SHOP_NUMBER } from './set-up.js';
import type { ShopServer } from './shop-server.js';
import { moneySent, type WalletSms } from './sms.js';
import type { Stage } from './stage.js';
import { expect, type Say, type Steps } from './steps.js';
import { duration, shortJson } from './text.js';

const AMOUNT = 500;
const CREATE = '/api/v2/payment/create';
const VERIFY = '/api/v2/payment/verify';
const SETTLE_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 25;

/** @throws KashboxError, or what ended the demo from outside (`Steps.signal`). */
export async function playHeadless(
  stage: Stage,
  steps: Steps,
  shop: ShopServer,
  notices: Notices,
): Promise<void> {
  const sms = moneySent(
    { amount: '500.00', balance: '7,350.25', from: CUSTOMER_NUMBER, to: SHOP_NUMBER, at: stage.clock.now() },
    stage.random,
  );
  const id = await steps.run('create', 'A customer wants to pay 500 taka', (say) => create(shop, say));
  const claim = { id, method: 'mfs_a', transaction_id: sms.trxId };
  await steps.run('early', 'The customer types the id before the SMS is here', (say) =>
    verifyEarly(shop, claim, say),
  );
  const sentAt = await steps.run('sms', "The wallet's SMS reaches the phone", (say) =>
    receive(stage, steps.signal, sms, say),
  );
  await steps.run('settle', 'The phone hands it over, and the payment settles', (say) =>
    waitUntilSettled(stage, steps.signal, id, sentAt, say),
  );
  const told = { event: 'payment.completed', sequence: 1, session_id: id, transaction_id: sms.trxId };
  await steps.run('notified', 'The shop hears of it: payment.completed, signature checked', (say) =>
    hear(
      notices,
      { ...told, amount: AMOUNT, status: 'COMPLETED' },
      { at: sentAt, what: 'the SMS arrived' },
      say,
    ),
  );
  await steps.run('verify', 'The shop asks again', (say) => verify(shop, claim, say));
  await steps.run('twice', 'Nobody pays twice with one SMS', (say) => spendAgain(shop, claim, say));
}

async function create(shop: ShopServer, say: Say): Promise<string> {
  const { status, body } = await shop.postJson(CREATE, { cus_name: 'First customer', amount: AMOUNT }, say);
  const { id } = body;
  expect(status === 200 && typeof id === 'string', '200 with an id', shortJson(body));
  return id;
}

async function verifyEarly(shop: ShopServer, claim: object, say: Say): Promise<void> {
  const { status, body } = await shop.postJson(VERIFY, claim, say);
  expect(status === 404 && body.status === false, '404', `${status} ${shortJson(body)}`);
  say('.', 'not lost: the claim is kept, and the SMS will find it');
}

/** @returns when the SMS arrived, on the clock of `performance.now()`. */
async function receive(stage: Stage, signal: AbortSignal, sms: WalletSms, say: Say): Promise<number> {
  say('.', `${sms.sender}: ${sms.body}`);
  const { at, takenMs } = await deliver(stage, signal, sms);
  say('.', `on the disk of the phone after ${duration(takenMs)}: from now on it cannot be lost`);
  return at;
}

/** Looks with a command and not with verify: nothing but the SMS may have settled it. */
async function waitUntilSettled(
  stage: Stage,
  signal: AbortSignal,
  id: string,
  sentAt: number,
  say: Say,
): Promise<void> {
  const args = ['payments', 'show', id];
  say('$', `kashbox ${args.join(' ')}`);
  for (;;) {
    const payment = await stage.children.ask(stage.program('kashbox', [...args, '--json']));
    if (payment.status === 'COMPLETED') {
      const { status, amount, channel, transaction_id } = payment;
      say('<', shortJson({ status, amount, channel, transaction_id }));
      say(
        '.',
        `seen ${duration(performance.now() - sentAt)} after the SMS arrived, and nobody had to ask again`,
      );
      return;
    }
    expect(performance.now() - sentAt < SETTLE_DEADLINE_MS, 'the payment COMPLETED', shortJson(payment));
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function verify(shop: ShopServer, claim: object, say: Say): Promise<void> {
  const { status, body } = await shop.postJson(VERIFY, claim, say);
  const data = (body.data ?? {}) as { readonly status?: string; readonly amount?: number };
  const holds =
    status === 200 && body.status === true && data.status === 'COMPLETED' && data.amount === AMOUNT;
  expect(holds, `200 with COMPLETED and ${AMOUNT}`, `${status} ${shortJson(body)}`);
}

async function spendAgain(shop: ShopServer, claim: { transaction_id: string }, say: Say): Promise<void> {
  const id = await create(shop, () => {});
  say('.', 'another order of 500 taka, and the same id for it:');
  const { status, body } = await shop.postJson(VERIFY, { ...claim, id }, say);
  expect(status === 400 && body.status === false, '400', `${status} ${shortJson(body)}`);
}
