/**
 * From a name to its addresses. Asks DNS servers itself instead of getaddrinfo, which cannot be aborted and
 * works in a pool of few threads: two names whose servers are silent would stop the look-ups of all shops.
 */
import { lookup, Resolver } from 'node:dns/promises';

/** @returns all addresses of a name; none, or an error, if it has none. Gives up when the signal aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A lost packet is asked for again well within the 5 s of an attempt. */
const ASKING = { timeout: 1_500, tries: 3 };

/** IPv4 comes first: many networks in Bangladesh have no way for IPv6. */
export const askDns: Resolve = async (name, signal) => {
  const resolver = new Resolver(ASKING);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As every program of this machine sees names, the hosts file included: for development. */
export const askSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);
