/**
 * Payments on a real chain, honest and forged, through the whole reader: what counts is decided by what a
 * real EVM writes into its receipts.
 */
import anyTest, { type TestFn } from 'ava';
import { AbiCoder, zeroPadValue } from 'ethers';
import { createChainReader } from '../../../src/channels/bep20/reader.js';
import type { ChainQuestion } from '../../../src/channels/bep20/types.js';
import type { Lookup } from '../../../src/channels/channel.js';
import {
  CUSTOMER,
  EXCHANGE,
  FAKE_USDT,
  MEGAPHONE,
  ROUTER,
  SHOP,
  STRANGER,
  startTokenChain,
  TEN,
  type TokenChain,
  TRANSFER_TOPIC,
  USDT,
} from '../../helpers/outside/chain-token.js';
import { ownerOf } from '../../helpers/programs/processes.js';

const test = anyTest as TestFn<{ chain: TokenChain }>;
const owner = ownerOf(test);

test.before(async (t) => {
  t.context.chain = await startTokenChain(owner);
});

function asked(hash: string): ChainQuestion {
  return { hash, chainId: 56, token: USDT, decimals: 18, receiver: SHOP };
}

/** By the clock of the chain, which runs ahead of ours by a second for each block that is made at once. */
async function lookAt(chain: TokenChain, hash: string): Promise<Lookup> {
  const { at } = await chain.head();
  const reader = createChainReader({ now: () => at, confirmations: 120, agreeing: 1 });
  return reader.lookup([{ id: 'anvil', url: chain.url, batches: true }], asked(hash));
}

async function settled(chain: TokenChain, hash: string): Promise<Lookup> {
  await chain.mine(2);
  return lookAt(chain, hash);
}

function amountsOf(look: Lookup): readonly bigint[] | string {
  if (look.outcome === 'refused') return look.about;
  return look.outcome === 'found' ? look.payment.amounts : look.outcome;
}

test.serial(
  'a transfer from wallet to wallet is found with its payer, its receiver and its time',
  async (t) => {
    const { chain } = t.context;
    const hash = await chain.pay(TEN);
    const { number, at } = await chain.head();
    const look = await settled(chain, hash);
    if (look.outcome !== 'found') return t.fail(look.outcome);
    const { evidence, ...payment } = look.payment;
    t.deepEqual(payment, {
      reference: hash,
      scope: '56',
      aliases: [],
      kind: 'transfer',
      amounts: [TEN],
      recipient: SHOP,
      payer: CUSTOMER.toLowerCase(),
      at,
    });
    t.like(JSON.parse(evidence), { chain: 56, block: number });
  },
);

test.serial('60: one through a router, and one out of a payout to many, count by their events', async (t) => {
  const { chain } = t.context;
  const routed = await chain.call({ to: ROUTER }, 'pay', [USDT, SHOP, TEN]);
  t.deepEqual(amountsOf(await settled(chain, routed)), [TEN]);
  const many = [STRANGER, SHOP, CUSTOMER];
  const paidOut = await chain.call({ to: EXCHANGE }, 'send', [USDT, many, [TEN * 2n, TEN, TEN * 3n]]);
  const look = await settled(chain, paidOut);
  t.deepEqual(amountsOf(look), [TEN]);
  t.is(look.outcome === 'found' && look.payment.payer, EXCHANGE.toLowerCase());
});

test.serial('59: two transfers to the shop in one transaction are reported separately', async (t) => {
  const { chain } = t.context;
  const twice = await chain.call({ to: EXCHANGE }, 'send', [USDT, [SHOP, SHOP], [TEN, TEN + 1n]]);
  t.deepEqual(amountsOf(await settled(chain, twice)), [TEN, TEN + 1n]);
});

test.serial('54: a transfer of more than there is has failed, and says so', async (t) => {
  const { chain } = t.context;
  const hash = await chain.pay(TEN * 10n ** 12n);
  t.is(amountsOf(await settled(chain, hash)), 'failed');
});

test.serial('55: another token of the same name is not accepted', async (t) => {
  const { chain } = t.context;
  const hash = await chain.call({ to: FAKE_USDT }, 'transfer', [SHOP, TEN]);
  t.is(amountsOf(await settled(chain, hash)), 'token');
  const routed = await chain.call({ to: ROUTER }, 'pay', [FAKE_USDT, SHOP, TEN]);
  t.is(amountsOf(await settled(chain, routed)), 'token');
});

test.serial('56: a foreign event next to a real transfer is ignored', async (t) => {
  const { chain } = t.context;
  const shout = (to: string) =>
    chain.call({ to: MEGAPHONE }, 'payAndShout', [USDT, to, 5n, SHOP, TEN * 1_000n]);
  t.is(amountsOf(await settled(chain, await shout(STRANGER))), 'recipient');
  t.deepEqual(amountsOf(await settled(chain, await shout(SHOP))), [5n]);
});

test.serial('57: to another address, nothing at all, to oneself: no payment to the shop', async (t) => {
  const { chain } = t.context;
  t.is(amountsOf(await settled(chain, await chain.pay(TEN, STRANGER))), 'recipient');
  t.is(amountsOf(await settled(chain, await chain.pay(0n))), 'token');
  const poisoned = await chain.call({ to: USDT, from: STRANGER }, 'transferFrom', [CUSTOMER, SHOP, 0n]);
  t.is(amountsOf(await settled(chain, poisoned)), 'token');
  const own = await chain.call({ to: USDT, from: SHOP }, 'transfer', [SHOP, TEN]);
  t.is(amountsOf(await settled(chain, own)), 'token');
});

test.serial('58: an approval or an event that only resembles a transfer is not a payment', async (t) => {
  const { chain } = t.context;
  const approved = await chain.call({ to: USDT }, 'approve', [SHOP, TEN]);
  t.is(amountsOf(await settled(chain, approved)), 'token');
  const amount = AbiCoder.defaultAbiCoder().encode(['uint256'], [TEN]);
  const from = zeroPadValue(CUSTOMER, 32);
  const to = zeroPadValue(SHOP, 32);
  const odd: readonly (readonly [string, readonly string[], string])[] = [
    ['recipient', [TRANSFER_TOPIC, from, `0x01${to.slice(4)}`], amount],
    ['token', [TRANSFER_TOPIC, from, to, to], '0x'],
    ['token', [TRANSFER_TOPIC, from, to], amount.slice(0, -2)],
    ['token', [TRANSFER_TOPIC, from, to], `${amount}${amount.slice(2)}`],
    ['token', [], amount],
  ];
  // The real contract says none of this; here it is made to.
  await chain.put(USDT, 'Megaphone');
  for (const [about, topics, data] of odd) {
    const hash = await chain.call({ to: USDT }, 'log', [topics, data]);
    t.is(amountsOf(await settled(chain, hash)), about, `${topics.length} topics, ${data.length} digits`);
  }
  await chain.put(USDT, 'Token');
});

test.serial('61: BNB is not USDT', async (t) => {
  const { chain } = t.context;
  const hash = await chain.call({ to: SHOP, value: TEN });
  t.is(amountsOf(await settled(chain, hash)), 'token');
});

test.serial('62: one unit short and the mistake of six decimals arrive as what they are', async (t) => {
  const { chain } = t.context;
  t.deepEqual(amountsOf(await settled(chain, await chain.pay(TEN - 1n))), [TEN - 1n]);
  t.deepEqual(amountsOf(await settled(chain, await chain.pay(10_000_000n))), [10_000_000n]);
});

test.serial('53: what is sent but in no block yet is not there', async (t) => {
  const { chain } = t.context;
  await chain.rpc('evm_setAutomine', false);
  const hash = await chain.pay(TEN);
  t.is((await lookAt(chain, hash)).outcome, 'not_found');
  await chain.rpc('evm_setAutomine', true);
  await chain.mine(3);
  t.is((await lookAt(chain, hash)).outcome, 'found');
});

test.serial('a transfer becomes final two blocks later, and counts down until then', async (t) => {
  const { chain } = t.context;
  const hash = await chain.pay(TEN);
  const { number } = await chain.head();
  const first = await lookAt(chain, hash);
  t.like(first, { outcome: 'not_final', detail: '0 of 2 confirmations', block: number });
  await chain.mine();
  t.like(await lookAt(chain, hash), { outcome: 'not_final', detail: '1 of 2 confirmations' });
  await chain.mine();
  t.is((await lookAt(chain, hash)).outcome, 'found');
});

test.serial('66: a transfer that a reorganisation takes out before it is final is not there', async (t) => {
  const { chain } = t.context;
  const before = await chain.rpc('evm_snapshot');
  const hash = await chain.pay(TEN);
  t.is((await lookAt(chain, hash)).outcome, 'not_final');
  await chain.rpc('evm_revert', before);
  await chain.mine(3);
  t.is((await lookAt(chain, hash)).outcome, 'not_found');
});

test.serial('many questions of one chain are answered in their order', async (t) => {
  const { chain } = t.context;
  const hashes: string[] = [];
  for (let index = 0; index < 5; index += 1) hashes.push(await chain.pay(TEN + BigInt(index)));
  await chain.mine(2);
  const { at } = await chain.head();
  const reader = createChainReader({ now: () => at, confirmations: 120, agreeing: 1 });
  const unknown = `0x${'e'.repeat(64)}`;
  const questions = Array.from({ length: 120 }, (_none, index) => asked(hashes[index % 6] ?? unknown));
  const looks = await reader.lookupMany([{ id: 'anvil', url: chain.url, batches: true }], 56, questions);
  const expected = questions.map(({ hash }) =>
    hash === unknown ? 'not_found' : [TEN + BigInt(hashes.indexOf(hash))],
  );
  t.deepEqual(looks.map(amountsOf), expected);
});
