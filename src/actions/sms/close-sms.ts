/**
 * Closes money that pays for nothing: refunded, the owner's own, or no payment. It no longer counts as
 * unclaimed. A claim of it goes under review, and can be approved after the money is reopened.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { echoed } from '../../base/values/text.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { closeMoney, lockMoney, moneyOfText, reopenMoney } from '../../store/tables/money.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';

interface CloseSms {
  /** Id of the SMS, or the transaction id in its text. */
  readonly id: string;
  /** Reason, in one sentence. */
  readonly note: string;
  readonly who: string;
}

interface ClosedSms {
  readonly id: string;
  /** Transaction ids in the text. */
  readonly references: readonly string[];
}

/** @throws KashboxError `not_found`, `invalid_input`, `state_refused` (has paid, is reviewed, is closed) */
export function closeSms(core: Core, input: CloseSms): Promise<ClosedSms> {
  return change(core, input, 'sms.close', async (db, money, note) => {
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
      if (closed_note !== null) throw refused(`It is already closed: ${closed_note}`);
    }
    await closeMoney(db, money[0]?.sms ?? '', note);
  });
}

/** @throws KashboxError `not_found`, `invalid_input`, `state_refused` (it is not closed) */
export function reopenSms(core: Core, input: CloseSms): Promise<ClosedSms> {
  return change(core, input, 'sms.reopen', async (db, money) => {
    if (money.every(({ closed_note }) => closed_note === null)) throw refused('This SMS is not closed');
    await reopenMoney(db, money[0]?.sms ?? '');
  });
}

function refused(message: string, hint?: string): KashboxError {
  return new KashboxError('state_refused', { message, ...(hint === undefined ? {} : { hint }) });
}

/** Closes or reopens money under a lock, so that nobody credits it in the meantime. */
async function change(
  core: Core,
  input: CloseSms,
  action: 'sms.close' | 'sms.reopen',
  apply: (db: Db, money: Awaited<ReturnType<typeof moneyOfText>>, note: string) => Promise<void>,
): Promise<ClosedSms> {
  const note = noteField(input.note);
  const id = input.id.trim();
  return core.store.write(async (db) => {
    const [named] = await moneyOfText(db, id);
    if (named === undefined) {
      throw new KashboxError('not_found', {
        message: `There is no SMS money "${echoed(id)}"`,
        hint: 'List unused money: kashbox sms list --unmatched',
      });
    }
    await lockMoney(db, named.sms);
    const money = await moneyOfText(db, named.sms);
    await apply(db, money, note);
    const references = money.map(({ reference }) => reference);
    await audit(core, db, input.who, action, named.sms, { after: { references, note } });
    return { id: named.sms, references };
  });
}
