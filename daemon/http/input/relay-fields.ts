/**
 * What a phone says, as far as it is refused: the list of messages as a whole, and the pairing code. Whatever
 * else is wrong must not cost a message, and is read leniently by what it is meant for.
 */
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { Parameters } from './forms.js';

/** Messages that one relay request may carry. */
export const MAX_BATCH = 200;

/** @returns the body as an object. @throws KashboxError `invalid_json` if there is none */
export function phoneBody(body: unknown): Parameters {
  if (typeof body === 'object' && body !== null) return body as Parameters;
  throw new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
}

/** @throws KashboxError `invalid_input`, `batch_too_large` */
export function readMessages({ messages }: Parameters): unknown[] {
  if (messages === undefined) throw invalid('messages is required');
  if (!Array.isArray(messages)) throw invalid('messages must be a list');
  if (messages.length > MAX_BATCH) throw new KashboxError('batch_too_large');
  return messages;
}

/** @throws KashboxError `invalid_input` */
export function readPairingCode({ code }: Parameters): string {
  if (code === undefined) throw invalid('code is required');
  if (typeof code !== 'string') throw invalid('code must be a string');
  return code;
}

const invalid = (message: string) => new KashboxError('invalid_input', { message });
