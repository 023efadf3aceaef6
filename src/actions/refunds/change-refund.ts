/** Changes a refund that is pending: its payee, its end by hand, its cancellation. Each change is audited. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed, hasInvisible } from '../../base/values/text.js';
import {
  CHANNEL,
  checkedNumber,
  isOnChain,
  mobileNumber,
  type PayChannel,
  walletNumber,
} from '../../domain/accounts/channels.js';
import { fullPayer } from '../../domain/matching/payer.js';
import { payeeAgrees } from '../../domain/refunds/choose-refund.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { lockMoney, reopenUnrefunded } from '../../store/tables/money.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { refundByReference } from '../../store/tables/refundable.js';
import { changeRefund, findSent, type RefundRow } from '../../store/tables/refunds.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';
import { completeRefund } from './complete-refund.js';
import { type RefundView, refundView, requireRefund } from './list-refunds.js';
import { proveOnChain } from './prove-on-chain.js';
import { retryTransfers } from './settle-sent.js';

interface ChangeRefund {
  readonly id: string;
  readonly who: string;
}

/**
 * Completes the payee of a refund whose proof shows the payer only in part, or not at all.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused`
 */
export function updateRefund(
  core: Core,
  input: ChangeRefund & { readonly number: string },
): Promise<RefundView> {
  return changePending(core, input.id, async (db, refund) => {
    const payee = await payeeField(asPlanned(refund), input.number);
    await changeRefund(db, refund.id, { payee });
    const change = { before: { payee: refund.payee }, after: { payee } };
    await audit(core, db, input.who, 'refund.update', refund.id, change);
    const { merchant_id: merchant, channel } = refund;
    // Whoever has sent the money first must not be advised to send it again.
    if (CHANNEL[channel].kind === 'sms')
      await retryTransfers(core, db, { merchant, channel: CHANNEL[channel].channel });
  });
}

/** A number that an operator has named may be corrected, but not one that the proof shows in full. */
function asPlanned({ channel, shown, payee }: RefundRow): ShownPayee {
  const isShown = shown !== null && payee !== null && bareNumber(shown) === bareNumber(payee);
  return { channel, shown, payee: isShown ? payee : null };
}

const bareNumber = (text: string) => fullPayer(text) ?? text.replace(/[\s-]/g, '');

/**
 * Cancels a refund that nobody has sent. Money that paid for nothing is reopened, so that it can be claimed.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused`
 */
export function cancelRefund(
  core: Core,
  input: ChangeRefund & { readonly note: string },
): Promise<RefundView> {
  const note = noteField(input.note);
  return changePending(core, input.id, async (db, refund) => {
    const { id, proof_id: proof, session_id: session } = refund;
    await changeRefund(db, id, { state: 'CANCELLED', closed_at: core.clock.now(), closed_by: input.who });
    await audit(core, db, input.who, 'refund.cancel', id, { after: { note } });
    if (session !== null) return;
    await lockMoney(db, [proof]);
    await reopenUnrefunded(db, proof);
  });
}

interface CloseRefund extends ChangeRefund {
  /** Id of the transfer, as the wallet, the bank, the exchange or the chain names it. */
  readonly reference: string;
  readonly note: string;
  /** Completes it also if no SMS has reported the transfer, or reported another sum or receiver. */
  readonly force?: boolean | undefined;
}

/**
 * Completes a refund by hand.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused`, `warning_unconfirmed`
 */
export async function closeRefund(core: Core, input: CloseRefund): Promise<RefundView> {
  const note = noteField(input.note);
  const { who, force = false } = input;
  const typed = referenceField(input.reference);
  const named = await core.store.read((db) => requireRefund(db, input.id));
  if (named.state === 'PENDING' && isOnChain(named.channel) && !force) {
    await proveOnChain(core, named, typed.toLowerCase());
  }
  return changePending(core, input.id, async (db, refund) => {
    const { merchant_id: merchant, channel } = refund;
    const reference = isOnChain(channel) ? typed.toLowerCase() : typed.toUpperCase();
    const used = await refundByReference(db, { merchant, channel, reference });
    if (used !== undefined)
      throw refusedEnd(`The transfer ${reference} has completed refund ${used.id}`, used.id);
    const sent = await findSent.first(db, { merchant, channel, reference });
    if (sent !== undefined && sent.closed_as !== null) {
      throw new KashboxError('state_refused', {
        message: `The transfer ${reference} is closed as no refund: ${sent.closed_note ?? ''}`,
        hint: `If that was a mistake, reopen it: kashbox sms reopen ${reference} --note WHY`,
      });
    }
    const isReceived = (await proofByReference.first(db, { merchant, channel, reference })) !== undefined;
    const warning = warningOf(refund, sent, reference, isReceived);
    if (warning !== null && !force) throw warning;
    const [feePaisa, sentId] = [sent?.fee_paisa ?? null, sent?.id ?? null];
    await completeRefund(core, db, refund, { reference, feePaisa, sentId, who, note });
  });
}

type KnownTransfer = NonNullable<Awaited<ReturnType<typeof findSent.first>>>;

/**
 * @param isReceived true if money with that id has come in.
 * @returns a reason why the transfer may be another one than that of the refund, or null.
 */
function warningOf(
  refund: RefundRow,
  sent: KnownTransfer | undefined,
  reference: string,
  isReceived: boolean,
): KashboxError | null {
  const { channel, id } = refund;
  const unconfirmed = (message: string, hint: string) =>
    new KashboxError('warning_unconfirmed', { message, hint });
  const sure = `If you are sure, add --force: kashbox refunds close ${id} --reference ${reference} --note WHY --force`;
  if (sent === undefined && isReceived) {
    const hint = `Name the transfer by which you sent it back. ${sure}`;
    return unconfirmed(`${reference} is the ID of money that you received`, hint);
  }
  if (sent === undefined) {
    if (CHANNEL[channel].kind !== 'sms') return null;
    return unconfirmed(
      `No SMS has reported the transfer ${reference}`,
      `Wait for it, or add it with "kashbox sms add". ${sure}`,
    );
  }
  if (sent.reason === 'taken_back') {
    return unconfirmed(
      `A later message says that the transfer ${reference} has failed or was reversed`,
      sure,
    );
  }
  if (sent.reason === 'text_doubtful') {
    return unconfirmed(`The SMS of the transfer ${reference} may be forged`, `Check it in the app. ${sure}`);
  }
  // The nodes have compared both.
  if (sent.amount_paisa === null) return null;
  if (sent.amount_paisa !== refund.amount_paisa) {
    return unconfirmed(
      `The transfer ${reference} sent ${formatTaka(sent.amount_paisa)} taka, not ${formatTaka(refund.amount_paisa)}`,
      sure,
    );
  }
  const { payee, shown } = refund;
  const number = mobileNumber(sent.payee);
  const isOther =
    payee === null
      ? number !== null && !agreesWithShown(channel, number, shown)
      : !payeeAgrees(channel, payee, sent.payee);
  return isOther
    ? unconfirmed(`The transfer ${reference} went to ${sent.payee}, not to ${payee ?? shown}`, sure)
    : null;
}

function referenceField(text: string): string {
  const reference = text.trim();
  if (reference !== '' && reference.length <= 100 && !hasInvisible(reference)) return reference;
  refuse(
    'reference must have 1 to 100 characters',
    'Copy the id of the transfer from the app of the wallet or bank.',
  );
}

/** Changes a refund under the lock of its merchant, as all that ends refunds does. */
async function changePending(
  core: Core,
  id: string,
  change: (db: Db, refund: RefundRow) => Promise<void>,
): Promise<RefundView> {
  return core.store.write(async (db) => {
    const { merchant_id } = await requireRefund(db, id);
    await lockMerchant(db, merchant_id);
    const refund = await requireRefund(db, id);
    if (refund.state !== 'PENDING') {
      throw refusedEnd(`Refund ${refund.id} was already ${refund.state.toLowerCase()}`, refund.id);
    }
    await change(db, refund);
    return refundView(await requireRefund(db, id));
  });
}

function refusedEnd(message: string, id: string): KashboxError {
  return new KashboxError('state_refused', { message, hint: `See it: kashbox refunds show ${id}` });
}

interface ShownPayee {
  readonly channel: PayChannel;
  /** Payer as the proof shows it. */
  readonly shown: string | null;
  /** Payer that the proof shows in full; null if it does not. */
  readonly payee: string | null;
}

/**
 * Validates the payee that an operator names. It must agree with what the proof shows.
 * @throws KashboxError `invalid_input`, `state_refused` if the proof shows the payer in full
 */
export async function payeeField({ channel, shown, payee }: ShownPayee, typed: string): Promise<string> {
  if (payee !== null) {
    throw new KashboxError('state_refused', {
      message: `The proof shows who has paid: ${payee}. The money goes back there and nowhere else`,
      hint: 'Leave out --number. To send it to somebody else, do that in the app, without a refund.',
    });
  }
  const row = CHANNEL[channel];
  const number = typed.trim();
  switch (row.kind) {
    case 'sms':
    case 'push': {
      const known = row.kind === 'sms' ? walletNumber(row.channel, number) : mobileNumber(number);
      if (known === null) {
        refuse(`number "${echoed(number)}" is not a mobile number`, 'Use 11 digits such as 01712345678.');
      }
      const payee = (row.kind === 'sms' ? checkedNumber(row.channel, number) : null) ?? known;
      if (agreesWithShown(channel, payee, shown)) return payee;
      return refuse(
        `number ${known} is not the payer's: the proof shows ${shown ?? ''}`,
        'Money goes back to the number that paid. Ask the customer for it.',
      );
    }
    case 'pull':
      return row.source === 'chain' ? addressField(number) : accountField(number);
    case 'manual':
      return accountField(number);
    default:
      return row satisfies never;
  }
}

/** True also if the proof shows no digits. */
const agreesWithShown = (channel: PayChannel, number: string, shown: string | null) =>
  shown === null || !/\d/.test(shown) || payeeAgrees(channel, number, shown);

async function addressField(typed: string): Promise<string> {
  const { parseAddress } = await import('../../channels/bep20/address.js');
  const read = parseAddress(typed);
  return read.ok
    ? read.address
    : refuse(`number ${read.fault}`, 'Copy the address from the wallet of the customer.');
}

function accountField(typed: string): string {
  if (typed !== '' && typed.length <= 100 && !hasInvisible(typed)) return typed;
  return refuse('number must have 1 to 100 characters', 'Write the account of the customer.');
}
