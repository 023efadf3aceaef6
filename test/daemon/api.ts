/** The HTTP API of a shop, without a port: what most tests of the daemon talk to. */
import type { ExecutionContext } from 'ava';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../daemon/http/app.js';
import type { Core, CoreOptions } from '../../src/actions/core/core.js';
import { openLog } from '../../src/base/io/log.js';
import type { Engine } from '../../src/store/schema/index.js';
import { openShop, type Shop } from '../helpers/shop/shop.js';
import { openTestCore, type TestClock, testClock } from '../helpers/stores/engines.js';

export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: object | string | Buffer;
  readonly remoteAddress?: string;
}

export interface Api {
  readonly core: Core;
  readonly clock: TestClock;
  readonly shop: Shop;
  readonly app: FastifyInstance;
  /** Everything that was logged. */
  readonly logLines: string[];
  /** A request as a shop's server sends it: JSON, with the Brand Key, unless `headers` say otherwise. */
  call(path: string, call?: Call): Promise<LightMyRequestResponse>;
  /** The same without any credential. */
  callBare(path: string, call?: Call): Promise<LightMyRequestResponse>;
}

export async function openApi(
  t: ExecutionContext<unknown>,
  options: Partial<CoreOptions> & { readonly engine?: Engine } = {},
): Promise<Api> {
  const { engine = 'sqlite', ...coreOptions } = options;
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock, ...coreOptions });
  const shop = await openShop(core);
  const logLines: string[] = [];
  const { log } = openLog('info', { write: (line) => logLines.push(line) });
  const app = await buildApp(core, { log });
  t.teardown(() => app.close());
  return { core, clock, shop, app, logLines, ...callsOf(app, shop) };
}

/** @returns calls of an app, by the shop and by nobody. */
export function callsOf(app: FastifyInstance, shop: Shop): Pick<Api, 'call' | 'callBare'> {
  const callBare = (path: string, call: Call = {}) => send(app, path, call);
  return {
    callBare,
    call: (path, call = {}) =>
      callBare(path, { ...call, headers: { 'brand-key': shop.brandKey, ...call.headers } }),
  };
}

function send(app: FastifyInstance, path: string, call: Call): Promise<LightMyRequestResponse> {
  const { method = 'POST', headers = {}, body, remoteAddress } = call;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  return app.inject({
    method,
    url: path,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: isRaw ? body : JSON.stringify(body) }),
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
}

export const CREATE = '/api/v2/payment/create';
export const VERIFY = '/api/v2/payment/verify';
export const REFUND = '/api/v2/payment/refund';
export const HOSTED_CREATE = '/api/payment/create';
export const HOSTED_VERIFY = '/api/payment/verify';
export const PUSH = '/api/v2/acquirer/push';
export const SYNC = '/api/v2/relay/sync';
export const SMS = '/api/v2/relay/sms';
export const PAIR = '/api/v2/relay/pair';

/** `status message`, which is what a client sees of a refusal; anything else beside them would show. */
export function refusal(response: LightMyRequestResponse): string {
  const body = response.json() as Record<string, unknown>;
  const extra = Object.keys(body).filter((name) => name !== 'status' && name !== 'message');
  return [response.statusCode, body.status === false ? '' : 'NOT A REFUSAL', body.message, ...extra]
    .filter((part) => part !== '')
    .join(' ');
}
