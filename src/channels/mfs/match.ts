/** Finds the format that consumes a text whole, and reads the values at its slots. Judges nothing. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Format, Role } from '../../domain/wallets/format.js';
import type { CompiledText } from './compile.js';
import type { NormalText } from './normalise.js';
import type { SmsReason, SmsValues } from './types.js';
import { readDate, readFee, readMoney, readPayer } from './values.js';

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
export function readMatch(
  texts: readonly CompiledText[],
  text: string,
  normal: NormalText | null,
): TextMatch | null {
  const oneLine = text.includes('\n') ? text.replaceAll('\n', ' ') : text;
  for (const compiled of texts) {
    if (!oneLine.startsWith(compiled.opening)) continue;
    const found = compiled.pattern.exec(text);
    if (found !== null) return readSlots(compiled, found, doubtRepair(compiled, text, normal));
  }
  return null;
}

function readSlots(compiled: CompiledText, found: RegExpExecArray, mended: SmsReason | null): TextMatch {
  const { channel, format } = compiled;
  const parts: Parts = {};
  for (const [index, role] of compiled.roles.entries()) parts[role] = found[index + 1];
  const amount = parts.amount === undefined ? null : readMoney(parts.amount, channel);
  const fee = parts.fee === undefined ? null : readFee(parts.fee, channel);
  const balance = parts.balance === undefined ? null : readMoney(parts.balance, channel);
  const payer = parts.from === undefined ? null : readPayer(parts.from, channel);
  const date = parts.date === undefined ? null : readDate(parts.date);
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
