/** A chain, a transfer on it that is final, and readers of it for the tests of nodes that are ill. */
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { type ChainReaderOptions, createChainReader } from '../../../src/channels/bep20/reader.js';
import type { ChainQuestion } from '../../../src/channels/bep20/types.js';
import type { Lookup } from '../../../src/channels/channel.js';
import { type Illness, startNodeProxy, withResult } from '../../helpers/network/node-proxy.js';
import { SHOP, startTokenChain, TEN, type TokenChain, USDT } from '../../helpers/outside/chain-token.js';
import { ownerOf } from '../../helpers/programs/processes.js';

export interface Ground {
  readonly chain: TokenChain;
  /** A transfer of ten that is final. */
  readonly hash: string;
  /** The chain's time. */
  readonly at: number;
}

/** The test function of a file with a chain of its own. */
export function onChain(): TestFn<Ground> {
  const test = anyTest as TestFn<Ground>;
  const owner = ownerOf(test);
  test.before('a chain is started', async (t) => {
    const chain = await startTokenChain(owner);
    const hash = await chain.pay(TEN);
    await chain.mine(2);
    const { at } = await chain.head();
    t.context = { chain, hash, at };
  });
  return test;
}

export const UNKNOWN = `0x${'e'.repeat(64)}`;
/** Deadlines that a node misses only when it says nothing, however busy this machine is. */
const PATIENT = { nodeMs: 30_000, totalMs: 90_000 };

export function question(hash: string): ChainQuestion {
  return { hash, chainId: 56, token: USDT, decimals: 18, receiver: SHOP };
}

export function readerAt({ at }: Ground, changed: Partial<ChainReaderOptions> = {}) {
  return createChainReader({ now: () => at, confirmations: 120, agreeing: 1, ...PATIENT, ...changed });
}

export function inShort(look: Lookup): string {
  return look.outcome === 'refused' ? look.about : look.outcome;
}

export type Reader = ReturnType<typeof createChainReader>;

/** The failures of each node since this was last asked. */
export function failuresOf(reader: Reader): Record<string, Readonly<Record<string, number>>> {
  return Object.fromEntries(reader.tallies().map(({ source, failures }) => [source, failures]));
}

export async function twoNodes(t: ExecutionContext<Ground>, illness: Illness) {
  const first = await startNodeProxy(t, t.context.chain, { id: 'first' });
  const second = await startNodeProxy(t, t.context.chain, { id: 'second' });
  first.be(illness);
  return { first, second, nodes: [first.node, second.node] };
}

export const latest =
  (change: (head: Record<string, string>) => object): Illness =>
  (call, answer) =>
    call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
      ? withResult(answer, {
          ...(answer.result as object),
          ...change(answer.result as Record<string, string>),
        })
      : answer;

export const later = (hex: string | undefined, seconds: number) =>
  `0x${(Number(hex) + seconds).toString(16)}`;

export const receipt =
  (change: Readonly<Record<string, unknown>>): Illness =>
  (call, answer) =>
    call.method === 'eth_getTransactionReceipt' && answer.result !== null
      ? withResult(answer, { ...(answer.result as object), ...change })
      : answer;
