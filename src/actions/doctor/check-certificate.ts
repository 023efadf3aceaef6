/** The certificate with which the daemon will answer. */
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dhakaText } from '../../base/clock.js';
import type { Core } from '../core.js';
import { type Check, fail, ok, warn } from './check.js';

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;

export function checkCertificate(core: Core): Check {
  const chosen = core.settings.tlsCert;
  const file = chosen === '' ? join(core.home.tlsFolder, 'cert.pem') : chosen;
  if (!existsSync(file)) {
    return chosen === ''
      ? ok('certificate', 'the daemon makes a self-signed one at its first start')
      : fail('certificate', `${file} is not there`, 'Correct KASHBOX_TLS_CERT, or leave it empty.');
  }
  try {
    return judge(new X509Certificate(readFileSync(file)), core.clock.now(), chosen === '');
  } catch {
    return fail(
      'certificate',
      `${file} is no certificate`,
      'Give a PEM file that begins with BEGIN CERTIFICATE.',
    );
  }
}

function judge(certificate: X509Certificate, now: number, ours: boolean): Check {
  const ends = Date.parse(certificate.validTo);
  const message = `${ours ? 'self-signed, ' : ''}valid until ${dhakaText(ends).slice(0, 10)}`;
  const remedy = 'Renew it; a running daemon takes the new files on SIGHUP.';
  if (now >= ends) return fail('certificate', message.replace('valid', 'expired, was valid'), remedy);
  return ends - now < SOON_DAYS * DAY_MS ? warn('certificate', message, remedy) : ok('certificate', message);
}
