/**
 * Compiles the templates of a format file to anchored regular expressions that run in linear time, and reads
 * the values of a text that matches one from its first letter to its last. Knows no single wallet.
 */
import { KashboxError } from '../../base/errors/errors.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Format, Role } from '../../domain/wallets/format.js';
import type { NormalText } from './normalise.js';
import { parseTemplate, writePattern } from './template.js';
import type { FormatFile, SmsReason, SmsValues } from './types.js';
import { parseDate, parseFee, parseMoney, parsePayer } from './values.js';
import { saysTakenBack } from './wording.js';

export interface CompiledText {
  /** Null: of a source. */
  readonly wallet: MfsChannel | null;
  readonly format: Format;
  /** Literal beginning of the text; empty if it begins with a value. */
  readonly opening: string;
  readonly pattern: RegExp;
  /** Pattern with match positions: slower, and needed only if characters were repaired. */
  readonly positioned: RegExp;
  /** True if the words of the template report a reversed transaction; false for a refund or a failure. */
  readonly reverses: boolean;
  /** Role of each capture group, in order. */
  readonly roles: readonly Role[];
}

/** Compiles every template of a file. @throws KashboxError `config_invalid` naming format and fault. */
export function compileFile(file: FormatFile): readonly CompiledText[] {
  const wallet = file.source === undefined ? file.channel : null;
  return file.formats.flatMap((format) => format.texts.map((text) => compileText(wallet, format, text)));
}

function compileText(wallet: MfsChannel | null, format: Format, text: string): CompiledText {
  const fault = (what: string): KashboxError =>
    new KashboxError('config_invalid', { message: `SMS format ${format.id}: ${what} in "${text}"` });
  const roles: Role[] = [];
  const source = writePattern(parseTemplate(text, fault), roles, fault);
  const missing = format.settle === 'auto' ? faultOfAuto(text, roles) : null;
  if (missing !== null) throw fault(missing);
  if (roles.includes('to') && format.kind !== 'outgoing') throw fault('{payee} needs the kind outgoing');
  const opening = /^[^[({|.\\]*/.exec(text)?.[0] ?? '';
  const whole = `^${source}$`;
  return {
    wallet,
    format,
    opening,
    pattern: new RegExp(whole),
    positioned: new RegExp(whole, 'd'),
    reverses: format.kind !== 'refund' && format.kind !== 'failed' && saysTakenBack(text),
    roles,
  };
}

/** Reason why a text must not be `auto`: a needed slot is missing, or one leaves some text unread. */
function faultOfAuto(text: string, roles: readonly Role[]): string | null {
  for (const role of ['amount', 'from', 'id', 'date', 'balance'] as const) {
    if (!roles.includes(role)) return `"auto" needs the slot for ${role}`;
  }
  if (roles.includes('name')) return '"auto" needs a {payer}, not a {name}';
  if (text.includes('{id:any}')) return '"auto" needs an {id} whose shape can be checked';
  if (roles.includes('skipped')) return '"auto" must not skip a part of the text';
  return /\{ref\}$/.test(text) ? '"auto" must not end with what the payer typed' : null;
}

export interface TextMatch {
  /** Null: of a source. */
  readonly wallet: MfsChannel | null;
  readonly format: Format;
  readonly values: SmsValues;
  readonly amount: 'read' | 'ambiguous' | 'unreadable';
  readonly feeUnreadable: boolean;
  readonly usualPayer: boolean;
  /** Null: the text names no moment that exists. */
  readonly atMs: number | null;
  /** True if the text has that slot. */
  readonly hasDate: boolean;
  readonly hasBalance: boolean;
  /** Text of the slots that match any words, except names and the reference. */
  readonly skipped: readonly string[];
  /** The words of the format say that a transaction was taken back. */
  readonly reverses: boolean;
  /** A value could only be read after its characters were repaired in a way that is not safe. */
  readonly repaired: SmsReason | null;
  readonly head: string;
  readonly tail: string;
}

/** The captured text of each slot that took part. */
type Parts = { [role in Role]?: string | undefined };

/**
 * @param texts formats in the order in which they are tried.
 * @param normal where characters were repaired; null if the text is past saving anyway.
 */
export function findMatch(
  texts: readonly CompiledText[],
  text: string,
  normal: NormalText | null,
): TextMatch | null {
  const oneLine = text.includes('\n') ? text.replaceAll('\n', ' ') : text;
  for (const compiled of texts) {
    if (!oneLine.startsWith(compiled.opening)) continue;
    const found = compiled.pattern.exec(text);
    if (found !== null) return parseSlots(compiled, found, doubtRepair(compiled, text, normal));
  }
  return null;
}

function parseSlots(compiled: CompiledText, found: RegExpExecArray, repaired: SmsReason | null): TextMatch {
  const { wallet, format } = compiled;
  const parts: Parts = {};
  for (const [index, role] of compiled.roles.entries()) parts[role] = found[index + 1];
  const skipped = compiled.roles.flatMap((role, index) =>
    role === 'skipped' ? [found[index + 1] ?? ''] : [],
  );
  const amount = parts.amount === undefined ? null : parseMoney(parts.amount, wallet);
  const fee = parts.fee === undefined ? null : parseFee(parts.fee, wallet);
  const balance = parts.balance === undefined ? null : parseMoney(parts.balance, wallet);
  const payer = parts.from === undefined ? null : parsePayer(parts.from, wallet);
  const date = parts.date === undefined ? null : parseDate(parts.date);
  return {
    wallet,
    format,
    values: {
      amountPaisa: amount?.outcome === 'read' ? amount.paisa : null,
      feePaisa: fee?.outcome === 'read' ? fee.paisa : null,
      balancePaisa: balance?.outcome === 'read' ? balance.paisa : null,
      from: payer?.from ?? parts.name?.trim() ?? null,
      payee: parts.to === undefined ? null : parsePayer(parts.to, wallet).from,
      trxId: parts.id ?? null,
      at: date?.at ?? null,
      payerReference: parts.ref?.trim() || null,
    },
    amount: amount?.outcome ?? 'unreadable',
    feeUnreadable: fee !== null && fee.outcome !== 'read',
    usualPayer: payer === null || payer.usual,
    atMs: date?.ms ?? null,
    hasDate: parts.date !== undefined,
    hasBalance: parts.balance !== undefined,
    skipped,
    reverses: compiled.reverses,
    repaired,
    head: parts.head ?? '',
    tail: parts.tail ?? '',
  };
}

/** Slots without a value. */
const FREE_WORDS: readonly Role[] = ['ref', 'head', 'tail', 'name', 'skipped'];

/** Bengali digits make a number only all together, and never an id; nothing invisible is in either. */
function doubtRepair(compiled: CompiledText, text: string, normal: NormalText | null): SmsReason | null {
  if (normal === null || (normal.bengali.length === 0 && normal.dropped.length === 0)) return null;
  const spans = compiled.positioned.exec(text)?.indices ?? [];
  for (const [index, role] of compiled.roles.entries()) {
    const span = spans[index + 1];
    if (span === undefined || FREE_WORDS.includes(role)) continue;
    const end = span[1];
    // From the first digit on: between Tk and its number nothing can be hidden.
    const start = span[0] + Math.max(0, text.slice(span[0], end).search(role === 'id' ? /./ : /[\d+*.]/));
    if (normal.dropped.some((position) => position > start && position < end)) return 'characters_hidden';
    const bengali = normal.bengali.filter((position) => position >= start && position < end).length;
    const digits = text.slice(start, end).replace(/\D/g, '').length;
    if (bengali > 0 && (role === 'id' || bengali !== digits)) return 'characters_foreign';
  }
  return null;
}
