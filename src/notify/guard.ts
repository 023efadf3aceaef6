/**
 * Guard that selects the addresses a notification is sent to. It checks the URL and then, once, the addresses
 * of its host name, and returns these addresses, so that a second look-up cannot give other ones (DNS
 * rebinding).
 */
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../base/io/net-failure.js';
import { isPublicAddress, parseIpLiteral, webhookFault } from '../domain/notifications/address.js';
import { type AttemptVerdict, inSeconds } from './outcome.js';

// From a name to its addresses. DNS servers are asked here instead of by getaddrinfo, which cannot be
// aborted and works in a pool of few threads: two silent servers would stop the look-ups of all shops.

/** @returns all addresses of a name; empty, or an error, if it has none. Rejects when the signal aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** DNS timeout and tries: a lost packet is repeated well within the 5 s of an attempt. */
const ASKING = { timeout: 1_500, tries: 3 };
/** Maximum time to wait for IPv6 when IPv4 is known, ms: some servers never answer for it. */
const IPV6_GRACE_MS = 200;

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** @returns the addresses under which a hosts file (hosts(5)) has a name. */
export function pinnedAddresses(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [ip = '', ...names] = line.replace(/#.*/s, '').trim().split(/\s+/);
    return isIP(ip) !== 0 && names.some((known) => known.toLowerCase() === name) ? [ip] : [];
  });
}

/** Resolves by the hosts file first, as every program of the machine does, then by DNS. */
export const resolveWithDns: Resolve = async (name, signal) => {
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

type LookupResult = { readonly ips: readonly string[] } | { readonly error: unknown };

function settled(asked: Promise<readonly string[]>): Promise<LookupResult> {
  return asked.then(
    (ips) => ({ ips }),
    (error: unknown) => ({ error }),
  );
}

/** Resolves names as every program of this machine does, including the hosts file: for development. */
export const resolveWithSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

// What is judged.

interface AddressCheck {
  readonly url: string;
  /** The setting `allowPrivateWebhooks`. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

type Judgement =
  | { readonly address: URL; readonly ips: readonly string[] }
  | { readonly refusal: AttemptVerdict };

export async function judge(question: AddressCheck): Promise<Judgement> {
  const { url, allowPrivate } = question;
  if (!URL.canParse(url)) return blocked('the address is not a URL');
  const address = new URL(url);
  const fault = webhookFault(address, allowPrivate);
  if (fault !== null) {
    const isCurable = webhookFault(address, true) === null;
    return blocked(`the address ${fault}${isCurable ? `; ${FOR_DEVELOPMENT}` : ''}`);
  }
  const literal = parseIpLiteral(address.hostname);
  if (literal !== null) return { address, ips: [literal] };
  return judgeName(question, address);
}

const FOR_DEVELOPMENT = 'KASHBOX_ALLOW_PRIVATE_WEBHOOKS=true is for development';
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA']);

async function judgeName(question: AddressCheck, address: URL): Promise<Judgement> {
  const { allowPrivate, signal, deadlineMs } = question;
  const name = address.hostname;
  let ips: readonly string[];
  try {
    ips = await Promise.race([question.resolve(name, signal), abortOf(signal)]);
  } catch (error) {
    if (signal.aborted) {
      const detail = `no DNS answer for the name ${name} within ${inSeconds(deadlineMs)}`;
      return { refusal: { outcome: 'timeout', detail } };
    }
    return UNKNOWN_NAME.has(errorCode(error))
      ? unreachable(`the name ${name} is not known`)
      : unreachable(`the name ${name} could not be looked up (${errorCode(error)})`);
  }
  if (ips.length === 0) return unreachable(`the name ${name} is not known`);
  // One bad address refuses all: mixed public and private answers only occur in attacks.
  const bad = allowPrivate ? undefined : ips.find((ip) => !isPublicAddress(ip));
  if (bad === undefined) return { address, ips };
  const why = 'a private or reserved address, which is never called';
  return blocked(`${name} resolves to ${bad}, ${why}; ${FOR_DEVELOPMENT}`);
}

function blocked(detail: string): Judgement {
  return { refusal: { outcome: 'blocked', detail } };
}

function unreachable(detail: string): Judgement {
  return { refusal: { outcome: 'unreachable', detail } };
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
  });
}
