/** One key and certificate for every server of a test process, so that one browser can know them all. */
import { createHash, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  /** SHA-256 of the public key in base64, by which Chromium is told to trust it. */
  readonly fingerprint: string;
}

let made: Promise<TlsPair> | undefined;

export function tlsPair(): Promise<TlsPair> {
  made ??= newTlsPair();
  return made;
}

/** A pair that nobody has seen before. */
export async function newTlsPair(): Promise<TlsPair> {
  const pems = await generate([{ name: 'commonName', value: 'kashbox tests' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const spki = new X509Certificate(pems.cert).publicKey.export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(spki).digest('base64');
  return { cert: pems.cert, key: pems.private, fingerprint };
}
