/**
 * What an endpoint did, put into one of the outcomes and into words that its shop understands. Pure.
 */
import type { AttemptOutcome } from '../domain/notification.js';

export interface Verdict {
  readonly outcome: AttemptOutcome;
  readonly detail: string;
}

export interface Exchange {
  /** Null where no answer came. */
  readonly status: number | null;
  /** What ended it before its time; null for an answer that was read to its end, or as far as we read. */
  readonly failure: unknown;
  /** The deadline has passed. */
  readonly isLate: boolean;
  readonly deadlineMs: number;
}

/** Nothing but 200 with its whole body is a delivery (spec 6). */
export function verdictOf({ status, failure, isLate, deadlineMs }: Exchange): Verdict {
  if (status !== null && status !== 200) {
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return { outcome: 'refused', detail: `answered ${status}, 200 is required${redirect}` };
  }
  if (status === 200 && failure === null) return { outcome: 'delivered', detail: 'answered 200' };
  if (isLate) return { outcome: 'timeout', detail: lateText(status, deadlineMs) };
  const code = tlsCodeOf(failure) ?? codeOf(failure);
  if (status === 200 && code.startsWith('HPE_')) {
    return { outcome: 'refused', detail: 'answered 200, then broke the HTTP protocol' };
  }
  const verdict = failureVerdict(code);
  return status === null ? verdict : { ...verdict, detail: `answered 200, but ${verdict.detail}` };
}

function lateText(status: number | null, deadlineMs: number): string {
  const within = `within ${inSeconds(deadlineMs)}`;
  return status === null ? `no answer ${within}` : `answered ${status}, but not to its end ${within}`;
}

export function inSeconds(ms: number): string {
  return `${ms / 1_000} s`;
}

const TLS_WORDS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an authority that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by nobody known, or its chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is signed by nobody known, or its chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by nobody known, or its chain is incomplete',
  ERR_SSL_WRONG_VERSION_NUMBER: 'answered without TLS on an https address',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'answered without TLS on an https address',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'speaks no TLS 1.2 or later',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'speaks no TLS 1.2 or later',
};
const CONNECTION_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed before the answer was whole',
  EPIPE: 'the connection was closed before the answer was whole',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'no connection could be made',
};

function failureVerdict(code: string): Verdict {
  const connection = CONNECTION_WORDS[code];
  if (connection !== undefined) return { outcome: 'unreachable', detail: connection };
  const words = TLS_WORDS[code];
  if (words !== undefined) return { outcome: 'tls', detail: words };
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO)/.test(code))
    return { outcome: 'tls', detail: `TLS failed (${code})` };
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { outcome: 'refused', detail: 'answered with headers of more than 16 KiB' };
  }
  if (code.startsWith('HPE_'))
    return { outcome: 'refused', detail: 'answered with something that is not HTTP' };
  return { outcome: 'unreachable', detail: `the connection failed (${code})` };
}

/** Where Node gives the code EPROTO alone, what happened stands only in OpenSSL's words. */
function tlsCodeOf(failure: unknown): string | null {
  if (codeOf(failure) !== 'EPROTO') return null;
  const text = failure instanceof Error ? failure.message : '';
  if (/wrong version number|packet length too long/.test(text)) return 'ERR_SSL_WRONG_VERSION_NUMBER';
  return /protocol version|unsupported protocol/.test(text) ? 'ERR_SSL_UNSUPPORTED_PROTOCOL' : null;
}

/** @returns the first code along the causes: got and Node wrap what a socket says. */
export function codeOf(failure: unknown): string {
  for (let at = failure, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && !code.startsWith('ERR_GOT') && code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      return code;
    }
  }
  return 'unknown';
}

/**
 * @param header value of `Retry-After`, seconds or a date (RFC 9110, 10.2.3).
 * @param now milliseconds since the epoch.
 * @returns whole seconds from now, or null where nothing readable stands.
 */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Only the one form that is still written: Date.parse takes almost anything for a date.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}

const MAX_ANSWER_BYTES = 1_024;
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Commands of terminals, NUL, which PostgreSQL refuses, and what turns the direction of writing. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** @returns the beginning as one line that a database and a terminal can hold; null if nothing is left. */
export function answerText(bytes: Buffer): string | null {
  const text = new TextDecoder().decode(bytes).replace(LINE_ENDS, ' ').replace(UNSAFE, '').trim();
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES));
  return read === 0 ? null : text.slice(0, read);
}
