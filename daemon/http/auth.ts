/** Who is calling: finds the credential in a request (spec 5), asks the actions, and counts the request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticateBrand } from '../../src/actions/authenticate-brand.js';
import { authenticateDevice, type DeviceContext } from '../../src/actions/authenticate-device.js';
import type { BrandContext } from '../../src/actions/brand-context.js';
import type { Core } from '../../src/actions/core.js';
import { KashboxError } from '../../src/base/errors.js';
import { credentialsOf } from '../../src/domain/access.js';
import type { Limits } from './limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifier of the brand or device that was recognised, empty before that: for limits and the log. */
    caller: string;
    brand: BrandContext | null;
    device: DeviceContext | null;
  }
}

/** RFC 9745: `api_key` is deprecated since v2.0.0 of the API, March 2026 (spec 9). */
const API_KEY_DEPRECATED = `@${Date.UTC(2026, 2, 1) / 1000}`;

interface Found {
  readonly inHeaders: readonly string[];
  /** In the order of spec 5.1, headers first. */
  readonly all: readonly string[];
}

function findCredentials(request: FastifyRequest): Found {
  const { headers } = request;
  const inHeaders = {
    brandKey: headers['brand-key'],
    authorization: headers.authorization,
    apiKey: headers['api-key'],
    secretKey: headers['secret-key'],
  };
  const { api_key: bodyApiKey } = (request.body ?? {}) as { readonly api_key?: unknown };
  const { api_key: queryApiKey } = request.query as { readonly api_key?: unknown };
  const found = credentialsOf(inHeaders);
  if (bodyApiKey === undefined && queryApiKey === undefined) return { inHeaders: found, all: found };
  return { inHeaders: found, all: credentialsOf({ ...inHeaders, bodyApiKey, queryApiKey }) };
}

/** @returns a `preValidation` hook that lets in whoever names an active brand, and puts it on the request. */
export function brandGate(core: Core, limits: Limits) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const found = findCredentials(request);
    const brand = await recognise(core, request, reply, found).catch(async (error: unknown) => {
      throw await limits.afterFailure(request, error);
    });
    request.brand = brand;
    request.caller = brand.brandId;
    await limits.countRequest(request);
  };
}

/** Headers are asked first by themselves, so that it is known whether `api_key` was what opened the door. */
async function recognise(
  core: Core,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Found,
): Promise<BrandContext> {
  const { ip } = request;
  const hasApiKey = found.all.length > found.inHeaders.length;
  if (!hasApiKey) return authenticateBrand(core, { credentials: found.all, ip });
  if (found.inHeaders.length > 0) {
    try {
      return await authenticateBrand(core, { credentials: found.inHeaders, ip });
    } catch (error) {
      const next =
        error instanceof KashboxError && ['key_invalid', 'merchant_suspended'].includes(error.code);
      if (!next) throw error;
    }
  }
  reply.header('deprecation', API_KEY_DEPRECATED);
  return authenticateBrand(core, { credentials: found.all, ip });
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

/** @returns a `preValidation` hook that lets in whoever holds a phone's key, and puts that on the request. */
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

/** The brand that `brandGate` let in. */
export function brandOf(request: FastifyRequest): BrandContext {
  if (request.brand === null) throw new TypeError('this route stands outside the brand gate');
  return request.brand;
}

/** The phone that `deviceGate` let in. */
export function deviceOf(request: FastifyRequest): DeviceContext {
  if (request.device === null) throw new TypeError('this route stands outside the device gate');
  return request.device;
}
