/**
 * Queries one order of a merchant account by either id that this API accepts: the shop's own number of the
 * order (`merchantTradeNo`), or the exchange's (`prepayId`). It does not accept the transaction id that it
 * returns for a paid order. Numeric ids are kept as texts.
 */
import { createHmac } from 'node:crypto';
import type { RandomSource } from '../../../base/values/ids.js';
import { shopNumberName } from '../../../domain/matching/reference.js';
import { type Json, valueAt } from '../../lossless.js';
import { badStatus, millisAt, parseJsonAnswer, textAt, toEvidence } from '../answer.js';
import {
  type DriverAnswer,
  type DriverMeans,
  type ExchangeApi,
  type ExchangeFailure,
  type ExchangePayment,
  failed,
} from '../exchange.js';

const QUERY_PATH = '/binancepay/openapi/v2/order/query';
const ORDER_NOT_FOUND = '400202';
/** Order number that does not exist, used to check the key. */
const NO_ORDER = 'KASHBOX0CHECK0OF0THE0KEY';

type IdName = 'merchantTradeNo' | 'prepayId';
type OrderAnswer =
  | { readonly outcome: 'order'; readonly order: Json | undefined }
  | { readonly outcome: 'none' }
  | ExchangeFailure;

export function createBinanceMerchant(means: DriverMeans): ExchangeApi {
  const { baseUrl, key, secret, now, random, call } = means;
  const url = new URL(`${baseUrl}${QUERY_PATH}`);
  let offsetMs = 0;

  const ask = async (body: string, signal: AbortSignal, isRepeat = false): Promise<OrderAnswer> => {
    const timestamp = String(now() + offsetMs);
    const nonce = newNonce(random);
    const headers = {
      'content-type': 'application/json',
      'binancepay-timestamp': timestamp,
      'binancepay-nonce': nonce,
      'binancepay-certificate-sn': key,
      'binancepay-signature': signOrderRequest(secret, { timestamp, nonce, body }),
    };
    const answer = parseJsonAnswer(await call({ method: 'POST', url, headers, body }, signal), now());
    if (answer.outcome === 'failed') return answer;
    const { status, json } = answer;
    const code = textAt(json, 'code');
    if (code === ORDER_NOT_FOUND) return { outcome: 'none' };
    if (status === 200 && code === '000000' && textAt(json, 'status') === 'SUCCESS') {
      return { outcome: 'order', order: valueAt(json, ['data']) };
    }
    const refusal = refusalOf(status, code);
    // This API has no question for the time, but every answer of HTTP carries it, to the second.
    const theirs = Date.parse(answer.headers.date ?? '');
    if (refusal.fault.kind !== 'clock' || isRepeat || Number.isNaN(theirs)) return refusal;
    offsetMs = theirs + 500 - now();
    return ask(body, signal, true);
  };

  const findOne = async (id: string, signal: AbortSignal): Promise<DriverAnswer> => {
    for (const [name, value] of namesOf(id)) {
      const asked = await ask(JSON.stringify({ [name]: value }), signal);
      if (asked.outcome === 'failed') return asked;
      if (asked.outcome === 'none') continue;
      const payment = paymentOf(asked.order, { id, name, offsetMs });
      if (payment !== null) return { outcome: 'seen', payments: [payment] };
      return failed('malformed', 'the answer is not the order that was asked for');
    }
    return { outcome: 'seen', payments: [] };
  };

  return {
    lookup: 'by_id',
    findPayments: async ({ ids, signal }) => {
      const payments: ExchangePayment[] = [];
      for (const id of ids) {
        const answer = await findOne(id, signal);
        if (answer.outcome === 'failed') return answer;
        payments.push(...answer.payments);
      }
      return { outcome: 'seen', payments };
    },
    check: async (signal) => {
      const asked = await ask(JSON.stringify({ merchantTradeNo: NO_ORDER }), signal);
      return asked.outcome === 'failed' ? asked : { outcome: 'well', excess: null };
    },
    clockOffsetMs: () => offsetMs,
  };
}

/**
 * Ids to query. This exchange treats the shop's own numbers as case-sensitive: the typed spelling comes
 * first, then the most likely other. Its own ids are digits. Ids with other characters do not exist.
 */
function namesOf(id: string): (readonly [IdName, string])[] {
  if (!/^[A-Za-z0-9]{1,32}$/.test(id)) return [];
  if (/^\d+$/.test(id)) {
    return [
      ['merchantTradeNo', id],
      ['prepayId', id],
    ];
  }
  return [
    ['merchantTradeNo', id],
    ['merchantTradeNo', otherCase(id)],
  ];
}

/** Returns the other likely spelling: phones capitalise the first letter; other mixed case was copied. */
function otherCase(id: string): string {
  const isSmall = id === id.toUpperCase() || /^[A-Z][a-z0-9]*$/.test(id);
  return isSmall ? id.toLowerCase() : id.toUpperCase();
}

const AUTH_CODES: readonly (string | null)[] = ['400002', '400004', '400005', '400006', '400007'];

/** Builds a failure from codes only: the exchange's message might repeat what was sent. */
function refusalOf(status: number, code: string | null): ExchangeFailure {
  const detail = `HTTP ${status}, code ${/^\d{1,9}$/.test(code ?? '') ? code : 'unknown'}`;
  if (code === '400003') return failed('clock', detail);
  if (AUTH_CODES.includes(code)) return failed('auth', detail);
  if (code !== null) return failed('refused', detail);
  return status === 200 ? failed('malformed', 'the answer has no code') : badStatus(status);
}

interface OrderId {
  readonly id: string;
  readonly name: IdName;
  readonly offsetMs: number;
}

/**
 * Credited under the transaction id, as in the history of the same account, so that no order is credited
 * twice by way of both. Until it has one it is pending, whatever its status says.
 * @returns null where it is another order, or has no time or no amount in the shape of the second version.
 */
function paymentOf(order: Json | undefined, { id, name, offsetMs }: OrderId): ExchangePayment | null {
  if (textAt(order, name)?.toUpperCase() !== id.toUpperCase()) return null;
  const amount = textAt(order, 'orderAmount');
  const time = millisAt(order, 'transactTime') ?? millisAt(order, 'createTime');
  if (amount === null || time === null) return null;
  const transactionId = textAt(order, 'transactionId')?.toUpperCase() ?? null;
  const prepayId = textAt(order, 'prepayId')?.toUpperCase() ?? null;
  const merchantId = textAt(order, 'merchantId');
  const tradeNo = textAt(order, 'merchantTradeNo');
  const status = textAt(order, 'status') ?? '';
  const state = stateOf(status);
  const reference = transactionId ?? prepayId ?? id.toUpperCase();
  return {
    reference,
    aliases: [
      ...(prepayId === null || prepayId === reference ? [] : [prepayId]),
      ...(tradeNo === null ? [] : [shopNumberName(merchantId ?? '', tradeNo)]),
    ],
    kind: 'payment',
    state: state === 'settled' && transactionId === null ? 'pending' : state,
    recipientId: merchantId,
    payer: textAt(order, 'paymentInfo', 'payerId') ?? textAt(order, 'openUserId'),
    currency: textAt(order, 'currency') ?? '',
    amount,
    at: time - offsetMs,
    evidence: toEvidence({
      status,
      transaction_id: transactionId,
      prepay_id: prepayId,
      merchant_trade_no: tradeNo,
      transaction_time: textAt(order, 'transactTime'),
      created_at: textAt(order, 'createTime'),
      pay_method: textAt(order, 'paymentInfo', 'payMethod'),
    }),
  };
}

function stateOf(status: string): ExchangePayment['state'] {
  switch (status) {
    case 'PAID':
      return 'settled';
    case 'INITIAL':
      return 'unpaid';
    case 'CANCELED':
    case 'ERROR':
    case 'EXPIRED':
      return 'failed';
    case 'REFUNDING':
    case 'REFUNDED':
    case 'FULL_REFUNDED':
      return 'refunded';
    default:
      return 'pending';
  }
}

interface OrderRequest {
  readonly timestamp: string;
  readonly nonce: string;
  /** Byte for byte as it is sent. */
  readonly body: string;
}

/** The merchant API's signature over time, nonce and body. @returns upper-case hex. */
export function signOrderRequest(secret: string, { timestamp, nonce, body }: OrderRequest): string {
  const signed = `${timestamp}\n${nonce}\n${body}\n`;
  return createHmac('sha512', secret).update(signed).digest('hex').toUpperCase();
}

/** The merchant API wants 32 letters; these have 128 random bits. */
export function newNonce(random: RandomSource): string {
  const hex = Buffer.from(random(16)).toString('hex');
  return hex.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}
