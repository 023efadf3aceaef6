/** Says what a change of a phone's SIMs means for payments and SMS. Changes nothing. */
import { quoted } from '../../base/values/text.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfNumber } from '../../store/tables/accounts.js';
import { readersOf } from '../../store/tables/devices.js';
import { openSessionsOf } from '../../store/tables/figures.js';

interface ChangedSim {
  readonly slot: number;
  /** Null where the slot had none, or has none any more. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Phone {
  readonly merchant_id: string;
  /** SMS that lie on it, as it said last; null if it never said. */
  readonly queued: number | null;
}

/** @param changed as it is stored by now. @returns sentences for the operator, each with what to do. */
export async function simAdvice(db: Db, phone: Phone, changed: readonly ChangedSim[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { slot, before } of changed) if (before !== null) notes.push(lateSms(phone, slot, before));
  for (const number of numbersOf(changed, 'before')) notes.push(...(await nowUnread(db, phone, number)));
  for (const number of numbersOf(changed, 'after')) notes.push(...(await unused(db, phone, number)));
  return notes;
}

function numbersOf(changed: readonly ChangedSim[], when: 'before' | 'after'): string[] {
  return [...new Set(changed.flatMap((sim) => sim[when] ?? []))];
}

function lateSms({ queued }: Phone, slot: number, before: string): string {
  const lying = queued !== null && queued > 0 ? ` ${queued} lie on the phone.` : '';
  return (
    `SMS that came in SIM ${slot} before now, and are delivered later, go to review: nobody can tell whether they ` +
    `reached ${before}.${lying} See them with: kashbox verifications list`
  );
}

async function nowUnread(db: Db, { merchant_id: merchant }: Phone, number: string): Promise<string[]> {
  if ((await readersOf(db, merchant, number)).length > 0) return [];
  const accounts = await accountsOfNumber(db, merchant, number);
  const notes: string[] = [];
  for (const { brand, brand_id, channel, type } of accounts) {
    const open = await openSessionsOf(db, brand_id);
    const set = `kashbox accounts set --brand ${quoted(brand)} --channel ${channel} --type ${type} --number NUMBER`;
    notes.push(
      `No phone reads the SMS of ${number} any more, and brand ${quoted(brand)} is paid there (${channel} ${type}; ` +
        `${open === 1 ? '1 payment is' : `${open} payments are`} open). Where its customers pay now: ${set}`,
    );
  }
  return notes;
}

async function unused(db: Db, { merchant_id: merchant }: Phone, number: string): Promise<string[]> {
  if ((await accountsOfNumber(db, merchant, number)).length > 0) return [];
  return [
    `No brand is paid at ${number} yet, so its SMS pay nothing by themselves: kashbox accounts set --brand BRAND ` +
      `--channel CHANNEL --type TYPE --number ${number}`,
  ];
}
