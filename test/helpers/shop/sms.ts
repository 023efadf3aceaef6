/** Texts of the four wallets with every part replaceable, and readings in the words of `sms parse`. */
import { formatTaka } from '../../../src/base/values/money.js';
import { createSmsEngine, parseSms, type SmsReading } from '../../../src/channels/mfs/index.js';

export const engine = createSmsEngine();

/** @param receivedAt ISO 8601; without it nobody knows when the text arrived. */
export function read(sender: string, body: string, receivedAt?: string): SmsReading {
  const receivedAtMs = receivedAt === undefined ? null : Date.parse(receivedAt);
  return parseSms(engine, { sender, body, receivedAtMs });
}

/** Amounts as decimal texts, names as in the corpus. */
export function told(reading: SmsReading): Record<string, string | boolean | null> {
  const taka = (paisa: number | null): string | null => (paisa === null ? null : formatTaka(paisa));
  return {
    channel: reading.channel,
    kind: reading.kind,
    credit: reading.credit,
    settle: reading.settle,
    amount: taka(reading.amountPaisa),
    from: reading.from,
    ...(reading.payee === null ? {} : { to: reading.payee }),
    fee: taka(reading.feePaisa),
    balance: taka(reading.balancePaisa),
    trx_id: reading.trxId,
    at: reading.at,
  };
}

/** The official senders. */
export const BKASH = 'bKash';
export const NAGAD = 'NAGAD';
export const ROCKET = '16216';
export const UPAY = 'upay';

/** A bKash text that is `auto` as it stands. `ref` is put behind the payer as it is. */
export function bkash(part: {
  readonly amount?: string;
  readonly from?: string;
  readonly ref?: string;
  readonly fee?: string;
  readonly balance?: string;
  readonly id?: string;
  readonly at?: string;
  readonly tail?: string;
}): string {
  const {
    amount = 'Tk 50.00',
    from = '01711000081',
    ref = '',
    fee = 'Tk 0.00',
    balance = 'Tk 8,431.25',
  } = part;
  const { id = 'DHD7KQ2P0Z', at = '13/08/2026 16:02', tail = '' } = part;
  return `You have received ${amount} from ${from}.${ref} Fee ${fee}. Balance ${balance}. TrxID ${id} at ${at}${tail}`;
}

/** The lines of a Nagad text that is `auto` as it stands; null leaves a line out. */
export function nagad(part: {
  readonly opening?: string;
  readonly amount?: string;
  readonly payer?: string;
  readonly ref?: string | null;
  readonly id?: string;
  readonly balance?: string;
  readonly at?: string;
}): string {
  const { opening = 'Money Received.', amount = 'Amount: Tk 50.00', payer = 'Sender: 01711000081' } = part;
  const { ref = 'Ref: N/A', id = 'TxnID: 75KQXJ52', balance = 'Balance: Tk 8431.25' } = part;
  const lines = [opening, amount, payer, ref, id, balance, part.at ?? '07/02/2026 13:26'];
  return lines.filter((line) => line !== null).join('\n');
}

/** A Rocket text that is `auto` as it stands. */
export function rocket(part: {
  readonly amount?: string;
  readonly from?: string;
  readonly fee?: string;
  readonly balance?: string;
  readonly id?: string;
  readonly at?: string;
  readonly tail?: string;
}): string {
  const { amount = 'Tk480.00', from = '***268', fee = 'Tk0', balance = 'Tk30,828.29' } = part;
  const { id = '6794927502', at = '31-JUL-26 04:50:30 pm', tail = '.' } = part;
  return `${amount} received from A/C:${from} Fee:${fee}, Your A/C Balance: ${balance} TxnId:${id} Date:${at}${tail}`;
}

/** An Upay text that is `auto` as it stands. */
export function upay(part: {
  readonly amount?: string;
  readonly from?: string;
  readonly ref?: string;
  readonly balance?: string;
  readonly id?: string;
  readonly at?: string;
}): string {
  const { amount = 'Tk. 1500.00', from = '01711000102', ref = ' Ref-.', balance = 'Tk. 4977.68' } = part;
  const { id = '01KGGM5VJG', at = '03/02/2026 08:09.' } = part;
  return `${amount} has been received from ${from}.${ref} Balance ${balance}. TrxID ${id} at ${at}`;
}
