/** The ledger of a running installation as members of a backup, from one moment, of either engine. */
import { createReadStream, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { TarMember } from '../../base/io/tar.js';
import { type LedgerFacts, type LedgerReader, ledgerTables } from '../../store/backup/ledger.js';
import type { CopyOptions } from '../../store/backup/sqlite-ledger.js';
import type { Core } from '../core/core.js';
import { rowsMember, SQLITE_LEDGER } from './manifest.js';

/** So much of a table is held in memory: a tar says how long a member is before the member begins. */
const MEMBER_BYTES = 1_048_576;

export interface LedgerSource {
  readonly facts: LedgerFacts;
  /** Of its members together; null where only reading them tells. */
  readonly bytes: number | null;
  members(): AsyncIterable<TarMember>;
  close(): Promise<void>;
}

/** @param draft a path for the copy of an SQLite ledger, on the disk that gets the backup. */
export async function openLedger(core: Core, draft: string, options: CopyOptions): Promise<LedgerSource> {
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
