/** What a phone needs for pairing: our address, the code and, for our own certificate, its fingerprint. */
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../../actions/core/core.js';
import type { EnrolledDevice } from '../../actions/devices/enroll-device.js';
import { minute } from '../../base/values/clock.js';
import { type Speak, say, spoken, type Text } from '../../base/values/say.js';
import { quoted } from '../../base/values/text.js';
import {
  boundAddress,
  hostOf,
  httpsBase,
  isBareAddress,
  isLoopback,
  reachableAddress,
} from '../input/daemon-address.js';
import { terminalQr } from '../text/qr.js';
import { sheet } from '../text/table.js';

interface Pin {
  /** SHA-256 of the certificate in hex. */
  readonly fingerprint: string;
  /** SHA-256 of its public key in base64: what curl can pin. */
  readonly publicKey: string;
}

export interface PairingDetails {
  /** https address of the daemon as the phone sees it. */
  readonly url: string;
  /** What proves our self-signed certificate; null for one that a phone checks by itself. */
  readonly pin: Pin | null;
  /** What the operator should know before the phone tries. */
  readonly warnings: readonly Text[];
}

/** Behind a proxy phones meet the proxy's certificate; our own port is still ours. */
function isProxys(core: Core, url: string): boolean {
  const { trustProxy, port } = core.settings;
  return trustProxy.length > 0 && Number(new URL(url).port || 443) !== port;
}

/**
 * Where there is no certificate yet the daemon makes one at its first start, and a code that was made before
 * could not name it: so it is made now, or taken from the store that machines share. Not under a name, for
 * which there are real ones.
 */
async function makeCertificate(core: Core, url: string): Promise<void> {
  if (core.settings.tlsCert !== '' || isProxys(core, url) || !isBareAddress(url)) return;
  if (existsSync(certificateFile(core))) return;
  const { loadCertificate } = await import('../../actions/installation/certificate.js');
  await loadCertificate(core, hostOf(url));
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
 * @param given https address that the operator named, if any.
 * @param device name of the phone.
 * @throws KashboxError `invalid_input` if the address is none.
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
      say`Only programs on this machine find that address, and no phone does. Start the daemon with --host 0.0.0.0, and make a code with its address: ${newCodeCommand(device, near)}`,
    );
  }
  // Nobody has said yet where the daemon will be found.
  if (given !== undefined) await makeCertificate(core, url);
  if (isProxys(core, url)) return { url, pin: null, warnings };
  const pin = ownPin(core);
  if (pin === null && core.settings.tlsCert === '') {
    warnings.push(
      say`The daemon has no certificate yet. If it makes one for itself at its first start, the phone needs a code that names it: ${newCodeCommand(device, url)}`,
    );
  }
  return { url, pin, warnings };
}

/** Behind the port that the operator has named, which may be one that leads to the daemon's own. */
function nearAddress(core: Core, given: string | undefined): string | null {
  const near = reachableAddress(core);
  if (near === null || given === undefined) return near;
  const url = new URL(near);
  url.port = new URL(httpsBase(given)).port;
  return url.href.replace(/\/+$/, '');
}

/** What makes a new code for a phone, with the same address in it. */
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
 * What a phone is made a relay phone with: two lines for Termux, to be pasted whole. The first may fetch a
 * program from a server that no authority vouches for, because the pinned key is checked before a byte of it
 * is taken; unlike the hash of a file it stays true when Kashbox is updated. Each package is named that is
 * used, curl too: a fresh Termux has one that breaks when the libraries under it are renewed.
 */
export function termuxLines(details: PairingDetails, code: string): [fetch: string, install: string] {
  const pin = details.pin === null ? '' : `-k --pinnedpubkey sha256//${details.pin.publicKey} `;
  const file = shellWord(`${details.url}/relay/kashbox-relay.mjs`);
  return [
    `pkg install -y curl nodejs-lts termux-api termux-services && curl -fO ${pin}${file}`,
    `node kashbox-relay.mjs install ${shellWord(pairingLink(details, code))}`,
  ];
}

/** What a shell would read anything into stands in quotes; neither address nor link has one of its own. */
function shellWord(text: string): string {
  return /^[\w./:%@+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", '%27')}'`;
}

/** @param made keys and code that are shown this once. */
function deviceKeysSheet(made: EnrolledDevice, speak: Speak): string[] {
  const { device, device_key, gateway_key, pairing_code, pairing_expires_at } = made;
  return [
    ...sheet([
      [speak(say`Device`), device.name],
      [speak(say`Id`), device.id],
      [speak(say`Device key`), device_key],
      [speak(say`Gateway key`), gateway_key],
      [
        speak(say`Pairing code`),
        speak(say`${pairing_code}  (works once, until ${minute(pairing_expires_at)})`),
      ],
    ]),
    '',
    speak(say`Keys and code are shown only now. The phone gets its keys by pairing.`),
  ];
}

/**
 * People who pair a phone copy from here, so what is to be copied stands alone in lines that we never break,
 * and what most people need stands last, right above their prompt.
 * @param coloured whether the output is a terminal.
 */
export async function pairingSheet(
  made: EnrolledDevice,
  details: PairingDetails,
  coloured: boolean,
  speak: Speak = spoken,
): Promise<string[]> {
  const link = pairingLink(details, made.pairing_code);
  const [fetch, install] = termuxLines(details, made.pairing_code);
  return [
    ...deviceKeysSheet(made, speak),
    '',
    speak(say`The code as a link, for a relay app that scans it:`),
    '',
    ...(await terminalQr(link, coloured)),
    '',
    speak(say`Where kashbox-relay is there already:`),
    `  ${pairingCommand(details, made.pairing_code)}`,
    '',
    speak(say`On an Android phone: install Termux, Termux:API and Termux:Boot from F-Droid,`),
    speak(say`open Termux, paste the first line, wait until it is done, then paste the second:`),
    '',
    fetch,
    '',
    install,
  ];
}
