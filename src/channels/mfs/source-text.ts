/**
 * Reads texts of the operator's sources: by the formats of that source only, and completely. A wallet's rules
 * about ids, payers and advertisements say nothing about other senders; every other check
 * counts. Pure.
 */
import { hash } from 'node:crypto';
import type { SmsDelivery } from '../../domain/sms/phone-clock.js';
import { senderKey, type TextSource } from '../../domain/sources/source.js';
import { isCredit } from '../../domain/wallets/format.js';
import { doubtDate } from './checks.js';
import { type CompiledText, compileFile, findMatch, type TextMatch } from './compile.js';
import { reading } from './loose.js';
import { LONGEST_TEXT, type NormalText, unmask } from './normalise.js';
import { CURRENCY } from './slots.js';
import type { FormatFile, SmsReading, SmsReason, SourceFormats } from './types.js';
import { parseMoney } from './values.js';
import {
  holdsMessage,
  kindTakenBack,
  labelledIds,
  namesId,
  resemblesMessage,
  saysTakenBack,
} from './wording.js';

export interface CompiledSource {
  readonly source: TextSource;
  readonly texts: readonly CompiledText[];
  /** Changes with everything that decides which texts are read and to which account they belong. */
  readonly stamp: string;
}

/** By the key of each sender. */
export type CompiledSources = ReadonlyMap<string, CompiledSource>;

export function compileSources(files: readonly FormatFile[]): CompiledSources {
  const sources = new Map<string, CompiledSource>();
  for (const file of files) {
    if (file.source === undefined) continue;
    const compiled = { source: file.source, texts: compileFile(file), stamp: stampOf(file) };
    for (const sender of file.source.senders) sources.set(senderKey(sender) ?? '', compiled);
  }
  return sources;
}

function stampOf({ source, formats }: SourceFormats): string {
  const { title: _title, ...deciding } = source;
  return hash('sha256', JSON.stringify([deciding, formats]), 'base64url');
}

export function findSource(sources: CompiledSources, sender: string): CompiledSource | null {
  if (sources.size === 0) return null;
  const key = senderKey(sender);
  return key === null ? null : (sources.get(key) ?? null);
}

/** @param body as received; may be longer than any text. */
export function parseSourceText(
  { source, texts }: CompiledSource,
  body: string,
  normal: NormalText,
  delivered: SmsDelivery | null,
): SmsReading {
  const match = body.length > LONGEST_TEXT ? null : findMatch(texts, normal.text, normal);
  return match === null ? parseUnknown(source, normal.text) : judge(source, match, normal, delivered);
}

function judge(
  source: TextSource,
  match: TextMatch,
  normal: NormalText,
  delivered: SmsDelivery | null,
): SmsReading {
  const { format, values } = match;
  const { name, channel } = source;
  const base = {
    ...{ channel, source: name, kind: format.kind, credit: isCredit(format.kind), ...values },
    format: format.id,
  };
  if (format.settle === 'never') return { ...base, settle: 'never', reasons: ['kind_never_settles'] };
  const amount = values.amountPaisa;
  if (match.amount === 'unreadable' || amount === 0) {
    const why = amount === 0 ? 'amount_zero' : 'amount_unreadable';
    return { ...reading(channel, 'unknown', 'never', [why]), source: name };
  }
  const doubts: (SmsReason | null)[] = [
    match.amount === 'ambiguous' ? 'amount_ambiguous' : null,
    match.hasBalance ? doubtBalance(match) : null,
    match.feeUnreadable || (values.feePaisa ?? 0) !== 0 ? 'fee_charged' : null,
    match.hasDate ? doubtMoment(match, delivered) : null,
    match.repaired,
    ...doubtCharacters(normal),
    doubtFreeWords(match),
    saysTakenBack(unmask(normal.text)) ? 'transaction_reversed' : null,
  ];
  const reasons = doubts.filter((reason) => reason !== null);
  return { ...base, settle: 'review', reasons: ['kind_needs_person', 'source_untrusted', ...reasons] };
}

function doubtBalance({ values: { amountPaisa: amount, balancePaisa: balance } }: TextMatch) {
  if (balance === null) return 'balance_unreadable';
  return amount !== null && amount > balance ? 'amount_over_balance' : null;
}

function doubtMoment({ atMs }: TextMatch, delivered: SmsDelivery | null): SmsReason | null {
  return atMs === null ? 'date_impossible' : doubtDate(atMs, delivered);
}

/** A bank writes all digits in one script, and nothing that is not seen. */
function doubtCharacters({ text, bengali, dropped, hidden }: NormalText): SmsReason[] {
  const digits = text.replace(/\D/g, '').length;
  return [
    ...(hidden || dropped.length > 0 ? (['characters_hidden'] as const) : []),
    ...(bengali.length > 0 && bengali.length < digits ? (['characters_foreign'] as const) : []),
  ];
}

const MONEY = new RegExp(`${CURRENCY}[. ]{0,2}[\\d০-৯]`, 'i');

/** Where any words may stand, nobody may put another message, or a part of one. */
function doubtFreeWords({ values, tail, skipped, format }: TextMatch): SmsReason | null {
  const isName = format.texts.some((text) => text.includes('{name'));
  const words = [values.payerReference, isName ? values.from : null, tail, ...skipped];
  for (const one of words) {
    const plain = unmask(one ?? '');
    if (holdsMessage(plain) || namesId(plain) || MONEY.test(plain)) return 'two_messages';
    if (resemblesMessage(plain)) return 'reference_like_message';
  }
  return null;
}

const MONEY_CAME_IN = /\breceived\b|\bcredit(?:ed)?\b|\bdeposit(?:ed)?\b|জমা|পে\u09af\u09bcেছেন/i;
const WENT_OUT = /\bdebit|withdraw|\bpaid\b|purchase|\bplease\b|\b(?:will|would|to) be\b|\botp\b|%/i;
const SOME_MONEY = new RegExp(
  `(?:${CURRENCY}\\.?|\\bamount\\s?:)\\s?(\\d[\\d,]*(?:\\.\\d{1,2})?)|(\\d[\\d,]*(?:\\.\\d{1,2})?) ?${CURRENCY}`,
  'i',
);

/** @returns the amount as it is written; undefined if the text does not seem to report money that came in. */
export function creditedAmount(text: string): string | undefined {
  const plain = unmask(text);
  if (!MONEY_CAME_IN.test(plain) || WENT_OUT.test(plain) || saysTakenBack(plain)) return undefined;
  const [, after, before] = SOME_MONEY.exec(plain) ?? [];
  return after ?? before;
}

/** Text of a known source in an unknown wording: it may be money, so it may need manual review. */
function parseUnknown({ name, channel }: TextSource, text: string): SmsReading {
  const plain = unmask(text);
  const [trxId] = labelledIds(plain);
  if (saysTakenBack(plain) && trxId !== undefined) {
    const back = reading(channel, kindTakenBack(plain), 'never', ['format_unknown', 'transaction_reversed']);
    return { ...back, source: name, trxId };
  }
  const money = creditedAmount(text);
  if (money === undefined) {
    return { ...reading(null, 'unknown', 'never', ['other_business', 'format_unknown']), source: name };
  }
  const amount = parseMoney(money, null);
  return {
    ...reading(channel, 'unknown', 'review', ['format_unknown']),
    source: name,
    amountPaisa: amount.outcome === 'read' ? amount.paisa : null,
  };
}
