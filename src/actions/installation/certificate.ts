/**
 * The certificate of the HTTPS port: the operator's own files, or a self-signed one that is created once and
 * stored in the home folder. Phones pin it by its fingerprint, so it stays the same as long as possible: a
 * certificate in the folder is used, regardless of the one in the store. Daemons on one PostgreSQL share it
 * there.
 */
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { KashboxError } from '../../base/errors/errors.js';
import { syncFolder, writeDurably } from '../../base/io/durable-file.js';
import type { InstallationTable } from '../../store/schema/index.js';
import { installationFact, keepFact } from '../../store/tables/installation.js';
import type { Core } from '../core/core.js';
import { ifReadable } from '../core/sealing.js';

/** TLS versions and ciphers. Also needed by `setSecureContext`, which resets options that are not given. */
export function tlsOptions(files: TlsFiles): SecureContextOptions {
  return { cert: files.cert, key: files.key, minVersion: 'TLSv1.2' };
}

export interface Certificate extends TlsFiles {
  readonly selfSigned: boolean;
  /** True if the store's other daemons share a different certificate: this one's phones cannot call them. */
  readonly isAlone: boolean;
  /** SHA-256 of the certificate in hex, what a phone pins. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

const DAY_MS = 86_400_000;
/**
 * Ten years. A new certificate cuts off every phone that has pinned the old one, and nobody trusts this
 * one for its date: it is trusted by its fingerprint or not at all.
 */
const LIFE_MS = 3_650 * DAY_MS;
/** Time by which certificates are backdated, for phones and servers whose clocks are behind. */
const BACKDATED_MS = 2 * DAY_MS;

/**
 * Loads the files that the settings name, or the self-signed ones of the home folder, which are created if
 * they are missing or expired.
 * @param name additional host name of this machine; a new certificate includes it.
 * @throws KashboxError `config_invalid` if the files cannot be read or do not belong together
 */
export async function loadCertificate(core: Core, name?: string): Promise<Certificate> {
  const { tlsCert, tlsKey, domain } = core.settings;
  if (tlsCert === '' && tlsKey === '') return selfSigned(core, name);
  if (domain !== '') {
    throw new KashboxError('config_invalid', {
      message: 'A domain and certificate files are both set',
      hint: 'Leave out --domain to use your own files, or --tls-cert and --tls-key to obtain a certificate.',
    });
  }
  if (tlsCert === '' || tlsKey === '') {
    throw new KashboxError('config_invalid', {
      message: 'Certificate and key must be given together',
      hint: 'Give both --tls-cert and --tls-key, or neither.',
    });
  }
  return { ...loadPair(tlsCert, tlsKey), selfSigned: false, isAlone: false };
}

type Pair = Omit<Certificate, 'selfSigned' | 'isAlone'>;

function loadPair(certFile: string, keyFile: string): Pair {
  try {
    const files = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    // Throws where the key is of another certificate, before a server finds out in every handshake.
    createSecureContext(tlsOptions(files));
    const certificate = new X509Certificate(files.cert);
    return {
      ...files,
      fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      validUntil: Date.parse(certificate.validTo),
    };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unreadable';
    throw new KashboxError('config_invalid', {
      message: `The certificate ${certFile} and key ${keyFile} cannot be used: ${why}`,
      hint: 'Both must be PEM files that belong together; an encrypted key must be decrypted first.',
      cause,
    });
  }
}

async function selfSigned(core: Core, name: string | undefined): Promise<Certificate> {
  const folder = core.home.tlsFolder;
  const now = core.clock.now();
  const present = loadSelfSigned(folder, now);
  const used = present ?? (await installed(core, name));
  if (used === null) {
    throw new KashboxError('config_invalid', { message: `${folder} contains no certificate` });
  }
  const shared = await shareCertificate(core, used);
  return { ...used, selfSigned: true, isAlone: shared.cert !== used.cert };
}

/** Puts the certificate that all daemons share into the folder, or a new one. */
async function installed(core: Core, name: string | undefined): Promise<Pair | null> {
  const folder = core.home.tlsFolder;
  const files =
    (await sharedCertificate(core)) ?? (await shareCertificate(core, await makeFiles(core, name)));
  const now = core.clock.now();
  // Another daemon of this home may have been faster.
  const meanwhile = loadSelfSigned(folder, now);
  if (meanwhile !== null) return meanwhile;
  if (isThere(folder)) renameSync(folder, `${folder}.until-${new Date(now).toISOString().slice(0, 10)}`);
  return install(folder, files, now);
}

async function makeFiles(core: Core, name: string | undefined): Promise<TlsFiles> {
  const now = core.clock.now();
  // Loaded here because a daemon needs it once in its life, and it would hold 14 MiB ever after.
  const { default: selfsigned } = await import('selfsigned');
  const pems = await selfsigned.generate([{ name: 'commonName', value: 'kashbox' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - BACKDATED_MS),
    notAfterDate: new Date(now + LIFE_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: namesFor(core.settings.host, name).map(altName) },
    ],
  });
  return { cert: pems.cert, key: pems.private };
}

const filesOf = (folder: string) => [join(folder, 'cert.pem'), join(folder, 'key.pem')] as const;

const isThere = (folder: string) => filesOf(folder).every((file) => existsSync(file));

/** @returns null if there is no certificate, or if it has expired. */
function loadSelfSigned(folder: string, now: number): Pair | null {
  if (!isThere(folder)) return null;
  const [certFile, keyFile] = filesOf(folder);
  chmodSync(keyFile, 0o600);
  const pair = loadPair(certFile, keyFile);
  return pair.validUntil > now ? pair : null;
}

/** Renames a folder of complete files: daemons that start at the same time all read the same pair. */
function install(folder: string, files: TlsFiles, now: number): Pair | null {
  const draft = mkdtempSync(`${folder}.new-`);
  // On the disk before anybody sees it: a phone that has pinned a certificate must find it again.
  writeDurably(join(draft, 'key.pem'), files.key, 0o600);
  writeDurably(join(draft, 'cert.pem'), files.cert, 0o644);
  syncFolder(draft);
  try {
    renameSync(draft, folder);
  } catch {
    // It is there already: the other process has won.
    rmSync(draft, { recursive: true });
  }
  syncFolder(dirname(folder));
  return loadSelfSigned(folder, now);
}

/**
 * Every name under which a phone or a shop's server may call. All addresses of the machine are among them,
 * whatever the port is bound to when it is made: that may be changed later, and the certificate stays.
 */
function namesFor(host: string, name: string | undefined): string[] {
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  const bound = host === '0.0.0.0' || host === '::' ? [] : [host];
  const all = ['localhost', '127.0.0.1', '::1', ...bound, ...own, ...(name === undefined ? [] : [name])];
  return [...new Set(all)].filter((one) => !one.startsWith('fe80:'));
}

function altName(name: string) {
  return isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name };
}

/** Certificate and key, PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const FACT: InstallationTable['name'] = 'certificate';
const PURPOSE = 'installation:certificate';

/** @returns null where none is kept, where it has run out, or where it was sealed under another key file. */
export async function sharedCertificate(core: Core): Promise<TlsFiles | null> {
  if (core.store.engine === 'sqlite') return null;
  return usable(core, await keptText(core));
}

/**
 * Keeps a certificate for all daemons, unless a usable one is kept.
 * @returns the one that is kept afterwards: another daemon may have been faster
 * @throws KashboxError `store_unreachable` and others of the store
 */
async function shareCertificate(core: Core, files: TlsFiles): Promise<TlsFiles> {
  if (core.store.engine === 'sqlite' || core.keyProblem !== null) return files;
  const before = await keptText(core);
  const kept = usable(core, before);
  if (kept !== null) return kept;
  const value = core.secrets.seal(JSON.stringify({ cert: files.cert, key: files.key }), PURPOSE);
  await core.store.write((db) => keepFact(db, FACT, { before, value }));
  return usable(core, await keptText(core)) ?? files;
}

const keptText = (core: Core) => core.store.read((db) => installationFact(db, FACT));

function usable(core: Core, sealed: string | undefined): TlsFiles | null {
  if (sealed === undefined) return null;
  const text = ifReadable(() => core.secrets.open(sealed, PURPOSE));
  if (text === null) return null;
  const files = JSON.parse(text) as TlsFiles;
  return Date.parse(new X509Certificate(files.cert).validTo) > core.clock.now() ? files : null;
}
