/**
 * The second part of the demo: one headless payment (API v2), from the shop's request to the confirmed SMS
 * and the signed notification. The customer is faster than the SMS.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoEnv } from './demo-env.js';
import { createWalletSms, deliver, type WalletSms } from './set-up.js';
import { type Answer, expectNotification, type Notices, type ShopServer } from './shop.js';
import { assertResult, duration, type Say, type Steps, shortJson } from './steps.js';

const AMOUNT = 500;
const CUSTOMER = 'First customer';
const SETTLE_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 25;

/** @throws KashboxError, or what ended the demo from outside (`Stage.signal`). */
export async function playHeadless(
  stage: DemoEnv,
  steps: Steps,
  shop: ShopServer,
  notices: Notices,
): Promise<void> {
  const sms = createWalletSms(stage, '500.00');
  const { id } = await steps.run('create', 'A customer wants to pay 500 taka', (say) =>
    order(shop, AMOUNT, CUSTOMER, say),
  );
  const claim: ClaimBody = { id, method: 'mfs_a', transaction_id: sms.trxId };
  await steps.run('early', 'The customer types the id before the SMS is here', async (say) => {
    await verifyEarly(shop, claim, /not found/, say);
    say('.', 'not lost: the claim is kept, and the SMS will find it');
  });
  const at = await steps.run('sms', "The wallet's SMS reaches the phone", (say) => receive(stage, sms, say));
  await steps.run('settle', 'The phone hands it over, and the payment settles', (say) =>
    waitUntilSettled(stage, id, at, say),
  );
  const told = { event: 'payment.completed', sequence: 1, session_id: id, transaction_id: sms.trxId };
  const body = { ...told, amount: AMOUNT, status: 'COMPLETED' };
  await steps.run('notified', 'The shop hears of it: payment.completed, signature checked', (say) =>
    expectNotification(notices, body, { at, what: 'the SMS arrived' }, say),
  );
  await steps.run('verify', 'The shop asks again', (say) => verify(shop, claim, { amount: AMOUNT }, say));
  await steps.run('twice', 'Nobody pays twice with one SMS', (say) =>
    attemptDoubleSpend(shop, claim, { amount: AMOUNT, customer: CUSTOMER, what: 'id' }, say),
  );
}

/** @returns when the SMS arrived, on the clock of `performance.now()`. */
async function receive(stage: DemoEnv, sms: WalletSms, say: Say): Promise<number> {
  say('.', `${sms.sender}: ${sms.body}`);
  const { at, takenMs } = await deliver(stage, sms);
  say('.', `on the disk of the phone after ${duration(takenMs)}: from now on it cannot be lost`);
  return at;
}

/** Looks with a command and not with verify: nothing but the SMS may have settled it. */
async function waitUntilSettled(stage: DemoEnv, id: string, sentAt: number, say: Say): Promise<void> {
  const args = ['payments', 'show', id];
  say('$', `kashbox ${args.join(' ')}`);
  for (;;) {
    const payment = await stage.children.ask(stage.program('kashbox', [...args, '--json']));
    const seenMs = performance.now() - sentAt;
    if (payment.status === 'COMPLETED') {
      const { status, amount, channel, transaction_id } = payment;
      say('<', shortJson({ status, amount, channel, transaction_id }));
      say('.', `seen ${duration(seenMs)} after the SMS arrived, and nobody had to ask again`);
      return;
    }
    assertResult(seenMs < SETTLE_DEADLINE_MS, 'the payment COMPLETED', shortJson(payment));
    await sleep(LOOK_EVERY_MS, undefined, { signal: stage.signal });
  }
}

const CREATE = '/api/v2/payment/create';
const VERIFY = '/api/v2/payment/verify';

export interface ClaimBody {
  readonly id: string;
  readonly method: 'mfs_a' | 'bep20';
  readonly transaction_id: string;
}

interface Order {
  readonly id: string;
  readonly methods: readonly Readonly<Record<string, unknown>>[];
}

/** @param amount taka. */
export async function order(server: ShopServer, amount: number, customer: string, say: Say): Promise<Order> {
  const { status, body } = await server.postJson(CREATE, { cus_name: customer, amount }, say);
  const { id, methods } = body;
  const isOpen = status === 200 && typeof id === 'string' && Array.isArray(methods);
  assertResult(isOpen, '200 with id and methods', `${status} ${shortJson(body)}`);
  return { id, methods };
}

/** Verifies before the money arrives, and expects a 404. @param reason pattern the message must match. */
export async function verifyEarly(
  server: ShopServer,
  claim: ClaimBody,
  reason: RegExp,
  say: Say,
): Promise<void> {
  const { status, body } = await server.postJson(VERIFY, claim, say);
  const isEarly = status === 404 && body.status === false && reason.test(String(body.message));
  assertResult(isEarly, `404, ${reason.source}`, `${status} ${shortJson(body)}`);
}

/** @param wanted expected fields of the response data, in addition to the status. */
export async function verify(server: ShopServer, claim: ClaimBody, wanted: object, say: Say): Promise<void> {
  expectCompleted(await server.postJson(VERIFY, claim, say), wanted);
}

/** Throws unless the response reports a completed payment. @param wanted other expected fields. */
export function expectCompleted({ status, body }: Answer, wanted: object): void {
  const data = (body.data ?? {}) as Readonly<Record<string, unknown>>;
  const all = Object.entries({ status: 'COMPLETED', ...wanted });
  const holds = status === 200 && body.status === true && all.every(([name, value]) => data[name] === value);
  assertResult(holds, `200 with COMPLETED and ${shortJson(wanted)}`, `${status} ${shortJson(body)}`);
}

/** Claims for another order what one was paid with. @param what the id of the payment is called. */
export async function attemptDoubleSpend(
  server: ShopServer,
  claim: ClaimBody,
  { amount, customer, what }: { readonly amount: number; readonly customer: string; readonly what: string },
  say: Say,
): Promise<void> {
  const { id } = await order(server, amount, customer, () => {});
  say('.', `another order of ${amount} taka, and the same ${what} for it:`);
  const { status, body } = await server.postJson(VERIFY, { ...claim, id }, say);
  assertResult(status === 400 && body.status === false, '400', `${status} ${shortJson(body)}`);
}
