/**
 * The pay history of a personal account: one list of all that was paid to and from it. An answer holds at
 * most 100 rows and there are no pages, so a window that comes back full is halved until all of it was seen.
 */
import { type Json, valueAt } from '../lossless.js';
import { evidenceOf, millisAt, textAt } from './answer.js';
import { createSignedApi } from './binance-api.js';
import {
  type DriverAnswer,
  type DriverCheck,
  type DriverMeans,
  type ExchangePayDriver,
  type ExchangePayment,
  failed,
} from './driver.js';

const HISTORY_PATH = '/sapi/v1/pay/transactions';
const RIGHTS_PATH = '/sapi/v1/account/apiRestrictions';
/** The most that one answer holds. */
const MAX_ROWS = 100;
/** The rights that are needed; every other right of the key is one too many. */
const NEEDED_RIGHTS = ['enableReading', 'enableFixReadOnly'];

export function createBinanceHistory(means: DriverMeans): ExchangePayDriver {
  const { now } = means;
  const { ask, clockOffsetMs } = createSignedApi(means);

  const findPayments = async (fromMs: number, toMs: number, signal: AbortSignal): Promise<DriverAnswer> => {
    const window = (offset: number) =>
      `startTime=${fromMs + offset}&endTime=${toMs + offset}&limit=${MAX_ROWS}&`;
    const asked = await ask(HISTORY_PATH, window, signal);
    if (asked.outcome === 'failed') return asked;
    const rows = valueAt(asked.json, ['data']);
    if (!Array.isArray(rows)) return failed({ kind: 'malformed', detail: 'the answer holds no list' });
    if (rows.length >= MAX_ROWS) return findInHalves(fromMs, toMs, signal);
    if (!rows.every(isRow)) return failed({ kind: 'malformed', detail: 'the list holds what is no row' });
    const payments = rows.map((row: Json) => paymentOf(row, { fromMs, offsetMs: clockOffsetMs() }));
    return { outcome: 'seen', payments: payments.filter((payment) => payment !== null) };
  };

  const findInHalves = async (fromMs: number, toMs: number, signal: AbortSignal): Promise<DriverAnswer> => {
    if (fromMs >= toMs) {
      return failed({ kind: 'malformed', detail: 'a millisecond holds more rows than an answer' });
    }
    const middle = Math.floor((fromMs + toMs) / 2);
    const earlier = await findPayments(fromMs, middle, signal);
    if (earlier.outcome === 'failed') return earlier;
    const later = await findPayments(middle + 1, toMs, signal);
    if (later.outcome === 'failed') return later;
    return { outcome: 'seen', payments: [...earlier.payments, ...later.payments] };
  };

  return {
    id: 'binance-pay-history',
    lookup: 'history',
    findPayments: ({ fromMs, toMs, signal }) => findPayments(fromMs, toMs, signal),
    check: async (signal): Promise<DriverCheck> => {
      const asked = await ask(RIGHTS_PATH, () => '', signal);
      if (asked.outcome === 'failed') return asked;
      const history = await findPayments(now() - 60_000, now(), signal);
      if (history.outcome === 'failed') return history;
      return { outcome: 'well', excess: excessRights(asked.json) };
    },
    clockOffsetMs,
  };
}

/** Of all order types these two are payments by people; the others are gifts, payouts and the like. */
const PAYMENTS = ['C2C', 'PAY'];

function isRow(row: Json): boolean {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

interface HistoryRow {
  /** Where the window begins that the row was found in. */
  readonly fromMs: number;
  readonly offsetMs: number;
}

/** @returns null for what nobody can name and is of a kind that never pays. */
function paymentOf(row: Json, { fromMs, offsetMs }: HistoryRow): ExchangePayment | null {
  const transactionId = textAt(row, 'transactionId')?.toUpperCase() ?? null;
  const orderId = textAt(row, 'orderId')?.toUpperCase() ?? null;
  const reference = transactionId ?? orderId ?? '';
  const time = millisAt(row, 'transactionTime');
  const orderType = textAt(row, 'orderType') ?? '';
  const state = stateOf(reference !== '', time !== null);
  // Without its kind and half of the rest it may be a payment as well.
  const mayPay = PAYMENTS.includes(orderType) || (orderType === '' && state !== 'settled');
  if (reference === '' && !mayPay) return null;
  return {
    reference,
    aliases: orderId === null || orderId === reference ? [] : [orderId],
    kind: mayPay ? 'payment' : kindOf(orderType),
    state: mayPay ? state : 'settled',
    recipientId: textAt(row, 'receiverInfo', 'binanceId') ?? textAt(row, 'uid'),
    payer: payerOf(row),
    currency: textAt(row, 'currency') ?? '',
    amount: textAt(row, 'amount') ?? '',
    at: time === null ? fromMs : time - offsetMs,
    evidence: evidenceOf({
      order_type: orderType,
      transaction_id: transactionId,
      order_id: orderId,
      transaction_time: textAt(row, 'transactionTime'),
      payer_name: textAt(row, 'payerInfo', 'name'),
      note: textAt(row, 'note'),
    }),
  };
}

/** The history lists what has been settled and nothing else. */
function stateOf(isNamed: boolean, isDated: boolean): ExchangePayment['state'] {
  if (!isDated) return 'undated';
  return isNamed ? 'settled' : 'nameless';
}

function kindOf(orderType: string): ExchangePayment['kind'] {
  return /(_REFUND|_RF)$/.test(orderType) ? 'refund' : 'other';
}

function payerOf(row: Json): string | null {
  return (
    textAt(row, 'payerInfo', 'binanceId') ??
    textAt(row, 'payerInfo', 'accountId') ??
    textAt(row, 'counterpartyId')
  );
}

/** @returns null where the answer reports no rights at all. */
function excessRights(json: Json): string[] | null {
  const fields = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const rights = fields.filter(([name]) => /^(enable|permits)/.test(name));
  if (rights.length === 0) return null;
  return rights
    .filter(([name, value]) => value === true && !NEEDED_RIGHTS.includes(name))
    .map(([name]) => name);
}
