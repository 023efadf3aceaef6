/**
 * From a name to its addresses. Asks DNS servers itself instead of getaddrinfo, which cannot be aborted and
 * works in a pool of few threads: two names whose servers are silent would stop the look-ups of all shops.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns all addresses of a name; none, or an error, if it has none. Gives up when the signal aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A lost packet is asked for again well within the 5 s of an attempt. */
const ASKING = { timeout: 1_500, tries: 3 };
/** How long IPv6 may be waited for when IPv4 is known: some servers never answer for it. */
const IPV6_GRACE_MS = 200;

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** @returns the addresses under which a hosts file (hosts(5)) has a name. */
export function pinnedAddresses(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [ip = '', ...names] = line.replace(/#.*/s, '').trim().split(/\s+/);
    return isIP(ip) !== 0 && names.some((known) => known.toLowerCase() === name) ? [ip] : [];
  });
}

/** What the operator has pinned in the hosts file goes before DNS, as for every program of the machine. */
export const askNetwork: Resolve = async (name, signal) => {
  const pinned = pinnedAddresses(await readFile(HOSTS, 'utf8').catch(() => ''), name);
  return pinned.length > 0 ? pinned : askDns(name, signal);
};

/** IPv4 comes first: many networks in Bangladesh have no way for IPv6. */
const askDns: Resolve = async (name, signal) => {
  const resolver = new Resolver(ASKING);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const later = settled(resolver.resolve6(name));
    const v4 = await settled(resolver.resolve4(name));
    const v6 = 'ips' in v4 ? await Promise.race([later, sleep(IPV6_GRACE_MS, { ips: [] })]) : await later;
    if ('error' in v4 && 'error' in v6) throw v4.error;
    return [v4, v6].flatMap((answer) => ('ips' in answer ? answer.ips : []));
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
};

type Settled = { readonly ips: readonly string[] } | { readonly error: unknown };

function settled(asked: Promise<readonly string[]>): Promise<Settled> {
  return asked.then(
    (ips) => ({ ips }),
    (error: unknown) => ({ error }),
  );
}

/** As every program of this machine sees names, the hosts file included: for development. */
export const askSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);
