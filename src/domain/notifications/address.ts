/**
 * Addresses that may be called for a shop, so that the daemon cannot be used to reach a private network.
 * Pure: src/notify resolves names and connects.
 */
import ipaddr from 'ipaddr.js';

/** Ranges reserved by IANA, and a cloud provider's host service; all other addresses are public. */
const CLOSED_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** Global unicast, which excludes NAT64, unique local, link-local and multicast addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Ranges in it without hosts: tunnels (Teredo, 6to4) to any IPv4 address, and reserved ones. */
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * @param ip as a resolver or a URL parser writes it, without brackets.
 * @returns false also if it is not a valid address, or has a zone.
 */
export function isPublicAddress(ip: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return isPublicIpv4(ipaddr.IPv4.parse(ip));
  if (ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return false;
  const address = ipaddr.IPv6.parse(ip);
  // The kernel sends these as IPv4.
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  return address.match(GLOBAL_IPV6) && !CLOSED_IPV6.some((range) => address.match(range));
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return !CLOSED_IPV4.some((range) => address.match(range));
}

/** The address that a URL's host is, without brackets, or null where the host is a name. */
export function parseIpLiteral(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : null;
}

const PLAIN_PORTS = [443, 8443];
/** Ports of databases, caches, remote desktops and data centre services; no shop's web server uses them. */
const INTERNAL_PORTS = [
  ...[1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 5985, 5986],
  ...[6000, 6379, 6443, 9200, 9300, 10250, 11211, 27017],
];
/** RFC 1035, 2.3.4. A URL takes longer ones, which no index of a database can hold as an endpoint. */
const MAX_NAME = 253;
/** Names that mean something else in every network. */
const INTERNAL_NAMES = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/**
 * Judges what can be seen without asking anybody; a name is judged again by what it resolves to.
 * @param address parsed, because only that shows what `127.1` and `ⓛⓞⓒⓐⓛ` are.
 * @param allowPrivate the setting `allowPrivateWebhooks`: http, and any host and port.
 * @returns null if it may be called, else how it would have to be, such as `must begin with https://`.
 */
export function webhookFault(address: URL, allowPrivate: boolean): string | null {
  const { protocol, username, password, hostname } = address;
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not have a user name or password before the host';
  if (hostname.length > MAX_NAME) return `must have a host of at most ${MAX_NAME} characters`;
  if (allowPrivate) return null;
  const port = portOf(address);
  if (!PLAIN_PORTS.includes(port) && (port < 1_024 || INTERNAL_PORTS.includes(port))) {
    return `must not use port ${port}; use 443, 8443 or another above 1023 that no internal service has`;
  }
  const literal = parseIpLiteral(hostname);
  if (literal !== null) return isPublicAddress(literal) ? null : `must be public; ${privateAddress(literal)}`;
  if (hostname.endsWith('.')) return 'must not have a dot at the end of its host';
  if (!hostname.includes('.') || INTERNAL_NAMES.test(hostname)) {
    return `must be public; ${hostname} is a name for internal networks`;
  }
  return null;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** True for a literal address of this machine, not for a name that resolves to it. */
export function isLoopbackAddress({ hostname }: URL): boolean {
  return LOOPBACK.includes(hostname);
}

/** True for a possible developer's web server: on this machine, not on a port of a database. */
export function isLoopbackHook(address: URL): boolean {
  const port = portOf(address);
  const isWeb = [80, 443].includes(port) || (port >= 1_024 && !INTERNAL_PORTS.includes(port));
  return isLoopbackAddress(address) && isWeb && webhookFault(address, true) === null;
}

/** Says of an address that is not public what it is. */
function privateAddress(ip: string): string {
  return `${ip} is a private or reserved address`;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/**
 * Key that groups the notifications to one server, so that a slow server delays only its own.
 * @returns for example `https://shop.example:443`; a text that is not a valid URL is returned unchanged.
 */
export function toEndpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  return `${address.protocol}//${address.hostname}:${portOf(address)}`;
}

/** Keys of this API anywhere in an address, such as in its path. */
const OUR_KEYS = /\b(?:bk|whsec)_[^/]+/g;
/** Maximum length of a parameter name; a longer part of the query is a value without a name. */
const MAX_PARAMETER_NAME = 32;

/**
 * A shop's address as people and scripts may see it: some shops put their Brand Key into its query. Of the
 * query only the names are left, each with `…` for its value; user name and fragment are left out.
 */
export function redactAddress(address: string): string {
  if (!URL.canParse(address)) return '…';
  const { origin, pathname, search } = new URL(address);
  const parts = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => /^([^=]*)=/.exec(part)?.[1] ?? '')
    .map((name) => (name === '' || name.length > MAX_PARAMETER_NAME ? '…' : `${name}=…`));
  return `${origin}${pathname}${parts.length === 0 ? '' : `?${parts.join('&')}`}`.replace(OUR_KEYS, '…');
}
