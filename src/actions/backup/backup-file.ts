/**
 * The backup file: a tar archive, compressed, with checksums, and encrypted if there is a passphrase. Its
 * first member is the manifest; the names of the others are in docs/development/backup-format.md. Does not
 * know the content of the members.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { gunzipped, gzipped } from '../../base/io/checked-gzip.js';
import { SYNC_BYTES } from '../../base/io/durable-file.js';
import { decrypted, encrypted, HEADER_BYTES, isEncrypted } from '../../base/io/passphrase.js';
import { extractTar, packTar, type TarEntry, type TarMember } from '../../base/io/tar.js';
import { dhakaIso } from '../../base/values/clock.js';
import type { LedgerFacts } from '../../store/backup/ledger.js';
import { MIGRATIONS } from '../../store/migrate.js';
import type { Engine } from '../../store/schema/index.js';

const PRIVATE = 0o600;
const GZIP = Buffer.from([0x1f, 0x8b]);

interface WriteOptions {
  /** Passphrase of the file; null leaves it readable by anyone who has the file. */
  readonly passphrase: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** @param draft path that does not exist yet; after a failure the caller must remove the file. */
export async function writeBackupFile(
  draft: string,
  members: AsyncIterable<TarMember>,
  { passphrase, now, signal }: WriteOptions,
): Promise<void> {
  const packed = gzipped(packTar(summed(members), now));
  const chunks = passphrase === null ? packed : encrypted(packed, passphrase);
  const handle = await open(draft, 'wx', PRIVATE);
  try {
    let unsynced = 0;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      await handle.appendFile(chunk);
      unsynced += chunk.length;
      if (unsynced < SYNC_BYTES) continue;
      await handle.datasync();
      unsynced = 0;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Appends the checksums of all members as the last member. */
async function* summed(members: AsyncIterable<TarMember>): AsyncGenerator<TarMember> {
  let sums = '';
  for await (const { name, size, content } of members) {
    const hash = createHash('sha256');
    yield { name, size, content: hashing(content, hash) };
    sums += sumLine(hash.digest('hex'), name);
  }
  const text = Buffer.from(sums);
  yield { name: SUMS, size: text.length, content: [text] };
}

const sumLine = (digest: string, name: string) => `${digest}  ${name}\n`;

async function* hashing(
  content: TarMember['content'],
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

/** @throws KashboxError `invalid_input` if the file is not a backup or cannot be read; `backup_damaged` */
export async function isEncryptedBackup(file: string): Promise<boolean> {
  const beginning = await beginningOf(file);
  if (isEncrypted(beginning)) return true;
  if (beginning.subarray(0, GZIP.length).equals(GZIP)) return false;
  return refuse(
    `${file} is not a backup of Kashbox`,
    'Name a file that `kashbox backup` has created; if it is one, it is damaged.',
  );
}

async function beginningOf(file: string): Promise<Buffer> {
  try {
    const handle = await open(file);
    const { buffer, bytesRead } = await handle
      .read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
      .finally(() => handle.close());
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    return refuse(`${file} cannot be read`, 'Name an existing file that you can read.', cause);
  }
}

export interface ReadOptions {
  /** Null where none is known; not needed for a backup that is not encrypted. */
  readonly passphrase: string | null;
  readonly signal: AbortSignal;
  /** Reports the number of bytes of the file read so far. */
  onBytes(done: number, total: number): void;
}

/**
 * Reads a backup to its end, and compares every byte with its checksums.
 * @param take receives each member in turn; its results are valid only if this function succeeds.
 * @throws KashboxError `invalid_input`, `backup_damaged`, `passphrase_wrong`, and what `take` throws
 */
export async function readBackupFile(
  file: string,
  { passphrase, signal, onBytes }: ReadOptions,
  take: (entry: TarEntry) => Promise<void>,
): Promise<void> {
  const raw = counted(file, signal, onBytes);
  const chunks = (await isEncryptedBackup(file)) ? decrypted(raw, neededFor(file, passphrase)) : raw;
  let sums = '';
  let stated: string | null = null;
  for await (const entry of extractTar(gunzipped(chunks))) {
    if (stated !== null) throw new KashboxError('backup_damaged');
    if (entry.name === SUMS) stated = (await wholeEntry(entry)).toString('utf8');
    else {
      const hash = createHash('sha256');
      const content = hashing(entry.content, hash);
      await take({ ...entry, content });
      for await (const _passedOver of content);
      sums += sumLine(hash.digest('hex'), entry.name);
    }
  }
  if (stated !== sums) throw new KashboxError('backup_damaged');
}

function neededFor(file: string, passphrase: string | null): string {
  if (passphrase !== null) return passphrase;
  throw new KashboxError('passphrase_wrong', {
    message: `${file} is encrypted, and no passphrase was given`,
  });
}

async function* counted(
  file: string,
  signal: AbortSignal,
  onBytes: ReadOptions['onBytes'],
): AsyncGenerator<Buffer> {
  const total = statSync(file).size;
  let done = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    done += chunk.length;
    onBytes(done, total);
    yield chunk;
  }
}

/** Maximum size of a member read into memory; more than any member except the ledger as one file. */
const MAX_WHOLE_BYTES = 64 * 1_048_576;

/** @throws KashboxError `backup_damaged` for more than any such member has. */
export async function wholeEntry({ size, content }: TarEntry): Promise<Buffer> {
  if (size > MAX_WHOLE_BYTES) throw new KashboxError('backup_damaged');
  const pieces = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Rises when a Kashbox could not read what the next one writes. */
const FORMAT_VERSION = 1;
const FORMAT = 'kashbox-backup';

export const MANIFEST = 'manifest.json';
/** Last; in the form that the program sha256sum reads. */
const SUMS = 'SHA256SUMS';
export const SQLITE_LEDGER = 'kashbox.db';
const ROWS_MEMBER = /^ledger\/(\w+)\.\d{6}\.ndjson$/;
/** Names of all other members of a backup; none of them leads out of the home folder. */
const HOME_MEMBER = /^(secret\.key|kashbox\.json|tls\/[^/]+|formats\/[^/]+\.json)$/;

export interface Manifest extends LedgerFacts {
  /** Version of the Kashbox that made it. */
  readonly kashbox: string;
  readonly engine: Engine;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** The end of the audit chain just before, for `kashbox audit verify --expect`; null where none is. */
  readonly chainHead: string | null;
  /** Files of the home folder, by their paths in it. */
  readonly files: readonly string[];
}

export function manifestText(manifest: Manifest): string {
  const { kashbox, engine, madeAt, schemaVersion, payments, merchants, phones, chainHead, files } = manifest;
  const fields = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    kashbox,
    made_at: dhakaIso(madeAt),
    engine,
    schema_version: schemaVersion,
    payments,
    merchants,
    phones,
    ...(chainHead === null ? {} : { chain_head: chainHead }),
    files,
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** @throws KashboxError `store_newer`, `backup_damaged` */
export function parseManifest(text: string): Manifest {
  const fields = parsed(text);
  if (fields.format !== FORMAT) throw new KashboxError('backup_damaged');
  const made = String(fields.kashbox);
  if (Number(fields.format_version) > FORMAT_VERSION || Number(fields.schema_version) > MIGRATIONS.length) {
    throw new KashboxError('store_newer', {
      message: `The backup was created by Kashbox ${made}, which is newer than this one`,
    });
  }
  const manifest = {
    kashbox: made,
    engine: fields.engine === 'postgres' ? 'postgres' : 'sqlite',
    madeAt: Date.parse(String(fields.made_at)),
    schemaVersion: Number(fields.schema_version),
    payments: Number(fields.payments),
    merchants: Number(fields.merchants),
    phones: Number(fields.phones),
    chainHead: fields.chain_head === undefined ? null : String(fields.chain_head),
    files: Array.isArray(fields.files) ? fields.files.map(String) : [],
  } as const;
  // As it would have been written: nothing is missing and nothing is something else.
  if (manifestText(manifest) !== text) throw new KashboxError('backup_damaged');
  return manifest;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new KashboxError('backup_damaged', { cause });
  }
}

export function rowsMember(table: string, index: number): string {
  return `ledger/${table}.${String(index).padStart(6, '0')}.ndjson`;
}

/** Destination of a member: a file of the home folder, the ledger as a file, or rows of a table. */
type MemberPlace =
  | { readonly kind: 'file' }
  | { readonly kind: 'ledger' }
  | { readonly kind: 'rows'; readonly table: string };

/** @throws KashboxError `backup_damaged` for a name that no backup has. */
export function locateMember(name: string): MemberPlace {
  if (name === SQLITE_LEDGER) return { kind: 'ledger' };
  const table = ROWS_MEMBER.exec(name)?.[1];
  if (table !== undefined) return { kind: 'rows', table };
  if (HOME_MEMBER.test(name) && !/\/\.{1,2}$/.test(name)) return { kind: 'file' };
  throw new KashboxError('backup_damaged', { message: 'The backup contains an unexpected file' });
}
