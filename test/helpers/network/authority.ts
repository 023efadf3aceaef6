/** An authority of the tests' own that signs certificates, for processes that are told to trust it. */
import { generate } from 'selfsigned';

export interface Pair {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWish {
  readonly names?: readonly string[];
  readonly ips?: readonly string[];
  readonly isExpired?: boolean;
}

const DAY_MS = 86_400_000;
const KIND = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Its certificate is for `NODE_EXTRA_CA_CERTS`. */
export async function newAuthority(name = 'kashbox tests'): Promise<Pair> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...KIND,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

/** @param authority null signs the certificate with its own key. */
export async function issue(authority: Pair | null, wish: CertificateWish): Promise<Pair> {
  const { names = [], ips = [], isExpired = false } = wish;
  const now = Date.now();
  const made = await generate([{ name: 'commonName', value: names[0] ?? ips[0] ?? 'nobody' }], {
    ...KIND,
    notBeforeDate: new Date(now - 10 * DAY_MS),
    notAfterDate: new Date(isExpired ? now - DAY_MS : now + DAY_MS),
    ...(authority === null ? {} : { ca: authority }),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...ips.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { cert: made.cert, key: made.private };
}
