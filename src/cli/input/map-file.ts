/** The field map of an acquirer as an operator gives it: a JSON file, or `-` for what is piped in. */
import { refuse } from '../../base/errors/refuse.js';
import { wholeFile, wholeOf } from './whole-input.js';

const LIMIT = {
  maxBytes: 65_536,
  message: 'The map is longer than 64 KiB',
  hint: 'Give the map alone: names of fields, not messages.',
};

/**
 * @returns the parsed JSON, whatever it is.
 * @throws KashboxError `invalid_input`
 */
export async function readMapFile(file: string, input: AsyncIterable<string | Buffer>): Promise<unknown> {
  const bytes = await (file === '-' ? wholeOf(input, LIMIT) : wholeFile('map', file, LIMIT));
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    refuse(
      'The map is not valid JSON',
      'Write an object such as {"reference":"tran_id","amount":"total_amount"}.',
      cause,
    );
  }
}
