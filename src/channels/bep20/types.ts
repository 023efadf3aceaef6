/** Types that the parts of this channel and their callers share. No code. */
import type { HttpFailure } from '../http.js';
import type { SourceFault } from '../sources.js';

/** A JSON-RPC node, in the words of its operator. */
export interface ChainNode {
  readonly id: string;
  /** Often holds an API key: never shown, never logged. */
  readonly url: string;
  /** True if the node accepts several queries in one request. */
  readonly batches: boolean;
}

/** Did this transaction pay that account? */
export interface ChainQuestion {
  /** `0x` and 64 digits, lower case. */
  readonly hash: string;
  readonly chainId: number;
  /** Address of the token's contract. */
  readonly token: string;
  /** Decimals of the token, at most 18. */
  readonly decimals: number;
  /** Receiving address, spelled as in the account. */
  readonly receiver: string;
  /** The only address whose transfers count; absent if they may come from any. */
  readonly sender?: string;
}

export type NodeFaultKind =
  | HttpFailure
  | 'http_status'
  | 'rate_limited'
  | 'not_json'
  /** JSON, but not what JSON-RPC or the method says. */
  | 'malformed'
  | 'wrong_id'
  | 'rpc_error'
  | 'wrong_chain'
  | 'lagging'
  /** Timestamps of its blocks are ahead of this machine's clock. */
  | 'clock'
  /** Two of its statements contradict each other. */
  | 'contradictory'
  /** Another node reports the same transaction differently. */
  | 'disagreeing';

export type NodeFault = SourceFault<NodeFaultKind>;

export interface Block {
  readonly number: number;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface EventLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly removed: boolean;
}

/** Receipt of a transaction in a block; all hex in lower case. */
export interface TransactionReceipt {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** `0x1` if the transaction succeeded, `0x0` if it failed (EIP-658). */
  readonly status: '0x1' | '0x0';
  readonly logs: readonly EventLog[];
}

/** The newest blocks of a node. */
export interface Heads {
  readonly latest: Block;
  /** Newest final block; null if the node does not report it. */
  readonly finalized: Block | null;
}

/** Data of a transaction as one node reports it. */
export interface ObservedTransaction {
  readonly receipt: TransactionReceipt;
  /** The block that the node has at that height; null if none. */
  readonly block: Block | null;
}
