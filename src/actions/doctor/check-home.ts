/**
 * The files of the installation: the home folder before anything opens or repairs it, the certificate, the
 * operator's own SMS formats, and the backups.
 */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../base/io/net-failure.js';
import { dhakaText } from '../../base/values/clock.js';
import { msg, type Text } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import { type AcmeProblem, daysLeft, explainProblem } from '../../domain/certificates/public-certificate.js';
import { type ListedAccount, listedAccounts } from '../../store/tables/accounts.js';
import { lastBackup, OLD_BACKUP_MS } from '../backup/last-backup.js';
import type { Core } from '../core/core.js';
import { loadFormatFiles } from '../core/load-sms-engine.js';
import { listDevices } from '../devices/device-view.js';
import { sharedCertificate } from '../installation/certificate.js';
import {
  loadAttempts,
  loadPublicCertificate,
  publishProbe,
  removeProbe,
} from '../installation/public-certificate.js';
import { listSources, type SourceView } from '../sms/trust-sources.js';
import { type Finding, fail, ok, warn } from './check.js';

const MIB = 1_048_576;
const LITTLE_MIB = 1_024;
const TOO_LITTLE_MIB = 100;

/** @param folder path of the home folder. */
export function checkHome(folder: string): Finding[] {
  if (!existsSync(folder)) {
    return [
      warn('home', msg`${folder} does not exist yet`, msg`The first command creates it: kashbox setup`),
    ];
  }
  return [checkFolder(folder), ...checkKeyFile(join(folder, 'secret.key')), checkDisk(folder)];
}

/** Permission bits that let others in; Windows has none of them. */
function openBits(path: string): number {
  return process.platform === 'win32' ? 0 : statSync(path).mode & 0o077;
}

function checkFolder(folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail('home', msg`${folder} cannot be read or written`, msg`Run as the user who owns it.`);
  }
  const bits = openBits(folder);
  if (bits === 0) return ok('home', folder);
  // Who may write there can put another store or key into its place.
  if ((bits & 0o022) !== 0) {
    return fail('home', msg`${folder} can be changed by other users of this machine`, `chmod 700 ${folder}`);
  }
  return warn('home', msg`${folder} is open to other users of this machine`, `chmod 700 ${folder}`);
}

function checkKeyFile(file: string): Finding[] {
  if (!existsSync(file)) return [];
  if (openBits(file) === 0) return [ok('key file', msg`only its owner can read it`)];
  return [fail('key file', msg`${file} can be read by other users of this machine`, `chmod 600 ${file}`)];
}

/**
 * Checks the permissions of the store's files, after opening it, which makes them private if possible.
 * @returns an empty list if all are private.
 */
export function checkStoreFiles(file: string): Finding[] {
  const paths = ['', '-wal', '-shm', '-journal'].map((end) => `${file}${end}`);
  const open = paths.filter((path) => existsSync(path) && openBits(path) !== 0);
  if (open.length === 0) return [];
  const message = msg`${open.join(', ')} can be read by other users: names, numbers and SMS of customers`;
  return [fail('store files', message, msg`As their owner: chmod 600 ${open.join(' ')}`)];
}

function checkDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const message = msg`${free} MiB free`;
  const remedy = msg`Free some disk space: without it Kashbox cannot record payments.`;
  if (free < TOO_LITTLE_MIB) return fail('disk', message, remedy);
  return free < LITTLE_MIB ? warn('disk', message, remedy) : ok('disk', message);
}

const CERTIFICATE = 'certificate';
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
      : msg`Correct KASHBOX_TLS_CERT and KASHBOX_TLS_KEY.`;
    return fail(CERTIFICATE, msg`${gone.join(' and ')} does not exist, so the daemon does not start`, remedy);
  }
  if (!isOurs && (cert === '' || key === '')) {
    const what = cert === '' ? msg`a key without its certificate` : msg`a certificate without its key`;
    return fail(
      CERTIFICATE,
      msg`the settings name ${what}`,
      msg`Set both KASHBOX_TLS_CERT and KASHBOX_TLS_KEY, or neither.`,
    );
  }
  const fault = faultOf(files);
  if (fault !== null) {
    const remedy = isOurs
      ? lostRemedy(folder, shared !== null)
      : msg`Use a matching pair of PEM files; the key must not be encrypted.`;
    return fail(CERTIFICATE, fault, remedy);
  }
  const text = readFileSync(files.cert, 'utf8');
  if (shared !== null && shared.cert !== text) return anotherCertificate(folder);
  return judgeCertificate(new X509Certificate(text), core.clock.now(), isOurs);
}

const anotherCertificate = (folder: string): Finding =>
  warn(
    CERTIFICATE,
    msg`self-signed and not the one shared in the store: phones that pinned it cannot connect to another daemon`,
    msg`To use the shared one: stop the daemon, mv ${folder} ${folder}.old, start the daemon, and pair the phones of this machine again.`,
  );

const lostRemedy = (folder: string, isKept: boolean): Text =>
  isKept
    ? msg`mv ${folder} ${folder}.old, then start the daemon: it uses the certificate shared in the store.`
    : msg`Restore ${folder} from a backup. If it is lost: mv ${folder} ${folder}.old, start the daemon, which creates a new one, and pair every phone again.`;

/** A new certificate cuts off every phone that has pinned the old one. */
async function noneYet(core: Core, isKept: boolean): Promise<Finding> {
  if (isKept) {
    return ok(CERTIFICATE, msg`the daemon uses the certificate shared in the store`);
  }
  const called = (await listDevices(core, {})).filter((phone) => phone.last_seen_at !== null);
  const seen = called.filter(({ state }) => state !== 'REVOKED');
  if (seen.length === 0) return ok(CERTIFICATE, msg`the daemon creates a self-signed one at its first start`);
  const phones = seen.length === 1 ? msg`1 phone has` : msg`${seen.length} phones have`;
  return warn(
    CERTIFICATE,
    msg`no certificate, but ${phones} connected before: phones that pinned the old one do not accept a new one`,
    msg`If the daemon created it, restore ${core.home.tlsFolder} from a backup before you start the daemon.`,
  );
}

/** @returns null where certificate and key can be used together. */
function faultOf(files: Files): Text | null {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(files.cert));
  } catch {
    return msg`${files.cert} is not a certificate`;
  }
  try {
    const fits = certificate.checkPrivateKey(createPrivateKey(readFileSync(files.key)));
    return fits ? null : msg`${files.key} is not the key of ${files.cert}`;
  } catch {
    return msg`${files.key} is not a readable key`;
  }
}

function judgeCertificate(certificate: X509Certificate, now: number, ours: boolean): Finding {
  const ends = Date.parse(certificate.validTo);
  const own: Text = ours ? msg`self-signed, ` : '';
  const day = dhakaText(ends).slice(0, 10);
  const message = msg`${own}valid until ${day}`;
  const remedy = msg`Renew it; a running daemon loads the new files on SIGHUP.`;
  if (now >= ends) return fail(CERTIFICATE, msg`${own}expired, was valid until ${day}`, remedy);
  return ends - now < SOON_DAYS * DAY_MS ? warn(CERTIFICATE, message, remedy) : ok(CERTIFICATE, message);
}

const DOMAIN = 'domain';
const PROBE_MS = 10_000;

/**
 * Checks the certificate for the setting `domain`, and calls port 80 of the domain as the authority does.
 * @param port of the domain, in place of 80.
 * @returns an empty list without a domain.
 */
export async function checkDomain(core: Core, port = 80): Promise<Finding[]> {
  const { domain } = core.settings;
  if (domain === '') return [];
  const now = core.clock.now();
  const [certificate, attempts] = [await loadPublicCertificate(core), await loadAttempts(core)];
  const left = certificate === null ? null : daysLeft(certificate.validUntil, now);
  const state: Text =
    left === null ? msg`no certificate for ${domain}` : msg`certificate for ${domain}, ${left} days left`;
  const seen = await probeDomain(core, port);
  const unreachable = seen === null ? null : explainProblem(seen, domain);
  const here: Text = unreachable === null ? '' : msg`; seen from this machine: ${unreachable.problem}`;
  if (attempts !== null && attempts.problem !== null) {
    const { problem, remedy } = explainProblem(attempts.problem, domain);
    const message = msg`${state}; the last attempt failed at ${dhakaText(attempts.at)}: ${problem}${here}`;
    const next = msg`The daemon tries again at ${dhakaText(attempts.nextAt)}, or immediately after SIGHUP (systemctl reload kashbox).`;
    return [(left === null ? fail : warn)(DOMAIN, message, msg`${remedy} ${next}`)];
  }
  if (left === null) {
    const remedy = unreachable?.remedy ?? msg`The daemon obtains it: kashbox daemon --domain ${domain}`;
    return [warn(DOMAIN, msg`the certificate for ${domain} was not obtained yet${here}`, remedy)];
  }
  return [unreachable === null ? ok(DOMAIN, state) : warn(DOMAIN, msg`${state}${here}`, unreachable.remedy)];
}

/** @returns why the authority could not verify the domain, as far as it can be seen from here; or null. */
async function probeDomain(core: Core, port: number): Promise<AcmeProblem | null> {
  const { domain } = core.settings;
  const token = Buffer.from(core.random(24)).toString('base64url');
  await publishProbe(core, token);
  try {
    const answer = await fetch(`http://${domain}:${port}/.well-known/acme-challenge/${token}`, {
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return (await answer.text()) === token ? null : { kind: 'wrong_server', detail: '' };
  } catch (error) {
    const isName = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(errorCode(error));
    return { kind: isName ? 'dns' : 'connection', detail: '' };
  } finally {
    await removeProbe(core);
  }
}

/** @returns an empty list if there are no such files. */
export function checkFormats({ home }: Pick<Core, 'home'>): Finding[] {
  const { formats, faults } = loadFormatFiles(home.formatsFolder);
  const remedy = msg`The daemon ignores this file. Correct it or move it out of ${home.formatsFolder}; then restart the daemon and run kashbox sms reparse.`;
  if (faults.length > 0) return faults.map(({ message }) => fail('SMS formats', message, remedy));
  return formats.length === 0 ? [] : [ok('SMS formats', msg`${formats.length} custom files`)];
}

/** Checks the operator's own senders. @returns an empty list without such senders, or if a file is faulty. */
export async function checkSenders(core: Core): Promise<Finding[]> {
  const { formats, faults } = loadFormatFiles(core.home.formatsFolder);
  if (faults.length > 0 || formats.every(({ source }) => source === undefined)) return [];
  const accounts = await core.store.read((db) => listedAccounts(db, null, false));
  return (await listSources(core)).flatMap((source) => {
    const { name, title, trust } = source;
    const own = accounts.filter(({ channel, test_of }) => channel === source.channel && test_of === null);
    const problem = accountProblem(source, own);
    const findings = problem === null ? [] : [warn(`sender ${title}`, problem.message, problem.remedy)];
    if (trust === 'lapsed') {
      const message = msg`its file has changed since you trusted it, so its texts need manual review`;
      findings.push(warn(`sender ${title}`, message, `kashbox sms trust ${name}`));
    }
    return findings.length > 0 ? findings : [ok(`sender ${title}`, msg`${source.read} texts read`)];
  });
}

/** @param own accounts on the channel of the source. */
function accountProblem(
  { channel, account }: Pick<SourceView, 'channel' | 'account'>,
  own: readonly Pick<ListedAccount, 'merchant_id' | 'number'>[],
): { readonly message: Text; readonly remedy: Text } | null {
  const remedy = msg`Correct "channel" and "account" in its file in the formats folder, or set the account: kashbox accounts set`;
  if (own.length === 0) return { message: msg`no account on ${channel} can receive its money`, remedy };
  if (account !== null) {
    const isKnown = own.some(({ number }) => number === account);
    return isKnown ? null : { message: msg`no account on ${channel} has the number ${account}`, remedy };
  }
  const numbers = Map.groupBy(own, ({ merchant_id }) => merchant_id);
  const isSeveral = [...numbers.values()].some((of) => new Set(of.map(({ number }) => number)).size > 1);
  if (!isSeveral) return null;
  return { message: msg`several accounts on ${channel}, and its file does not say which is its own`, remedy };
}

const MINUTE_MS = 60_000;
/** Remedy with a path in the home folder, which is writable; the current folder may not be. */
const remedyFor = ({ home }: Core) =>
  msg`Create one with kashbox backup ${quoted(join(home.folder, 'kashbox.backup'))} and move it to another machine. With KASHBOX_BACKUP_FOLDER the daemon creates one every night.`;

export async function checkLastBackup(core: Core): Promise<Finding[]> {
  return [await checkBackupAge(core), ...checkBackupFolder(core.settings.backupFolder)];
}

async function checkBackupAge(core: Core): Promise<Finding> {
  const last = await lastBackup(core);
  if (last === null)
    return warn('backup', msg`no backup since this store was created or restored`, remedyFor(core));
  const age = core.clock.now() - last.at;
  const said = msg`last backup ${dhakaText(last.at)}, ${last.file}`;
  // One of the future was noted by a wrong clock.
  return age > OLD_BACKUP_MS || age < -MINUTE_MS ? warn('backup', said, remedyFor(core)) : ok('backup', said);
}

function checkBackupFolder(folder: string): Finding[] {
  if (folder === '') return [];
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch {
    const remedy = msg`Create the folder, mount its disk, or make it writable for the daemon's user.`;
    return [warn('backup folder', msg`${folder} does not exist or is not writable`, remedy)];
  }
}
