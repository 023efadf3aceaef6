/**
 * The pay history of a personal account: one list of all that was paid to and from it. An answer holds at
 * most 100 rows and there are no pages, so a window that comes back full is halved until all of it was seen.
 */
import { at, badStatus, evidenceOf, type Json, millisAt, readAnswer, textAt } from './answer.js';
import {
  type DriverAnswer,
  type DriverCheck,
  type DriverFailure,
  type DriverMeans,
  type ExchangePayDriver,
  type ExchangePayment,
  failed,
} from './driver.js';
import { signQuery } from './sign.js';

const HISTORY_PATH = '/sapi/v1/pay/transactions';
const RIGHTS_PATH = '/sapi/v1/account/apiRestrictions';
const TIME_PATH = '/api/v3/time';
/** The most that one answer holds. */
const MAX_ROWS = 100;
/** How old a request may be when it arrives there. */
const RECV_WINDOW_MS = 5_000;
/** What one look costs, and what all programs that use the account may cost together in a minute. */
const WEIGHT = 3_000;
const MAX_WEIGHT = 180_000;
const WEIGHT_HEADER = 'x-sapi-used-uid-weight-1m';
/** What a till needs; every other right of the key is one too many. */
const NEEDED_RIGHTS = ['enableReading', 'enableFixReadOnly'];

/** Written anew for a repeat, because times in it are by the exchange's clock. */
type Params = (offsetMs: number) => string;

type Asked = { readonly outcome: 'read'; readonly json: Json } | ReturnType<typeof failed>;

export function createBinanceHistory(means: DriverMeans): ExchangePayDriver {
  const { baseUrl, key, secret, now, call } = means;
  let offsetMs = 0;
  let silentUntil = 0;

  /** @returns the answer of a call that succeeded. A refused clock is set once, and the call repeated. */
  const ask = async (path: string, params: Params, signal: AbortSignal, isRepeat = false): Promise<Asked> => {
    const waitMs = silentUntil - now();
    if (waitMs > 0) {
      const detail = 'the account has used up what the exchange allows in this minute';
      return failed({ kind: 'rate_limited', detail, retryAfterMs: waitMs });
    }
    const query = `${params(offsetMs)}recvWindow=${RECV_WINDOW_MS}&timestamp=${now() + offsetMs}`;
    const url = new URL(`${baseUrl}${path}?${query}&signature=${signQuery(secret, query)}`);
    const answer = readAnswer(await call({ method: 'GET', url, headers: { 'x-mbx-apikey': key } }, signal));
    if (answer.outcome === 'failed') return answer;
    const used = Number(answer.headers[WEIGHT_HEADER] ?? 0);
    if (used + WEIGHT > MAX_WEIGHT) silentUntil = nextMinute(now() + offsetMs) - offsetMs;
    const failure = refusalOf(answer.status, answer.json);
    if (failure === null) return { outcome: 'read', json: answer.json };
    if (failure.kind !== 'clock' || isRepeat) return failed(failure);
    return (await setClock(signal)) ?? ask(path, params, signal, true);
  };

  const setClock = async (signal: AbortSignal): Promise<ReturnType<typeof failed> | null> => {
    const before = now();
    const answer = readAnswer(
      await call({ method: 'GET', url: new URL(`${baseUrl}${TIME_PATH}`), headers: {} }, signal),
    );
    if (answer.outcome === 'failed') return answer;
    const theirs = millisAt(answer.json, 'serverTime');
    if (theirs === null) return failed({ kind: 'malformed', detail: 'the answer tells no time' });
    offsetMs = theirs - Math.round((before + now()) / 2);
    return null;
  };

  const findPayments = async (fromMs: number, toMs: number, signal: AbortSignal): Promise<DriverAnswer> => {
    const window = (offset: number) =>
      `startTime=${fromMs + offset}&endTime=${toMs + offset}&limit=${MAX_ROWS}&`;
    const asked = await ask(HISTORY_PATH, window, signal);
    if (asked.outcome === 'failed') return asked;
    const rows = at(asked.json, 'data');
    if (!Array.isArray(rows)) return failed({ kind: 'malformed', detail: 'the answer holds no list' });
    if (rows.length >= MAX_ROWS) return findInHalves(fromMs, toMs, signal);
    const payments = rows.map((row: Json) => paymentOf(row, offsetMs));
    const readable = payments.filter((payment) => payment !== null);
    if (readable.length === payments.length) return { outcome: 'seen', payments: readable };
    return failed({ kind: 'malformed', detail: 'a row has no id or no time' });
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
    clockOffsetMs: () => offsetMs,
  };
}

function nextMinute(ms: number): number {
  return (Math.floor(ms / 60_000) + 1) * 60_000;
}

/** @returns what an answer says against the call, null where it says nothing. Codes only, never its words. */
function refusalOf(status: number, json: Json): DriverFailure | null {
  const code = textAt(json, 'code');
  const detail = `HTTP ${status}, code ${/^-?\d{1,7}$/.test(code ?? '') ? code : 'unknown'}`;
  switch (code) {
    case '-1021':
      return { kind: 'clock', detail };
    case '-1002':
    case '-1022':
    case '-2008':
    case '-2014':
    case '-2015':
      return { kind: 'auth', detail };
    case '-1003':
      return { kind: 'rate_limited', detail, retryAfterMs: 60_000 };
    case '000000':
    case null:
      break;
    default:
      return { kind: 'unavailable', cause: 'refused', detail };
  }
  if (status === 401) return { kind: 'auth', detail: `HTTP ${status}` };
  if (status !== 200) return badStatus(status);
  return at(json, 'success') === false ? { kind: 'unavailable', cause: 'refused', detail } : null;
}

/** Of all order types these two are payments by people; the others are gifts, payouts and the like. */
const PAYMENTS = ['C2C', 'PAY'];

/** @returns null for what has no id or no time: an answer of another shape, of which nothing is believed. */
function paymentOf(row: Json, offsetMs: number): ExchangePayment | null {
  const transactionId = textAt(row, 'transactionId')?.toUpperCase() ?? null;
  const orderId = textAt(row, 'orderId')?.toUpperCase() ?? null;
  const reference = transactionId ?? orderId;
  const time = millisAt(row, 'transactionTime');
  if (reference === null || time === null) return null;
  const orderType = textAt(row, 'orderType') ?? '';
  return {
    reference,
    aliases: orderId === null || orderId === reference ? [] : [orderId],
    kind: kindOf(orderType),
    // The history lists what has been settled and nothing else.
    state: 'settled',
    recipientId: textAt(row, 'receiverInfo', 'binanceId') ?? textAt(row, 'uid'),
    payer: payerOf(row),
    currency: textAt(row, 'currency') ?? '',
    amount: textAt(row, 'amount') ?? '',
    at: time - offsetMs,
    evidence: evidenceOf({
      order_type: orderType,
      transaction_id: transactionId,
      order_id: orderId,
      transaction_time: String(time),
      payer_name: textAt(row, 'payerInfo', 'name'),
      note: textAt(row, 'note'),
    }),
  };
}

function kindOf(orderType: string): ExchangePayment['kind'] {
  if (PAYMENTS.includes(orderType)) return 'payment';
  return /(_REFUND|_RF)$/.test(orderType) ? 'refund' : 'other';
}

function payerOf(row: Json): string | null {
  return (
    textAt(row, 'payerInfo', 'binanceId') ??
    textAt(row, 'payerInfo', 'accountId') ??
    textAt(row, 'counterpartyId')
  );
}

function excessRights(json: Json): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json)
    .filter(
      ([name, value]) => /^(enable|permits)/.test(name) && value === true && !NEEDED_RIGHTS.includes(name),
    )
    .map(([name]) => name);
}
