/** The certificate with which the daemon will answer, and whether it can: without its key it does not. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dhakaText } from '../../base/values/clock.js';
import { say, type Text } from '../../base/values/say.js';
import type { Core } from '../core/core.js';
import { listDevices } from '../devices/device-view.js';
import { sharedCertificate } from '../installation/shared-certificate.js';
import { type Finding, fail, ok, warn } from './check.js';

const NAME = 'certificate';
const DAY_MS = 86_400_000;
const SOON_DAYS = 21;

interface Files {
  readonly cert: string;
  readonly key: string;
}

export async function checkCertificate(core: Core): Promise<Finding> {
  const { tlsCert: cert, tlsKey: key } = core.settings;
  const isOurs = cert === '' && key === '';
  const folder = core.home.tlsFolder;
  const shared = isOurs ? await sharedCertificate(core) : null;
  const files = isOurs ? { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') } : { cert, key };
  const gone = Object.values(files).filter((file) => file !== '' && !existsSync(file));
  if (isOurs && gone.length === 2) return noneYet(core, shared !== null);
  if (gone.length > 0) {
    const remedy = isOurs
      ? lostRemedy(folder, shared !== null)
      : say`Correct KASHBOX_TLS_CERT and KASHBOX_TLS_KEY.`;
    return fail(NAME, say`${gone.join(' and ')} is not there, so the daemon does not start`, remedy);
  }
  if (!isOurs && (cert === '' || key === '')) {
    const what = cert === '' ? say`a key without its certificate` : say`a certificate without its key`;
    return fail(
      NAME,
      say`the settings name ${what}`,
      say`Set both KASHBOX_TLS_CERT and KASHBOX_TLS_KEY, or neither.`,
    );
  }
  const fault = faultOf(files);
  if (fault !== null) {
    const remedy = isOurs
      ? lostRemedy(folder, shared !== null)
      : say`Give two PEM files that belong together; the key not encrypted.`;
    return fail(NAME, fault, remedy);
  }
  const text = readFileSync(files.cert, 'utf8');
  if (shared !== null && shared.cert !== text) return another(folder);
  return judge(new X509Certificate(text), core.clock.now(), isOurs);
}

const another = (folder: string): Finding =>
  warn(
    NAME,
    say`self-signed, and not the one that the store keeps for all daemons: phones that have pinned it cannot call another daemon`,
    say`To share that one: stop the daemon, mv ${folder} ${folder}.old, start the daemon, and pair the phones of this machine again.`,
  );

const lostRemedy = (folder: string, isKept: boolean): Text =>
  isKept
    ? say`mv ${folder} ${folder}.old, then start the daemon: it takes the certificate that the store keeps for all daemons.`
    : say`Put ${folder} back from a backup. If it is lost: mv ${folder} ${folder}.old, then start the daemon, which makes a new one, and pair every phone again.`;

/** A new certificate cuts off every phone that has pinned the old one. */
async function noneYet(core: Core, isKept: boolean): Promise<Finding> {
  if (isKept) {
    return ok(NAME, say`the daemon takes the one that the store keeps for all daemons at its first start`);
  }
  const called = (await listDevices(core, {})).filter((phone) => phone.last_seen_at !== null);
  const seen = called.filter(({ state }) => state !== 'REVOKED');
  if (seen.length === 0) return ok(NAME, say`the daemon makes a self-signed one at its first start`);
  const phones = seen.length === 1 ? say`1 phone has` : say`${seen.length} phones have`;
  return warn(
    NAME,
    say`there is none, and ${phones} called before: those that have pinned it do not talk to a new one`,
    say`If the daemon had made it, put ${core.home.tlsFolder} back from a backup before you start the daemon.`,
  );
}

/** @returns null where certificate and key can be used together. */
function faultOf(files: Files): Text | null {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(files.cert));
  } catch {
    return say`${files.cert} is no certificate`;
  }
  try {
    const fits = certificate.checkPrivateKey(createPrivateKey(readFileSync(files.key)));
    return fits ? null : say`${files.key} is not the key of ${files.cert}`;
  } catch {
    return say`${files.key} is no key that can be read`;
  }
}

function judge(certificate: X509Certificate, now: number, ours: boolean): Finding {
  const ends = Date.parse(certificate.validTo);
  const own: Text = ours ? say`self-signed, ` : '';
  const day = dhakaText(ends).slice(0, 10);
  const message = say`${own}valid until ${day}`;
  const remedy = say`Renew it; a running daemon takes the new files on SIGHUP.`;
  if (now >= ends) return fail(NAME, say`${own}expired, was valid until ${day}`, remedy);
  return ends - now < SOON_DAYS * DAY_MS ? warn(NAME, message, remedy) : ok(NAME, message);
}
