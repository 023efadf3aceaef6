/** The address of a database as it is typed, or piped in: flags are seen in the list of processes. */
import { wholeOf } from './whole-input.js';

/** More than an address ever has. */
const LIMIT = {
  maxBytes: 4_096,
  message: 'There is more on stdin than an address',
  hint: 'Pipe in one line.',
};

/** @param typed `-` stands for what is on stdin. @throws KashboxError `invalid_input` */
export async function addressOf(typed: string): Promise<string> {
  return typed === '-' ? (await wholeOf(process.stdin, LIMIT)).toString('utf8').trim() : typed;
}
