/** What the parts of this channel hand to each other and to their callers. No code. */
import type { HttpFailure } from '../http.js';
import type { SourceFault } from '../sources.js';

/** A JSON-RPC node, in the words of its operator. */
export interface ChainNode {
  readonly id: string;
  /** Often holds an API key: never shown, never logged. */
  readonly url: string;
  /** Whether it takes several questions in one request. */
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
  /** As the account spells it. */
  readonly receiver: string;
}

/** What can be wrong with a node. */
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
  /** Its blocks come from the future, by this machine's clock. */
  | 'clock'
  /** It says two things that cannot both be true. */
  | 'contradictory'
  /** Another node says otherwise of the same transaction. */
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

/** Of a transaction in a block; all hex in lower case. */
export interface TransactionReceipt {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Whether it succeeded, or has failed (EIP-658). */
  readonly status: '0x1' | '0x0';
  readonly logs: readonly EventLog[];
}

/** The newest blocks of a node. */
export interface Heads {
  readonly latest: Block;
  /** Null where the node does not tell. */
  readonly finalized: Block | null;
}

/** What one node knows of one transaction. */
export interface ObservedTransaction {
  readonly receipt: TransactionReceipt;
  /** The block that the node has at that height; null if none. */
  readonly block: Block | null;
}
