/**
 * Rate limits: per key once it is known, before that per address. Daemons on one PostgreSQL share them,
 * except the limit of a customer's page.
 */
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { raiseKeyGuessingAlert } from '../../../src/actions/access/authenticate-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import type { RateWindows } from '../../../src/actions/core/rate-windows.js';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import type { Log } from '../../../src/base/io/log.js';
import { createMark, type SecretBox } from '../../../src/base/io/secret.js';
import type { Settings } from '../../../src/config/settings.js';
import { logFailure } from '../../loops/store-watch.js';
import { SharedRateStore, SteadyStore } from './rate-stores.js';

const MINUTE_MS = 60_000;
/** Number of remembered callers; above it the least recent one is dropped, to bound memory. */
const MAX_CALLERS = 10_000;

/** Name under which daemons share a limit; absent if each daemon counts alone. */
interface Together {
  readonly together?: string;
}

/** @returns what the plugin makes a store of for each limit. */
function limitStores(windows: RateWindows | null, steadyMs: () => number) {
  return class LimitStores implements FastifyRateLimitStore {
    incr(): never {
      throw new Error('Every limit counts in a store of its own');
    }

    child(options: object): FastifyRateLimitStore {
      const { together } = options as Together;
      return windows === null || together === undefined
        ? new SteadyStore(steadyMs, MAX_CALLERS)
        : new SharedRateStore(windows, steadyMs, together, MAX_CALLERS);
    }
  };
}

export type Limits = Awaited<ReturnType<typeof registerLimits>>;

/** @returns the caller's address; for IPv6 the network, because a caller can use all of its addresses. */
export function clientAddress(request: FastifyRequest): string {
  // Undefined after the client has closed the connection.
  return rateLimit.normalizeIP(request.ip ?? '');
}

/**
 * @returns a function that maps the address of a request to a pseudonym for the store: the same for the same
 * address. Nobody without the key file can find out the address from it.
 */
export function openAddressMarks(secrets: SecretBox): (request: FastifyRequest) => string {
  const mark = createMark(secrets.deriveKey('address of a stranger'));
  return (request) => mark(clientAddress(request)).slice(0, 22);
}

/**
 * @param windows shared by all daemons on the store; null if this daemon is the only one.
 * @param onGuessing called with each address that has used up its failed authentications.
 */
export async function registerLimits(
  app: FastifyInstance,
  settings: Settings,
  windows: RateWindows | null,
  onGuessing: (address: string) => void,
) {
  await app.register(rateLimit, { global: false, store: limitStores(windows, () => performance.now()) });
  type KeyOf = (request: FastifyRequest) => string;
  const limit = (max: number, keyGenerator: KeyOf, together: Together = {}) =>
    app.createRateLimit({ timeWindow: MINUTE_MS, max, keyGenerator, ...together });
  const requests = limit(settings.requestsPerMinute, (request) => request.caller, { together: 'requests' });
  const failures = limit(settings.failedAuthPerMinute, clientAddress, { together: 'failures' });
  const uses = limit(
    settings.checkoutRequestsPerMinute,
    (request) => `${(request.params as { ref?: string }).ref ?? ''} ${clientAddress(request)}`,
  );
  const checkoutFailures = limit(settings.checkoutFailuresPerMinute, clientAddress, { together: 'checkout' });
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
      onGuessing(clientAddress(request));
      return tooMany(used.ttlInSeconds);
    },
    /**
     * Guards what an address with too many failures must not get: reading of its body, or a look-up of a
     * short secret (pairing codes).
     * @throws KashboxError `too_many_requests` if the address has used up its failures
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

const HOUR_MS = 3_600_000;
/** Maximum number of alerts per hour. A botnet has thousands of addresses; twenty alerts are enough. */
const MAX_AN_HOUR = 20;

/** @returns a function for addresses with no failed authentications left; it never throws or waits. */
export function bruteForceAlerter(core: Core, log: Log): (address: string) => void {
  let hour = 0;
  const told = new Set<string>();
  return (address) => {
    const now = Math.floor(core.clock.now() / HOUR_MS);
    if (now !== hour) told.clear();
    hour = now;
    if (told.has(address) || told.size >= MAX_AN_HOUR) return;
    told.add(address);
    raiseKeyGuessingAlert(core, address, core.settings.failedAuthPerMinute).catch((error: unknown) =>
      logFailure(core, log, { err: error, address }, 'that somebody guesses keys could not be written down'),
    );
  };
}
