/**
 * An exchange on loopback, as strict as the real one: it checks key, signature and timestamp, gives at most
 * 100 rows of a window, and counts weight. Tests put rows and orders in and faults before them.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';
import type { Owner } from '../programs/processes.js';

export const EXCHANGE_KEY = 'test-key-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS';
export const EXCHANGE_SECRET = 'test-secret-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP';
/** User id, or of a merchant account the merchant's, to which test payments come. */
export const EXCHANGE_USER = '34355667';

export interface HistoryRow {
  /** Milliseconds by the exchange's clock; decides in which windows it is given. */
  readonly at: number;
  /** As in the answer; `transactionTime` is `at` unless it stands here. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type Order = Readonly<Record<string, unknown>>;

/** What is answered instead. */
export type Fault =
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'hang'
  /** A byte every 50 ms, without end. */
  | 'trickle';

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ExchangeServer {
  readonly url: string;
  readonly rows: HistoryRow[];
  readonly orders: Order[];
  readonly rights: Record<string, boolean>;
  /** Each stands for the answer to one request, the first of them to the next. */
  readonly faults: Fault[];
  /** Everything that was asked, in order. */
  readonly asked: Asked[];
  /** How far its clock is ahead of the test's. */
  aheadMs: number;
  /** Weight that others have used up on the account in this minute. */
  otherWeight: number;
  /** Answers after so long. */
  delayMs: number;
  /** Those asked at that path. */
  at(path: string): readonly Asked[];
}

export const HISTORY_PATH = '/sapi/v1/pay/transactions';
export const ORDER_PATH = '/binancepay/openapi/v2/order/query';
export const TIME_PATH = '/api/v3/time';

const MAX_ROWS = 100;
const WEIGHT = 3_000;
const MAX_WEIGHT = 180_000;

type Reply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

/** @param now the test's clock, milliseconds since the epoch. */
export async function openExchangeServer(t: Owner, now: () => number): Promise<ExchangeServer> {
  const weights = new Map<number, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://exchange');
    const body = Buffer.concat(chunks).toString('utf8');
    const one: Asked = { path: pathname, query: searchParams, body, headers: request.headers };
    exchange.asked.push(one);
    if (exchange.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, exchange.delayMs));
    const fault = exchange.faults.shift();
    if (fault !== undefined) return spoil(response, fault);
    const [status, answer, headers] = replyOf(exchange, one, {
      now: now() + exchange.aheadMs,
      weights,
      request,
    });
    response.writeHead(status, {
      'content-type': 'application/json;charset=UTF-8',
      date: new Date(now() + exchange.aheadMs).toUTCString(),
      ...headers,
    });
    response.end(writeJson(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const exchange: ExchangeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows: [],
    orders: [],
    rights: { ipRestrict: true, enableReading: true, enableWithdrawals: false },
    faults: [],
    asked: [],
    aheadMs: 0,
    otherWeight: 0,
    delayMs: 0,
    at: (path) => exchange.asked.filter((one) => one.path === path),
  };
  return exchange;
}

interface Circumstances {
  readonly now: number;
  /** Used weight by minute. */
  readonly weights: Map<number, number>;
  readonly request: { readonly url?: string | undefined; readonly method?: string | undefined };
}

function replyOf(exchange: ExchangeServer, one: Asked, { now, weights, request }: Circumstances): Reply {
  if (one.path === TIME_PATH) return [200, { serverTime: new JsonText(String(now)) }];
  if (one.path === ORDER_PATH)
    return request.method === 'POST' ? replyToOrder(exchange, one, now) : NOT_ALLOWED;
  const refusal = refusalOfQuery(one, request.url ?? '', now);
  if (refusal !== null) return refusal;
  if (one.path === '/sapi/v1/account/apiRestrictions') return [200, exchange.rights];
  if (one.path !== HISTORY_PATH) return [404, { code: -1, msg: 'no such path' }];
  const minute = Math.floor(now / 60_000);
  const used = (weights.get(minute) ?? exchange.otherWeight) + WEIGHT;
  weights.set(minute, used);
  const headers = { 'x-sapi-used-uid-weight-1m': String(used) };
  if (used > MAX_WEIGHT) {
    const msg = 'Too many requests';
    return [429, { code: new JsonText('-1003'), msg }, { ...headers, 'retry-after': '30' }];
  }
  return [200, { code: '000000', message: 'success', data: rowsOf(exchange, one), success: true }, headers];
}

const NOT_ALLOWED: Reply = [405, { code: '100001001', errorMessage: 'method not allowed' }];

function refusal(status: number, code: number, msg: string): Reply {
  return [status, { code: new JsonText(String(code)), msg }];
}

function refusalOfQuery({ query, headers }: Asked, url: string, now: number): Reply | null {
  if (headers['x-mbx-apikey'] !== EXCHANGE_KEY) {
    return refusal(401, -2015, 'Invalid API-key, IP, or permissions for action.');
  }
  const signed = url.slice(url.indexOf('?') + 1).replace(/&signature=[^&]*$/, '');
  const wanted = createHmac('sha256', EXCHANGE_SECRET).update(signed).digest('hex');
  if (query.get('signature') !== wanted) {
    return refusal(400, -1022, `Signature for this request is not valid: ${url}`);
  }
  const sent = Number(query.get('timestamp'));
  const recvWindow = Number(query.get('recvWindow') ?? 5_000);
  if (recvWindow > 60_000) return refusal(400, -1131, 'recvWindow must be less than 60000');
  if (sent > now + 1_000 || sent < now - recvWindow) {
    return refusal(400, -1021, 'Timestamp for this request is outside of the recvWindow.');
  }
  const [from, to] = [Number(query.get('startTime')), Number(query.get('endTime'))];
  if (to - from > 90 * 24 * 3_600_000) return refusal(400, -1127, 'More than 90 days between times');
  return null;
}

function rowsOf(exchange: ExchangeServer, { query }: Asked): unknown[] {
  const [from, to] = [Number(query.get('startTime')), Number(query.get('endTime'))];
  return exchange.rows
    .filter(({ at }) => at >= from && at <= to)
    .sort((a, b) => b.at - a.at)
    .slice(0, Math.min(Number(query.get('limit') ?? MAX_ROWS), MAX_ROWS))
    .map(({ at, fields }) => told({ transactionTime: new JsonText(String(at)), ...fields }));
}

function replyToOrder(exchange: ExchangeServer, { headers, body }: Asked, now: number): Reply {
  const fail = (code: string, errorMessage: string): Reply => [200, { status: 'FAIL', code, errorMessage }];
  const header = (name: string) => String(headers[`binancepay-${name}`]);
  if (header('certificate-sn') !== EXCHANGE_KEY) return fail('400004', 'API identity key not found.');
  const signed = `${header('timestamp')}\n${header('nonce')}\n${body}\n`;
  const wanted = createHmac('sha512', EXCHANGE_SECRET).update(signed).digest('hex').toUpperCase();
  if (header('signature') !== wanted) return fail('400002', 'Signature for this request is not valid.');
  if (!/^[A-Za-z]{32}$/.test(header('nonce'))) return fail('400001', 'nonce');
  if (Math.abs(Number(header('timestamp')) - now) > 1_000) {
    return fail('400003', 'Timestamp for this request is outside of the time window.');
  }
  const [[name, value] = []] = Object.entries(JSON.parse(body) as Record<string, string>);
  if (name !== 'merchantTradeNo' && name !== 'prepayId') return fail('400101', 'parameter');
  const order = exchange.orders.find((known) => String(known[name]) === value);
  if (order === undefined) return fail('400202', 'Order not found.');
  return [200, { status: 'SUCCESS', code: '000000', data: told(order), errorMessage: '' }];
}

/** Without the fields that a test has taken out. */
function told(fields: Order): Order {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function spoil(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return;
  if (fault === 'trickle') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(timer));
    return;
  }
  response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
  response.end(fault.body);
}

/** A row as the history shows it to who was paid, one that passes every check. */
export function paidRow(at: number, fields: Readonly<Record<string, unknown>> = {}): HistoryRow {
  return {
    at,
    fields: {
      orderType: 'C2C',
      transactionId: `M_P_71505${at}`,
      orderId: `3317${String(at).padStart(14, '0')}`,
      amount: '4.1667',
      currency: 'USDT',
      walletType: 1,
      fundsDetail: [{ currency: 'USDT', amount: '4.1667', walletAssetCost: [{ '1': '4.1667' }] }],
      payerInfo: { name: 'Customer', type: 'USER', accountId: '21326891' },
      receiverInfo: { name: 'Amar Dokan', type: 'USER', binanceId: EXCHANGE_USER, extend: {} },
      uid: new JsonText(EXCHANGE_USER),
      counterpartyId: new JsonText('21326891'),
      note: '',
      ...fields,
    },
  };
}

/** A paid order of the merchant API, one that passes every check. */
export function paidOrder(at: number, fields: Order = {}): Order {
  return {
    merchantId: new JsonText(EXCHANGE_USER),
    prepayId: '29383937493038367292',
    transactionId: 'M_R_282737362839373',
    merchantTradeNo: '9825382937292',
    status: 'PAID',
    currency: 'USDT',
    orderAmount: '4.1667',
    openUserId: '1211HS10K81f4273ac031',
    transactTime: new JsonText(String(at)),
    createTime: new JsonText(String(at - 30_000)),
    paymentInfo: { payerId: new JsonText('100028283'), payMethod: 'spot', paymentInstructions: [] },
    ...fields,
  };
}
