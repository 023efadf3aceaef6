/**
 * Makes format files from texts of a sender, or from the sources that come with Kashbox. Writes nothing that
 * reads a forged variant of its own example.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { syncFolder, writeDurably } from '../../base/io/durable-file.js';
import { parseJson } from '../../base/values/fields.js';
import {
  clashOf,
  createSmsEngine,
  creditedAmount,
  type FormatFile,
  forgeriesRead,
  loadFormatFile,
  type Marks,
  parseSms,
  proposeTemplate,
  type SmsReading,
  shapeOf,
  valueTexts,
} from '../../channels/mfs/index.js';
import { CHANNEL, SOURCE_CHANNELS, type SourceChannel } from '../../domain/accounts/channels.js';
import { KNOWN_SOURCES } from '../../domain/sources/catalogue.js';
import type { KnownSource, TextSource } from '../../domain/sources/source.js';
import type { SmsKind } from '../../domain/wallets/format.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { audit } from '../../store/tables/audit.js';
import { textsOfSenders } from '../../store/tables/sms-sources.js';
import type { Core } from '../core/core.js';
import { loadFormatFiles } from '../core/load-sms-engine.js';
import { idOfMerchant } from '../input/require-row.js';

/** Stored texts that are looked at, newest first. */
const MOST_TEXTS = 5_000;
const SAMPLES = 5;

interface LearnSource {
  /** Sender as the phone shows it, or name of a source. */
  readonly sender: string;
  /** Identifier or name; absent for all. */
  readonly merchant?: string | undefined;
  /** Example; absent for a text of the largest group of stored ones. */
  readonly text?: string | undefined;
}

interface StoredText {
  readonly sender: string;
  readonly body: string;
  readonly received_at: number;
}

/** A text that a format can be made from. */
export interface LearnExample {
  readonly sender: string;
  readonly body: string;
  /** Stored texts of the same shape. */
  readonly alike: readonly string[];
  /** All that are stored of the sender. */
  readonly stored: readonly StoredText[];
  /** File of this sender that exists already. */
  readonly file: FormatFile | null;
}

/** Sources that come with Kashbox, each with its texts. */
export const listKnownSources = () =>
  KNOWN_SOURCES.map(({ source, channel, formats }) => ({
    ...{ name: source.name, title: source.title, senders: source.senders, channel },
    texts: formats.filter(({ settle }) => settle !== 'never').flatMap(({ examples }) => examples.slice(0, 1)),
  }));

/** @returns the source that comes with Kashbox and is named so, if its file is not there yet. */
export function findKnownSource(core: Core, name: string): KnownSource | null {
  const known = KNOWN_SOURCES.find(({ source }) => source.name === name.trim().toLowerCase());
  return known === undefined || fileOf(core, known.source.name) !== null ? null : known;
}

function fileOf(core: Core, nameOrSender: string): FormatFile | null {
  const wanted = nameOrSender.trim().toLowerCase();
  const { formats } = loadFormatFiles(core.home.formatsFolder);
  const isOf = ({ name, senders }: TextSource) =>
    name === wanted || senders.some((sender) => sender.toLowerCase() === wanted);
  return formats.find(({ source }) => source !== undefined && isOf(source)) ?? null;
}

/** @throws KashboxError `not_found` if no text of that sender seems to report money. */
export async function findExample(core: Core, input: LearnSource): Promise<LearnExample> {
  const { sender, merchant, text } = input;
  const file = fileOf(core, sender);
  const senders = (file?.source?.senders ?? [sender]).map((one) => one.trim().toLowerCase());
  const stored = await core.store.read(async (db) => {
    const id = (await idOfMerchant(db, merchant)) ?? null;
    return textsOfSenders(db, { senders, merchant: id, limit: MOST_TEXTS });
  });
  if (text !== undefined) {
    const shape = shapeOf(text);
    const alike = stored.map(({ body }) => body).filter((body) => shapeOf(body) === shape);
    const [first] = file?.source?.senders ?? [sender];
    return { sender: first ?? sender, body: text, alike, stored, file };
  }
  const engine = createSmsEngine(loadFormatFiles(core.home.formatsFolder).formats);
  const groups = new Map<string, StoredText[]>();
  for (const one of stored) {
    const reading = parseSms(engine, { ...one, receivedAtMs: one.received_at });
    if (reading.format !== null || creditedAmount(one.body) === undefined) continue;
    const shape = shapeOf(one.body);
    groups.set(shape, [...(groups.get(shape) ?? []), one]);
  }
  const [largest] = [...groups.values()].sort((one, other) => other.length - one.length);
  const [example] = largest ?? [];
  if (largest === undefined || example === undefined) {
    throw new KashboxError('not_found', {
      message:
        stored.length === 0
          ? `No SMS of the sender "${sender}" is stored`
          : `None of ${stored.length} SMS of "${sender}" seems to report money that no format reads`,
      hint: 'Give a text: kashbox sms learn SENDER --text "…". Senders: kashbox sms list. Known ones: kashbox sms learn --list',
    });
  }
  return { sender: example.sender, body: example.body, alike: largest.map(({ body }) => body), stored, file };
}

export interface LearnChoice {
  readonly marks: Marks;
  readonly channel?: string | undefined;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly account?: string | undefined;
  readonly replace: boolean;
  readonly add: boolean;
  readonly who: string;
}

/** A format file as it was written, and what it does with the texts that are stored. */
export interface LearnedSource {
  readonly file: string;
  readonly name: string;
  readonly channel: string;
  readonly template: readonly string[];
  /** Stored SMS of the sender that it reads, and that it does not. */
  readonly read: number;
  readonly unread: number;
  readonly samples: readonly LearnSample[];
  readonly unread_samples: readonly string[];
  /** Forged variants of the example: how many were tried; all were refused. */
  readonly forgeries: number;
}

type LearnSample = ReturnType<typeof valueTexts> & { readonly text: string };

/** @throws KashboxError `invalid_input`, `config_invalid`, `state_refused` (the file exists) */
export async function learnSource(
  core: Core,
  example: LearnExample,
  choice: LearnChoice,
): Promise<LearnedSource> {
  const proposal = proposeTemplate(example.body, choice.marks, example.alike);
  const wallet = WALLETS.find(
    ({ senders }) => senders.official.toLowerCase() === example.sender.toLowerCase(),
  );
  const name = choice.name ?? example.file?.source?.name ?? nameOf(wallet?.name.en ?? example.sender);
  const path = pathOf(core, name);
  const before = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  if (before !== undefined && !choice.replace && !choice.add) throw existing(path);
  const kept = choice.add ? formatsIn(before) : [];
  const head =
    wallet === undefined ? { source: sourceFrom(example, choice, name) } : { channel: wallet.channel };
  const channel = 'source' in head ? head.source.channel : head.channel;
  const kind: SmsKind = CHANNEL[channel].kind === 'push' ? 'payment_received' : 'received';
  const format = {
    ...{ id: `${name}-${kept.length + 1}`, kind, settle: 'review', texts: [proposal.template] },
    examples: [{ text: example.body, values: {} as Readonly<Record<string, string>> }],
  };
  const values = readValues(head, format, example);
  const examples = [{ text: example.body, values }];
  return writeFormats(
    core,
    { ...head, formats: [...kept, { ...format, examples }] },
    path,
    example,
    choice.who,
  );
}

/** @throws KashboxError `state_refused` if the file exists */
export async function learnKnownSource(
  core: Core,
  { source, channel, formats }: KnownSource,
  choice: Pick<LearnChoice, 'channel' | 'account' | 'replace' | 'who'>,
): Promise<LearnedSource> {
  const path = pathOf(core, source.name);
  if (existsSync(path) && !choice.replace) throw existing(path);
  const { account } = choice;
  const json = {
    source: {
      ...source,
      channel: channelOf(choice.channel) ?? channel,
      ...(account === undefined ? {} : { account }),
    },
    formats: formats.map((format) => ({ ...format })),
  };
  const senders = source.senders.map((sender) => sender.toLowerCase());
  const stored = await core.store.read((db) =>
    textsOfSenders(db, { senders, merchant: null, limit: MOST_TEXTS }),
  );
  const body = formats[0]?.examples[0]?.text ?? '';
  const example = { sender: source.senders[0] ?? '', body, alike: [], stored, file: null };
  return writeFormats(core, json, path, example, choice.who);
}

const pathOf = (core: Core, name: string) => join(core.home.formatsFolder, `${name}.json`);

function existing(path: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `${path} exists`,
    hint: 'Add this text to it with --add, or overwrite it with --replace.',
  });
}

function nameOf(sender: string): string {
  const name = sender
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32);
  return name === '' ? refuse('Missing flag --name', 'Name the source, for example --name mybank.') : name;
}

function channelOf(named: string | undefined): SourceChannel | undefined {
  if (named === undefined) return undefined;
  return (
    SOURCE_CHANNELS.find((channel) => channel === named) ??
    refuse(`"${named}" is not a channel for SMS`, `Use one of ${SOURCE_CHANNELS.join(', ')}.`)
  );
}

function sourceFrom({ sender, file }: LearnExample, choice: LearnChoice, name: string): TextSource {
  const known = file?.source;
  const channel = channelOf(choice.channel) ?? known?.channel;
  if (channel === undefined) {
    refuse('Missing flag --channel', `Say where its money comes in: ${SOURCE_CHANNELS.join(', ')}.`);
  }
  const account = choice.account ?? known?.account ?? null;
  return {
    ...{ name, title: choice.title ?? known?.title ?? sender, senders: known?.senders ?? [sender], channel },
    account,
  };
}

function formatsIn(json: unknown): readonly unknown[] {
  const list = typeof json === 'object' && json !== null && 'formats' in json ? json.formats : [];
  return Array.isArray(list) ? list : [];
}

/** @returns the values that the format reads from its example. @throws KashboxError `config_invalid` */
function readValues(head: object, format: object, { sender, body }: LearnExample) {
  const trial = { ...head, formats: [format] } as unknown as FormatFile;
  const engine = createSmsEngine([trial]);
  const reading = parseSms(engine, { sender, body, receivedAtMs: null });
  const texts = Object.entries(valueTexts(reading)).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(texts);
}

async function writeFormats(
  core: Core,
  json: object,
  path: string,
  example: LearnExample,
  who: string,
): Promise<LearnedSource> {
  const file = loadFormatFile(parseJson(JSON.stringify(json)));
  const name = path.slice(core.home.formatsFolder.length + 1).replace(/\.json$/, '');
  const others = loadFormatFiles(core.home.formatsFolder, `${name}.json`).formats;
  const clash = clashOf(file, others);
  if (clash !== null) refuse(`The file would not be loaded: ${clash}`, 'Choose another name or sender.');
  const engine = createSmsEngine([...others, file]);
  const own = new Set(file.formats.map(({ id }) => id));
  const tried = file.formats
    .filter(({ settle }) => settle !== 'never')
    .flatMap(({ texts, examples }) =>
      examples.slice(0, 1).map(({ text }) => {
        const genuine = { sender: example.sender, body: text, template: texts[0] ?? '' };
        return forgeriesRead(engine, own, genuine);
      }),
    );
  const forged = tried.flatMap(({ read }) => read);
  if (forged.length > 0) {
    refuse(
      `Nothing was written: the format also reads forged texts (${[...new Set(forged)].join(', ')})`,
      'Mark fewer words with --skip and --payer, so that the text begins and ends with words of its own.',
    );
  }
  const { store, home } = core;
  mkdirSync(home.formatsFolder, { recursive: true, mode: 0o700 });
  const fresh = `${path}.new`;
  writeDurably(fresh, `${JSON.stringify(json, null, 2)}\n`, 0o600);
  renameSync(fresh, path);
  syncFolder(home.formatsFolder);
  const formats = file.formats.flatMap(({ texts }) => texts);
  await store.write((db) => audit(core, db, who, 'sms.learn', name, { after: { file: path, formats } }));
  return {
    ...{
      file: path,
      name,
      channel: file.source === undefined ? file.channel : file.source.channel,
      template: formats,
    },
    ...compareStored(engine, own, example.stored),
    forgeries: tried.reduce((sum, { tried: count }) => sum + count, 0),
  };
}

function compareStored(
  engine: ReturnType<typeof createSmsEngine>,
  own: ReadonlySet<string>,
  stored: readonly StoredText[],
): Pick<LearnedSource, 'read' | 'unread' | 'samples' | 'unread_samples'> {
  const read: LearnSample[] = [];
  const unread: string[] = [];
  for (const { sender, body, received_at: receivedAtMs } of stored) {
    const reading: SmsReading = parseSms(engine, { sender, body, receivedAtMs });
    if (reading.format !== null && own.has(reading.format)) read.push({ ...valueTexts(reading), text: body });
    else unread.push(body);
  }
  return {
    ...{ read: read.length, unread: unread.length },
    ...{ samples: read.slice(0, SAMPLES), unread_samples: unread.slice(0, SAMPLES) },
  };
}
