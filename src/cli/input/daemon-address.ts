/** Finds the addresses under which a phone can reach this machine's daemon, as far as it knows them. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Core } from '../../actions/core/core.js';
import { refuse } from '../../base/errors/refuse.js';
import { msg, type Text } from '../../base/values/msg.js';

export interface DaemonAddress {
  /** https address, with the base path if there is one. */
  readonly url: string;
  /** Description for the operator who chooses. */
  readonly about: Text;
}

export const EVERY_ADDRESS = ['0.0.0.0', '::', ''];
const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** Returns the IPv4 addresses of this machine in its networks, without loopback. */
function networkAddresses(): { readonly network: string; readonly address: string }[] {
  return Object.entries(networkInterfaces()).flatMap(([network, addresses]) =>
    (addresses ?? [])
      .filter((one) => one.family === 'IPv4' && !one.internal)
      .map(({ address }) => ({ network, address })),
  );
}

function urlOf({ settings }: Core, name: string): string {
  return `https://${name.includes(':') ? `[${name}]` : name}:${settings.port}${settings.basePath}`;
}

/** The host of an address without the brackets of IPv6. */
export function parseHost(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/** True for an IP address or localhost, not a DNS name that may have a certificate of an authority. */
export function isBareAddress(url: string): boolean {
  const host = parseHost(url);
  return isIP(host) !== 0 || host === 'localhost';
}

export function isLoopback(url: string): boolean {
  return LOOPBACK.test(parseHost(url));
}

/** True if the daemon listens on loopback only. */
export function isHidden({ settings }: Core): boolean {
  return LOOPBACK.test(settings.host);
}

/** @returns the address where nobody names one: the domain, or what the daemon is bound to. */
export function boundAddress(core: Core): string {
  const { host, domain, publicUrl, basePath } = core.settings;
  if (domain !== '' && publicUrl !== '') return `${publicUrl}${basePath}`;
  const name = EVERY_ADDRESS.includes(host) ? networkAddresses()[0]?.address : host;
  return urlOf(core, name ?? '127.0.0.1');
}

/** @returns the first address in a network, or null on a machine that has none. */
export function reachableAddress(core: Core): string | null {
  const name = networkAddresses()[0]?.address;
  return name === undefined ? null : urlOf(core, name);
}

/** @returns the addresses that a phone can be given, the most likely first. */
export function daemonAddresses(core: Core): DaemonAddress[] {
  const { host, publicUrl, basePath, domain } = core.settings;
  const about = domain === '' ? 'KASHBOX_PUBLIC_URL' : 'KASHBOX_DOMAIN';
  const known = publicUrl === '' ? [] : [{ url: `${publicUrl}${basePath}`, about }];
  if (!EVERY_ADDRESS.includes(host) && !isHidden(core)) {
    return [...known, { url: urlOf(core, host), about: msg`the address that the daemon listens on` }];
  }
  const near = networkAddresses().map(({ network, address }) => ({
    url: urlOf(core, address),
    about: msg`phones in the same network, ${network}`,
  }));
  const own = { url: urlOf(core, '127.0.0.1'), about: msg`this machine only, for a trial` };
  return [...known, ...near, own];
}

/**
 * @returns a typed address; the agent takes no more of one than this either.
 * @throws KashboxError `invalid_input`
 */
export function httpsBase(text: string): string {
  const typed = text.trim();
  const url = URL.canParse(typed) ? new URL(typed) : null;
  const more = url === null ? '' : url.username + url.password + url.search + url.hash;
  if (url?.protocol === 'https:' && more === '') return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  refuse(
    `url "${text}" is no plain https address`,
    'Write the address of the daemon as phones and shops see it: https://192.168.0.5:8443',
  );
}
