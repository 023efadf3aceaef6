/** Parses a format file that an operator wrote in JSON. Reports the exact fault; guesses nothing. */
import { KashboxError } from '../../base/errors/errors.js';
import { CHANNEL, MFS_CHANNELS, SOURCE_CHANNELS } from '../../domain/accounts/channels.js';
import { SOURCE_MONEY, senderKey, type TextSource } from '../../domain/sources/source.js';
import {
  type ExampleValues,
  type Format,
  type FormatExample,
  isCredit,
  type Settle,
  SMS_KINDS,
  type SmsKind,
} from '../../domain/wallets/format.js';
import { faultOfLimits } from './limits.js';
import { createSmsEngine, parseSms, type SmsEngine } from './parse.js';
import { classifySender, OFFICIAL_SENDER } from './senders.js';
import { parseTemplate } from './template.js';
import type { FormatFile, SmsReason } from './types.js';
import { valueTexts } from './values.js';
import { saysTakenBack } from './wording.js';

const VALUE_NAMES = ['amount', 'fee', 'balance', 'from', 'to', 'trx_id', 'at'] as const;
const LONGEST_LIST = 200;

/**
 * @param json the parsed content of `<home>/formats/<name>.json` (docs/sms-formats.md).
 * @returns the same, checked: every template compiles, every `auto` names what a payment must name, and
 * every example is read as it says.
 * @throws KashboxError `config_invalid` naming the fault.
 */
export function loadFormatFile(json: unknown): FormatFile {
  const isSource = typeof json === 'object' && json !== null && 'source' in json;
  const file = object(json, 'the file', [isSource ? 'source' : 'channel', 'formats']);
  const source = isSource ? parseSource(file.source) : undefined;
  const channel = MFS_CHANNELS.find((known) => known === file.channel);
  if (source === undefined && channel === undefined) throw unknownChannel();
  const formats = list(file.formats, '"formats"').map(parseFormat);
  const seen = new Set<string>();
  for (const { id } of formats) {
    if (seen.has(id)) throw fault(`the id "${id}" is used twice`);
    seen.add(id);
  }
  if (source !== undefined) return checkFile({ source, formats }, source.senders[0] ?? '');
  if (channel === undefined) throw unknownChannel();
  return checkFile({ channel, formats }, OFFICIAL_SENDER[channel]);
}

const unknownChannel = () => fault(`"channel" must be one of ${MFS_CHANNELS.join(', ')}`);

/** @param sender who writes its texts. @returns the file. */
function checkFile(file: FormatFile, sender: string): FormatFile {
  if (file.source !== undefined) for (const format of file.formats) checkOfSource(format);
  const engine = createSmsEngine([file]);
  for (const format of file.formats) {
    for (const text of format.texts) checkLimits(format, text);
    for (const example of format.examples) checkExample(engine, sender, format, example);
  }
  return file;
}

function checkLimits({ id, kind, settle }: Format, text: string): void {
  const template = parseTemplate(text, fault);
  const found = faultOfLimits(template, settle !== 'never' && isCredit(kind));
  if (found !== null) throw fault(`${id}: ${found}, in "${text}"`);
}

/** A source can be believed only together with another witness, and its money must be a customer's. */
function checkOfSource({ id, kind, settle, texts, isWeak }: Format): void {
  if (settle === 'auto') {
    throw fault(
      `${id}: texts of a source are never "auto"; write "review", and trust the sender with kashbox sms trust`,
    );
  }
  if (isWeak === true) {
    throw fault(`${id}: "weak" is for wallets; trust the sender of a source with kashbox sms trust`);
  }
  if (settle === 'review' && !SOURCE_MONEY.includes(kind)) {
    throw fault(`${id}: "${kind}" pays for nothing, so "settle" must be never`);
  }
  const back = settle === 'review' ? texts.find(saysTakenBack) : undefined;
  if (back !== undefined) throw fault(`${id}: it says that money was taken back, in "${back}"`);
}

const MAX_SENDERS = 10;

function parseSource(json: unknown): TextSource {
  const given = object(json, '"source"', ['name', 'title', 'senders', 'channel', 'account']);
  const { name, title, account = null } = given;
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) {
    throw fault('"name" of the source must be small letters, digits and hyphens, at most 32');
  }
  if (typeof title !== 'string' || title.trim() !== title || !/^[^\p{C}]{1,40}$/u.test(title)) {
    throw fault('"title" of the source must be a name of 1 to 40 characters');
  }
  const senders = list(given.senders, '"senders"').map(parseSender);
  if (senders.length > MAX_SENDERS) throw fault(`"senders" must be at most ${MAX_SENDERS}`);
  const channel = SOURCE_CHANNELS.find((known) => known === given.channel);
  if (channel === undefined) {
    throw fault(`"channel" of the source must be one of ${SOURCE_CHANNELS.join(', ')}`);
  }
  if (account !== null && (typeof account !== 'string' || !/^[!-~]{1,64}$/.test(account))) {
    throw fault('"account" of the source must be the number of an account');
  }
  return { name, title, senders, channel, account };
}

/** @throws KashboxError `config_invalid` if it cannot be a sender, or is a wallet's. */
function parseSender(sender: unknown): string {
  if (typeof sender !== 'string' || sender.trim() !== sender || senderKey(sender) === null) {
    throw fault('every sender must be 1 to 64 ASCII characters, as the phone shows it');
  }
  const known = classifySender(sender);
  if (known.outcome === 'official' || known.outcome === 'weak' || known.outcome === 'notices') {
    throw fault(`the sender "${sender}" belongs to ${CHANNEL[known.channel].name.en}`);
  }
  return sender;
}

/** @returns the conflict of a file with those loaded before it, as a sentence; null for none. */
export function clashOf(file: FormatFile, others: readonly FormatFile[]): string | null {
  if (file.source === undefined) return null;
  for (const { source } of others) {
    if (source === undefined) continue;
    if (source.name === file.source.name) return `another file has the source "${source.name}", too`;
    const keys = source.senders.map(senderKey);
    const taken = file.source.senders.find((sender) => keys.includes(senderKey(sender)));
    if (taken !== undefined) return `the sender "${taken}" belongs to the source "${source.name}"`;
  }
  return null;
}

/** Reasons that no wording can change. */
const OF_KIND: readonly SmsReason[] = ['kind_never_settles', 'kind_needs_person', 'source_untrusted'];

/** A format that does not read its own examples would not read the customers' texts either. */
function checkExample(engine: SmsEngine, sender: string, format: Format, example: FormatExample): void {
  const sms = { sender, body: example.text, receivedAtMs: null };
  const read = parseSms(engine, sms);
  const place = `${format.id}: the example "${example.text}"`;
  if (read.format !== format.id) throw fault(`${place} is not consumed whole by its texts`);
  const doubts = read.reasons.filter((reason) => !OF_KIND.includes(reason));
  if (read.settle !== format.settle || (read.source !== null && doubts.length > 0)) {
    throw fault(`${place} comes out ${read.settle} because of ${read.reasons.join(', ')}`);
  }
  const values = valueTexts(read);
  for (const name of VALUE_NAMES) {
    const wanted = example.values[name] ?? null;
    const found = values[name] ?? null;
    if (found !== wanted) throw fault(`${place} has ${name} ${found}, not ${wanted}`);
  }
}

function parseFormat(json: unknown, index: number): Format {
  const place = `format ${index + 1}`;
  const format = object(json, place, ['id', 'kind', 'settle', 'weak', 'texts', 'examples']);
  const { id, kind, settle, weak = false } = format;
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(id)) {
    throw fault(`${place}: "id" must be small letters, digits and hyphens`);
  }
  if (!isKind(kind)) throw fault(`${id}: "kind" must be one of ${SMS_KINDS.join(', ')}`);
  if (!isSettle(settle)) throw fault(`${id}: "settle" must be auto, review or never`);
  if (settle !== 'never' && !isCredit(kind)) {
    throw fault(`${id}: "${kind}" brings no money, so "settle" must be never`);
  }
  if (typeof weak !== 'boolean' || (weak && settle !== 'review')) {
    throw fault(`${id}: "weak" must be true or false, and true only where "settle" is review`);
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
  return { id, kind, settle, ...(weak ? { isWeak: true } : {}), texts, examples };
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
