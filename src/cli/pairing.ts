/** What a phone needs for pairing: our address, the code and, for our own certificate, its fingerprint. */
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Core } from '../actions/core.js';
import { KashboxError } from '../base/errors.js';

export interface PairingOffer {
  /** https address of the daemon as the phone sees it. */
  readonly url: string;
  /** SHA-256 of the self-signed certificate in hex; null for one that a phone checks by itself. */
  readonly fingerprint: string | null;
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

function ownFingerprint(core: Core): string | null {
  const file = join(core.home.tlsFolder, 'cert.pem');
  if (core.settings.tlsCert !== '' || !existsSync(file)) return null;
  return new X509Certificate(readFileSync(file)).fingerprint256.replaceAll(':', '').toLowerCase();
}

/**
 * @param given https address that the operator named, if any.
 * @throws KashboxError `invalid_input` if that is none.
 */
export function pairingOffer(core: Core, given: string | undefined): PairingOffer {
  const { url, warnings } = given === undefined ? daemonUrl(core) : { url: httpsBase(given), warnings: [] };
  const fingerprint = ownFingerprint(core);
  if (fingerprint === null && core.settings.tlsCert === '') {
    warnings.push(
      'The daemon has no certificate yet. Start it once and rotate the code, so that it names the certificate.',
    );
  }
  return { url, fingerprint, warnings };
}

function httpsBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:') return text.replace(/\/+$/, '');
  throw new KashboxError('invalid_input', {
    message: `url "${text}" is no https address`,
    hint: 'Write the address of the daemon as the phone sees it: https://192.168.0.5:8443',
  });
}

/** @returns what the QR code holds. */
export function pairingLink(offer: PairingOffer, code: string): string {
  const query = new URLSearchParams({ url: offer.url, code });
  if (offer.fingerprint !== null) query.set('fp', offer.fingerprint);
  return `kashbox://pair?${query}`;
}

/** @returns the same as a command to type on the phone. */
export function pairingCommand(offer: PairingOffer, code: string): string {
  const pin = offer.fingerprint === null ? '' : ` --fingerprint ${offer.fingerprint}`;
  return `kashbox-relay pair --url ${offer.url} --code ${code}${pin}`;
}

/** @returns the link as a QR code, in colours that scanners read on dark terminals too. */
export async function pairingQr(link: string, coloured: boolean): Promise<string[]> {
  const { default: qrcode } = await import('qrcode');
  const text = await qrcode.toString(link, coloured ? { type: 'terminal', small: true } : { type: 'utf8' });
  return text.trimEnd().split('\n');
}
