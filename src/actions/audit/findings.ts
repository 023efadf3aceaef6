/** What a check of the audit chain finds: counted without end, kept and named as many as anybody reads. */
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { rowIdTime } from '../../base/values/ids.js';
import type { ChainedKind, EntryFault } from '../../domain/audit-chain/chain.js';
import type { Db } from '../../store/schema/index.js';
import { CHAINED, namedAudit, namedCredits, namedPayments } from '../../store/tables/audit-chain.js';
import type { CreditFault } from './read-again.js';

/** More of one incident help nobody; all of them are counted. */
const KEPT = 1_000;

/** What is wrong with a row, with the chain, or between payments and credits. */
type FindingKind = EntryFault | 'row_unknown' | 'start_changed' | 'end_missing' | PaymentFault | CreditFault;
type PaymentFault = 'credit_missing' | 'credit_unfounded';

/** What is wrong, as it was found. */
export interface Fault {
  readonly finding: FindingKind;
  readonly kind: ChainedKind | 'payment' | 'chain';
  /** Of the row; of an entry its number. */
  readonly id: string;
}

export interface AuditFinding {
  readonly finding: FindingKind;
  readonly table: string;
  readonly id: string;
  /** Number of the payment that it is about. */
  readonly payment: string | null;
  /** When the row was written. */
  readonly at: string | null;
  readonly message: string;
}

export class Faults {
  count = 0;
  readonly kept: Fault[] = [];

  add(fault: Fault): void {
    this.count += 1;
    if (this.kept.length < KEPT) this.kept.push(fault);
  }
}

const TABLES = {
  credit: CHAINED.credit.table,
  audit: CHAINED.audit.table,
  payment: 'sessions',
  chain: 'audit_chain',
};
const NOUNS = { credit: 'The credit', audit: 'The audit entry', payment: 'The payment', chain: 'Entry' };

/** What is known of the row of a fault. */
interface Named {
  readonly payment: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  /** Of an audit entry. */
  readonly action?: string;
}

/** @returns the same with the payment and the time of each, in the same order. */
export async function nameFaults(db: Db, faults: readonly Fault[]): Promise<AuditFinding[]> {
  const idsOf = (kind: Fault['kind']) => faults.flatMap((fault) => (fault.kind === kind ? [fault.id] : []));
  const named = {
    credit: await namedCredits(db, idsOf('credit')),
    audit: await namedAudit(db, idsOf('audit')),
    payment: await namedPayments(db, idsOf('payment')),
    chain: new Map<string, Named>(),
  };
  return faults.map((fault) => {
    const { finding, kind, id } = fault;
    const known: Named = named[kind].get(id) ?? { payment: null, at: rowIdTime(id) };
    const { payment, at } = known;
    const message = messageOf(fault, known);
    return { finding, table: TABLES[kind], id, payment, at: at === null ? null : dhakaIso(at), message };
  });
}

function messageOf({ finding, kind, id }: Fault, { payment, at, action }: Named): string {
  const what = [id, action, ...(payment === null || kind === 'payment' ? [] : [`of payment ${payment}`])];
  const when = at === null ? '' : ` of ${dhakaText(at)}`;
  const row = `${NOUNS[kind]} ${what.filter((word) => word !== undefined).join(' ')}${when}`;
  switch (finding) {
    case 'row_changed':
      return `${row} is not as it was written`;
    case 'row_deleted':
      return `${row} was deleted`;
    case 'row_unknown':
      return `${row} is in the table, but not in the chain: Kashbox did not write it then`;
    case 'entry_changed':
      return `${row} has an entry in the chain that was changed, or the entry before it was`;
    case 'entries_missing':
      return `Entries of the chain right before number ${id} were taken out`;
    case 'start_changed':
      return 'Where the chain begins to count was not said by Kashbox: the whole chain was checked';
    case 'end_missing':
      return `The chain does not lead to the end that you gave, ${id}: entries were taken off or replaced`;
    case 'credit_missing':
      return `The payment ${payment ?? id} is COMPLETED, but there is no credit for it`;
    case 'credit_unfounded':
      return `${row} stands, but that payment is not COMPLETED`;
    case 'credit_unaudited':
      return `${row} has no audit entry of its payment: Kashbox writes one with every credit`;
    case 'credit_unproved':
      return `${row} was made by a rule, but no SMS, push or transfer that it rests on is there`;
    case 'credit_misread':
      return `${row} was made by a rule, but the text that it rests on, read again, says another id or amount, or its format has changed since`;
    default:
      return finding satisfies never;
  }
}
