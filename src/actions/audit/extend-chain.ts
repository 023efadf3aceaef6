/**
 * Adds new credits and audit entries to the hash chain (domain/audit-chain), shortly after they were written,
 * so that payments do not wait for it. Several processes may do it; one at a time wins.
 *
 * newest row in the chain, some time back ──► pages of identifiers ──► those without an entry ──► entries
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { createMark } from '../../base/io/secret.js';
import { firstRowId, rowIdTime } from '../../base/values/ids.js';
import {
  CHAINED_KINDS,
  type ChainedKind,
  type ChainHead,
  entriesBehind,
  type HmacFunction,
  NO_ENTRIES,
} from '../../domain/audit-chain/chain.js';
import type { Db } from '../../store/schema/index.js';
import {
  CHAINED,
  chainedOrNot,
  chainHash,
  chainHead,
  insertEntries,
  listChainedRows,
  newestChained,
} from '../../store/tables/audit-chain.js';
import type { Core } from '../core/core.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 100;
const PAGE = 1_000;

/**
 * Milliseconds before the newest entry in which rows are searched: a row has the time its database
 * transaction began, and others may be committed before it. Rows later than `far` are not from Kashbox.
 */
export const SCAN_WINDOWS_MS = { near: 60_000, far: 3_600_000 } as const;

/** Rounds that a command does at its end: the rest is for the daemon, or for the next command. */
const ROUNDS_AT_END = 5;

type ChainCore = Pick<Core, 'store' | 'clock' | 'secrets'>;

/** @throws KashboxError `secret_unreadable` if the key file does not belong to the store */
export function chainMark({ secrets }: Pick<Core, 'secrets'>): HmacFunction {
  return createMark(secrets.deriveKey('audit chain'));
}

/** @returns where rows without an entry can be: none that is ours is older. */
export async function chainedUpTo(db: Db, kind: ChainedKind, now: number, reachMs: number): Promise<string> {
  const newest = await newestChained(db, kind, now);
  if (newest === undefined) return '';
  const time = rowIdTime(newest);
  return time === null ? newest : firstRowId(CHAINED[kind].ids, time - reachMs);
}

interface ChainRound {
  /** Number of entries added. */
  readonly added: number;
  /** True if all existing rows are now in the chain. */
  readonly isOver: boolean;
}

/** Goes through the rows once and then begins again; and notices if what it has seen of the chain is gone. */
export class ChainExtender {
  private readonly mark: HmacFunction;
  /** The newest entry that it knows of. */
  head: ChainHead = NO_ENTRIES;
  private kindAt = 0;
  /** The last identifier that was looked at; null before the first of its kind. */
  private after: string | null = null;

  constructor(private readonly core: ChainCore) {
    this.mark = chainMark(core);
  }

  /**
   * Makes entries for some rows, if there are any without; looks no further than that.
   * @param reachMs one of `SCAN_WINDOWS_MS`.
   * @throws KashboxError `state_refused` where entries that it knows are gone or others, `store_…`
   */
  async round(reachMs: number): Promise<ChainRound> {
    this.head = await this.core.store.read((db) => keptOrFirst(db, this.head));
    for (;;) {
      const kind = CHAINED_KINDS[this.kindAt];
      if (kind === undefined) break;
      const ids = await this.unchained(kind, reachMs);
      if (ids.length > 0) {
        try {
          return { added: await this.enter(kind, ids), isOver: false };
        } catch (error) {
          if (!isKashboxError(error, 'already_exists')) throw error;
          // Another process was faster, and goes on with it.
          break;
        }
      }
      await nextTurn();
    }
    this.kindAt = 0;
    this.after = null;
    return { added: 0, isOver: true };
  }

  /** The next rows without an entry; none where this page has none. */
  private async unchained(kind: ChainedKind, reachMs: number): Promise<readonly string[]> {
    const { clock, store } = this.core;
    const from = this.after ?? (await store.read((db) => chainedUpTo(db, kind, clock.now(), reachMs)));
    const page = await store.read((db) => chainedOrNot(db, kind, { after: from, limit: PAGE }));
    const ids = page.flatMap(({ id, number }) => (number === null ? [id] : [])).slice(0, BATCH);
    this.after = ids.at(-1) ?? page.at(-1)?.id ?? from;
    if (ids.length === 0 && page.length < PAGE) {
      this.kindAt += 1;
      this.after = null;
    }
    return ids;
  }

  private async enter(kind: ChainedKind, ids: readonly string[]): Promise<number> {
    const made = await this.core.store.write(async (db) => {
      await keptOrFirst(db, this.head);
      const before = await chainHead(db);
      const rows = await listChainedRows(db, kind, ids);
      const inOrder = rows.toSorted((one, next) => (one.id < next.id ? -1 : 1));
      const entries = entriesBehind(
        this.mark,
        before,
        inOrder.map((row) => ({ kind, rowId: row.id, row })),
      );
      if (entries.length > 0) await insertEntries(db, entries);
      return { count: entries.length, head: entries.at(-1) ?? before };
    });
    this.head = made.head;
    return made.count;
  }
}

/**
 * Checks that the known end exists: anyone who removed it could add changed rows again as if new.
 * @returns the known entry, or the newest one if none is known.
 */
async function keptOrFirst(db: Db, known: ChainHead): Promise<ChainHead> {
  if (known.number === 0) return chainHead(db);
  if ((await chainHash(db, known.number)) === known.hash) return known;
  throw new KashboxError('state_refused', {
    message: `Entry ${known.number} of the audit chain is missing or changed: someone has modified the store`,
    hint: 'Find out what was changed: kashbox audit verify. Then start the daemon again.',
  });
}

/** Adds rows that a command may have written. A failure must not fail the command. */
export async function chainOwnRows(core: Core): Promise<void> {
  if (core.keyProblem !== null) return;
  try {
    const extender = new ChainExtender(core);
    for (let round = 0; round < ROUNDS_AT_END; round += 1) {
      if ((await extender.round(SCAN_WINDOWS_MS.near)).isOver) return;
    }
  } catch (error) {
    if (!isKashboxError(error)) throw error;
  }
}
