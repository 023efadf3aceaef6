/**
 * Writes the complete installation into one file while daemons run: a consistent snapshot of the ledger, and
 * the files of the home folder.
 */
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { KashboxError } from '../../base/errors/errors.js';
import { placeFailure, publish, refusePlace, temporaryPath } from '../../base/io/new-file.js';
import type { TarMember } from '../../base/io/tar.js';
import { dhakaIso } from '../../base/values/clock.js';
import { version } from '../../base/values/version.js';
import { headText } from '../../domain/audit-chain/chain.js';
import { type LedgerFacts, type LedgerReader, ledgerTables } from '../../store/backup/ledger.js';
import type { CopyOptions } from '../../store/backup/sqlite-ledger.js';
import type { Engine } from '../../store/schema/index.js';
import { chainHead } from '../../store/tables/audit-chain.js';
import type { Core } from '../core/core.js';
import {
  MANIFEST,
  type Manifest,
  manifestText,
  rowsMember,
  SQLITE_LEDGER,
  writeBackupFile,
} from './backup-file.js';
import { recordBackup } from './last-backup.js';

export interface BackupOrder {
  /** Path of the file that is made. */
  readonly file: string;
  /** True to replace an existing file. */
  readonly isOverwriting: boolean;
  /** Passphrase of the file; null leaves it readable by anyone who has the file. */
  readonly passphrase: string | null;
  readonly signal: AbortSignal;
  /** Reports the number of bytes done, and the total if it is known. */
  onBytes(done: number, total: number | null): void;
  /** @returns the bytes this user can write to the disk of a folder; default: the system's number. */
  readonly freeBytes?: (folder: string) => number;
}

/** Space that stays free on the disk of the store, because payments need it during the backup. */
const RESERVE_BYTES = 256 * 1_048_576;
/** Number of bytes after which the free space is checked again, because others write to the same disk. */
const LOOK_EVERY_BYTES = 8 * 1_048_576;
/** Age after which a draft is removed; longer than any backup, as another process may be making one. */
const DRAFT_LIFE_MS = 86_400_000;
/** Files left by a backup that was killed, named as new-file.ts and the SQLite copy name them. */
const DRAFT = /\.backup\.part-[0-9a-f]{12}(\.db(-journal)?)?$/;

export interface BackupMade {
  readonly file: string;
  readonly bytes: number;
  readonly encrypted: boolean;
  readonly engine: Engine;
  readonly made_at: string;
  readonly payments: number;
  readonly merchants: number;
  readonly phones: number;
  /** Value for `kashbox audit verify --expect`; null if the chain is empty. */
  readonly chain_head: string | null;
  readonly files: readonly string[];
  /** Notes for the operator: what the backup does not contain, or what was not recorded. */
  readonly notes: readonly string[];
}

/**
 * Makes a backup. The file gets its name only after it is complete and synced to disk.
 * @throws KashboxError `already_exists`, `invalid_input`, `store_full` if there is no room for it in addition
 * to the reserve, `store_unreachable`, `store_busy`
 */
export async function makeBackup(core: Core, order: BackupOrder): Promise<BackupMade> {
  const file = resolve(order.file);
  refusePlace(file, order.isOverwriting);
  const now = core.clock.now();
  removeOldDrafts(dirname(file), now);
  const look = roomFor(core, dirname(file), order.freeBytes);
  look(neededBytes(core));
  const { signal } = order;
  const onBytes = lookingOn(order.onBytes, look);
  const draft = temporaryPath(file, core.random);
  const copying = { signal, onBytes: (done: number, total: number) => onBytes(done, 2 * total) };
  try {
    // Before the ledger's own moment: the chain in it leads there, and perhaps further.
    const head = await core.store.read(chainHead);
    const ledger = await openLedger(core, `${draft}.db`, copying);
    try {
      const files = homeFiles(core.home.folder);
      const manifest: Manifest = {
        ...ledger.facts,
        kashbox: version(),
        engine: core.store.engine,
        madeAt: now,
        chainHead: head.number === 0 ? null : headText(head),
        files: files.map(({ name }) => name),
      };
      const members = counted(allMembers(manifest, files, ledger), ledger.bytes, onBytes);
      await writeBackupFile(draft, members, { ...order, now });
      publish(draft, file, order.isOverwriting);
      const { size: bytes } = statSync(file);
      const recorded = await recordBackup(core, { at: now, file });
      return madeOf(manifest, {
        file,
        bytes,
        encrypted: order.passphrase !== null,
        notes: [...notesOf(core), ...recorded],
      });
    } finally {
      await ledger.close();
    }
  } catch (error) {
    throw placeFailure(file, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @throws from what it returns: KashboxError `store_full` where that much does not fit */
function roomFor(core: Core, folder: string, freeBytes = freeOnDisk): (needed: number) => void {
  const isSameDisk = statSync(folder).dev === statSync(core.home.folder).dev;
  const reserve = isSameDisk ? RESERVE_BYTES : 0;
  return (needed) => {
    const free = freeBytes(folder);
    if (free >= needed + reserve) return;
    const kept = reserve === 0 ? '' : `, and ${mib(reserve)} stay free for payments`;
    throw new KashboxError('store_full', {
      message:
        `There is not enough space for a backup in ${folder}: ${mib(free)} are free, ${mib(needed)} ` +
        `are needed${kept}`,
      hint: 'Free some space, or use another disk. No partial file was left.',
    });
  };
}

const mib = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MiB`;

function freeOnDisk(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Estimates the space: SQLite's copy plus the backup, at most as large; 0 (unknown) for PostgreSQL. */
function neededBytes({ store, home }: Core): number {
  if (store.engine === 'postgres') return 0;
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return 2 * (sizeOf(home.storeFile) + sizeOf(`${home.storeFile}-wal`));
}

function lookingOn(onBytes: BackupOrder['onBytes'], look: (needed: number) => void): BackupOrder['onBytes'] {
  let lookedAt = 0;
  return (done, total) => {
    onBytes(done, total);
    if (done - lookedAt < LOOK_EVERY_BYTES) return;
    lookedAt = done;
    look(0);
  };
}

function removeOldDrafts(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter((name) => DRAFT.test(name))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - made > DRAFT_LIFE_MS) rmSync(join(folder, name), { force: true });
  }
}

async function* allMembers(
  manifest: Manifest,
  files: readonly HomeFile[],
  ledger: LedgerSource,
): AsyncGenerator<TarMember> {
  const text = Buffer.from(manifestText(manifest));
  yield { name: MANIFEST, size: text.length, content: [text] };
  for (const { name, bytes } of files) yield { name, size: bytes.length, content: [bytes] };
  yield* ledger.members();
}

/** An SQLite ledger is read twice, to be copied and to be packed. */
async function* counted(
  members: AsyncIterable<TarMember>,
  copied: number | null,
  onBytes: BackupOrder['onBytes'],
): AsyncGenerator<TarMember> {
  let done = copied ?? 0;
  const total = copied === null ? null : 2 * copied;
  for await (const { content, ...member } of members) {
    const noted = async function* () {
      for await (const piece of content) {
        done += piece.length;
        onBytes(done, total);
        yield piece;
      }
    };
    yield { ...member, content: noted() };
  }
}

function madeOf(
  { engine, madeAt, payments, merchants, phones, chainHead: chain_head, files }: Manifest,
  rest: Pick<BackupMade, 'file' | 'bytes' | 'encrypted' | 'notes'>,
): BackupMade {
  const { file, bytes, encrypted, notes } = rest;
  const made_at = dhakaIso(madeAt);
  return { file, bytes, encrypted, engine, made_at, payments, merchants, phones, chain_head, files, notes };
}

function notesOf({ keyProblem, settings }: Core): string[] {
  const notes: string[] = [];
  if (keyProblem !== null)
    notes.push(`The secrets in the backup cannot be decrypted with its key: ${keyProblem.message}.`);
  const { tlsCert, tlsKey } = settings;
  if (tlsCert !== '')
    notes.push(`The certificate is not in the backup: copy ${tlsCert} and ${tlsKey} yourself.`);
  return notes;
}

interface HomeFile {
  /** Path relative to the home folder. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Files of the home folder. Without `secret.key` no secret can be opened. */
const FILES = ['secret.key', 'kashbox.json'];

/** Reads the files at once: one that an operator edits is complete, in its old or new version. */
function homeFiles(folder: string): HomeFile[] {
  const tls = namesIn(join(folder, 'tls')).map((name) => `tls/${name}`);
  const formats = namesIn(join(folder, 'formats')).filter((name) => name.endsWith('.json'));
  const names = [...FILES, ...tls, ...formats.map((name) => `formats/${name}`)];
  return names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

/** Size of a table's member, kept in memory: tar needs the length of a member before its content. */
const MEMBER_BYTES = 1_048_576;

interface LedgerSource {
  readonly facts: LedgerFacts;
  /** Total size of the members; null if it is unknown until they are read. */
  readonly bytes: number | null;
  members(): AsyncIterable<TarMember>;
  close(): Promise<void>;
}

/** @param draft a path for the copy of an SQLite ledger, on the disk that gets the backup. */
async function openLedger(core: Core, draft: string, options: CopyOptions): Promise<LedgerSource> {
  if (core.store.engine === 'postgres') {
    const { openPostgresSnapshot } = await import('../../store/backup/postgres-ledger.js');
    const snapshot = await openPostgresSnapshot(core.settings.databaseUrl);
    return {
      facts: snapshot.facts,
      bytes: null,
      members: () => rowMembers(snapshot),
      close: () => snapshot.close(),
    };
  }
  const { copySqlite } = await import('../../store/backup/sqlite-ledger.js');
  const close = async () => {
    // A large file takes a while to remove.
    for (const end of ['', '-journal']) await rm(`${draft}${end}`, { force: true });
  };
  try {
    const facts = await copySqlite(core.home.storeFile, draft, options);
    return { facts, bytes: statSync(draft).size, members: () => fileMember(draft), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* fileMember(copy: string): AsyncGenerator<TarMember> {
  yield {
    name: SQLITE_LEDGER,
    size: statSync(copy).size,
    content: createReadStream(copy) as AsyncIterable<Buffer>,
  };
}

async function* rowMembers(snapshot: LedgerReader): AsyncGenerator<TarMember> {
  for (const table of ledgerTables(snapshot.facts.schemaVersion)) {
    let index = 0;
    for await (const bytes of portions(snapshot.rows(table))) {
      index += 1;
      yield { name: rowsMember(table, index), size: bytes.length, content: [bytes] };
    }
  }
}

/** Lines of JSON, as many together as make a member. */
async function* portions(pages: AsyncIterable<readonly string[]>): AsyncGenerator<Buffer> {
  let lines: Buffer[] = [];
  let size = 0;
  for await (const rows of pages) {
    const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(''));
    lines.push(bytes);
    size += bytes.length;
    if (size < MEMBER_BYTES) continue;
    yield Buffer.concat(lines);
    [lines, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(lines);
}
