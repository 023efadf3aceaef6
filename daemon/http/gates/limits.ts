/** Rate limits: per key once it is known, per address before. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import type { Settings } from '../../../src/config/settings.js';
import { steadyStore } from './rate-store.js';

const MINUTE_MS = 60_000;
/** Number of remembered callers; above it the least recent one is dropped, to bound memory. */
const MAX_CALLERS = 10_000;

export type Limits = Awaited<ReturnType<typeof registerLimits>>;

/** @returns the caller's address; for IPv6 the network, because a caller can use all of its addresses. */
export function addressOf(request: FastifyRequest): string {
  // Undefined after the client has closed the connection.
  return rateLimit.normalizeIP(request.ip ?? '');
}

/** @param onGuessing told of each address that has used up its failed authentications. */
export async function registerLimits(
  app: FastifyInstance,
  settings: Settings,
  onGuessing: (address: string) => void,
) {
  await app.register(rateLimit, { global: false, store: steadyStore(() => performance.now()) });
  const shared = { timeWindow: MINUTE_MS, cache: MAX_CALLERS };
  type KeyOf = (request: FastifyRequest) => string;
  const limit = (max: number, keyGenerator: KeyOf) => app.createRateLimit({ ...shared, max, keyGenerator });
  const requests = limit(settings.requestsPerMinute, (request) => request.caller);
  const failures = limit(settings.failedAuthPerMinute, addressOf);
  const uses = limit(
    settings.checkoutRequestsPerMinute,
    (request) => `${(request.params as { ref?: string }).ref ?? ''} ${addressOf(request)}`,
  );
  const checkoutFailures = limit(settings.checkoutFailuresPerMinute, addressOf);
  const counting = (counted: typeof requests) => async (request: FastifyRequest) => {
    const used = await counted(request);
    if (!used.isAllowed && used.isExceeded) throw tooMany(used.ttlInSeconds);
  };
  return {
    /** Counts a request of a known caller. @throws KashboxError `too_many_requests`, with seconds to wait */
    countRequest: counting(requests),
    /**
     * Counts a failed authentication against the client's address. A right key is never refused for what its
     * other clients did: keys cannot be guessed, and a stranger's broken script must not lock out a shop.
     * @returns the error to answer with: the given one, or `too_many_requests`
     */
    async afterFailure(request: FastifyRequest, error: unknown): Promise<unknown> {
      if (!isKashboxError(error) || error.category !== 'unauthorised') return error;
      const used = await failures(request);
      if (used.isAllowed || !used.isExceeded) return error;
      onGuessing(addressOf(request));
      return tooMany(used.ttlInSeconds);
    },
    /**
     * Guards what an address with too many failures must not get: reading of its body, or a look-up of a
     * short secret (pairing codes).
     * @throws KashboxError `too_many_requests` once the address has used up its failures
     */
    async refuseExhausted(request: FastifyRequest): Promise<void> {
      const used = await failures(request, { increment: false });
      if (!used.isAllowed && used.remaining === 0) throw tooMany(used.ttlInSeconds);
    },
    /**
     * Counts a form, an event stream or a picture of a checkout page, per link and address: thousands of
     * phones share the addresses of a mobile network, and one must not block the others.
     * @throws KashboxError `too_many_requests`
     */
    countUse: counting(uses),
    /**
     * Counts an unknown link, a refused form or a transaction id that does not pay, or whose SMS is not here,
     * against the client's address.
     * @throws KashboxError `too_many_requests` instead of what would have been answered
     */
    countCheckoutFailure: counting(checkoutFailures),
  };
}

function tooMany(retryAfterSeconds: number): KashboxError {
  return new KashboxError('too_many_requests', { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
}
