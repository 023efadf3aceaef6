/**
 * Authentication of requests: finds the credential, checks it by an action, and counts the request for the
 * rate limit.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateBrand } from '../../../src/actions/access/authenticate-brand.js';
import { authenticateDevice, type DeviceContext } from '../../../src/actions/access/authenticate-device.js';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import type { Core } from '../../../src/actions/core/core.js';
import { isKashboxError, type KashboxError } from '../../../src/base/errors/errors.js';
import {
  extractCredentials,
  LEGACY_HEADERS,
  type LegacyHeader,
} from '../../../src/domain/accounts/access.js';
import type { Limits } from './limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifier of the brand or device that was recognised, empty before that: for limits and the log. */
    caller: string;
    brand: BrandContext | null;
    /** Error of the header keys, while the body may still hold a key; null otherwise. */
    keyless: KashboxError | null;
    device: DeviceContext | null;
  }
}

/** RFC 9745: `api_key` is deprecated since v2.0.0 of the API, March 2026. */
const API_KEY_DEPRECATED = `@${Date.UTC(2026, 2, 1) / 1000}`;

/**
 * Largest body that is read without a valid key from an address with too many failures. An `api_key` in such
 * a body still works, so that failures of other clients at the address lock out no one; reading it costs
 * little.
 */
const SMALL_BODY = 4 * 1024;

function inHeaders({ headers }: FastifyRequest): string[] {
  return extractCredentials({
    brandKey: headers['brand-key'],
    authorization: headers.authorization,
    legacy: headers as Readonly<Record<string, unknown>>,
  });
}

function apiKeysOf({ body, query }: FastifyRequest) {
  const { api_key: bodyApiKey } = (body ?? {}) as { readonly api_key?: unknown };
  const { api_key: queryApiKey } = query as { readonly api_key?: unknown };
  return { bodyApiKey, queryApiKey };
}

/**
 * Legacy key names in a request, also with a placeholder value: they identify an old program. The deprecated
 * `api_key` is one of them.
 */
export function listLegacyNames(request: FastifyRequest): readonly (LegacyHeader | 'api_key')[] {
  const { bodyApiKey, queryApiKey } = apiKeysOf(request);
  const headers = LEGACY_HEADERS.filter((name) => request.headers[name] !== undefined);
  return bodyApiKey === undefined && queryApiKey === undefined ? headers : [...headers, 'api_key'];
}

/**
 * Requires a key of an active brand in `scope`, and puts the brand on the request. Keys in headers are
 * checked and counted before the body is read, against floods of large bodies. Only `api_key` is checked
 * after the body.
 */
export function addBrandGate(scope: FastifyInstance, core: Core, limits: Limits): void {
  scope.addHook('onRequest', async (request) => {
    const { ip } = request;
    const credentials = inHeaders(request);
    try {
      request.brand = await authenticateBrand(core, { credentials, ip });
    } catch (error) {
      if (!mayHaveAnotherKey(error)) throw await limits.afterFailure(request, error);
      if (hasLargeBody(request)) await refuseFailing(core, limits, request);
      request.keyless = error;
    }
    if (request.brand !== null) await count(limits, request, request.brand);
  });
  scope.addHook('preValidation', (request, reply, done) => {
    if (request.brand !== null) done();
    else judgeApiKey(core, limits, request, reply).then(() => done(), done);
  });
  // A request with an unreadable body has no key.
  scope.addHook('onResponse', (request, _reply, done) => {
    if (request.keyless !== null) limits.afterFailure(request, request.keyless).then(() => done(), done);
    else done();
  });
}

async function count(limits: Limits, request: FastifyRequest, { brandId }: BrandContext): Promise<void> {
  request.caller = brandId;
  await limits.countRequest(request);
}

/** Errors of one key after which another one of the same request counts. */
function mayHaveAnotherKey(error: unknown): error is KashboxError {
  return isKashboxError(error) && ['key_missing', 'key_invalid', 'merchant_suspended'].includes(error.code);
}

function hasLargeBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > SMALL_BODY;
}

/** @throws KashboxError `too_many_requests` unless the address may fail again or its query has a right key */
async function refuseFailing(core: Core, limits: Limits, request: FastifyRequest): Promise<void> {
  const { ip } = request;
  try {
    await limits.refuseExhausted(request);
  } catch (tooMany) {
    await authenticateBrand(core, { credentials: extractCredentials(apiKeysOf(request)), ip }).catch(() =>
      Promise.reject(tooMany),
    );
  }
}

/** The body is read, and no header key was valid. */
async function judgeApiKey(
  core: Core,
  limits: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { ip, keyless } = request;
  request.keyless = null;
  const known = inHeaders(request);
  const credentials = extractCredentials(apiKeysOf(request)).filter((key) => !known.includes(key));
  if (credentials.length === 0) throw await limits.afterFailure(request, keyless);
  reply.header('deprecation', API_KEY_DEPRECATED);
  const brand = await authenticateBrand(core, { credentials, ip }).catch(async (error: unknown) => {
    const isSuspended = isKashboxError(keyless, 'merchant_suspended') && isKashboxError(error, 'key_invalid');
    throw await limits.afterFailure(request, isSuspended ? keyless : error);
  });
  request.brand = brand;
  await count(limits, request, brand);
}

/** @param name in small letters. @returns undefined also where Node has a list of values. */
export function findHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The key in the header DEVICE-KEY. */
export const findDeviceKey = (request: FastifyRequest) => findHeader(request, 'device-key');

/** Token after `Bearer` in the header Authorization. */
export function findBearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** @throws KashboxError what `asked` has thrown, counted against the address, or `too_many_requests` */
export function countFailure<T>(limits: Limits, request: FastifyRequest, asked: Promise<T>): Promise<T> {
  return asked.catch(async (error: unknown) => {
    throw await limits.afterFailure(request, error);
  });
}

/**
 * Counts a request for its caller, or a failed authentication for the address.
 * @param asked result of the authentication, from an action of access.
 * @throws KashboxError the error of `asked`, or `too_many_requests`
 */
export async function authenticate<Caller>(
  limits: Limits,
  request: FastifyRequest,
  asked: Promise<Caller>,
  nameOf: (caller: Caller) => string,
): Promise<Caller> {
  const caller = await countFailure(limits, request, asked);
  request.caller = nameOf(caller);
  await limits.countRequest(request);
  return caller;
}

/** @returns an `onRequest` hook that requires a device key and puts the phone on the request. */
export function deviceGate(core: Core, limits: Limits, keyOf = findDeviceKey) {
  return async (request: FastifyRequest): Promise<void> => {
    const asked = authenticateDevice(core, { key: keyOf(request) });
    request.device = await authenticate(limits, request, asked, ({ deviceId }) => deviceId);
  };
}

/** @param caller what a gate has put on the request. @throws TypeError on a route that has no such gate */
export function requireCaller<Caller>(caller: Caller | null): Caller {
  if (caller === null) throw new TypeError('this route stands outside of its gate');
  return caller;
}

/** Brand that `addBrandGate` has authenticated. */
export const callerBrand = ({ brand }: FastifyRequest): BrandContext => requireCaller(brand);

/** Phone that `deviceGate` has authenticated. */
export const callerDevice = ({ device }: FastifyRequest): DeviceContext => requireCaller(device);
