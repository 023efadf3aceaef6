/**
 * Lines through a pipe: as fast as the reader takes them and no faster, whatever the chunks that arrive; and
 * one text from a pipe. Knows nothing of what they say.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';

/** Handler for the lines of a pipe. */
export interface LinePipe {
  /** @returns the answer without its line end, or null for none. */
  answer(line: string): string | null;
  /** Returns the answer to a line longer than `longestLine`, which is dropped. */
  tooLong(): string;
  /** Maximum length of a line in characters. */
  readonly longestLine: number;
}

/**
 * Answers each line of `input` on `output`, in order. A line ends with `\n` or `\r\n` only: JSON may contain
 * U+2028 and similar characters. Returns without an error if the reader closes `output`.
 */
export async function pipeLines(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  pipe: LinePipe,
): Promise<void> {
  let closed = false;
  const close = (): void => {
    closed = true;
  };
  output.on('error', close).on('close', close);
  input.setEncoding('utf8');
  let rest = '';
  let skipping = false;
  for await (const chunk of input) {
    if (closed) return;
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    let answers = '';
    for (const line of lines) {
      if (!skipping) answers += answered(line, pipe);
      skipping = false;
    }
    if (!skipping && rest.length > pipe.longestLine) {
      answers += `${pipe.tooLong()}\n`;
      skipping = true;
    }
    // Of a line that is skipped only its end matters.
    if (skipping) rest = '';
    if (answers !== '' && !output.write(answers)) await drained(output);
  }
  if (!closed && !skipping && rest !== '') output.write(answered(rest, pipe));
}

function answered(line: string, pipe: LinePipe): string {
  const answer = line.length > pipe.longestLine ? pipe.tooLong() : pipe.answer(line.replace(/\r$/, ''));
  return answer === null ? '' : `${answer}\n`;
}

/** A pipe that broke never drains. */
const WRITABLE_AGAIN = ['drain', 'close', 'error'];

function drained(output: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of WRITABLE_AGAIN) output.off(event, done);
      resolve();
    };
    for (const event of WRITABLE_AGAIN) output.on(event, done);
  });
}

const LONGEST_TEXT = 1 << 16;

/**
 * Reads the text of an SMS to be parsed from stdin, as it is.
 * @throws KashboxError `invalid_input` if nothing, or too much, is piped in.
 */
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
