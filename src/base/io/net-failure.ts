/**
 * Describes why a connection failed or ended, in words that an operator understands. Pure. The text contains
 * no address and nothing that the other side sent.
 */

interface NetFailure {
  readonly kind: 'unreachable' | 'tls' | 'headers_too_large' | 'not_http';
  readonly detail: string;
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

/** @param failure what Node or got threw. */
export function describeNetFailure(failure: unknown): NetFailure {
  const code = tlsCodeOf(failure) ?? errorCode(failure);
  const connection = CONNECTION_WORDS[code];
  if (connection !== undefined) return { kind: 'unreachable', detail: connection };
  const words = TLS_WORDS[code];
  if (words !== undefined) return { kind: 'tls', detail: words };
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO)/.test(code)) return { kind: 'tls', detail: `TLS failed (${code})` };
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { kind: 'headers_too_large', detail: 'answered with headers of more than 16 KiB' };
  }
  if (code.startsWith('HPE_')) {
    return { kind: 'not_http', detail: 'answered with something that is not HTTP' };
  }
  return { kind: 'unreachable', detail: `the connection failed (${code})` };
}

/** Derives the code from OpenSSL's message, because Node gives only EPROTO. Null for other failures. */
function tlsCodeOf(failure: unknown): string | null {
  if (errorCode(failure) !== 'EPROTO') return null;
  const text = failure instanceof Error ? failure.message : '';
  if (/wrong version number|packet length too long/.test(text)) return 'ERR_SSL_WRONG_VERSION_NUMBER';
  return /protocol version|unsupported protocol/.test(text) ? 'ERR_SSL_UNSUPPORTED_PROTOCOL' : null;
}

/** @returns the first code along the causes: got and Node wrap what a socket says. */
export function errorCode(failure: unknown): string {
  for (let at = failure, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && !code.startsWith('ERR_GOT') && code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      return code;
    }
  }
  return 'unknown';
}
