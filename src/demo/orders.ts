/** Steps of a payment by API v2, whatever it is paid with. Each fails where the spec is not kept. */
import type { Answer, ShopServer } from './shop.js';
import { expect, type Say } from './steps.js';
import { shortJson } from './text.js';

const CREATE = '/api/v2/payment/create';
const VERIFY = '/api/v2/payment/verify';

export interface Claim {
  readonly id: string;
  readonly method: 'mfs_a' | 'bep20';
  readonly transaction_id: string;
}

export interface Order {
  readonly id: string;
  readonly methods: readonly Readonly<Record<string, unknown>>[];
}

/** @param amount taka. */
export async function order(server: ShopServer, amount: number, customer: string, say: Say): Promise<Order> {
  const { status, body } = await server.postJson(CREATE, { cus_name: customer, amount }, say);
  const { id, methods } = body;
  const isOpen = status === 200 && typeof id === 'string' && Array.isArray(methods);
  expect(isOpen, '200 with id and methods', `${status} ${shortJson(body)}`);
  return { id, methods };
}

/** Asks before the money is there. @param reason what the answer has to say. */
export async function verifyEarly(server: ShopServer, claim: Claim, reason: RegExp, say: Say): Promise<void> {
  const { status, body } = await server.postJson(VERIFY, claim, say);
  const isEarly = status === 404 && body.status === false && reason.test(String(body.message));
  expect(isEarly, `404, ${reason.source}`, `${status} ${shortJson(body)}`);
}

/** @param wanted what the data of the answer hold beside their status. */
export async function verify(server: ShopServer, claim: Claim, wanted: object, say: Say): Promise<void> {
  expectCompleted(await server.postJson(VERIFY, claim, say), wanted);
}

/** Fails unless an answer says that the payment is there. @param wanted what else its data hold. */
export function expectCompleted({ status, body }: Answer, wanted: object): void {
  const data = (body.data ?? {}) as Readonly<Record<string, unknown>>;
  const all = Object.entries({ status: 'COMPLETED', ...wanted });
  const holds = status === 200 && body.status === true && all.every(([name, value]) => data[name] === value);
  expect(holds, `200 with COMPLETED and ${shortJson(wanted)}`, `${status} ${shortJson(body)}`);
}

/** Claims for another order what one was paid with. @param what the id of the payment is called. */
export async function spendAgain(
  server: ShopServer,
  claim: Claim,
  { amount, customer, what }: { readonly amount: number; readonly customer: string; readonly what: string },
  say: Say,
): Promise<void> {
  const { id } = await order(server, amount, customer, () => {});
  say('.', `another order of ${amount} taka, and the same ${what} for it:`);
  const { status, body } = await server.postJson(VERIFY, { ...claim, id }, say);
  expect(status === 400 && body.status === false, '400', `${status} ${shortJson(body)}`);
}
