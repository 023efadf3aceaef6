/**
 * Closes money that belongs to nothing: received money that pays for no payment (sent back, the owner's own,
 * or another kind), and sent money without a refund. A claim of closed money goes under review, and can be
 * approved after the money is reopened.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { echoed } from '../../base/values/text.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { closeMoney, lockMoney, type MoneyKind, moneyOfText, reopenMoney } from '../../store/tables/money.js';
import { changeSent, refundsOf, sentNamed } from '../../store/tables/refunds.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';

interface ReopenSms {
  /** Id of the SMS, or the transaction id in its text. */
  readonly id: string;
  /** Reason, in one sentence. */
  readonly note: string;
  readonly who: string;
}

interface CloseSms extends ReopenSms {
  /** Kind of the money; sent money needs one, and is never `returned`. */
  readonly as?: MoneyKind | undefined;
}

interface ClosedSms {
  readonly id: string;
  /** Transaction ids in the text. */
  readonly references: readonly string[];
}

/** @throws KashboxError `not_found`, `invalid_input`, `state_refused` (has paid, is reviewed, is closed) */
export function closeSms(core: Core, input: CloseSms): Promise<ClosedSms> {
  const { as = null } = input;
  return change(core, input, 'sms.close', {
    async received(db, money, note) {
      for (const { payment, review, closed_note } of money) {
        if (payment !== null) {
          throw refused(`This money has paid for payment ${payment}`, `kashbox payments show ${payment}`);
        }
        if (review !== null) {
          throw refused(
            'This money is under manual review',
            `Decide that first: kashbox verifications show ${review}`,
          );
        }
        if (closed_note !== null) throw alreadyClosed(input.id, closed_note);
      }
      await closeMoney(db, idsOf(money), note, as);
    },
    async sent(db, { id, refund, closed_note }, note) {
      if (refund !== null) {
        throw refused(`This transfer has completed refund ${refund}`, `kashbox refunds show ${refund}`);
      }
      if (closed_note !== null) throw alreadyClosed(input.id, closed_note);
      if (as === null || as === 'returned') {
        refuse(
          'This is a transfer from your account: say which kind, own or other',
          'Add --as own or --as other. If it is a refund: kashbox refunds close ID --reference TRXID --note WHY',
        );
      }
      await changeSent(db, id, { closed_as: as, closed_note: note });
    },
  });
}

/**
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused` (it is not closed, or it is sent back by
 * a refund)
 */
export function reopenSms(core: Core, input: ReopenSms): Promise<ClosedSms> {
  return change(core, input, 'sms.reopen', {
    async received(db, money) {
      if (money.every(({ closed_note }) => closed_note === null)) throw refused('This SMS is not closed');
      const refunds = await refundsOf(db, { proofs: idsOf(money) });
      const refund = refunds.find(({ state }) => state !== 'CANCELLED');
      if (refund !== undefined) {
        throw refused(
          `This money goes back by refund ${refund.id}`,
          refund.state === 'PENDING'
            ? `If nobody has sent it, cancel that: kashbox refunds cancel ${refund.id} --note WHY`
            : `See it: kashbox refunds show ${refund.id}`,
        );
      }
      await reopenMoney(db, idsOf(money));
    },
    async sent(db, { id, closed_note }) {
      if (closed_note === null) throw refused('This transfer is not closed');
      await changeSent(db, id, { closed_as: null, closed_note: null });
    },
  });
}

function refused(message: string, hint?: string): KashboxError {
  return new KashboxError('state_refused', { message, ...(hint === undefined ? {} : { hint }) });
}

const alreadyClosed = (id: string, note: string) =>
  refused(`It is already closed: ${note}`, `To change that, reopen it: kashbox sms reopen ${id} --note WHY`);

type MoneyOfText = Awaited<ReturnType<typeof moneyOfText>>;
type NamedTransfer = NonNullable<Awaited<ReturnType<typeof sentNamed>>>;

const idsOf = (money: MoneyOfText) => money.map(({ id }) => id);

interface MoneyChange {
  received(db: Db, money: MoneyOfText, note: string): Promise<void>;
  sent(db: Db, sent: NamedTransfer, note: string): Promise<void>;
}

/** Closes or reopens money under locks, so that nobody credits it or completes a refund with it. */
async function change(
  core: Core,
  { id: named, note: typed, as, who }: CloseSms,
  action: 'sms.close' | 'sms.reopen',
  apply: MoneyChange,
): Promise<ClosedSms> {
  const note = noteField(typed);
  const id = named.trim();
  return core.store.write(async (db) => {
    const record = (subject: string, references: readonly string[]) =>
      audit(core, db, who, action, subject, { after: { references, as, note } });
    const found = await moneyOfText(db, id);
    const sms = found[0]?.sms;
    if (sms !== undefined) {
      await lockMoney(db, idsOf(found));
      const money = await moneyOfText(db, sms);
      const references = money.map(({ reference }) => reference);
      await apply.received(db, money, note);
      await record(sms, references);
      return { id: sms, references };
    }
    const { merchant_id } = await requireSent(db, id);
    await lockMerchant(db, merchant_id);
    const sent = await requireSent(db, id);
    await apply.sent(db, sent, note);
    await record(sent.id, [sent.reference]);
    return { id: sent.source_id ?? sent.id, references: [sent.reference] };
  });
}

async function requireSent(db: Db, id: string): Promise<NamedTransfer> {
  const sent = await sentNamed(db, id);
  if (sent !== undefined) return sent;
  throw new KashboxError('not_found', {
    message: `There is no SMS money "${echoed(id)}"`,
    hint: 'List unused money: kashbox sms list --unmatched',
  });
}
