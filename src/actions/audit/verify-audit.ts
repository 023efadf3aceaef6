/**
 * Checks all credits and audit entries against the hash chain (domain/audit-chain), and credits against
 * what they rest on, page by page, so that years of them take no more memory than a day. Changes nothing
 * but to put newest rows into the chain before.
 *
 *   entries ──► rows as they were written?   rows ──► an entry for each?   payments ◄──► credits
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isKashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { parseSms, type SmsEngine } from '../../channels/mfs/index.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import {
  CHAINED_KINDS,
  type ChainEntry,
  type ChainHead,
  type ChainStart,
  entryFaults,
  type HmacFunction,
  headText,
  NO_ENTRIES,
  parseChainStart,
} from '../../domain/audit-chain/chain.js';
import type { AuditTable, Db, RefundTable } from '../../store/schema/index.js';
import {
  type CompletedRefund,
  type CreditInFull,
  chainedOrNot,
  chainHash,
  chainHead,
  completedRefunds,
  creditsInFull,
  creditsWithStatus,
  entriesAfter,
  listChainedRows,
  paymentsWithCredits,
  REFUND_COMPLETED,
  type RowPage,
  refundsById,
} from '../../store/tables/audit-chain.js';
import { installationFact } from '../../store/tables/installation.js';
import type { Core } from '../core/core.js';
import { idPages } from '../input/pages.js';
import { type AuditFinding, FaultCollector, type FindingKind, nameFaults } from './audit-findings.js';
import { ChainExtender, chainedUpTo, chainMark, SCAN_WINDOWS_MS } from './extend-chain.js';

const PAGE = 500;
/** Rounds of new entries before the check begins; a daemon that has years to go through is not raced. */
const ROUNDS_BEFORE = 100;

export interface VerifyOrder {
  /** The end of the chain as it was noted earlier. */
  readonly expected: ChainHead | null;
  /** True to parse the text behind each credit again. */
  readonly isDeep?: boolean;
  readonly signal: AbortSignal;
  /** Reports the number of entries, rows and payments checked so far. */
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
  /** Start of the period for which rows are verified, ISO 8601; null if all are. */
  readonly since: string | null;
  /** Rows from before, under a secret.key that was replaced: only whether they are there is checked. */
  readonly unchecked: number;
  /** Number of faults; `findings` contains up to 1,000 of them. */
  readonly found: number;
  readonly findings: readonly AuditFinding[];
}

/** @throws KashboxError `secret_unreadable` if the key file does not belong to the store, `store_…` */
export async function verifyAudit(core: Core, order: VerifyOrder): Promise<AuditVerified> {
  const mark = chainMark(core);
  await bringUpToDate(core);
  const faults = new FaultCollector();
  const check = new Check(core, order, mark, faults);
  const { head, start } = await check.chain();
  const { rows, pending } = await check.rows();
  await check.payments();
  await check.refunds(order.isDeep === true);
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
      if ((await extender.round(SCAN_WINDOWS_MS.far)).isOver) return;
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
    private readonly mark: HmacFunction,
    private readonly faults: FaultCollector,
  ) {}

  private async looked(count: number): Promise<void> {
    this.done += count;
    this.order.onRows(this.done, null);
    await nextTurn();
    this.order.signal.throwIfAborted();
  }

  /** Checks every entry against its row. */
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
      await this.refundsOfEntries([...rows.values()]);
      await this.looked(page.length);
    }
  }

  /** @param isOld true if the entry was made with a key that was replaced. */
  private judge(before: ChainHead, entry: ChainEntry, row: object | undefined, isOld: boolean): void {
    for (const finding of entryFaults(this.mark, before, entry, row)) {
      if (finding === 'entries_missing') {
        this.faults.add({ finding, kind: 'chain', id: String(entry.number) });
      } else if (!isOld || finding === 'row_deleted') {
        this.faults.add({ finding, kind: entry.kind, id: entry.rowId });
      }
    }
  }

  /** What the audit says that was refunded must be a refund that is completed, with the same amount. */
  private async refundsOfEntries(rows: readonly object[]): Promise<void> {
    const entries = (rows as Partial<AuditTable>[]).filter(({ action = '' }) =>
      REFUND_COMPLETED.includes(action),
    );
    const ids = entries.map(({ subject = '' }) => subject);
    const refunds = ids.length === 0 ? [] : await this.core.store.read((db) => refundsById(db, ids));
    for (const { subject: id = '', after } of entries) {
      const refund = refunds.find((row) => row.id === id);
      if (refund === undefined) this.faults.add({ finding: 'refund_deleted', kind: 'refund', id });
      else if (!isAsAudited(refund, after ?? null)) {
        this.faults.add({ finding: 'refund_changed', kind: 'refund', id });
      }
    }
  }

  private async start(db: Db): Promise<ChainStart | null> {
    const text = await installationFact(db, 'chain_start');
    if (text === undefined) return null;
    const start = parseChainStart(this.mark, text);
    if (start === null) this.faults.add({ finding: 'start_changed', kind: 'chain', id: 'start' });
    return start;
  }

  private async expectedEnd(db: Db, head: ChainHead): Promise<void> {
    const { expected } = this.order;
    if (expected === null) return;
    if (expected.number <= head.number && (await chainHash(db, expected.number)) === expected.hash) return;
    this.faults.add({ finding: 'end_missing', kind: 'chain', id: headText(expected) });
  }

  /** Checks that each row has an entry; the newest rows may lack it for a moment. */
  async rows(): Promise<{ readonly rows: number; readonly pending: number }> {
    let [rows, pending] = [0, 0];
    for (const kind of CHAINED_KINDS) {
      const now = this.core.clock.now();
      const chained = await this.core.store.read((db) => chainedUpTo(db, kind, now, SCAN_WINDOWS_MS.far));
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

  /** A payment that is paid has its credit, and a credit its payment; their sums agree. */
  async payments(): Promise<void> {
    for await (const page of this.pages(paymentsWithCredits)) {
      for (const row of page) {
        const add = (finding: FindingKind) => this.faults.add({ finding, kind: 'payment', id: row.id });
        if (row.status === 'COMPLETED' && Number(row.completing) === 0) add('credit_missing');
        const isPaid =
          row.paid_paisa === Number(row.credited ?? 0) &&
          row.paid_fee_paisa === Number(row.credited_fees ?? 0);
        if (!isPaid) add('paid_wrong');
        const refunded = Number(row.refunded ?? 0);
        if (refunded !== row.refunded_paisa) add('refunded_wrong');
        if (refunded > Number(row.credited ?? 0)) add('refunded_too_much');
      }
    }
    for await (const page of this.pages(creditsWithStatus)) {
      for (const { id, status, rest, amount_paisa, fee_paisa, due_before } of page) {
        // A part stays credited, also if its payment fails.
        if (status === null || (rest === 0 && status !== 'COMPLETED'))
          this.faults.add({ finding: 'credit_unfounded', kind: 'credit', id });
        // An operator may have accepted less as all that was due.
        else if (rest > 0 && rest !== Number(due_before) - (amount_paisa - fee_paisa))
          this.faults.add({ finding: 'rest_wrong', kind: 'credit', id });
      }
    }
  }

  /** A completed refund has its audit entry; deep, what a rule has completed is what the stored text says. */
  async refunds(isDeep: boolean): Promise<void> {
    const engine = isDeep ? await this.core.smsEngine() : null;
    for await (const page of this.pages(completedRefunds)) {
      for (const refund of page) {
        const finding = faultOfRefund(engine, refund);
        if (finding !== null) this.faults.add({ finding, kind: 'refund', id: refund.id });
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
    const { store } = this.core;
    const pageAfter = (after: string) => store.read((db) => read(db, { after, limit: PAGE }));
    for await (const page of idPages(pageAfter)) {
      yield page;
      await this.looked(page.length);
    }
  }
}

async function rowsOfEntries(db: Db, entries: readonly ChainEntry[]): Promise<ReadonlyMap<string, object>> {
  const found = new Map<string, object>();
  for (const kind of CHAINED_KINDS) {
    const ids = entries.flatMap((entry) => (entry.kind === kind ? [entry.rowId] : []));
    if (ids.length === 0) continue;
    for (const row of await listChainedRows(db, kind, ids)) found.set(row.id, row);
  }
  return found;
}

/** @returns the first thing that is wrong with it; null for nothing. */
function faultOfCredit(engine: SmsEngine, credit: CreditInFull): FindingKind | null {
  if (credit.audited === null) return 'credit_unaudited';
  // What a person has credited rests on their word.
  if (credit.credited_by !== 'rule') return null;
  const { kind } = CHANNEL[credit.channel];
  switch (kind) {
    case 'sms':
      return ofSms(engine, credit);
    case 'push':
      if (credit.pushed_reference === null) return 'credit_unproved';
      return isSaid(credit, credit.pushed_reference, credit.pushed_paisa) ? null : 'credit_misread';
    case 'pull':
      return credit.units === null ? 'credit_unproved' : null;
    case 'manual':
      return 'credit_unproved';
    default:
      return kind satisfies never;
  }
}

function ofSms(engine: SmsEngine, credit: CreditInFull): FindingKind | null {
  const { sender, body, received_at: receivedAtMs } = credit;
  if (sender === null || body === null || receivedAtMs === null) return 'credit_unproved';
  const read = parseSms(engine, { sender, body, receivedAtMs });
  const isMoney = read.settle !== 'never' && read.credit && read.channel === credit.channel;
  return isMoney && isSaid(credit, read.trxId ?? '', read.amountPaisa) ? null : 'credit_misread';
}

function isSaid({ reference, amount_paisa }: CreditInFull, said: string, paisa: number | null): boolean {
  return said.toUpperCase() === reference.toUpperCase() && paisa === amount_paisa;
}

/** @param after JSON text of the entry that completed it. */
function isAsAudited(refund: RefundTable, after: string | null): boolean {
  const said = JSON.parse(after ?? '{}') as Readonly<Record<string, unknown>>;
  const { state, session_id, channel, amount_paisa, payee, reference, sent_id } = refund;
  return (
    state === 'COMPLETED' &&
    said.paisa === amount_paisa &&
    said.session === session_id &&
    said.channel === channel &&
    said.payee === payee &&
    said.reference === reference &&
    // The SMS of what an operator has completed may come later.
    (said.sent === sent_id || said.sent === null)
  );
}

/** @param engine null to trust the text behind it. */
function faultOfRefund(engine: SmsEngine | null, refund: CompletedRefund): FindingKind | null {
  if (refund.audited === null) return 'refund_unaudited';
  // What an operator has completed rests on their word.
  if (engine === null || refund.closed_by !== 'rule') return null;
  const { sent, sent_units, sender, body, received_at: receivedAtMs } = refund;
  if (sent === null) return 'refund_unproved';
  if (sent_units !== null) return null;
  if (sender === null || body === null || receivedAtMs === null) return 'refund_unproved';
  const read = parseSms(engine, { sender, body, receivedAtMs });
  const isSent = read.kind === 'outgoing' && read.channel === refund.channel;
  const { reference, amount_paisa: paisa, sent_paisa } = refund;
  const isSame = read.trxId === reference && read.amountPaisa === paisa && sent_paisa === paisa;
  return isSent && isSame ? null : 'refund_misread';
}
