/** How often one may ask: per key once it is known, per address before (design.md section 5, "Limits"). */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import type { Settings } from '../../../src/config/settings.js';
import { steadyStore } from './rate-store.js';

const MINUTE_MS = 60_000;
/** Callers remembered at once; beyond that the longest silent one is forgotten, so that memory is bounded. */
const MAX_CALLERS = 10_000;

export interface Limits {
  /**
   * Counts a request of a known caller (`request.caller`).
   * @throws KashboxError `too_many_requests` with the seconds to wait
   */
  countRequest(request: FastifyRequest): Promise<void>;
  /**
   * Counts a failed authentication against the client's address. A right key is never refused for what
   * its neighbours at the same address did: keys cannot be guessed, and a shop behind a shared address
   * must not be locked out by a stranger's broken script.
   * @returns the error to answer with: the given one, or `too_many_requests`
   */
  afterFailure(request: FastifyRequest, error: unknown): Promise<unknown>;
  /**
   * For what an address that fails all the time is not to have at all: a body that is read, or the look-up
   * of a secret that is short enough to be guessed (pairing codes).
   * @throws KashboxError `too_many_requests` once the address has used up its failures
   */
  refuseExhausted(request: FastifyRequest): Promise<void>;
  /**
   * Counts a form, an event stream or a picture of a checkout page, per link and address: thousands of
   * phones share the addresses of a mobile network, and none may be kept from paying by the others.
   * @throws KashboxError `too_many_requests`
   */
  countUse(request: FastifyRequest): Promise<void>;
  /**
   * Counts an unknown link, a refused form or a transaction id that does not pay, or whose SMS is not here,
   * against the client's address.
   * @throws KashboxError `too_many_requests` instead of what would have been answered
   */
  countCheckoutFailure(request: FastifyRequest): Promise<void>;
}

/** @returns the caller's address, of IPv6 the network: who has one of its addresses has them all. */
export function addressOf(request: FastifyRequest): string {
  // It is gone when the client hung up while it was being served.
  return rateLimit.normalizeIP(request.ip ?? '');
}

export async function registerLimits(app: FastifyInstance, settings: Settings): Promise<Limits> {
  await app.register(rateLimit, { global: false, store: steadyStore(() => performance.now()) });
  const shared = { timeWindow: MINUTE_MS, cache: MAX_CALLERS };
  const requests = app.createRateLimit({
    ...shared,
    max: settings.requestsPerMinute,
    keyGenerator: (request) => request.caller,
  });
  const failures = app.createRateLimit({
    ...shared,
    max: settings.failedAuthPerMinute,
    keyGenerator: addressOf,
  });
  const uses = app.createRateLimit({
    ...shared,
    max: settings.checkoutRequestsPerMinute,
    keyGenerator: (request) => `${(request.params as { ref?: string }).ref ?? ''} ${addressOf(request)}`,
  });
  const checkoutFailures = app.createRateLimit({
    ...shared,
    max: settings.checkoutFailuresPerMinute,
    keyGenerator: addressOf,
  });
  return {
    async countRequest(request) {
      const used = await requests(request);
      if (!used.isAllowed && used.isExceeded) throw tooMany(used.ttlInSeconds);
    },
    async afterFailure(request, error) {
      if (!isKashboxError(error) || error.category !== 'unauthorised') return error;
      const used = await failures(request);
      return !used.isAllowed && used.isExceeded ? tooMany(used.ttlInSeconds) : error;
    },
    async refuseExhausted(request) {
      const used = await failures(request, { increment: false });
      if (!used.isAllowed && used.remaining === 0) throw tooMany(used.ttlInSeconds);
    },
    async countUse(request) {
      const used = await uses(request);
      if (!used.isAllowed && used.isExceeded) throw tooMany(used.ttlInSeconds);
    },
    async countCheckoutFailure(request) {
      const used = await checkoutFailures(request);
      if (!used.isAllowed && used.isExceeded) throw tooMany(used.ttlInSeconds);
    },
  };
}

function tooMany(retryAfterSeconds: number): KashboxError {
  return new KashboxError('too_many_requests', { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
}
