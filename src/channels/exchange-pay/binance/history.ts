/**
 * Pay history of a personal account: one list of all payments to and from it. An answer contains at most 100
 * rows and there is no pagination, so a window that comes back full is halved until all its rows are read.
 * Requests are signed, use the exchange's clock and stay within its request weights.
 */
import { createHmac } from 'node:crypto';
import { type Json, valueAt } from '../../lossless.js';
import { badStatus, millisAt, parseJsonAnswer, textAt, toEvidence } from '../answer.js';
import {
  type DriverAnswer,
  type DriverCheck,
  type DriverMeans,
  type ExchangeApi,
  type ExchangeFailure,
  type ExchangePayment,
  failed,
  limited,
} from '../exchange.js';

const HISTORY_PATH = '/sapi/v1/pay/transactions';
const RIGHTS_PATH = '/sapi/v1/account/apiRestrictions';
/** The most that one answer holds. */
const MAX_ROWS = 100;
/** The rights that are needed; every other right of the key is one too many. */
const NEEDED_RIGHTS = ['enableReading', 'enableFixReadOnly'];

const TIME_PATH = '/api/v3/time';
/** Maximum age of a request when it arrives at the exchange. */
const RECV_WINDOW_MS = 5_000;
/** Weight of one lookup, and maximum weight per minute of all programs that use the account. */
const WEIGHT = 3_000;
const MAX_WEIGHT = 180_000;
const WEIGHT_HEADER = 'x-sapi-used-uid-weight-1m';

export function createBinanceHistory(means: DriverMeans): ExchangeApi {
  const { now } = means;
  const { ask, clockOffsetMs } = createSignedApi(means);

  const findPayments = async (fromMs: number, toMs: number, signal: AbortSignal): Promise<DriverAnswer> => {
    const window = (offset: number) =>
      `startTime=${fromMs + offset}&endTime=${toMs + offset}&limit=${MAX_ROWS}&`;
    const asked = await ask(HISTORY_PATH, window, signal);
    if (asked.outcome === 'failed') return asked;
    const rows = valueAt(asked.json, ['data']);
    if (!Array.isArray(rows)) return failed('malformed', 'the answer holds no list');
    if (rows.length >= MAX_ROWS) return findInHalves(fromMs, toMs, signal);
    if (!rows.every(isRow)) return failed('malformed', 'the list holds what is no row');
    const payments = rows.map((row: Json) => paymentOf(row, { fromMs, offsetMs: clockOffsetMs() }));
    return { outcome: 'seen', payments: payments.filter((payment) => payment !== null) };
  };

  const findInHalves = async (fromMs: number, toMs: number, signal: AbortSignal): Promise<DriverAnswer> => {
    if (fromMs >= toMs) {
      return failed('malformed', 'a millisecond holds more rows than an answer');
    }
    const middle = Math.floor((fromMs + toMs) / 2);
    const earlier = await findPayments(fromMs, middle, signal);
    if (earlier.outcome === 'failed') return earlier;
    const later = await findPayments(middle + 1, toMs, signal);
    if (later.outcome === 'failed') return later;
    return { outcome: 'seen', payments: [...earlier.payments, ...later.payments] };
  };

  return {
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

/** Order types of payments by people; the others are gifts, payouts and the like. */
const PAYMENTS = ['C2C', 'PAY'];

function isRow(row: Json): boolean {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

interface HistoryRow {
  /** Beginning of the window in which the row was found. */
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
    evidence: toEvidence({
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

/** Written again for a repeat, because times in it are by the exchange's clock. */
type Params = (offsetMs: number) => string;

type ApiAnswer = { readonly outcome: 'read'; readonly json: Json } | ExchangeFailure;

interface SignedApi {
  /**
   * @param params query string before timestamp and signature, each parameter followed by `&`.
   * @returns a successful answer; after a rejected timestamp, measures the clock offset and repeats once.
   */
  ask(path: string, params: Params, signal: AbortSignal): Promise<ApiAnswer>;
  clockOffsetMs(): number;
}

function createSignedApi({ baseUrl, key, secret, now, call }: DriverMeans): SignedApi {
  let offsetMs = 0;
  let blockedUntil = 0;

  const askOnce = async (path: string, params: Params, signal: AbortSignal): Promise<ApiAnswer> => {
    const waitMs = blockedUntil - now();
    if (waitMs > 0) {
      return limited('the account has used up what the exchange allows in this minute', waitMs);
    }
    const query = `${params(offsetMs)}recvWindow=${RECV_WINDOW_MS}&timestamp=${now() + offsetMs}`;
    const url = new URL(`${baseUrl}${path}?${query}&signature=${signQuery(secret, query)}`);
    const headers = { 'x-mbx-apikey': key };
    const answer = parseJsonAnswer(await call({ method: 'GET', url, headers }, signal), now());
    if (answer.outcome === 'failed') return answer;
    const used = Number(answer.headers[WEIGHT_HEADER] ?? 0);
    if (used + WEIGHT > MAX_WEIGHT) blockedUntil = nextMinute(now() + offsetMs) - offsetMs;
    const failure = refusalOf(answer.status, answer.json);
    return failure ?? { outcome: 'read', json: answer.json };
  };

  const setClock = async (signal: AbortSignal): Promise<ExchangeFailure | null> => {
    const before = now();
    const url = new URL(`${baseUrl}${TIME_PATH}`);
    const answer = parseJsonAnswer(await call({ method: 'GET', url, headers: {} }, signal), now());
    if (answer.outcome === 'failed') return answer;
    const theirs = millisAt(answer.json, 'serverTime');
    if (theirs === null) return failed('malformed', 'the answer tells no time');
    offsetMs = theirs - Math.round((before + now()) / 2);
    return null;
  };

  return {
    ask: async (path, params, signal) => {
      const asked = await askOnce(path, params, signal);
      if (asked.outcome === 'read' || asked.fault.kind !== 'clock') return asked;
      return (await setClock(signal)) ?? askOnce(path, params, signal);
    },
    clockOffsetMs: () => offsetMs,
  };
}

function nextMinute(ms: number): number {
  return (Math.floor(ms / 60_000) + 1) * 60_000;
}

const AUTH_CODES: readonly (string | null)[] = ['-1002', '-1022', '-2008', '-2014', '-2015'];

/** @returns what an answer says against the call, null where it says nothing. Codes only, never its words. */
function refusalOf(status: number, json: Json): ExchangeFailure | null {
  const code = textAt(json, 'code');
  const detail = `HTTP ${status}, code ${/^-?\d{1,7}$/.test(code ?? '') ? code : 'unknown'}`;
  if (code === '-1021') return failed('clock', detail);
  if (code === '-1003') return limited(detail, 60_000);
  if (AUTH_CODES.includes(code)) return failed('auth', detail);
  if (code !== null && code !== '000000') return failed('refused', detail);
  if (status === 401) return failed('auth', `HTTP ${status}`);
  if (status !== 200) return badStatus(status);
  return valueAt(json, ['success']) === false ? failed('refused', detail) : null;
}

/** @param query the complete query string as sent, without `signature`. @returns lower-case hex. */
export function signQuery(secret: string, query: string): string {
  return createHmac('sha256', secret).update(query).digest('hex');
}
