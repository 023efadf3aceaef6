/** What a phone needs for pairing: our address, the code and, for our own certificate, its fingerprint. */
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Core } from '../actions/core.js';
import { KashboxError } from '../base/errors.js';

interface Pin {
  /** SHA-256 of the certificate in hex. */
  readonly fingerprint: string;
  /** SHA-256 of its public key in base64: what curl can pin. */
  readonly publicKey: string;
}

export interface PairingOffer {
  /** https address of the daemon as the phone sees it. */
  readonly url: string;
  /** What proves our self-signed certificate; null for one that a phone checks by itself. */
  readonly pin: Pin | null;
  /** What the operator should know before the phone tries. */
  readonly warnings: readonly string[];
}

const EVERY_ADDRESS = ['0.0.0.0', '::', ''];
const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** The first address by which other machines of the same network find this one. */
function networkAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find((address) => address.family === 'IPv4' && !address.internal)?.address;
}

function daemonUrl(core: Core): { url: string; warnings: string[] } {
  const { host, port } = core.settings;
  const reachable = EVERY_ADDRESS.includes(host) ? networkAddress() : host;
  const name = reachable ?? '127.0.0.1';
  const url = `https://${name.includes(':') ? `[${name}]` : name}:${port}`;
  const hidden =
    'The daemon listens on this machine only, so no phone can reach it. Start it with --host 0.0.0.0, or ' +
    'give its public address with --url.';
  return { url, warnings: LOOPBACK.test(name) ? [hidden] : [] };
}

function ownPin(core: Core): Pin | null {
  const file = join(core.home.tlsFolder, 'cert.pem');
  if (core.settings.tlsCert !== '' || !existsSync(file)) return null;
  const { fingerprint256, publicKey } = new X509Certificate(readFileSync(file));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    publicKey: createHash('sha256').update(key).digest('base64'),
  };
}

/**
 * @param given https address that the operator named, if any.
 * @throws KashboxError `invalid_input` if that is none.
 */
export function pairingOffer(core: Core, given: string | undefined): PairingOffer {
  const { url, warnings } = given === undefined ? daemonUrl(core) : { url: httpsBase(given), warnings: [] };
  if (isProxys(core, url)) return { url, pin: null, warnings };
  const pin = ownPin(core);
  if (pin === null && core.settings.tlsCert === '') {
    warnings.push(
      'The daemon has no certificate yet. Start it once and rotate the code, so that it names the certificate.',
    );
  }
  return { url, pin, warnings };
}

/** Behind a proxy phones meet the proxy's certificate; our own port is still ours. */
function isProxys(core: Core, url: string): boolean {
  const { trustProxy, port } = core.settings;
  return trustProxy.length > 0 && Number(new URL(url).port || 443) !== port;
}

/** The agent takes no more of an address than this either. */
function httpsBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const more = url === null ? '' : url.username + url.password + url.search + url.hash;
  if (url?.protocol === 'https:' && more === '') return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  throw new KashboxError('invalid_input', {
    message: `url "${text}" is no plain https address`,
    hint: 'Write the address of the daemon as the phone sees it: https://192.168.0.5:8443',
  });
}

/** @returns what the QR code holds. */
export function pairingLink(offer: PairingOffer, code: string): string {
  const query = new URLSearchParams({ url: offer.url, code });
  if (offer.pin !== null) query.set('fp', offer.pin.fingerprint);
  return `kashbox://pair?${query}`;
}

/** @returns the same as a command for a phone, or a computer, that has the agent. */
export function pairingCommand(offer: PairingOffer, code: string): string {
  const pin = offer.pin === null ? '' : ` --fingerprint ${offer.pin.fingerprint}`;
  return `kashbox-relay pair --url ${offer.url} --code ${code}${pin}`;
}

/**
 * What a phone is made a relay phone with: two lines for Termux, to be pasted whole. The first may fetch a
 * program from a server that no authority vouches for, because the pinned key is checked before a byte of it
 * is taken; unlike the hash of a file it stays true when Kashbox is updated. Each package is named that is
 * used, curl too: a fresh Termux has one that breaks when the libraries under it are renewed.
 */
export function termuxLines(offer: PairingOffer, code: string): [fetch: string, install: string] {
  const pin = offer.pin === null ? '' : `-k --pinnedpubkey sha256//${offer.pin.publicKey} `;
  const file = shellWord(`${offer.url}/relay/kashbox-relay.mjs`);
  return [
    `pkg install -y curl nodejs-lts termux-api termux-services && curl -fO ${pin}${file}`,
    `node kashbox-relay.mjs install ${shellWord(pairingLink(offer, code))}`,
  ];
}

/** What a shell would read anything into stands in quotes; neither address nor link has one of its own. */
function shellWord(text: string): string {
  return /^[\w./:%@+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", '%27')}'`;
}

/** Black on white, which scanners want, on dark terminals too. */
const INK = { on: '\u001b[30;47m', off: '\u001b[0m' };

/** @returns the link as a QR code with the quiet zone around it that scanners look for. */
export async function pairingQr(link: string, coloured: boolean): Promise<string[]> {
  const { default: qrcode } = await import('qrcode');
  const lines = (await qrcode.toString(link, { type: 'utf8' })).split('\n').filter((line) => line !== '');
  return coloured ? lines.map((line) => INK.on + line + INK.off) : lines;
}
