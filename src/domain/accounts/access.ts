/** Who may come in: which credential counts, and from which addresses. */
import ipaddr from 'ipaddr.js';

/**
 * Headers in which old programs send their Brand Key, in the order in which they are tried: those of spec
 * 5.1, then those of other gateways of this API family.
 */
export const LEGACY_HEADERS = ['api-key', 'secret-key', 'x-api-key', 'sohojpay-api-key'] as const;
export type LegacyHeader = (typeof LEGACY_HEADERS)[number];

/** The places of a request in which a Brand Key may stand, as found there. */
interface CredentialHeaders {
  readonly brandKey?: unknown;
  readonly authorization?: unknown;
  /** By lower-case names. */
  readonly legacy?: Readonly<Partial<Record<LegacyHeader, unknown>>>;
  readonly bodyApiKey?: unknown;
  readonly queryApiKey?: unknown;
}

/** Longest text that is looked up as a key; anything longer is none of ours. */
const MAX_KEY = 200;

/**
 * All credentials of a request in the order in which they are tried, each once. Clients send several, some of
 * them placeholders.
 */
export function credentialsOf(places: CredentialHeaders): string[] {
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

/** True if `text` is a whole IP address or a CIDR range; `1` and `10.1` mean something else. */
export function isIpRange(text: string): boolean {
  const address = text.replace(/\/\d+$/, '');
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isWhole && (address === text || ipaddr.isValidCIDR(text));
}

/** Of the widest networks that are anybody's own: 10.0.0.0/8 and fc00::/7. */
const WIDEST_BITS = { ipv4: 8, ipv6: 7 } as const;
/** Where IPv4 addresses stand in IPv6: behind 96 bits. */
const INSIDE_IPV6 = ipaddr.IPv6.parse('::ffff:0:0');

/**
 * True of a range that proves nothing of whoever is in it: all addresses, or a half or a quarter of
 * them, from which all can be put together.
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
