/** Parses pairing input and the server's answer. Pure. */
import { RelayError } from './errors.js';
import type { HttpReply } from './ports.js';
import { asObject, either, type Infer, isText, oneOf, shape } from './shape.js';
import { isRefusal, parseFields, refusalText, shortText } from './sync/server-answer.js';

/** Method by which the server proves its identity. */
export const isTrust = either(
  /** Trusts the certificate authorities of the system. */
  shape({ kind: oneOf('system') }),
  /** Trusts these certificate authorities, PEM. */
  shape({ kind: oneOf('ca'), pem: isText }),
  /** Trusts only the certificate with this SHA-256, 64 lower-case hex digits. */
  shape({ kind: oneOf('pin'), sha256: isText }),
);
export type Trust = Infer<typeof isTrust>;

export interface PairingInput {
  /** https, without a slash at the end. */
  readonly url: string;
  readonly code: string;
  readonly sha256: string | null;
}

interface PairedDevice {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceKey: string;
}

/** Reads the text of the QR code: `kashbox://pair?url=…&code=…&fp=…` (fp may be absent). */
export function parsePairingLink(text: string): PairingInput {
  const link = URL.canParse(text) ? new URL(text) : undefined;
  if (link?.protocol !== 'kashbox:' || link.host !== 'pair') {
    throw new RelayError(
      'invalid_input',
      'This is not a pairing link; it looks like kashbox://pair?url=…&code=…',
    );
  }
  const { url, code, fp } = Object.fromEntries(link.searchParams) as Record<string, string | undefined>;
  if (url === undefined || code === undefined) {
    throw new RelayError('invalid_input', 'The pairing link lacks url or code; copy it whole, in quotes');
  }
  return checkPairing(url, code, fp);
}

/** Judges the parts as they were given one by one. Throws `invalid_input`. */
export function checkPairing(url: string, code: string, fingerprint: string | undefined): PairingInput {
  const sha256 = fingerprint === undefined ? null : normaliseFingerprint(fingerprint);
  const trimmed = code.trim().toUpperCase();
  if (!/^[A-Z0-9-]{4,64}$/.test(trimmed)) {
    throw new RelayError('invalid_input', 'The pairing code is letters and digits, for example ABCD-EFGH');
  }
  return { url: normaliseUrl(url), code: trimmed, sha256 };
}

function normaliseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new RelayError('invalid_input', 'The address is not a URL, for example https://192.168.0.5:8443');
  if (url.protocol !== 'https:')
    throw new RelayError('invalid_input', 'The address must begin with https://');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new RelayError('invalid_input', 'The address must not hold a user, a query or a fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function normaliseFingerprint(text: string): string {
  const hex = text.replace(/[:\s]/g, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    throw new RelayError('invalid_input', 'The fingerprint must be a SHA-256: 64 hex digits, colons allowed');
  }
  return hex;
}

/** Parses the answer to a pairing request. Its errors are written for users and never contain the key. */
export function parsePairingReply(reply: HttpReply): PairedDevice {
  switch (reply.kind) {
    case 'unreachable':
      throw new RelayError('unreachable', `The server cannot be reached (${reply.reason})`);
    case 'untrusted':
      throw new RelayError('untrusted_server', undefined, new Error(reply.reason));
    case 'too_long':
      throw new RelayError('server_error', 'The answer of the server is too long');
    case 'answered':
      return parsePairingBody(reply.status, reply.body);
    default:
      return reply satisfies never;
  }
}

function parsePairingBody(status: number, body: string): PairedDevice {
  const parsed = parseFields(body);
  if (status === 401 && isRefusal(parsed)) throw new RelayError('pairing_refused');
  if (status !== 200 || parsed.status !== true) {
    throw new RelayError('server_error', `The server could not pair (${refusalText(parsed, status)})`);
  }
  const { id, name } = asObject(parsed.device);
  const [deviceId, deviceName] = [shortText(id), shortText(name)];
  const deviceKey = parsed.device_key;
  // A key goes into a header: anything else than visible ASCII could smuggle a second header in.
  const isKey = typeof deviceKey === 'string' && /^[!-~]{8,256}$/.test(deviceKey);
  if (deviceId === undefined || deviceName === undefined || !isKey) {
    throw new RelayError('server_error', 'The answer of the server lacks the device or its key');
  }
  return { deviceId, deviceName, deviceKey };
}
