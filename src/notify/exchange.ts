/**
 * One POST over the wire and the beginning of its answer. Trusts that the addresses were judged, and connects
 * to those alone; whatever the environment says of proxies and certificates does not count.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import got from 'got';
import { CONNECT_MS, ONE_ANSWER, type ReadAnswer, readAnswer } from '../base/io/read-answer.js';

/** Maximum number of bytes read of a response by default; the rest is cut off. */
const MAX_READ_BYTES = 4_096;

/**
 * HTTP agents of our own, because the global ones use proxies from the environment. A connection is used
 * once, to the address that was checked, and no TLS session is resumed, because that skips the certificate
 * checks.
 */
const agent = {
  http: new HttpAgent({ keepAlive: false, autoSelectFamilyAttemptTimeout: CONNECT_MS }),
  https: new HttpsAgent({
    keepAlive: false,
    maxCachedSessions: 0,
    autoSelectFamilyAttemptTimeout: CONNECT_MS,
  }),
};

export interface Outgoing {
  readonly address: URL;
  /** Addresses, at least one, tried in this order. `Host` and the TLS server name contain the host's name. */
  readonly ips: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Ends it wherever it is. */
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
}

export async function exchange(outgoing: Outgoing): Promise<ReadAnswer> {
  const { address, ips, headers, body, signal, maxBytes = MAX_READ_BYTES } = outgoing;
  const stream = got.stream.post(address, {
    ...ONE_ANSWER,
    agent,
    body,
    headers,
    signal,
    dnsLookup: fixedAddresses(ips),
  });
  return readAnswer(stream, maxBytes);
}

/** Returns a look-up function that always answers with the addresses that were checked. */
export function fixedAddresses(ips: readonly string[]): LookupFunction {
  const all = ips.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, done) => {
    const [first] = all;
    // Not at once: Node would connect before anybody listens to the socket, and a network that cannot be
    // reached would then be an error that nobody handles, and the end of the process.
    setImmediate(() => {
      if (options.all === true) done(null, all);
      else if (first !== undefined) done(null, first.address, first.family);
      else done(new Error('no address was judged'), '');
    });
  };
}
