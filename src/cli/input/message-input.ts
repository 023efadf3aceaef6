/** The text of an SMS that is piped in. */
import { wholeOf } from './whole-input.js';

/** More than ten parts can hold. */
const LIMIT = {
  maxBytes: 65_536,
  message: 'The message on stdin is longer than 64 KiB',
  hint: 'An SMS may have at most 10 parts: 1530 characters, with Bangla in it 670.',
};

/** @param input piped in; the line break that programs put at its end is not part of it. */
export async function messageFrom(input: NodeJS.ReadStream): Promise<string> {
  return (await wholeOf(input, LIMIT)).toString('utf8').replace(/\r?\n$/, '');
}
