/** Findings of `audit verify`: each with the row that it is about, its payment and a sentence. */
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { rowIdTime } from '../../base/values/ids.js';
import type { ChainedKind } from '../../domain/audit-chain/chain.js';
import type { Db } from '../../store/schema/index.js';
import { CHAINED, type NamedRow, namedRows } from '../../store/tables/audit-chain.js';

/** Maximum number of faults kept; all of them are counted. */
const KEPT = 1_000;

interface Subject {
  /** The row with its id, payment and time. */
  readonly row: string;
  readonly id: string;
  /** Number of its payment, else its id. */
  readonly payment: string;
}

/** Sentences by kind of fault: in a row, in the chain, or between payments, credits and refunds. */
const MESSAGES = {
  row_changed: ({ row }: Subject) => `${row} was changed after it was written`,
  row_deleted: ({ row }: Subject) => `${row} was deleted`,
  row_unknown: ({ row }: Subject) => `${row} is in the table, but not in the chain: Kashbox did not write it`,
  entry_changed: ({ row }: Subject) =>
    `${row} has an entry in the chain that was changed, or the entry before it was`,
  entries_missing: ({ id }: Subject) => `Entries of the chain directly before number ${id} were removed`,
  start_changed: () =>
    'The recorded start of the chain was not written by Kashbox: the complete chain was checked',
  end_missing: ({ id }: Subject) =>
    `The chain does not contain the end that you gave, ${id}: entries were removed or replaced`,
  credit_missing: ({ payment }: Subject) =>
    `The payment ${payment} is COMPLETED, but there is no credit for it`,
  credit_unfounded: ({ row }: Subject) => `${row} exists, but that payment is not COMPLETED`,
  rest_wrong: ({ row }: Subject) =>
    `${row} says that another amount is still due after it than its amount and fee leave`,
  credit_unaudited: ({ row }: Subject) =>
    `${row} has no audit entry of its payment: Kashbox writes one with every credit`,
  credit_unproved: ({ row }: Subject) =>
    `${row} was made by a rule, but its SMS, push or transfer does not exist`,
  credit_misread: ({ row }: Subject) =>
    `${row} was made by a rule, but parsing its text again returns another id or amount, or its format has changed since`,
  paid_wrong: ({ payment }: Subject) =>
    `The payment ${payment} says that another amount or fee was paid than its credits add up to`,
  refunded_wrong: ({ payment }: Subject) =>
    `The payment ${payment} says that another amount was refunded than its refunds add up to`,
  refunded_too_much: ({ payment }: Subject) => `More was refunded of the payment ${payment} than was paid`,
  refund_unaudited: ({ row }: Subject) => `${row} is COMPLETED, but has no audit entry that completes it`,
  refund_changed: ({ row }: Subject) =>
    `${row} is not as the audit entry that completed it says: its state, amount, receiver or transfer was changed`,
  refund_deleted: ({ row }: Subject) => `${row} was completed according to the audit log, but was deleted`,
  refund_unproved: ({ row }: Subject) =>
    `${row} was completed by a rule, but its transfer or the SMS of it does not exist`,
  refund_misread: ({ row }: Subject) =>
    `${row} was completed by a rule, but parsing its SMS again returns another id or amount, or its format has changed since`,
};

export type FindingKind = keyof typeof MESSAGES;

interface AuditFault {
  readonly finding: FindingKind;
  readonly kind: ChainedKind | 'payment' | 'refund' | 'chain';
  /** Id of the row, or number of the chain entry. */
  readonly id: string;
}

export interface AuditFinding {
  readonly finding: FindingKind;
  readonly table: string;
  readonly id: string;
  /** Number of the payment that it is about. */
  readonly payment: string | null;
  /** Time at which the row was written, ISO 8601; null if unknown. */
  readonly at: string | null;
  readonly message: string;
}

export class FaultCollector {
  count = 0;
  readonly kept: AuditFault[] = [];

  add(fault: AuditFault): void {
    this.count += 1;
    if (this.kept.length < KEPT) this.kept.push(fault);
  }
}

const KINDS = {
  credit: { table: CHAINED.credit.table, noun: 'The credit' },
  audit: { table: CHAINED.audit.table, noun: 'The audit entry' },
  payment: { table: 'sessions', noun: 'The payment' },
  refund: { table: 'refunds', noun: 'The refund' },
  chain: { table: 'audit_chain', noun: 'Entry' },
};

/** @returns the same with the payment and the time of each, in the same order. */
export async function nameFaults(db: Db, faults: readonly AuditFault[]): Promise<AuditFinding[]> {
  const read = (kind: Parameters<typeof namedRows>[1]) =>
    namedRows(
      db,
      kind,
      faults.flatMap((fault) => (fault.kind === kind ? [fault.id] : [])),
    );
  const named = {
    credit: await read('credit'),
    audit: await read('audit'),
    payment: await read('payment'),
    refund: await read('refund'),
    chain: new Map<string, NamedRow>(),
  };
  return faults.map(({ finding, kind, id }) => {
    const { payment, action, at } = named[kind].get(id) ?? { payment: null, at: rowIdTime(id) };
    const { table, noun } = KINDS[kind];
    const of = payment === null || kind === 'payment' ? undefined : `of payment ${payment}`;
    const when = at === null ? undefined : `of ${dhakaText(at)}`;
    const row = [noun, id, action, of, when].filter((word) => word !== undefined).join(' ');
    const message = MESSAGES[finding]({ row, id, payment: payment ?? id });
    return { finding, table, id, payment, at: at === null ? null : dhakaIso(at), message };
  });
}
