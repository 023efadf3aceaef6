/**
 * Fees that a brand charges its customers for a payment method: a fixed amount, a percentage, or both. Fees
 * are stored with the session when it is opened, so that the customer owes what they were shown.
 */
import { formatTaka, type Paisa, parseTaka } from '../../base/values/money.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { isPayChannel, type PayChannel } from '../accounts/channels.js';

export interface Fee {
  readonly fixedPaisa: Paisa;
  /** Hundredths of a percent: 185 is 1.85%. */
  readonly basisPoints: number;
  /** The fee is rounded up so that amount and fee together are full taka. */
  readonly isWhole?: true;
}

/** Fees by channel; a channel that is not named costs nothing. */
export type Fees = Readonly<Partial<Record<PayChannel, Fee>>>;

const TAKA_PAISA = 100;
/** Suffix of a fee that is rounded up to full taka. */
const WHOLE = '+whole';
const MAX_FIXED_PAISA = 10_000_000;
const MAX_BASIS_POINTS = 5_000;

/** @param json text of `brands.fees` or `sessions.fees`; null means no fees. */
export function parseFees(json: string | null): Fees {
  return json === null ? {} : (JSON.parse(json) as Fees);
}

/**
 * @param amountPaisa amount that the shop requests.
 * @returns the fee due on top of it, in full paisa, rounded up; if the fee `isWhole`, the total is rounded up
 * to full taka.
 */
export function feeOn(fees: Fees, channel: PayChannel, amountPaisa: Paisa): Paisa {
  const fee = Object.hasOwn(fees, channel) ? fees[channel] : undefined;
  if (fee === undefined) return 0;
  // Whole numbers throughout, at most 10^8 paisa times 5000: far inside what a number holds exactly.
  const share = amountPaisa * fee.basisPoints;
  const rest = share % 10_000;
  const exact = fee.fixedPaisa + (share - rest) / 10_000 + (rest > 0 ? 1 : 0);
  const over = fee.isWhole ? (amountPaisa + exact) % TAKA_PAISA : 0;
  return over === 0 ? exact : exact + TAKA_PAISA - over;
}

type ReadFee = ParseResult<{ channel: PayChannel; fee: Fee }>;

/**
 * @param text `mfs_a=1.85%`, `mfs_c=5.00`, `bank=10+0.5%`; `mfs_a=0` removes a fee. The suffix `+whole`
 * rounds the total up to full taka.
 */
export function parseFee(text: string): ReadFee {
  const plain = text.replace(/\s/g, '');
  const isWhole = plain.endsWith(WHOLE);
  const [, name = '', fixed, percent] =
    /^([a-z\d_]+)=(?:(\d+(?:\.\d{1,2})?)(?:\+(?=\d)|$))?(?:(\d{1,2}(?:\.\d{1,2})?)%)?$/.exec(
      isWhole ? plain.slice(0, -WHOLE.length) : plain,
    ) ?? [];
  if (fixed === undefined && percent === undefined) {
    return {
      ok: false,
      fault: `"${text}" is not a fee; write CHANNEL=TAKA, CHANNEL=PERCENT% or CHANNEL=TAKA+PERCENT%`,
    };
  }
  if (!isPayChannel(name)) return { ok: false, fault: `channel "${name}" is unknown` };
  const fixedPaisa = paisaOf(fixed);
  const basisPoints = paisaOf(percent);
  if (fixedPaisa > MAX_FIXED_PAISA || basisPoints > MAX_BASIS_POINTS) {
    return {
      ok: false,
      fault: `a fee may be at most ${formatTaka(MAX_FIXED_PAISA)} taka and ${MAX_BASIS_POINTS / 100}%`,
    };
  }
  const fee = isWhole ? { fixedPaisa, basisPoints, isWhole } : { fixedPaisa, basisPoints };
  return { ok: true, channel: name, fee };
}

/** Parses two decimals as an integer: paisa for taka, basis points for a percentage. */
function paisaOf(text: string | undefined): number {
  const parsed = parseTaka(text ?? '0');
  return parsed.ok ? parsed.paisa : Number.POSITIVE_INFINITY;
}

/** `1.85%`, `5.00`, `10.00+0.50%+whole`: the form that `parseFee` reads. */
export function feeText({ fixedPaisa, basisPoints, isWhole }: Fee): string {
  const parts = [
    ...(fixedPaisa === 0 ? [] : [formatTaka(fixedPaisa)]),
    ...(basisPoints === 0 ? [] : [`${formatTaka(basisPoints)}%`]),
  ];
  return `${parts.join('+') || '0'}${isWhole ? WHOLE : ''}`;
}

export interface AmountDue {
  readonly feePaisa: Paisa;
  /** The amount and the fee. */
  readonly totalPaisa: Paisa;
}

/** Amounts of a session that decide what is still due. */
export interface PricedSession {
  /** JSON text of its fees, or null. */
  readonly fees: string | null;
  readonly amount_paisa: Paisa;
  /** All that was credited so far, and the fees in it. */
  readonly paid_paisa: Paisa;
  readonly paid_fee_paisa: Paisa;
}

/** @returns what is still due without a fee; 0 if it is paid. */
export function restOf({ amount_paisa, paid_paisa, paid_fee_paisa }: Omit<PricedSession, 'fees'>): Paisa {
  return Math.max(0, amount_paisa - (paid_paisa - paid_fee_paisa));
}

/** @returns what is still due on that channel. */
export function dueOn(channel: PayChannel, session: PricedSession): AmountDue {
  const rest = restOf(session);
  const feePaisa = feeOn(parseFees(session.fees), channel, rest);
  return { feePaisa, totalPaisa: rest + feePaisa };
}

/** @returns the smallest amount that pays a part: it covers the fee of its channel and one paisa. */
export function leastPart(channel: PayChannel, { fees }: Pick<PricedSession, 'fees'>): Paisa {
  return 1 + feeOn(parseFees(fees), channel, 1);
}

/**
 * Divides a part of the money, less than is due: every transfer pays the fee on what it brings.
 * @returns the fee in it, and what is still due after it, without a fee.
 */
export function splitPart(channel: PayChannel, session: PricedSession, paisa: Paisa) {
  const fees = parseFees(session.fees);
  const rest = restOf(session);
  let [least, most] = [0, Math.min(paisa, rest)];
  // The largest amount that is covered together with its fee: fees grow with the amount.
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (middle + feeOn(fees, channel, middle) <= paisa) least = middle;
    else most = middle - 1;
  }
  return { feePaisa: paisa - least, restPaisa: rest - least };
}
