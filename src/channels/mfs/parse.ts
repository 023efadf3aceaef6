/**
 * Decides what an SMS says and if it may count as money. Default deny: `auto` requires that the official
 * sender, a format that matches the complete text and every check agree. Pure: no clock, no memory.
 */
import { MFS_CHANNELS, type MfsChannel } from '../../domain/accounts/channels.js';
import { WALLET_ID_SHAPE } from '../../domain/matching/reference.js';
import type { SmsText } from '../../domain/sms/incoming-sms.js';
import type { SmsDelivery } from '../../domain/sms/phone-clock.js';
import { isCredit } from '../../domain/wallets/format.js';
import { ofEachWallet, WALLET, WALLETS } from '../../domain/wallets/index.js';
import { doubtDate, doubtId, doubtMoney } from './checks.js';
import { type CompiledText, compileFile, findMatch, type TextMatch } from './compile.js';
import { parseLoosely, reading } from './loose.js';
import { LONGEST_TEXT, type NormalText, normalise, unmask } from './normalise.js';
import { classifySender } from './senders.js';
import { type CompiledSources, compileSources, findSource, parseSourceText } from './source-text.js';
import { isKnownHead, isKnownTail } from './tails.js';
import type { FormatFile, SmsReading, SmsReason } from './types.js';
import {
  holdsMessage,
  labelledIds,
  namesId,
  payerWordsBegin,
  resemblesMessage,
  saysTakenBack,
} from './wording.js';

type CompiledTexts = Readonly<Record<MfsChannel, readonly CompiledText[]>>;

/** The formats that come with Kashbox, in the order in which they are tried. */
const BUILT_IN_FORMATS: readonly FormatFile[] = WALLETS.map(({ channel, texts }) => ({
  channel,
  formats: texts.formats,
}));

/** All formats, compiled. Made once, shared freely. */
export interface SmsEngine {
  readonly texts: CompiledTexts;
  readonly sources: CompiledSources;
}

/**
 * @param extraFormats an operator's own; they are tried before those that come with Kashbox.
 * @throws KashboxError `config_invalid` naming the format and its fault.
 */
export function createSmsEngine(extraFormats: readonly FormatFile[] = []): SmsEngine {
  const texts = ofEachWallet((): CompiledText[] => []);
  for (const file of [...extraFormats, ...BUILT_IN_FORMATS]) {
    if (file.source === undefined) texts[file.channel].push(...compileFile(file));
  }
  return { texts, sources: compileSources(extraFormats) };
}

/** SMS with the known data of its delivery; an absent value means that it is not known. */
type DeliveredSms = SmsText & Partial<Pick<SmsDelivery, 'arrivedAtMs' | 'clock'>>;

/** Parses one SMS. Never throws, whatever the text; runs in linear time. */
export function parseSms(engine: SmsEngine, sms: DeliveredSms): SmsReading {
  const read = parseText(engine, sms);
  return sms.untimed === 'impossible' ? lowered(read, 'time_impossible') : read;
}

function parseText(engine: SmsEngine, sms: DeliveredSms): SmsReading {
  const sender = classifySender(sms.sender);
  const body = sms.body.length > LONGEST_TEXT ? sms.body.trim() : sms.body;
  const normal = normalise(body.slice(0, LONGEST_TEXT));
  switch (sender.outcome) {
    case 'official':
    case 'weak': {
      const read = parseWalletText(engine, sender.channel, normal, deliveryOf(sms));
      if (body.length > LONGEST_TEXT) return withoutValues(read, 'text_too_long');
      return sender.outcome === 'weak' ? lowered(read, 'sender_weak') : read;
    }
    case 'notices':
    case 'other':
    case 'stranger': {
      const source = findSource(engine.sources, sms.sender);
      const own = source === null ? null : parseSourceText(source, body, normal, deliveryOf(sms));
      if (own !== null && own.format !== null) return own;
      const isUnknown = sender.outcome !== 'other' && own === null;
      const imitated = imitatedChannel(engine.texts, normal.text, isUnknown);
      if (imitated !== null) return { ...spoofed(imitated), source: own?.source ?? null };
      if (own !== null) return own;
      if (sender.outcome !== 'notices') return OTHER_BUSINESS;
      const read = parseLoosely(sender.channel, normal);
      const kind = read.kind === 'promo' || read.kind === 'otp' ? read.kind : 'notice';
      return reading(sender.channel, kind, 'never', ['not_a_credit']);
    }
    default:
      return sender satisfies never;
  }
}

function deliveryOf({ receivedAtMs, arrivedAtMs = null, clock = null }: DeliveredSms): SmsDelivery | null {
  return receivedAtMs === null ? null : { receivedAtMs, arrivedAtMs, clock };
}

const OTHER_BUSINESS = reading(null, 'unknown', 'never', ['other_business']);

function spoofed(channel: MfsChannel): SmsReading {
  return reading(channel, 'spoofed', 'never', ['sender_not_official']);
}

interface ParseContext {
  readonly channel: MfsChannel;
  readonly texts: readonly CompiledText[];
  readonly delivered: SmsDelivery | null;
}

/** The text of a sender that may speak for `channel`. */
function parseWalletText(
  engine: SmsEngine,
  channel: MfsChannel,
  normal: NormalText,
  delivered: SmsDelivery | null,
): SmsReading {
  const texts = engine.texts[channel];
  const known = { channel, texts, delivered };
  const match = findMatch(texts, normal.text, normal);
  if (match !== null) return judge(known, match, normal);
  const unmasked = unmask(normal.text);
  const masked = unmasked === normal.text ? null : findMatch(texts, unmasked, null);
  if (masked !== null) {
    const judged = judge(known, masked, { ...normal, text: unmasked });
    const read = lowered(judged, 'characters_foreign');
    // An id that is only there after unmasking is no id.
    return read.trxId === null || normal.text.includes(read.trxId) ? read : { ...read, trxId: null };
  }
  const imitated = imitatedByOwn(engine.texts, normal.text, channel);
  if (imitated !== null) return spoofed(imitated);
  const embedded = parseEmbedded(known, normal);
  if (embedded !== null) return embedded;
  if (WALLET[channel].senders.isOtherBusiness?.(normal.text) === true) return OTHER_BUSINESS;
  return parseLoosely(channel, normal);
}

function judge(known: ParseContext, match: TextMatch, normal: NormalText): SmsReading {
  const read = judgeValues(known, match, normal);
  // What may follow money says no such thing.
  if (read.settle === 'auto') return read;
  if (!match.reverses && (match.tail === '' || !saysTakenBack(unmask(match.tail)))) return read;
  const own = match.values.trxId;
  const trxId = labelledIds(match.tail).every((id) => id === own) ? own : read.trxId;
  return lowered({ ...read, trxId }, 'transaction_reversed');
}

function judgeValues(known: ParseContext, match: TextMatch, normal: NormalText): SmsReading {
  const { format, values } = match;
  const { channel } = known;
  const credit = isCredit(format.kind);
  if (isFollowedByMessage(match) || (credit && holdsMessage(values.payerReference ?? ''))) {
    return parseRepeated(known, normal) ?? reading(channel, 'unknown', 'review', ['two_messages']);
  }
  const base = { channel, source: null, kind: format.kind, credit, ...values, format: format.id };
  if (format.settle === 'never') {
    // Money that was sent to a customer may complete a refund, so its text is checked as that of a credit.
    const doubts = values.payee === null ? [] : listReviewReasons(known, match, normal);
    return { ...base, settle: 'never', reasons: ['kind_never_settles', ...doubts] };
  }
  if (match.amount === 'unreadable') return reading(channel, 'unknown', 'never', ['amount_unreadable']);
  if (values.amountPaisa === 0) return reading(channel, 'unknown', 'never', ['amount_zero']);
  const reasons = listReviewReasons(known, match, normal);
  if (format.settle === 'review') reasons.unshift('kind_needs_person');
  const [reason, ...others] = reasons;
  if (reason === 'kind_needs_person' && others.length === 0 && format.isWeak === true) {
    return { ...base, settle: 'review', reasons, isWeak: true };
  }
  if (reasons.length > 0) return { ...base, settle: 'review', reasons };
  return { ...base, settle: 'auto', reasons: ['checks_passed'] };
}

/** True if another message follows this one. A format without an id may end with the id of its own text. */
function isFollowedByMessage({ tail, values }: TextMatch): boolean {
  return values.trxId === null ? holdsMessage(tail) : namesId(tail);
}

/**
 * Lists the reasons against a credit, or money sent to a customer, that a format matched completely; an empty
 * list means money.
 */
function listReviewReasons(
  { channel, delivered }: ParseContext,
  match: TextMatch,
  normal: NormalText,
): SmsReason[] {
  const { values, atMs } = match;
  // Weak texts may come without a balance and a date.
  const isWeak = match.format.isWeak === true;
  const isLacking = isWeak && !match.hasBalance;
  const isReceived = isCredit(match.format.kind);
  const doubts: (SmsReason | null)[] = [
    match.amount === 'ambiguous' ? 'amount_ambiguous' : null,
    match.amount === 'unreadable' ? 'amount_unreadable' : null,
    match.amount === 'read' && !isLacking ? doubtMoney(values, isReceived) : null,
    // Of weak money any mask is compared with what customers type (domain/matching/payer).
    match.usualPayer || isWeak ? null : 'payer_unusual',
    match.feeUnreadable ? (isReceived ? 'fee_charged' : 'fee_unreadable') : null,
    isWeak && !match.hasDate ? null : atMs === null ? 'date_impossible' : doubtDate(atMs, delivered),
    idReason(channel, match),
    match.repaired,
    normal.hidden ? 'characters_hidden' : null,
    resemblesMessage(values.payerReference ?? '') ? 'reference_like_message' : null,
    isKnownTail(match.tail, channel) && isKnownHead(match.head) ? null : 'tail_unknown',
  ];
  return doubts.filter((doubt) => doubt !== null);
}

/** Weak money may have an id of another series than the wallet's own transactions. */
function idReason(channel: MfsChannel, match: TextMatch): SmsReason | null {
  const { format, atMs } = match;
  const { trxId } = match.values;
  const reason = atMs === null || trxId === null ? null : doubtId(channel, trxId, atMs);
  return format.isWeak === true && reason === 'id_shape' ? null : reason;
}

const PROBE = 12;

/** Parses a body with the same text twice, as a forwarder sent it: for manual review, counted once. */
function parseRepeated(known: ParseContext, normal: NormalText): SmsReading | null {
  const again = normal.text.indexOf(normal.text.slice(0, PROBE), PROBE);
  const first = normal.text.slice(0, again).trim();
  if (again < 0 || normal.text.slice(again).trim() !== first) return null;
  const once = normalise(first);
  const match = findMatch(known.texts, once.text, once);
  return match === null ? null : lowered(judge(known, match, once), 'text_repeated');
}

/** Openings shorter than this are found in any text. */
const MIN_OPENING = 8;

/** Parses a complete message after unknown words such as "Fwd:"; it needs manual review. */
function parseEmbedded(known: ParseContext, normal: NormalText): SmsReading | null {
  for (const compiled of known.texts) {
    if (compiled.opening.length < MIN_OPENING || !isCredit(compiled.format.kind)) continue;
    const start = normal.text.indexOf(compiled.opening);
    // What a payer typed must not be taken for the message.
    if (start < 1 || couldBeReference(normal.text.slice(0, start))) continue;
    const rest = normalise(normal.text.slice(start));
    const match = findMatch([compiled], rest.text, null);
    if (match !== null) return lowered(judge(known, match, rest), 'tail_unknown');
  }
  return null;
}

function couldBeReference(head: string): boolean {
  return /\bref|["“”]\s*$/i.test(head) || payerWordsBegin(head) < head.length || resemblesMessage(head);
}

function lowered(read: SmsReading, reason: SmsReason): SmsReading {
  const { isWeak: _, ...rest } = read;
  if (read.settle === 'auto') return { ...rest, settle: 'review', reasons: [reason] };
  return { ...rest, reasons: [...read.reasons, reason] };
}

/** Removes the values from a text of which only the beginning was parsed. */
function withoutValues(read: SmsReading, reason: SmsReason): SmsReading {
  const settle = read.settle === 'never' ? 'never' : 'review';
  return reading(read.channel, read.kind === 'spoofed' ? 'spoofed' : 'unknown', settle, [reason]);
}

const NAMES = WALLETS.map(({ name }) => name.en).join('|');
/** "bKash: ", "From: NAGAD", "[upay] " */
const NAME_BEFORE = new RegExp(`^(?:from:?\\s)?[([]?(?:${NAMES})[)\\]:]{0,2}\\s`, 'i');

/** Wallets with distinctive marks, before those whose marks also match other texts. */
const BY_MARKS = [
  ...WALLETS.filter(({ imitation }) => imitation.isVague !== true),
  ...WALLETS.filter(({ imitation }) => imitation.isVague === true),
];

/** Talk of an account, in the name of a wallet. Words of a chat about a payment are not enough. */
const PHISH_TALK =
  /গ্রাহক|একাউন্ট|অ্যাকাউন্ট|হেল্পলাইন|স্থগিত|পিন|customer|account|helpline|verif|suspend|blocked|\bpin\b|\botp\b|prize|lottery/i;

/**
 * The wallet whose text this is, or pretends to be; null if it is nothing like one.
 * @param suspicious also recognise what merely looks like one: right for strangers, wrong for other wallets.
 */
function imitatedChannel(texts: CompiledTexts, text: string, suspicious: boolean): MfsChannel | null {
  for (const channel of MFS_CHANNELS) {
    const match = findMatch(texts[channel], text, null);
    if (match !== null && isCredit(match.format.kind)) return channel;
  }
  if (!suspicious) return null;
  const plain = unmask(text);
  const marked = BY_MARKS.find(({ imitation }) => imitation.marks.every((mark) => mark.test(plain)));
  if (marked !== undefined) return marked.channel;
  if (!PHISH_TALK.test(text)) return null;
  return WALLETS.find(({ imitation }) => imitation.phishing.test(text))?.channel ?? null;
}

/**
 * The other wallet whose text the wallet of `own` is made to say; null if it may be its own words. Wallets
 * borrow each other's words, so an id of its own shape speaks for it; another's name before them does not.
 */
function imitatedByOwn(texts: CompiledTexts, text: string, own: MfsChannel): MfsChannel | null {
  const bare = text.replace(NAME_BEFORE, '');
  for (const channel of MFS_CHANNELS) {
    const match = channel === own ? null : findMatch(texts[channel], bare, null);
    if (match === null || !isCredit(match.format.kind)) continue;
    const id = match.values.trxId;
    if (id === null || !WALLET_ID_SHAPE[own].test(id) || WALLET_ID_SHAPE[channel].test(id)) return channel;
  }
  return null;
}
