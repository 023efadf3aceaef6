/**
 * Checks all credits and audit entries against the hash chain (domain/audit-chain), page by page, so that
 * years of them take no more memory than a day. Changes nothing but to put newest rows into the chain before.
 *
 *   entries ──► rows as they were written?   rows ──► an entry for each?   payments ◄──► credits
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isKashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import {
  CHAINED_KINDS,
  type ChainEntry,
  type ChainHead,
  type ChainStart,
  entryFaults,
  headText,
  type Mark,
  NO_ENTRIES,
  readStart,
} from '../../domain/audit-chain/chain.js';
import type { Db } from '../../store/schema/index.js';
import {
  chainedOrNot,
  chainHash,
  chainHead,
  creditsInFull,
  creditsWithStatus,
  entriesAfter,
  paymentsWithCredit,
  type RowPage,
  rowsOf,
} from '../../store/tables/audit-chain.js';
import { installationFact } from '../../store/tables/installation.js';
import type { Core } from '../core/core.js';
import { ChainExtender, chainedUpTo, chainMark, REACH } from './extend-chain.js';
import { type AuditFinding, Faults, nameFaults } from './findings.js';
import { faultOfCredit } from './read-again.js';

const PAGE = 500;
/** Rounds of new entries before the check begins; a daemon that has years to go through is not raced. */
const ROUNDS_BEFORE = 100;

export interface VerifyOrder {
  /** The end of the chain as it was noted earlier. */
  readonly expected: ChainHead | null;
  /** Whether the text that each credit rests on is read again. */
  readonly isDeep?: boolean;
  readonly signal: AbortSignal;
  /** Told how many entries, rows and payments were looked at. */
  onRows(done: number, total: number | null): void;
}

export interface AuditVerified {
  readonly ok: boolean;
  /** Credits and audit entries that there are. */
  readonly rows: number;
  /** The newest entry of the chain: note it where nobody else can write. */
  readonly head: ChainHead;
  /** Rows that are so new that they are in no chain yet. */
  readonly pending: number;
  /** From when on rows are vouched for; null where all are. */
  readonly since: string | null;
  /** Rows from before, under a secret.key that was replaced: only whether they are there is checked. */
  readonly unchecked: number;
  /** How many things are wrong; of very many not all are in `findings`. */
  readonly found: number;
  readonly findings: readonly AuditFinding[];
}

/** @throws KashboxError `secret_unreadable` where the key file is not that of the store, `store_…` */
export async function verifyAudit(core: Core, order: VerifyOrder): Promise<AuditVerified> {
  const mark = chainMark(core);
  await bringUpToDate(core);
  const faults = new Faults();
  const check = new Check(core, order, mark, faults);
  const { head, start } = await check.chain();
  const { rows, pending } = await check.rows();
  await check.payments();
  if (order.isDeep === true) await check.credits();
  const findings = await core.store.read((db) => nameFaults(db, faults.kept));
  return {
    ok: faults.count === 0,
    rows,
    head,
    pending,
    since: start === null ? null : dhakaIso(start.at),
    unchecked: start?.after ?? 0,
    found: faults.count,
    findings,
  };
}

/** A store that takes no writes can be checked all the same. */
async function bringUpToDate(core: Core): Promise<void> {
  const extender = new ChainExtender(core);
  try {
    for (let left = ROUNDS_BEFORE; left > 0; left -= 1) {
      if ((await extender.round(REACH.far)).isOver) return;
    }
  } catch (error) {
    if (!isKashboxError(error)) throw error;
  }
}

class Check {
  private done = 0;

  constructor(
    private readonly core: Core,
    private readonly order: VerifyOrder,
    private readonly mark: Mark,
    private readonly faults: Faults,
  ) {}

  private async looked(count: number): Promise<void> {
    this.done += count;
    this.order.onRows(this.done, null);
    await nextTurn();
    this.order.signal.throwIfAborted();
  }

  /** Every entry, and the row that it stands for. */
  async chain(): Promise<{ readonly head: ChainHead; readonly start: ChainStart | null }> {
    const { store } = this.core;
    const [head, start] = await store.read(
      async (db) => [await chainHead(db), await this.start(db)] as const,
    );
    await store.read((db) => this.expectedEnd(db, head));
    let before = NO_ENTRIES;
    for (;;) {
      const page = await store.read((db) => entriesAfter(db, before.number, head.number, PAGE));
      const last = page.at(-1);
      if (last === undefined) return { head, start };
      const rows = await store.read((db) => rowsOfEntries(db, page));
      for (const entry of page) {
        this.judge(before, entry, rows.get(entry.rowId), entry.number <= (start?.after ?? 0));
        before = entry;
      }
      await this.looked(page.length);
    }
  }

  /** @param isOld whether it stands under a key that is gone. */
  private judge(before: ChainHead, entry: ChainEntry, row: object | undefined, isOld: boolean): void {
    for (const finding of entryFaults(this.mark, before, entry, row)) {
      if (finding === 'entries_missing') {
        this.faults.add({ finding, kind: 'chain', id: String(entry.number) });
      } else if (!isOld || finding === 'row_deleted') {
        this.faults.add({ finding, kind: entry.kind, id: entry.rowId });
      }
    }
  }

  private async start(db: Db): Promise<ChainStart | null> {
    const text = await installationFact(db, 'chain_start');
    if (text === undefined) return null;
    const start = readStart(this.mark, text);
    if (start === null) this.faults.add({ finding: 'start_changed', kind: 'chain', id: 'start' });
    return start;
  }

  private async expectedEnd(db: Db, head: ChainHead): Promise<void> {
    const { expected } = this.order;
    if (expected === null) return;
    if (expected.number <= head.number && (await chainHash(db, expected.number)) === expected.hash) return;
    this.faults.add({ finding: 'end_missing', kind: 'chain', id: headText(expected) });
  }

  /** Whether each row has an entry; the newest may lack it for a moment. */
  async rows(): Promise<{ readonly rows: number; readonly pending: number }> {
    let [rows, pending] = [0, 0];
    for (const kind of CHAINED_KINDS) {
      const now = this.core.clock.now();
      const chained = await this.core.store.read((db) => chainedUpTo(db, kind, now, REACH.far));
      for await (const page of this.pages((db, page) => chainedOrNot(db, kind, page))) {
        rows += page.length;
        for (const { id, number } of page) {
          if (number !== null) continue;
          if (id > chained) pending += 1;
          else this.faults.add({ finding: 'row_unknown', kind, id });
        }
      }
    }
    return { rows, pending };
  }

  /** A payment that is paid has its credit, and a credit its payment. */
  async payments(): Promise<void> {
    for await (const page of this.pages(paymentsWithCredit)) {
      for (const { id, status, credit } of page) {
        if (status !== 'COMPLETED' || credit !== null) continue;
        this.faults.add({ finding: 'credit_missing', kind: 'payment', id });
      }
    }
    for await (const page of this.pages(creditsWithStatus)) {
      for (const { id, status } of page) {
        if (status !== 'COMPLETED') this.faults.add({ finding: 'credit_unfounded', kind: 'credit', id });
      }
    }
  }

  /** Each credit has its audit entry, and what a rule has credited is what the stored text says. */
  async credits(): Promise<void> {
    const engine = await this.core.smsEngine();
    for await (const page of this.pages(creditsInFull)) {
      for (const credit of page) {
        const finding = faultOfCredit(engine, credit);
        if (finding !== null) this.faults.add({ finding, kind: 'credit', id: credit.id });
      }
    }
  }

  private async *pages<Row extends { readonly id: string }>(
    read: (db: Db, page: RowPage) => Promise<readonly Row[]>,
  ): AsyncGenerator<readonly Row[]> {
    for (let after = ''; ; ) {
      const page = await this.core.store.read((db) => read(db, { after, limit: PAGE }));
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      await this.looked(page.length);
      after = last.id;
    }
  }
}

async function rowsOfEntries(db: Db, entries: readonly ChainEntry[]): Promise<ReadonlyMap<string, object>> {
  const found = new Map<string, object>();
  for (const kind of CHAINED_KINDS) {
    const ids = entries.flatMap((entry) => (entry.kind === kind ? [entry.rowId] : []));
    if (ids.length === 0) continue;
    for (const row of await rowsOf(db, kind, ids)) found.set(row.id, row);
  }
  return found;
}
