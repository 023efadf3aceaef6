/** The field map of an acquirer as an operator gives it: a JSON file, or `-` for what is piped in. */
import { open } from 'node:fs/promises';
import { KashboxError } from '../base/errors.js';
import { echoed } from '../base/text.js';

const MAX_BYTES = 65_536;

/**
 * @returns the parsed JSON, whatever it is.
 * @throws KashboxError `invalid_input`
 */
export async function readMapFile(file: string, input: AsyncIterable<string | Buffer>): Promise<unknown> {
  const text = await (file === '-' ? wholeOf(input) : wholeFile(file));
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new KashboxError('invalid_input', {
      message: 'The map is not valid JSON',
      hint: 'Write an object such as {"reference":"tran_id","amount":"total_amount"}.',
      cause,
    });
  }
}

async function wholeFile(file: string): Promise<string> {
  try {
    const opened = await open(file);
    return await wholeOf(opened.createReadStream());
  } catch (cause) {
    if (cause instanceof KashboxError) throw cause;
    throw new KashboxError('invalid_input', {
      message: `map "${echoed(file)}" cannot be read`,
      hint: 'Name a file that is there and that you may read, or pipe it in with --map -',
      cause,
    });
  }
}

async function wholeOf(input: AsyncIterable<string | Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BYTES) {
      throw new KashboxError('invalid_input', {
        message: 'The map is longer than 64 KiB',
        hint: 'Give the map alone: names of fields, not messages.',
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
