/**
 * Compiles the templates of a format file to anchored regular expressions that run in linear time. Knows the
 * template language, and no single wallet.
 *
 * The language: a letter matches itself; a space matches one space or line break; `[…]` is optional; `(a|b)`
 * is a choice; `{slot}` is a value. A text must match from its first letter to its last.
 */
import { KashboxError } from '../../base/errors/errors.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Format, Role, Slot } from '../../domain/wallets/format.js';
import { OTHER_SPELLINGS, WALLETS } from '../../domain/wallets/index.js';
import type { NormalText } from './normalise.js';
import type { FormatFile, SmsReason, SmsValues } from './types.js';
import { parseDate, parseFee, parseMoney, parsePayer } from './values.js';
import { saysTakenBack } from './wording.js';

const CURRENCY = '(?:T[Kk]|tk|BDT|Taka|TAKA|taka|৳)';
const NUMBER = '(?:\\d{1,3}(?:,\\d{2,3}){1,5}|\\d{1,12})';
const DECIMALS = '(?:\\.\\d{1,2})?';
/** A forwarder that breaks long lines may do so between the currency word and its number. */
const GAP = '[ \\n]?';
const MONEY = `${CURRENCY}(?:\\.?${GAP}${NUMBER}${DECIMALS}|${GAP}\\.\\d{2})`;
/** Zero amount, in every spelling: it is no money, whichever part the dot belongs to. */
const ZERO = `${CURRENCY}(?:${GAP}\\.){0,2}${GAP}0{1,2}(?:\\.0{1,2})?`;
/** Names of our wallets and of wallets that are only paid from. */
const PAYING_WALLETS = [...WALLETS.flatMap(({ texts }) => texts.spellings), ...OTHER_SPELLINGS].join('|');

/** Every bound is wider than any known text and narrow enough to keep matching linear. */
const SLOTS: Readonly<Record<string, Slot>> = {
  // Money with its currency word; without; either; and with exactly two decimals, where a date is glued on.
  amount: { source: MONEY, role: 'amount' },
  'amount:after': { source: `${NUMBER}${DECIMALS}(?= ${CURRENCY})`, role: 'amount' },
  fee: { source: `(?:${MONEY}|${ZERO})`, role: 'fee' },
  'fee:maybe': { source: `(?:${MONEY}|${ZERO}|${NUMBER}${DECIMALS})`, role: 'fee' },
  balance: { source: MONEY, role: 'balance' },
  'balance:maybe': { source: `(?:${MONEY}|${NUMBER}${DECIMALS})`, role: 'balance' },
  'amount:cents': { source: `${CURRENCY}\\.?${GAP}${NUMBER}\\.\\d{2}`, role: 'amount' },
  'balance:cents': { source: `(?:${CURRENCY}\\.?${GAP})?${NUMBER}\\.\\d{2}`, role: 'balance' },
  // An agent's commission has up to five decimals and is nobody's payment.
  comm: { source: `${CURRENCY}\\.?${GAP}(?:${NUMBER})?(?:\\.\\d{1,6})?`, role: null },
  payer: { source: '[+\\d*Xx][\\d*Xx -]{2,18}', role: 'from' },
  wallet: { source: `(?:${PAYING_WALLETS})`, role: null },
  // Words behind a number are not a part of a name: they may say what became of the money.
  name: { source: '(?!\\+?[\\dXx*]{5})[^\\n]{1,60}?', role: 'name' },
  to: { source: '[^\\n]{1,60}?', role: null },
  counter: { source: '[0-9A-Za-z-]{1,12}', role: null },
  ref: { source: '[^\\n]{0,160}', role: 'ref' },
  id: { source: '[0-9A-Za-z]{8,20}', role: 'id' },
  date: { source: '\\d{2}/\\d{2}/\\d{4}[ \\n]\\d{2}:\\d{2}', role: 'date' },
  'date:named': {
    source: `\\d{2}-[A-Z]{3}-\\d{2}[ \\n]\\d{2}:\\d{2}:\\d{2}${GAP}[AaPp](?:[Mm]|\\.[Mm]\\.?)`,
    role: 'date',
  },
  skip: { source: '[^\\n]{0,120}?', role: null },
  tail: { source: '[^]{0,300}', role: 'tail' },
  ...Object.assign({}, ...WALLETS.map(({ texts }) => texts.slots)),
};

export interface CompiledText {
  readonly channel: MfsChannel;
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
  return file.formats.flatMap((format) =>
    format.texts.map((text) => compileText(file.channel, format, text)),
  );
}

function compileText(channel: MfsChannel, format: Format, text: string): CompiledText {
  const fault = (what: string): KashboxError =>
    new KashboxError('config_invalid', { message: `SMS format ${format.id}: ${what} in "${text}"` });
  const roles: Role[] = [];
  const source = translate(text, roles, fault);
  const missing = format.settle === 'auto' ? faultOfAuto(text, roles) : null;
  if (missing !== null) throw fault(missing);
  const opening = /^[^[({|.]*/.exec(text)?.[0] ?? '';
  const whole = `^${source}$`;
  return {
    channel,
    format,
    opening,
    pattern: new RegExp(whole),
    positioned: new RegExp(whole, 'd'),
    reverses: format.kind !== 'refund' && format.kind !== 'failed' && saysTakenBack(text),
    roles,
  };
}

type FaultMaker = (what: string) => KashboxError;

function translate(text: string, roles: Role[], fault: FaultMaker): string {
  let source = '';
  const open: string[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '{') {
      const end = text.indexOf('}', index);
      if (end < 0) throw fault('a { that is not closed');
      source += slotSource(text.slice(index + 1, end), roles, fault);
      index = end;
    } else if (char === '[' || char === '(') {
      open.push(char);
      source += '(?:';
    } else if (char === ']' || char === ')') {
      if (open.pop() !== (char === ']' ? '[' : '(')) throw fault(`an unexpected ${char}`);
      source += char === ']' ? ')?' : ')';
    } else if (char === '|' && open.at(-1) === '(') source += '|';
    else source += char === ' ' ? '[ \\n]' : char.replace(/[\\^$.*+?|{}/-]/, '\\$&');
  }
  if (open.length > 0) throw fault(`a ${open.join('')} that is not closed`);
  return source;
}

function slotSource(name: string, roles: Role[], fault: FaultMaker): string {
  const slot = Object.hasOwn(SLOTS, name) ? SLOTS[name] : undefined;
  if (slot === undefined) throw fault(`no slot is called {${name}}`);
  if (slot.role === null) return `(?:${slot.source})`;
  if (roles.includes(slot.role)) throw fault(`{${name}} stands twice`);
  roles.push(slot.role);
  return `(${slot.source})`;
}

/** Reason why a text must not be `auto`: a needed slot is missing, or one leaves some text unread. */
function faultOfAuto(text: string, roles: readonly Role[]): string | null {
  for (const role of ['amount', 'from', 'id', 'date', 'balance'] as const) {
    if (!roles.includes(role)) return `"auto" needs the slot for ${role}`;
  }
  if (roles.includes('name')) return '"auto" needs a {payer}, not a {name}';
  if (/\{(?:skip|to)\}/.test(text)) return '"auto" must not skip a part of the text';
  return /\{ref\}$/.test(text) ? '"auto" must not end with what the payer typed' : null;
}

export interface TextMatch {
  readonly channel: MfsChannel;
  readonly format: Format;
  readonly values: SmsValues;
  readonly amount: 'read' | 'ambiguous' | 'unreadable';
  readonly feeUnreadable: boolean;
  readonly usualPayer: boolean;
  /** Null: the text names no moment that exists. */
  readonly atMs: number | null;
  /** The words of the format say that a transaction was taken back. */
  readonly reverses: boolean;
  /** A value could only be read after its characters were repaired in a way that is not safe. */
  readonly mended: SmsReason | null;
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

function parseSlots(compiled: CompiledText, found: RegExpExecArray, mended: SmsReason | null): TextMatch {
  const { channel, format } = compiled;
  const parts: Parts = {};
  for (const [index, role] of compiled.roles.entries()) parts[role] = found[index + 1];
  const amount = parts.amount === undefined ? null : parseMoney(parts.amount, channel);
  const fee = parts.fee === undefined ? null : parseFee(parts.fee, channel);
  const balance = parts.balance === undefined ? null : parseMoney(parts.balance, channel);
  const payer = parts.from === undefined ? null : parsePayer(parts.from, channel);
  const date = parts.date === undefined ? null : parseDate(parts.date);
  return {
    channel,
    format,
    values: {
      amountPaisa: amount?.outcome === 'read' ? amount.paisa : null,
      feePaisa: fee?.outcome === 'read' ? fee.paisa : null,
      balancePaisa: balance?.outcome === 'read' ? balance.paisa : null,
      from: payer?.from ?? parts.name?.trim() ?? null,
      trxId: parts.id ?? null,
      at: date?.at ?? null,
      payerReference: parts.ref?.trim() || null,
    },
    amount: amount?.outcome ?? 'unreadable',
    feeUnreadable: fee !== null && fee.outcome !== 'read',
    usualPayer: payer === null || payer.usual,
    atMs: date?.ms ?? null,
    reverses: compiled.reverses,
    mended,
    head: parts.head ?? '',
    tail: parts.tail ?? '',
  };
}

/** Bengali digits make a number only all together, and never an id; nothing invisible is in either. */
function doubtRepair(compiled: CompiledText, text: string, normal: NormalText | null): SmsReason | null {
  if (normal === null || (normal.bengali.length === 0 && normal.dropped.length === 0)) return null;
  const spans = compiled.positioned.exec(text)?.indices ?? [];
  for (const [index, role] of compiled.roles.entries()) {
    const span = spans[index + 1];
    if (span === undefined || role === 'ref' || role === 'head' || role === 'tail' || role === 'name')
      continue;
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
