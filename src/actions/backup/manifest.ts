/** What a backup says of itself, in its first member, and the names of the others (backup-format.md). */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import type { LedgerFacts } from '../../store/backup/ledger.js';
import { MIGRATIONS } from '../../store/migrate.js';
import type { Engine } from '../../store/schema/index.js';

/** Rises when a Kashbox could not read what the next one writes. */
const FORMAT_VERSION = 1;
const FORMAT = 'kashbox-backup';

export const MANIFEST = 'manifest.json';
/** Last; in the form that the program sha256sum reads. */
export const SUMS = 'SHA256SUMS';
export const SQLITE_LEDGER = 'kashbox.db';
const ROWS_MEMBER = /^ledger\/(\w+)\.\d{6}\.ndjson$/;
/** Everything else that may stand in a backup; nothing of it leads out of the home folder. */
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
export function readManifest(text: string): Manifest {
  const fields = parsed(text);
  if (fields.format !== FORMAT) throw new KashboxError('backup_damaged');
  const made = String(fields.kashbox);
  if (Number(fields.format_version) > FORMAT_VERSION || Number(fields.schema_version) > MIGRATIONS.length) {
    throw new KashboxError('store_newer', {
      message: `The backup was made by Kashbox ${made}, which is newer than this one`,
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

/** Where a member belongs: a file of the home folder, the ledger as a file, or rows of a table. */
export type Place =
  | { readonly kind: 'file' }
  | { readonly kind: 'ledger' }
  | { readonly kind: 'rows'; readonly table: string };

/** @throws KashboxError `backup_damaged` for a name that no backup has. */
export function placeOf(name: string): Place {
  if (name === SQLITE_LEDGER) return { kind: 'ledger' };
  const table = ROWS_MEMBER.exec(name)?.[1];
  if (table !== undefined) return { kind: 'rows', table };
  if (HOME_MEMBER.test(name) && !/\/\.{1,2}$/.test(name)) return { kind: 'file' };
  throw new KashboxError('backup_damaged', { message: 'The backup holds a file that no backup has' });
}
