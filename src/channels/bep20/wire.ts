/**
 * What nodes answer, read into the shapes of types.ts. Pure. Strict about what is used and blind to the rest:
 * whatever a contract writes into its logs must be readable, or anybody could make a node look broken.
 */
import type { Block, Log, Receipt } from './types.js';

const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,14}$/i;

export type Read<Value> =
  | { readonly outcome: 'read'; readonly value: Value }
  /** The node knows of none, or of one that is in no block yet. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'malformed' };

const MALFORMED = { outcome: 'malformed' } as const;

/** @returns a whole number that a double holds exactly, or null. */
export function readQuantity(value: unknown): number | null {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

export function readBlock(value: unknown): Read<Block> {
  if (value === null) return { outcome: 'none' };
  const { number, hash, timestamp } = fieldsOf(value);
  const height = readQuantity(number);
  const seconds = readQuantity(timestamp);
  if (height === null || seconds === null || !isText(hash, WORD)) return MALFORMED;
  return { outcome: 'read', value: { number: height, hash: hash.toLowerCase(), at: seconds * 1_000 } };
}

export function readReceipt(value: unknown): Read<Receipt> {
  if (value === null) return { outcome: 'none' };
  const { transactionHash, blockNumber, blockHash, status, logs } = fieldsOf(value);
  if (blockNumber === null || blockHash === null) return { outcome: 'none' };
  const height = readQuantity(blockNumber);
  const read = Array.isArray(logs) ? logs.map(readLog) : [null];
  const sound = read.filter((log) => log !== null);
  if (height === null || !isText(transactionHash, WORD) || !isText(blockHash, WORD)) return MALFORMED;
  // Whoever does not say whether it succeeded has said nothing of it: no reason to refuse it (EIP-658).
  if (status !== '0x1' && status !== '0x0') return MALFORMED;
  if (sound.length !== read.length) return MALFORMED;
  return {
    outcome: 'read',
    value: {
      hash: transactionHash.toLowerCase(),
      blockNumber: height,
      blockHash: blockHash.toLowerCase(),
      status,
      logs: sound,
    },
  };
}

function readLog(value: unknown): Log | null {
  const { address, topics, data, removed } = fieldsOf(value);
  if (!isText(address, ADDRESS) || !isText(data, BYTES) || !Array.isArray(topics)) return null;
  if (!topics.every((topic): topic is string => isText(topic, WORD))) return null;
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic) => topic.toLowerCase()),
    data: data.toLowerCase(),
    removed: removed === true,
  };
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown, shape: RegExp): value is string {
  return typeof value === 'string' && shape.test(value);
}
