/** Reads one text that is piped in. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';

const LONGEST_TEXT = 1 << 16;

/** @throws KashboxError `invalid_input` if nothing, or too much, is piped in. */
export async function textFrom(input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) {
    refuse('Missing the text of the SMS', 'Put it after the flags in quotation marks, or pipe it in.');
  }
  input.setEncoding('utf8');
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > LONGEST_TEXT) {
      throw new KashboxError('invalid_input', {
        message: `The text is longer than ${LONGEST_TEXT} characters`,
      });
    }
  }
  return text;
}
