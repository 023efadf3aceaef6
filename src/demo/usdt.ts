/**
 * Runs the fourth part of the demo: a USDT payment on a local chain, from the shop's rate to the signed
 * notification; the shop verifies before finality. A step fails if the API does not follow the spec.
 */
import { parseUsdt } from '../base/values/usdt.js';
import { type Chain, SHOP_ADDRESS, startChain } from './chain.js';
import type { DemoEnv } from './demo-env.js';
import { attemptDoubleSpend, type ClaimBody, order, verify, verifyEarly } from './headless.js';
import type { DemoContext } from './hosted.js';
import { kashbox, SHOP } from './set-up.js';
import { expectNotification, type ShopServer } from './shop.js';
import { assertResult, type Say, type Steps, shortJson } from './steps.js';

const AMOUNT = 600;
const CUSTOMER = 'Third customer';
const RATE = '120.50';
/** 600 / 120.50, rounded up to four decimals. */
const AMOUNT_USDT = 4.9793;
const FORTUNE = 10n ** 21n;

/** @param anvil its program. @throws KashboxError, or what ended the demo from outside (`Stage.signal`). */
export async function playUsdt(
  stage: DemoEnv,
  steps: Steps,
  counter: DemoContext,
  anvil: string,
): Promise<void> {
  const { server, notices } = counter;
  const chain = await steps.run('chain', 'A chain of our own starts, with USDT on it', (say) =>
    openChain(stage, anvil, say),
  );
  await steps.run('address', 'The shop says where it is paid in USDT', (say) => takeUsdt(stage, chain, say));
  const id = await steps.run('quote', 'A customer wants to pay 600 taka in USDT', (say) =>
    quote(server, say),
  );
  const { hash, at } = await steps.run('transfer', "The customer's wallet sends that amount", (say) =>
    transfer(chain, say),
  );
  const claim: ClaimBody = { id, method: 'bep20', transaction_id: hash };
  await steps.run('not-final', 'The shop asks at once: not final yet', async (say) => {
    await verifyEarly(server, claim, /not final yet/, say);
    say('.', 'a block may still be undone; the claim is kept, and the daemon asks the node again');
  });
  const paid = { amount: AMOUNT, amount_usdt: AMOUNT_USDT };
  const told = { event: 'payment.completed', sequence: 1, session_id: id, transaction_id: hash };
  await steps.run('final', 'The chain goes on, and the payment settles by itself', async (say) => {
    await chain.goOn();
    say('.', 'a block a second; what is two blocks deep is final');
    await expectNotification(
      notices,
      { ...told, ...paid, status: 'COMPLETED' },
      { at, what: 'the transfer' },
      say,
    );
  });
  await steps.run('usdt-paid', 'The shop asks again', (say) =>
    verify(server, claim, { ...paid, receiver: SHOP_ADDRESS }, say),
  );
  await steps.run('usdt-twice', 'Nobody pays twice with one transfer', (say) =>
    attemptDoubleSpend(server, claim, { amount: AMOUNT, customer: CUSTOMER, what: 'hash' }, say),
  );
}

async function openChain(stage: DemoEnv, anvil: string, say: Say): Promise<Chain> {
  say('$', 'anvil --chain-id 56 --slots-in-an-epoch 1');
  const chain = await startChain(stage, anvil, FORTUNE);
  say('.', `process ${chain.pid}, a real EVM on ${chain.url}; the customer has 1,000 USDT of no value`);
  return chain;
}

async function takeUsdt(stage: DemoEnv, { url }: Chain, say: Say): Promise<void> {
  const account = ['accounts', 'set', '--brand', SHOP, '--channel', 'bep20', '--number', SHOP_ADDRESS];
  const { active } = await kashbox(stage, account, say);
  assertResult(active === true, 'an active account', shortJson(active));
  await kashbox(stage, ['rates', 'set', RATE, '--brand', SHOP], say);
  await kashbox(stage, ['nodes', 'add', '--url', url], say);
  say('.', 'a real shop adds nodes of BNB Smart Chain: kashbox nodes add --public');
}

async function quote(server: ShopServer, say: Say): Promise<string> {
  const { id, methods } = await order(server, AMOUNT, CUSTOMER, say);
  const method = methods.find(({ name }) => name === 'bep20');
  const holds = method?.amount_usdt === AMOUNT_USDT && method.receiver_address === SHOP_ADDRESS;
  assertResult(holds, `bep20 with ${AMOUNT_USDT} USDT`, shortJson(method));
  say('.', `for ${AMOUNT} taka at ${RATE}: ${AMOUNT_USDT} USDT, an amount that no other open payment has`);
  return id;
}

async function transfer(chain: Chain, say: Say) {
  const hash = await chain.pay(parseUsdt(String(AMOUNT_USDT)) ?? 0n);
  say('>', `transfer of ${AMOUNT_USDT} USDT to ${SHOP_ADDRESS}`);
  assertResult(/^0x[0-9a-f]{64}$/.test(hash), 'the hash of a transaction', hash);
  say('<', hash);
  return { hash, at: performance.now() };
}
