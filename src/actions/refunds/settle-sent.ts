/**
 * Money that was sent to customers, as the wallets' SMS report it: each transfer is stored once, and
 * completes the only pending refund that it fits. All others are alerts, so that no transfer is overlooked.
 * Runs in the database transaction that stores the SMS.
 */
import { newRowId } from '../../base/values/ids.js';
import { formatTaka } from '../../base/values/money.js';
import { MFS_CHANNELS, type MfsChannel, walletNumber } from '../../domain/accounts/channels.js';
import { chooseRefund, type SentReason, type TextProblem } from '../../domain/refunds/choose-refund.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db, SentMoneyTable, SmsTable } from '../../store/schema/index.js';
import { accountsOfNumber } from '../../store/tables/accounts.js';
import { nonSettlingSms } from '../../store/tables/money.js';
import { linkSent, refundByReference } from '../../store/tables/refundable.js';
import {
  changeSent,
  findSent,
  insertSent,
  oldestPending,
  refundsToSend,
  sentToRetry,
} from '../../store/tables/refunds.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import { followsInStore } from '../balance-gaps/scan-wallet.js';
import type { WriteDeps } from '../core/core.js';
import { completeRefund } from './complete-refund.js';

/** A stored SMS with the ids that it names. */
interface ArrivedText {
  readonly row: SmsTable;
  readonly subject: { readonly ids: readonly string[]; readonly isTakenBack: boolean };
}

/** An SMS that reports a transfer to a customer. */
interface TransferText {
  readonly sms: Pick<SmsTable, 'id' | 'at' | 'recipient'>;
  readonly channel: MfsChannel;
  readonly isDoubtful: boolean;
}

type SentRow = Omit<SentMoneyTable, 'closed_as' | 'closed_note'> & { readonly amount_paisa: number };

/** Sources of SMS about real money. */
const REAL: readonly SmsTable['source'][] = ['relay', 'manual'];
/** Refunds that ended within this time explain a transfer, ms. */
const RECENT_MS = 90 * 86_400_000;

/**
 * @param arrived SMS of one merchant that are stored now, or are read in another way.
 * @throws RetryableConflict if another database transaction completed the refund in the meantime.
 */
export async function settleSent(
  core: WriteDeps,
  db: Db,
  merchant: string,
  arrived: readonly ArrivedText[],
): Promise<void> {
  const texts = arrived.filter(({ row }) => REAL.includes(row.source) && row.source_name === null);
  const moments = texts.map(({ row }) => Date.parse(row.at ?? '') || row.received_at);
  for (const index of [...texts.keys()].sort((one, other) => (moments[one] ?? 0) - (moments[other] ?? 0))) {
    const text = texts[index];
    if (text === undefined) continue;
    await alertTakenBack(core, db, merchant, text);
    await storeTransfer(core, db, text.row, moments[index] ?? 0);
  }
  const channels = MFS_CHANNELS.filter((channel) => texts.some(({ row }) => row.channel === channel));
  for (const channel of channels) await retryTransfers(core, db, { merchant, channel });
}

/**
 * Reasons of a text that do not make it doubtful: the first is that of its kind. An id out of the forecast
 * needs a balance that follows, which every transfer needs.
 */
const HARMLESS: readonly string[] = ['kind_never_settles', 'id_range'];

async function storeTransfer(core: WriteDeps, db: Db, row: SmsTable, at: number): Promise<void> {
  const { trx_id: reference, payee, amount_paisa: paisa, merchant_id: merchant } = row;
  const channel = MFS_CHANNELS.find((known) => known === row.channel);
  if (payee === null || channel === undefined || reference === null || paisa === null || paisa === 0) return;
  const reasons = JSON.parse(row.reasons) as string[];
  const isDoubtful = row.at === null || reasons.some((reason) => !HARMLESS.includes(reason));
  const text = { sms: row, channel, isDoubtful };
  const values = { sender: row.recipient, payee, amount_paisa: paisa, at, source_id: row.id };
  const money = { ...values, units: null, fee_paisa: row.fee_paisa, balance_paisa: row.balance_paisa };
  const now = core.clock.now();
  const sent = { ...money, merchant_id: merchant, channel, reference, reason: null, created_at: now };
  const id = newRowId(core.random, now, 'sent');
  if (await insertSent(db, { id, ...sent })) return settle(core, db, text, { id, ...sent });
  const known = await findSent.first(db, { merchant, channel, reference });
  const isFree = known !== undefined && known.refund === null && known.closed_as === null;
  if (!isFree || isDoubtful) return;
  // A damaged copy of the text, or a forgery, may come before the wallet's own.
  const isBetter =
    known.reason === 'text_doubtful' ||
    (known.reason === 'balance_gap' && (await isFollowed(db, merchant, text)));
  if (!isBetter) return;
  await changeSent(db, known.id, { ...money, reason: null });
  await settle(core, db, text, { ...sent, id: known.id });
}

/** Completes the refund that a transfer fits; else keeps the reason, and raises an alert. */
async function settle(core: WriteDeps, db: Db, text: TransferText, sent: SentRow): Promise<void> {
  const chosen = (await choiceBeforeText(db, text, sent)) ?? (await complete(core, db, text, sent));
  if (chosen.outcome === 'completes') return;
  const { reason, refunds } = chosen;
  if (reason === 'no_refund' && (await isOwnAccount(db, text.channel, sent))) {
    await changeSent(db, sent.id, { closed_as: 'own', closed_note: 'It went to an account of the shop.' });
    return;
  }
  await changeSent(db, sent.id, { reason });
  await alertSent(core, db, sent, reason, refunds);
}

/**
 * Decides what was known of a transfer before its SMS came: an operator has closed a refund with its id, to
 * which it is linked if it fits, or it was taken back.
 * @returns null if nothing was; else no other refund is completed by it.
 */
async function choiceBeforeText(db: Db, { channel, isDoubtful }: TransferText, sent: SentRow) {
  const { merchant_id: merchant, reference, payee, amount_paisa: amountPaisa, at } = sent;
  const closed = await refundByReference(db, { merchant, channel, reference });
  const refunds = closed === undefined ? [] : [closed];
  if (await wasTakenBack(db, channel, sent)) {
    return { outcome: 'none', reason: 'taken_back', refunds } as const;
  }
  if (closed === undefined) return null;
  const problem = isDoubtful ? 'text_doubtful' : null;
  const asPending = { ...closed, state: 'PENDING' as const };
  const chosen = chooseRefund({ channel, payee, amountPaisa, at }, [asPending], problem);
  if (chosen.outcome === 'none' && chosen.reason !== 'number_missing') return { ...chosen, refunds };
  await linkSent(db, closed.id, sent.id);
  return { outcome: 'completes' } as const;
}

async function wasTakenBack(db: Db, channel: MfsChannel, { merchant_id: merchant, reference }: SentRow) {
  const texts = await nonSettlingSms(db, { merchant }, [reference]);
  return texts.some((row) => row.channel === channel && saysTakenBack(row));
}

const saysTakenBack = ({ reasons }: Pick<SmsTable, 'reasons'>) =>
  (JSON.parse(reasons) as string[]).includes('transaction_reversed');

async function isOwnAccount(db: Db, channel: MfsChannel, { merchant_id: merchant, payee }: SentRow) {
  const number = walletNumber(channel, payee);
  return number !== null && (await accountsOfNumber(db, merchant, number)).length > 0;
}

async function complete(core: WriteDeps, db: Db, text: TransferText, sent: SentRow) {
  const { channel } = text;
  const { merchant_id: merchant, payee, amount_paisa: amountPaisa, at, id: sentId } = sent;
  const since = at - RECENT_MS;
  const refunds = await refundsToSend.all(db, { merchant, channel, paisa: amountPaisa, since });
  const chooseWith = (problem: TextProblem | null) =>
    chooseRefund({ channel, payee, amountPaisa, at }, refunds, problem);
  const chosen = chooseWith(text.isDoubtful ? 'text_doubtful' : null);
  if (chosen.outcome === 'none') return chosen;
  // A forger does not know the balance. Read only if the transfer fits, because it is long.
  if (!(await isFollowed(db, merchant, text))) return chooseWith('balance_gap');
  const { reference, fee_paisa: feePaisa } = sent;
  const transfer = { reference, feePaisa, sentId, who: 'rule' };
  if (await completeRefund(core, db, chosen.refund, transfer)) return chosen;
  throw new RetryableConflict('another transfer completed the refund a moment ago');
}

async function isFollowed(db: Db, merchant_id: string, { sms, channel }: TransferText): Promise<boolean> {
  const { recipient } = sms;
  return recipient !== null && followsInStore(db, { merchant_id, recipient, channel }, sms);
}

/** Tries transfers again: a late SMS may complete the balances, and an operator the number of a refund. */
export async function retryTransfers(
  core: WriteDeps,
  db: Db,
  of: { readonly merchant: string; readonly channel: MfsChannel },
): Promise<void> {
  const oldest = await oldestPending.first(db, of);
  if (oldest === undefined) return;
  for (const row of await sentToRetry.all(db, { ...of, since: oldest.created_at - 60_000 })) {
    const { sms_id: id, sms_at, recipient, amount_paisa, ...sent } = row;
    if (amount_paisa === null) continue;
    const text = { sms: { id, at: sms_at, recipient }, channel: of.channel, isDoubtful: false };
    const chosen = await complete(core, db, text, { ...sent, amount_paisa });
    if (chosen.outcome === 'completes') await changeSent(db, sent.id, { reason: null, sender: recipient });
  }
}

/** A completed refund stays completed: the operator decides if the money must be sent again. */
async function alertTakenBack(core: WriteDeps, db: Db, merchant: string, { row, subject }: ArrivedText) {
  const channel = MFS_CHANNELS.find((known) => known === row.channel);
  if (!subject.isTakenBack || channel === undefined) return;
  for (const reference of subject.ids) {
    const sent = await findSent.first(db, { merchant, channel, reference });
    const reason: SentReason = 'taken_back';
    if (sent === undefined || sent.source_id === row.id || sent.reason === reason) continue;
    await changeSent(db, sent.id, { reason });
    await alertSent(core, db, sent, reason, sent.refund === null ? [] : [{ id: sent.refund }]);
  }
}

async function alertSent(
  core: WriteDeps,
  db: Db,
  sent: Pick<SentMoneyTable, 'id' | 'merchant_id' | 'channel' | 'reference' | 'payee' | 'amount_paisa'>,
  reason: SentReason,
  refunds: readonly { readonly id: string }[],
): Promise<void> {
  const { id, merchant_id: merchantId, channel, reference, payee, amount_paisa } = sent;
  const detail = { reason, channel, reference, payee, amount: formatTaka(amount_paisa ?? 0) };
  await raiseAlert(core, db, {
    kind: 'money.sent',
    detail: { ...detail, refunds: refunds.map((refund) => refund.id) },
    merchantId,
    incident: `money.sent:${id}:${reason}`,
  });
}
