/** Determines which remote daemon to watch, and with which keys: from flags, environment or stdin. */
import { isIP } from 'node:net';
import { refuse } from '../../base/errors/refuse.js';
import { readWithLimit, wholeFile } from './whole-input.js';

/** Environment variable with the device keys, which keeps them out of the process list. */
const KEYS_VARIABLE = 'KASHBOX_DEVICE_KEYS';
const FILE_LIMIT = {
  maxBytes: 1_048_576,
  message: 'That is longer than 1 MiB',
  hint: 'Give the keys, or the certificate, and nothing else.',
};

export type RemoteInput = Awaited<ReturnType<typeof remoteInput>>;

export interface RemoteFlags {
  readonly url: string;
  readonly deviceKeys: string | undefined;
  readonly fingerprint: string | undefined;
  readonly ca: string | undefined;
}

/**
 * @returns url; SHA-256 of the certificate in hex and PEM of its authority, each null if not given; the keys,
 * comma-separated.
 * @throws KashboxError `invalid_input` with the reason
 */
export async function remoteInput(flags: RemoteFlags) {
  return {
    url: addressOf(flags.url),
    fingerprint: flags.fingerprint === undefined ? null : fingerprintOf(flags.fingerprint),
    ca: flags.ca === undefined ? null : (await wholeFile('ca', flags.ca, FILE_LIMIT)).toString('utf8'),
    deviceKeys: await keysOf(flags.deviceKeys),
  };
}

function addressOf(text: string): URL {
  const written = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  const isFit =
    url?.protocol === 'https:' && url.username === '' && url.search === '' && hasHost(url.hostname);
  if (url !== null && isFit) return url;
  refuse(`--url "${text}" is no https address`, 'Write it like https://pay.example.com:8443');
}

const hasHost = (host: string) => host !== '' && (isIP(host) !== 0 || /[a-z0-9]/i.test(host));

function fingerprintOf(text: string): string {
  const hex = text.replaceAll(':', '').trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex;
  refuse(
    '--fingerprint is no SHA-256',
    'It has 64 hexadecimal digits; the daemon logs it, and pairing shows it.',
  );
}

/** One a line or with commas between them. */
async function keysOf(flag: string | undefined): Promise<string> {
  const text =
    flag === '-'
      ? (await readWithLimit(process.stdin, FILE_LIMIT)).toString('utf8')
      : (flag ?? process.env[KEYS_VARIABLE] ?? '');
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  const isFit = keys.every((key) => /^[\x21-\x7e]+$/.test(key));
  if (keys.length > 0 && isFit) return keys.join(',');
  refuse(
    keys.length > 0 ? 'What was given is no device key' : 'There are no device keys',
    `Put them into ${KEYS_VARIABLE}, or pipe them in with --device-keys -`,
  );
}
