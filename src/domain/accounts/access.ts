/** Access control: reads the credentials of a request and checks addresses against allowed ranges. */
import ipaddr from 'ipaddr.js';

/**
 * Headers in which older programs send their Brand Key, in the order in which they are tried: those of spec
 * 5.1, then those of other gateways of this API family.
 */
export const LEGACY_HEADERS = ['api-key', 'secret-key', 'x-api-key', 'sohojpay-api-key'] as const;
export type LegacyHeader = (typeof LEGACY_HEADERS)[number];

/** Raw values of all places in a request that may contain a Brand Key. */
interface CredentialHeaders {
  readonly brandKey?: unknown;
  readonly authorization?: unknown;
  /** Values by lower-case header name. */
  readonly legacy?: Readonly<Partial<Record<LegacyHeader, unknown>>>;
  readonly bodyApiKey?: unknown;
  readonly queryApiKey?: unknown;
}

/** Maximum length of a credential; longer ones are not looked up, because no valid key is longer. */
const MAX_KEY = 200;

/**
 * All credentials of a request in the order in which they are tried, each once. Clients send several, some of
 * them placeholders.
 */
export function extractCredentials(places: CredentialHeaders): string[] {
  const bearer =
    typeof places.authorization === 'string'
      ? /^Bearer\s+(\S.*)$/i.exec(places.authorization.trim())?.[1]
      : undefined;
  const found = [
    places.brandKey,
    bearer,
    ...LEGACY_HEADERS.map((name) => places.legacy?.[name]),
    places.bodyApiKey,
    places.queryApiKey,
  ]
    .filter((value): value is string => typeof value === 'string')
    .map((value) => value.trim())
    .filter((value) => value !== '' && value.length <= MAX_KEY);
  return [...new Set(found)];
}

/** Accepts complete addresses and CIDR ranges, not `1` or `10.1`, short forms of other addresses. */
export function isIpRange(text: string): boolean {
  const address = text.replace(/\/\d+$/, '');
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isWhole && (address === text || ipaddr.isValidCIDR(text));
}

/** Prefix lengths of the widest private networks: 10.0.0.0/8 and fc00::/7. */
const WIDEST_BITS = { ipv4: 8, ipv6: 7 } as const;
/** Prefix of IPv4-mapped IPv6 addresses: the IPv4 address follows these 96 bits. */
const INSIDE_IPV6 = ipaddr.IPv6.parse('::ffff:0:0');

/**
 * True if a range is too wide to prove anything about a caller, such as all addresses. Also rejects halves
 * and quarters of the address space, because several of them together cover all addresses.
 */
export function isTooWide(range: string): boolean {
  if (!ipaddr.isValidCIDR(range)) return false;
  const [base, bits] = ipaddr.parseCIDR(range);
  const isInside = base.kind() === 'ipv6' && INSIDE_IPV6.match(base, Math.min(bits, 96));
  return isInside ? bits < 96 + WIDEST_BITS.ipv4 : bits < WIDEST_BITS[base.kind()];
}

/**
 * @param ip the caller's address; an IPv4 address inside IPv6 counts as the IPv4 one.
 * @param ranges addresses and CIDR ranges; an empty list allows everybody.
 */
export function isIpAllowed(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    const [base, bits] = ipaddr.isValidCIDR(range)
      ? ipaddr.parseCIDR(range)
      : [ipaddr.process(range), undefined];
    if (base.kind() !== address.kind()) return false;
    return address.match(base, bits ?? (base.kind() === 'ipv4' ? 32 : 128));
  });
}

export const ACQUIRER_AUTHS = ['hmac', 'basic', 'ip'] as const;
export type AcquirerAuth = (typeof ACQUIRER_AUTHS)[number];
