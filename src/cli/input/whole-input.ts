/** What is piped in or lies in a file, whole, read no further than a limit. Knows nothing of what it is. */
import { open } from 'node:fs/promises';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { echoed } from '../../base/values/text.js';

export interface InputLimit {
  readonly maxBytes: number;
  /** Said of what is longer, and what to do then. */
  readonly message: string;
  readonly hint: string;
}

/** @throws KashboxError `invalid_input` for more than the limit */
export async function wholeOf(
  input: AsyncIterable<string | Buffer>,
  { maxBytes, message, hint }: InputLimit,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBytes) refuse(message, hint);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/**
 * @param flag by which the file was named, for the error.
 * @throws KashboxError `invalid_input` for more than the limit, and for what cannot be read
 */
export async function wholeFile(flag: string, file: string, limit: InputLimit): Promise<Buffer> {
  try {
    const opened = await open(file);
    return await wholeOf(opened.createReadStream(), limit);
  } catch (cause) {
    if (cause instanceof KashboxError) throw cause;
    refuse(
      `${flag} "${echoed(file)}" cannot be read`,
      'Name a file that is there and that you may read.',
      cause,
    );
  }
}
