/** Prepares the pairing of a phone: address, code and, for a self-signed certificate, its fingerprint. */
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../../actions/core/core.js';
import type { EnrolledDevice } from '../../actions/devices/enroll-device.js';
import { minute } from '../../base/values/clock.js';
import { msg, type Text, type Translate, translate } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import {
  boundAddress,
  httpsBase,
  isBareAddress,
  isLoopback,
  parseHost,
  reachableAddress,
} from '../input/daemon-address.js';
import { terminalQr } from '../text/qr.js';
import { formatKeyValues } from '../text/table.js';

interface Pin {
  /** SHA-256 of the certificate in hex. */
  readonly fingerprint: string;
  /** SHA-256 of its public key in base64: what curl can pin. */
  readonly publicKey: string;
}

export interface PairingDetails {
  /** https address of the daemon as the phone sees it. */
  readonly url: string;
  /** Fingerprints of our self-signed certificate; null if the phone can verify it without them. */
  readonly pin: Pin | null;
  /** Warnings for the operator, to read before the phone pairs. */
  readonly warnings: readonly Text[];
}

/**
 * True if phones see a public certificate at this address: that of the domain, or that of a proxy. The
 * daemon's own port is not behind a proxy.
 */
function hasPublicCertificate(core: Core, url: string): boolean {
  const { trustProxy, port, domain } = core.settings;
  if (domain !== '' && new URL(url).hostname === domain) return true;
  return trustProxy.length > 0 && Number(new URL(url).port || 443) !== port;
}

/**
 * Creates the certificate if there is none, or loads it from the store that machines share. The daemon would
 * only create it at its first start, too late for the fingerprint in a pairing code. Skipped for DNS names,
 * which can have a certificate of an authority.
 */
async function makeCertificate(core: Core, url: string): Promise<void> {
  if (core.settings.tlsCert !== '' || hasPublicCertificate(core, url) || !isBareAddress(url)) return;
  if (existsSync(certificateFile(core))) return;
  const { loadCertificate } = await import('../../actions/installation/certificate.js');
  await loadCertificate(core, parseHost(url));
}

const certificateFile = (core: Core) => join(core.home.tlsFolder, 'cert.pem');

function ownPin(core: Core): Pin | null {
  const file = certificateFile(core);
  if (core.settings.tlsCert !== '' || !existsSync(file)) return null;
  const { fingerprint256, publicKey } = new X509Certificate(readFileSync(file));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    publicKey: createHash('sha256').update(key).digest('base64'),
  };
}

/**
 * @param given https address from the operator, if any.
 * @param device name of the phone.
 * @throws KashboxError `invalid_input` if the address is not valid.
 */
export async function pairingDetails(
  core: Core,
  given: string | undefined,
  device: string,
): Promise<PairingDetails> {
  const url = given === undefined ? boundAddress(core) : httpsBase(given);
  const warnings: Text[] = [];
  if (isLoopback(url)) {
    const near = nearAddress(core, given) ?? 'https://ADDRESS:PORT';
    warnings.push(
      msg`Only programs on this machine can reach that address; phones cannot. Start the daemon with --host 0.0.0.0 and create a code with its address: ${newCodeCommand(device, near)}`,
    );
  }
  // Nobody has said yet where the daemon will be found.
  if (given !== undefined) await makeCertificate(core, url);
  if (hasPublicCertificate(core, url)) return { url, pin: null, warnings };
  const pin = ownPin(core);
  if (pin === null && core.settings.tlsCert === '') {
    warnings.push(
      msg`The daemon has no certificate yet. If it creates one at its first start, the phone needs a code that names it: ${newCodeCommand(device, url)}`,
    );
  }
  return { url, pin, warnings };
}

/** Address in the local network with the given address's port, which may be forwarded to the daemon's. */
function nearAddress(core: Core, given: string | undefined): string | null {
  const near = reachableAddress(core);
  if (near === null || given === undefined) return near;
  const url = new URL(near);
  url.port = new URL(httpsBase(given)).port;
  return url.href.replace(/\/+$/, '');
}

/** Command that creates a new pairing code for a phone, with the same address. */
export function newCodeCommand(device: string, url: string): string {
  return `kashbox devices rotate ${quoted(device)} --url ${url}`;
}

/** @returns what the QR code holds. */
export function pairingLink(details: PairingDetails, code: string): string {
  const query = new URLSearchParams({ url: details.url, code });
  if (details.pin !== null) query.set('fp', details.pin.fingerprint);
  return `kashbox://pair?${query}`;
}

/** @returns the same as a command for a phone, or a computer, that has the agent. */
function pairingCommand(details: PairingDetails, code: string): string {
  const pin = details.pin === null ? '' : ` --fingerprint ${details.pin.fingerprint}`;
  return `kashbox-relay pair --url ${details.url} --code ${code}${pin}`;
}

/**
 * Two lines to paste into Termux, which make a phone a relay phone. The first line may download a program
 * from a server with an untrusted certificate, because curl checks the pinned key before it reads any data;
 * unlike the hash of a file, the pin stays valid when Kashbox is updated. The line names every package in
 * use, even curl: a fresh Termux has a curl that breaks when its libraries are updated.
 */
export function termuxLines(details: PairingDetails, code: string): [fetch: string, install: string] {
  const pin = details.pin === null ? '' : `-k --pinnedpubkey sha256//${details.pin.publicKey} `;
  const file = shellWord(`${details.url}/relay/kashbox-relay.mjs`);
  return [
    `pkg install -y curl nodejs-lts termux-api termux-services && curl -fO ${pin}${file}`,
    `node kashbox-relay.mjs install ${shellWord(pairingLink(details, code))}`,
  ];
}

/** Quotes a text if it contains a special character of the shell. The text contains no quote of its own. */
function shellWord(text: string): string {
  return /^[\w./:%@+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", '%27')}'`;
}

/** @param made keys and code that are shown this once. */
function deviceKeysSheet(made: EnrolledDevice, speak: Translate): string[] {
  const { device, device_key, gateway_key, pairing_code, pairing_expires_at } = made;
  return [
    ...formatKeyValues([
      [speak(msg`Device`), device.name],
      [speak(msg`Id`), device.id],
      [speak(msg`Device key`), device_key],
      [speak(msg`Gateway key`), gateway_key],
      [
        speak(msg`Pairing code`),
        speak(msg`${pairing_code}  (works once, until ${minute(pairing_expires_at)})`),
      ],
    ]),
    '',
    speak(msg`Keys and code are shown only once. The phone receives its keys when it pairs.`),
  ];
}

/**
 * Formats the pairing instructions. Text to copy is alone on its lines, which are never wrapped, and the
 * commands that most people need come last, next to the prompt.
 * @param coloured true if the output is a terminal.
 */
export async function pairingSheet(
  made: EnrolledDevice,
  details: PairingDetails,
  coloured: boolean,
  speak: Translate = translate,
): Promise<string[]> {
  const link = pairingLink(details, made.pairing_code);
  const [fetch, install] = termuxLines(details, made.pairing_code);
  return [
    ...deviceKeysSheet(made, speak),
    '',
    speak(msg`The code as a link, for a relay app that scans it:`),
    '',
    ...(await terminalQr(link, coloured)),
    '',
    speak(msg`If kashbox-relay is already installed:`),
    `  ${pairingCommand(details, made.pairing_code)}`,
    '',
    speak(msg`On an Android phone: install Termux, Termux:API and Termux:Boot from F-Droid,`),
    speak(msg`open Termux, paste the first line, wait until it is done, then paste the second:`),
    '',
    fetch,
    '',
    install,
  ];
}
