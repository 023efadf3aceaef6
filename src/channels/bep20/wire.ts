/**
 * What nodes answer, read into the shapes of types.ts. Pure. Strict about what is used and blind to the rest:
 * whatever a contract writes into its logs must be readable, or anybody could make a node look broken.
 */
import { fieldsOf } from '../../base/values/fields.js';
import { malformed } from './faults.js';
import type { Block, Log, Receipt } from './types.js';

const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,14}$/i;
const WRONG_SHAPE = 'a block or receipt of the wrong shape';

/** @returns a whole number that a double holds exactly, or null. */
export function readQuantity(value: unknown): number | null {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** @returns null where the node knows of none. @throws NodeFaultError `malformed` */
export function readBlock(value: unknown): Block | null {
  if (value === null) return null;
  const { number, hash, timestamp } = fieldsOf(value);
  const height = readQuantity(number);
  const seconds = readQuantity(timestamp);
  if (height === null || seconds === null || !isText(hash, WORD)) throw malformed(WRONG_SHAPE);
  return { number: height, hash: hash.toLowerCase(), at: seconds * 1_000 };
}

/** @returns null where the node knows of none, or of one that is in no block yet. @throws likewise */
export function readReceipt(value: unknown): Receipt | null {
  if (value === null) return null;
  const { transactionHash, blockNumber, blockHash, status, logs } = fieldsOf(value);
  if (blockNumber === null || blockHash === null) return null;
  const height = readQuantity(blockNumber);
  const read = Array.isArray(logs) ? logs.map(readLog) : [null];
  const sound = read.filter((log) => log !== null);
  const isWhole = height !== null && isText(transactionHash, WORD) && isText(blockHash, WORD);
  // A node that does not say whether it succeeded has said nothing of it: no reason to refuse it (EIP-658).
  const isJudged = status === '0x1' || status === '0x0';
  if (!isWhole || !isJudged || sound.length !== read.length) throw malformed(WRONG_SHAPE);
  return {
    hash: transactionHash.toLowerCase(),
    blockNumber: height,
    blockHash: blockHash.toLowerCase(),
    status,
    logs: sound,
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

function isText(value: unknown, shape: RegExp): value is string {
  return typeof value === 'string' && shape.test(value);
}
