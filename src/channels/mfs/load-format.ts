/** Parses a format file that an operator wrote in JSON. Reports the exact fault; guesses nothing. */
import { KashboxError } from '../../base/errors/errors.js';
import { MFS_CHANNELS, type MfsChannel } from '../../domain/accounts/channels.js';
import {
  type ExampleValues,
  type Format,
  type FormatExample,
  isCredit,
  type Settle,
  SMS_KINDS,
  type SmsKind,
} from '../../domain/wallets/format.js';
import { createSmsEngine, parseSms, type SmsEngine } from './parse.js';
import { OFFICIAL_SENDER } from './senders.js';
import type { FormatFile } from './types.js';
import { valueTexts } from './values.js';

const VALUE_NAMES = ['amount', 'fee', 'balance', 'from', 'trx_id', 'at'] as const;
const LONGEST_LIST = 200;

/**
 * @param json the parsed content of `<home>/formats/<name>.json` (docs/sms-formats.md).
 * @returns the same, checked: every template compiles, every `auto` names what a payment must name, and
 * every example is read as it says.
 * @throws KashboxError `config_invalid` naming the fault.
 */
export function loadFormatFile(json: unknown): FormatFile {
  const file = object(json, 'the file', ['channel', 'formats']);
  const channel = MFS_CHANNELS.find((known) => known === file.channel);
  if (channel === undefined) throw fault(`"channel" must be one of ${MFS_CHANNELS.join(', ')}`);
  const formats = list(file.formats, '"formats"').map(parseFormat);
  const seen = new Set<string>();
  for (const { id } of formats) {
    if (seen.has(id)) throw fault(`the id "${id}" is used twice`);
    seen.add(id);
  }
  const loaded = { channel, formats };
  const engine = createSmsEngine([loaded]);
  for (const format of formats) {
    for (const example of format.examples) checkExample(engine, channel, format, example);
  }
  return loaded;
}

/** A format that does not read its own examples would not read the customers' texts either. */
function checkExample(engine: SmsEngine, channel: MfsChannel, format: Format, example: FormatExample): void {
  const sms = { sender: OFFICIAL_SENDER[channel], body: example.text, receivedAtMs: null };
  const read = parseSms(engine, sms);
  const place = `${format.id}: the example "${example.text}"`;
  if (read.format !== format.id) throw fault(`${place} is not consumed whole by its texts`);
  if (read.settle !== format.settle) {
    throw fault(`${place} comes out ${read.settle} because of ${read.reasons.join(', ')}`);
  }
  const values = valueTexts(read);
  for (const name of VALUE_NAMES) {
    const wanted = example.values[name] ?? null;
    if (values[name] !== wanted) throw fault(`${place} has ${name} ${values[name]}, not ${wanted}`);
  }
}

function parseFormat(json: unknown, index: number): Format {
  const place = `format ${index + 1}`;
  const format = object(json, place, ['id', 'kind', 'settle', 'texts', 'examples']);
  const { id, kind, settle } = format;
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(id)) {
    throw fault(`${place}: "id" must be small letters, digits and hyphens`);
  }
  if (!isKind(kind)) throw fault(`${id}: "kind" must be one of ${SMS_KINDS.join(', ')}`);
  if (!isSettle(settle)) throw fault(`${id}: "settle" must be auto, review or never`);
  if (settle !== 'never' && !isCredit(kind)) {
    throw fault(`${id}: "${kind}" brings no money, so "settle" must be never`);
  }
  const texts = list(format.texts, `${id}: "texts"`).map((text) => {
    if (typeof text !== 'string' || text.trim() !== text || text === '' || text.length > 600) {
      throw fault(
        `${id}: every text must be a template of at most 600 characters, without spaces at its ends`,
      );
    }
    return text;
  });
  const examples = list(format.examples, `${id}: "examples"`).map((example) => parseExample(example, id));
  return { id, kind, settle, texts, examples };
}

function parseExample(json: unknown, id: string): FormatExample {
  const example = object(json, `${id}: an example`, ['text', 'values']);
  const { text } = example;
  if (typeof text !== 'string') throw fault(`${id}: an example needs a "text"`);
  const given = object(example.values, `${id}: "values"`, VALUE_NAMES);
  const values: { -readonly [name in keyof ExampleValues]: string } = {};
  for (const name of VALUE_NAMES) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw fault(`${id}: "${name}" must be a text such as "500.00"`);
    values[name] = value;
  }
  return { text, values };
}

function isKind(value: unknown): value is SmsKind {
  return value !== 'spoofed' && SMS_KINDS.some((kind) => kind === value);
}

function isSettle(value: unknown): value is Settle {
  return value === 'auto' || value === 'review' || value === 'never';
}

/** An unknown name is more likely a slip of the pen than something to ignore. */
function object(json: unknown, place: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw fault(`${place} must be an object`);
  const fields: Readonly<Record<string, unknown>> = { ...json };
  for (const name of Object.keys(fields)) {
    if (!names.includes(name)) throw fault(`${place} has an unknown field "${name}"`);
  }
  return fields;
}

function list(json: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(json) || json.length === 0 || json.length > LONGEST_LIST) {
    throw fault(`${place} must be a list of 1 to ${LONGEST_LIST} entries`);
  }
  return json;
}

function fault(what: string): KashboxError {
  return new KashboxError('config_invalid', {
    message: `SMS format file: ${what}`,
    hint: 'Correct the file in the formats folder; docs/sms-formats.md has an example.',
  });
}
