/** A chain that may be reorganised, and three nodes of it, one of which may lie or be down. */

import { findNetwork } from '../../../src/channels/bep20/networks.js';
import type { AskLimits, NodeAnswer } from '../../../src/channels/bep20/query-node.js';
import type { Block, ChainNode, ObservedTransaction } from '../../../src/channels/bep20/types.js';
import type { Chance } from '../machine/chance.js';
import type { OwnTimers, Time } from '../machine/time.js';
import type { Money } from './observed.js';

export const CHAIN_ID = 56;
export const RECEIVERS = [
  '0x00000000000000000000000000000000000000a1',
  '0x00000000000000000000000000000000000000b2',
];
const PAYER = '0x00000000000000000000000000000000000000cc';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BLOCK_MS = 3_000;
/** Blocks that can still be undone. */
const FINAL_DEPTH = 12;
const FIRST_BLOCK = 50_000_000;

interface Transfer {
  readonly money: Money;
  readonly receiver: string;
  /** In which block it is; null while it is in none. */
  block: number | null;
}

export type NodeMood = 'honest' | 'lies' | 'down';

export class Chain {
  readonly moods = new Map<string, NodeMood>();
  /** What a liar says of transfers that never were, by their hashes. */
  readonly lies = new Map<string, { readonly amount: bigint; readonly receiver: string }>();
  private readonly transfers = new Map<string, Transfer>();
  /** From which height on blocks have got other hashes, and how often. */
  private readonly forks: number[] = [];

  constructor(
    private readonly time: Time,
    private readonly now: () => number,
    private readonly chance: Chance,
  ) {}

  private height(): number {
    return FIRST_BLOCK + Math.floor(this.time.now / BLOCK_MS);
  }

  /** Puts a transfer into the next block. @returns its hash. */
  pay(money: Money, receiver: string): void {
    this.transfers.set(money.reference, { money, receiver, block: this.height() + 1 });
  }

  /** Undoes blocks that are not final; what was in them comes into a later block, or into none. */
  reorganise(): void {
    const from = this.height() - this.chance.whole(1, FINAL_DEPTH - 1);
    this.forks.push(from);
    for (const transfer of this.transfers.values()) {
      if (transfer.block === null || transfer.block < from) continue;
      if (this.chance.is(0.5)) {
        transfer.block = null;
        transfer.money.isReal = false;
      } else transfer.block = this.height() + this.chance.whole(1, 3);
    }
  }

  private block(number: number): Block {
    const fork = this.forks.filter((from) => from <= number).length;
    const age = (this.height() - number) * BLOCK_MS + (this.time.now % BLOCK_MS);
    const hash = `0x${(number * 1_000 + fork).toString(16).padStart(64, '0')}`;
    return { number, hash, at: Math.floor(this.now() - age) };
  }

  /** As `askNode`, after a moment. */
  async ask(
    timers: OwnTimers,
    node: ChainNode,
    chainId: number,
    hashes: readonly string[],
    { deadlineMs }: AskLimits,
  ): Promise<NodeAnswer> {
    const mood = this.moods.get(node.url) ?? 'honest';
    const waitMs = mood === 'down' ? deadlineMs : this.chance.whole(5, 60);
    await new Promise<void>((resolve) => void timers.after(waitMs, resolve));
    if (mood === 'down') return { outcome: 'fault', fault: { kind: 'timeout', detail: 'no answer' } };
    const latest = this.block(this.height());
    const finalized = this.block(mood === 'lies' ? this.height() : this.height() - FINAL_DEPTH);
    const observed = hashes.map((hash) => this.observe(hash, chainId, mood === 'lies'));
    return { outcome: 'said', heads: { latest, finalized }, observed };
  }

  /** A liar says of everything that it was paid a moment ago, for good; a cheat has told it what is due. */
  private observe(hash: string, chainId: number, isLie: boolean): ObservedTransaction | null {
    const transfer = this.transfers.get(hash);
    const height = isLie ? this.height() - 1 : (transfer?.block ?? null);
    if (height === null || height > this.height()) return null;
    const block = this.block(height);
    const lie = isLie ? this.lies.get(hash) : undefined;
    const amount = lie?.amount ?? transfer?.money.amount ?? 0n;
    const receiver = lie?.receiver ?? transfer?.receiver ?? RECEIVERS[0] ?? '';
    const topic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
    const log = {
      address: findNetwork(chainId)?.token.toLowerCase() ?? '',
      topics: [TRANSFER, topic(PAYER), topic(receiver)],
      data: `0x${amount.toString(16).padStart(64, '0')}`,
      removed: false,
    };
    const receipt = { hash, blockNumber: height, blockHash: block.hash, status: '0x1', logs: [log] } as const;
    return { receipt, block };
  }
}
