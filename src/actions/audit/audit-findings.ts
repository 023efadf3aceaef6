/** Findings of `audit verify`: each with the row that it is about, its payment and a sentence. */
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { rowIdTime } from '../../base/values/ids.js';
import type { ChainedKind, EntryFault } from '../../domain/audit-chain/chain.js';
import type { Db } from '../../store/schema/index.js';
import {
  CHAINED,
  namedAudit,
  namedCredits,
  namedPayments,
  namedRefunds,
} from '../../store/tables/audit-chain.js';

/** Maximum number of faults kept; all of them are counted. */
const KEPT = 1_000;

/** Kind of fault: in a row, in the chain, or between payments, credits and refunds. */
type FindingKind =
  | EntryFault
  | 'row_unknown'
  | 'start_changed'
  | 'end_missing'
  | 'credit_missing'
  | CreditFault
  | PaymentFault
  | RefundFault;
export type CreditFault =
  | 'credit_unfounded'
  | 'rest_wrong'
  | 'credit_unaudited'
  | 'credit_unproved'
  | 'credit_misread';
export type PaymentFault = 'paid_wrong' | 'refunded_wrong' | 'refunded_too_much';
export type RefundFault =
  | 'refund_unaudited'
  | 'refund_changed'
  | 'refund_deleted'
  | 'refund_unproved'
  | 'refund_misread';

export interface AuditFault {
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

const TABLES = {
  credit: CHAINED.credit.table,
  audit: CHAINED.audit.table,
  payment: 'sessions',
  refund: 'refunds',
  chain: 'audit_chain',
};
const NOUNS = {
  credit: 'The credit',
  audit: 'The audit entry',
  payment: 'The payment',
  refund: 'The refund',
  chain: 'Entry',
};

interface RowDetails {
  readonly payment: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  /** Action of an audit entry; absent for other rows. */
  readonly action?: string;
}

/** @returns the same with the payment and the time of each, in the same order. */
export async function nameFaults(db: Db, faults: readonly AuditFault[]): Promise<AuditFinding[]> {
  const idsOf = (kind: AuditFault['kind']) =>
    faults.flatMap((fault) => (fault.kind === kind ? [fault.id] : []));
  const named = {
    credit: await namedCredits(db, idsOf('credit')),
    audit: await namedAudit(db, idsOf('audit')),
    payment: await namedPayments(db, idsOf('payment')),
    refund: await namedRefunds(db, idsOf('refund')),
    chain: new Map<string, RowDetails>(),
  };
  return faults.map((fault) => {
    const { finding, kind, id } = fault;
    const known: RowDetails = named[kind].get(id) ?? { payment: null, at: rowIdTime(id) };
    const { payment, at } = known;
    const message = messageOf(fault, known);
    return { finding, table: TABLES[kind], id, payment, at: at === null ? null : dhakaIso(at), message };
  });
}

function messageOf({ finding, kind, id }: AuditFault, { payment, at, action }: RowDetails): string {
  const what = [id, action, ...(payment === null || kind === 'payment' ? [] : [`of payment ${payment}`])];
  const when = at === null ? '' : ` of ${dhakaText(at)}`;
  const row = `${NOUNS[kind]} ${what.filter((word) => word !== undefined).join(' ')}${when}`;
  switch (finding) {
    case 'row_changed':
      return `${row} was changed after it was written`;
    case 'row_deleted':
      return `${row} was deleted`;
    case 'row_unknown':
      return `${row} is in the table, but not in the chain: Kashbox did not write it`;
    case 'entry_changed':
      return `${row} has an entry in the chain that was changed, or the entry before it was`;
    case 'entries_missing':
      return `Entries of the chain directly before number ${id} were removed`;
    case 'start_changed':
      return 'The recorded start of the chain was not written by Kashbox: the complete chain was checked';
    case 'end_missing':
      return `The chain does not contain the end that you gave, ${id}: entries were removed or replaced`;
    case 'credit_missing':
      return `The payment ${payment ?? id} is COMPLETED, but there is no credit for it`;
    case 'credit_unfounded':
      return `${row} exists, but that payment is not COMPLETED`;
    case 'rest_wrong':
      return `${row} says that another amount is still due after it than its amount and fee leave`;
    case 'credit_unaudited':
      return `${row} has no audit entry of its payment: Kashbox writes one with every credit`;
    case 'credit_unproved':
      return `${row} was made by a rule, but its SMS, push or transfer does not exist`;
    case 'credit_misread':
      return `${row} was made by a rule, but parsing its text again returns another id or amount, or its format has changed since`;
    case 'paid_wrong':
      return `The payment ${payment ?? id} says that another amount or fee was paid than its credits add up to`;
    case 'refunded_wrong':
      return `The payment ${payment ?? id} says that another amount was refunded than its refunds add up to`;
    case 'refunded_too_much':
      return `More was refunded of the payment ${payment ?? id} than was paid`;
    default:
      return refundMessage(finding, row);
  }
}

function refundMessage(finding: RefundFault, row: string): string {
  switch (finding) {
    case 'refund_unaudited':
      return `${row} is COMPLETED, but has no audit entry that completes it`;
    case 'refund_changed':
      return `${row} is not as the audit entry that completed it says: its state, amount, receiver or transfer was changed`;
    case 'refund_deleted':
      return `${row} was completed according to the audit log, but was deleted`;
    case 'refund_unproved':
      return `${row} was completed by a rule, but its transfer or the SMS of it does not exist`;
    case 'refund_misread':
      return `${row} was completed by a rule, but parsing its SMS again returns another id or amount, or its format has changed since`;
    default:
      return finding satisfies never;
  }
}
