/** Who is calling: finds the credential in a request (spec 5), asks the actions, and counts the request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateBrand } from '../../../src/actions/access/authenticate-brand.js';
import { authenticateDevice, type DeviceContext } from '../../../src/actions/access/authenticate-device.js';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import type { Core } from '../../../src/actions/core/core.js';
import { isKashboxError, type KashboxError } from '../../../src/base/errors/errors.js';
import { credentialsOf, LEGACY_HEADERS, type LegacyHeader } from '../../../src/domain/accounts/access.js';
import type { Limits } from './limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifier of the brand or device that was recognised, empty before that: for limits and the log. */
    caller: string;
    brand: BrandContext | null;
    /** Why no header has opened the brand's door, while the body may still hold a key; null otherwise. */
    keyless: KashboxError | null;
    device: DeviceContext | null;
  }
}

/** RFC 9745: `api_key` is deprecated since v2.0.0 of the API, March 2026 (spec 9). */
const API_KEY_DEPRECATED = `@${Date.UTC(2026, 2, 1) / 1000}`;

/**
 * The largest body that is read for whoever has shown no right key and calls from an address that has failed
 * too often. An `api_key` in a body of that size still opens the door, so that a neighbour's failures lock
 * nobody out, and reading it costs hardly more than refusing it.
 */
const SMALL_BODY = 4 * 1024;

function inHeaders({ headers }: FastifyRequest): string[] {
  return credentialsOf({
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
 * The legacy names of the Brand Key that a request carries, alone or beside others, also with a placeholder:
 * they tell an old program. The deprecated `api_key` is one, too: such programs know no other.
 */
export function legacyNamesOf(request: FastifyRequest): readonly (LegacyHeader | 'api_key')[] {
  const { bodyApiKey, queryApiKey } = apiKeysOf(request);
  const headers = LEGACY_HEADERS.filter((name) => request.headers[name] !== undefined);
  return bodyApiKey === undefined && queryApiKey === undefined ? headers : [...headers, 'api_key'];
}

/**
 * Lets into `scope` whoever names an active brand, and puts it on the request. Keys in headers are judged and
 * counted before the body is read, so that a flood of large bodies ends there. Only an `api_key` has to wait
 * for the body.
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
  // Whose body could not be read has shown no key either.
  scope.addHook('onResponse', (request, _reply, done) => {
    if (request.keyless !== null) limits.afterFailure(request, request.keyless).then(() => done(), done);
    else done();
  });
}

async function count(limits: Limits, request: FastifyRequest, { brandId }: BrandContext): Promise<void> {
  request.caller = brandId;
  await limits.countRequest(request);
}

/** Errors of one key after which another one of the same request counts (spec 5.1). */
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
    await authenticateBrand(core, { credentials: credentialsOf(apiKeysOf(request)), ip }).catch(() =>
      Promise.reject(tooMany),
    );
  }
}

/** The body is here, and no header has opened the door. */
async function judgeApiKey(
  core: Core,
  limits: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { ip, keyless } = request;
  request.keyless = null;
  const known = inHeaders(request);
  const credentials = credentialsOf(apiKeysOf(request)).filter((key) => !known.includes(key));
  if (credentials.length === 0) throw await limits.afterFailure(request, keyless);
  reply.header('deprecation', API_KEY_DEPRECATED);
  const brand = await authenticateBrand(core, { credentials, ip }).catch(async (error: unknown) => {
    const isSuspended = isKashboxError(keyless, 'merchant_suspended') && isKashboxError(error, 'key_invalid');
    throw await limits.afterFailure(request, isSuspended ? keyless : error);
  });
  request.brand = brand;
  await count(limits, request, brand);
}

/** The key in the header DEVICE-KEY. */
export function deviceKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['device-key'];
  return typeof header === 'string' ? header : undefined;
}

/** What follows `Bearer` in the header Authorization. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** @returns an `onRequest` hook that lets in whoever holds a phone's key, and puts that on the request. */
export function deviceGate(core: Core, limits: Limits, keyOf = deviceKeyOf) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = keyOf(request);
    const device = await authenticateDevice(core, { key }).catch(async (error: unknown) => {
      throw await limits.afterFailure(request, error);
    });
    request.device = device;
    request.caller = device.deviceId;
    await limits.countRequest(request);
  };
}

/** The brand that `addBrandGate` let in. */
export function brandOf(request: FastifyRequest): BrandContext {
  if (request.brand === null) throw new TypeError('this route stands outside the brand gate');
  return request.brand;
}

/** The phone that `deviceGate` let in. */
export function deviceOf(request: FastifyRequest): DeviceContext {
  if (request.device === null) throw new TypeError('this route stands outside the device gate');
  return request.device;
}
