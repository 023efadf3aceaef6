/** Reads complete input from stdin or a file, up to a size limit. Does not interpret the content. */
import { open } from 'node:fs/promises';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { echoed } from '../../base/values/text.js';
import { isPayChannel, PAY_CHANNELS, type PayChannel } from '../../domain/accounts/channels.js';
import type { PictureKind } from '../../domain/brands/picture.js';

interface InputLimit {
  readonly maxBytes: number;
  /** Error message for longer input; `hint` says what to do. */
  readonly message: string;
  readonly hint: string;
}

/** @throws KashboxError `invalid_input` for more than the limit */
export async function readWithLimit(
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
 * @param flag name of the flag that names the file, for the error.
 * @throws KashboxError `invalid_input` if the file exceeds the limit or cannot be read
 */
export async function wholeFile(flag: string, file: string, limit: InputLimit): Promise<Buffer> {
  try {
    const opened = await open(file);
    return await readWithLimit(opened.createReadStream(), limit);
  } catch (cause) {
    if (cause instanceof KashboxError) throw cause;
    refuse(`${flag} "${echoed(file)}" cannot be read`, 'Name an existing file that you can read.', cause);
  }
}

/**
 * The picture that `--logo` or `--image` names.
 * @param path empty where the picture shall go.
 * @param name of the field, for errors.
 * @returns the bytes; null for none, undefined where nothing was said.
 * @throws KashboxError `invalid_input`
 */
export async function pictureFile(
  kind: PictureKind,
  path: string | undefined,
  name: string = kind,
): Promise<Buffer | null | undefined> {
  if (path === undefined) return undefined;
  if (path.trim() === '') return null;
  // Not loaded for commands without a picture.
  const { PICTURES } = await import('../../domain/brands/picture.js');
  const { maxBytes, size, enough } = PICTURES[kind];
  const hint = `Save it smaller: ${enough} pixels, or as WebP.`;
  return wholeFile(name, path, { maxBytes, message: `${name} is larger than ${size}`, hint });
}

/** @returns the bytes of a picture of a QR code. @throws KashboxError `invalid_input` */
export async function codePictureFile(path: string): Promise<Buffer> {
  return wholeFile('qr-image', path, {
    maxBytes: 33_554_432,
    message: 'qr-image is larger than 32 MiB',
    hint: 'Cut it down to the code, or take a smaller picture.',
  });
}

/**
 * The pictures that `--mark` names.
 * @param texts each `CHANNEL=FILE`; without a file the picture shall go.
 * @returns the bytes by channel; null for none.
 * @throws KashboxError `invalid_input`
 */
export async function markFiles(
  texts: readonly string[] | undefined,
): Promise<ReadonlyMap<PayChannel, Buffer | null> | undefined> {
  if (texts === undefined) return undefined;
  const named = texts.map((text) => {
    const [, channel = '', path] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const hint = `Write --mark bkash=FILE, or one of ${PAY_CHANNELS.join(', ')}; --mark bkash= removes it.`;
    if (path === undefined) refuse(`mark "${echoed(text)}" does not name a channel and a file`, hint);
    if (!isPayChannel(channel)) refuse(`mark: channel "${echoed(channel)}" is unknown`, hint);
    return { channel, path };
  });
  const marks = new Map<PayChannel, Buffer | null>();
  for (const { channel, path } of named) {
    marks.set(channel, (await pictureFile('mark', path, `mark of ${channel}`)) ?? null);
  }
  return marks;
}

/** The text of an SMS that is piped in; the line break that programs put at its end is not part of it. */
export async function readMessage(input: NodeJS.ReadStream): Promise<string> {
  const text = await readWithLimit(input, {
    // More than ten parts can hold.
    maxBytes: 65_536,
    message: 'The message on stdin is longer than 64 KiB',
    hint: 'An SMS may have at most 10 parts: 1530 characters, with Bangla in it 670.',
  });
  return text.toString('utf8').replace(/\r?\n$/, '');
}

/**
 * Returns the address of a database or a node.
 * @param typed `-` reads the address from stdin, because flags are visible in the process list.
 * @throws KashboxError `invalid_input`
 */
export async function loadAddress(typed: string, hint = 'Pipe in one line.'): Promise<string> {
  if (typed !== '-') return typed;
  const limit = { maxBytes: 4_096, message: 'stdin contains more than an address', hint };
  return (await readWithLimit(process.stdin, limit)).toString('utf8').trim();
}

/**
 * Loads the field map of an acquirer from a JSON file, or from stdin for `-`.
 * @returns the parsed JSON, not validated; undefined if no file is given.
 * @throws KashboxError `invalid_input`
 */
export async function loadFieldMap(file: string | undefined): Promise<unknown> {
  if (file === undefined) return undefined;
  return loadJson('map', file, {
    long: 'Give only the field map, not messages.',
    wrong: 'Write an object such as {"reference":"tran_id","amount":"total_amount"}.',
  });
}

/**
 * Loads a JSON file, or stdin for `-`.
 * @param name of the flag that names the file, for errors. @param hints for a file that is too long or wrong.
 * @returns the parsed JSON, not validated.
 * @throws KashboxError `invalid_input`
 */
export async function loadJson(
  name: string,
  file: string,
  hints: { readonly long: string; readonly wrong: string },
): Promise<unknown> {
  const limit = { maxBytes: 65_536, message: `The ${name} is longer than 64 KiB`, hint: hints.long };
  const bytes = await (file === '-' ? readWithLimit(process.stdin, limit) : wholeFile(name, file, limit));
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    refuse(`The ${name} is not valid JSON`, hints.wrong, cause);
  }
}
