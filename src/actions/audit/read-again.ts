/**
 * What each credit rests on, read again: a rule credits only what an SMS, a push or a source says, and
 * every credit has its audit entry. Changes nothing.
 */
import { readSms, type SmsEngine } from '../../channels/mfs/index.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import type { CreditInFull } from '../../store/tables/audit-chain.js';

/** What is wrong with a credit, or that nothing is. */
export type CreditFault = 'credit_unaudited' | 'credit_unproved' | 'credit_misread';

/** @returns the first thing that is wrong with it; null for nothing. */
export function faultOfCredit(engine: SmsEngine, credit: CreditInFull): CreditFault | null {
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

function ofSms(engine: SmsEngine, credit: CreditInFull): CreditFault | null {
  const { sender, body, received_at: receivedAtMs } = credit;
  if (sender === null || body === null || receivedAtMs === null) return 'credit_unproved';
  const read = readSms(engine, { sender, body, receivedAtMs });
  const isMoney = read.settle !== 'never' && read.credit && read.channel === credit.channel;
  return isMoney && isSaid(credit, read.trxId ?? '', read.amountPaisa) ? null : 'credit_misread';
}

function isSaid({ reference, amount_paisa }: CreditInFull, said: string, paisa: number | null): boolean {
  return said.toUpperCase() === reference.toUpperCase() && paisa === amount_paisa;
}
