/** How far wallet numbers are used: money that came in, payments that show them, and the phone of the SIM. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import { isCredit, SMS_KINDS } from '../../domain/wallets/format.js';
import { prepared, type QueryParam } from '../compiled-query.js';
import { inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

const CREDITS = SMS_KINDS.filter(isCredit);

type OfNumber = { merchant: string; channel: PayChannel; number: string };

/** SMS of real money; the constants are those of the index `sms_income`. */
function incomeOf(db: Db, value: QueryParam<OfNumber>) {
  return db.query
    .selectFrom('sms')
    .where('merchant_id', '=', value('merchant'))
    .where('recipient', '=', value('number'))
    .where('channel', '=', value('channel') as never)
    .where('settle', '!=', 'never')
    .where('source', '!=', 'played')
    .where('kind', 'in', CREDITS);
}

/** Money that SMS report since two times, ISO 8601 as in SMS; null for none. */
export const incomeSince = prepared<OfNumber & { day: string; month: string }>()((db, value) =>
  incomeOf(db, value)
    .where('at', '>=', value('month'))
    .select(({ fn, eb }) => [
      fn.sum<number | string | null>('amount_paisa').as('month'),
      fn
        .sum<number | string | null>(
          eb.case().when('at', '>=', value('day')).then(eb.ref('amount_paisa')).else(0).end(),
        )
        .as('day'),
    ]),
);

/** The same of SMS that do not state their time, by when they were received. */
export const undatedIncomeSince = prepared<OfNumber & { day: number; month: number }>()((db, value) =>
  incomeOf(db, value)
    .where('at', 'is', null)
    .where('received_at', '>=', value('month'))
    .select(({ fn, eb }) => [
      fn.sum<number | string | null>('amount_paisa').as('month'),
      fn
        .sum<number | string | null>(
          eb.case().when('received_at', '>=', value('day')).then(eb.ref('amount_paisa')).else(0).end(),
        )
        .as('day'),
    ]),
);

/** The balance that the newest SMS states. */
export const newestBalance = prepared<OfNumber>()((db, value) =>
  db.query
    .selectFrom('sms')
    .where('merchant_id', '=', value('merchant'))
    .where('recipient', '=', value('number'))
    .where('channel', '=', value('channel') as never)
    .where('at', 'is not', null)
    .where('balance_paisa', 'is not', null)
    .where('kind', '!=', 'spoofed')
    .orderBy('at', 'desc')
    .orderBy('received_at', 'desc')
    .limit(1)
    .select('balance_paisa'),
);

/** Sum and number of the payments that may still be paid and show that number, whichever brand's they are. */
export const openOnNumber = prepared<OfNumber & { now: number }>()((db, value) =>
  db.query
    .selectFrom('accounts as a')
    .innerJoin('brands as b', 'b.id', 'a.brand_id')
    .innerJoin('session_accounts as o', 'o.account_id', 'a.id')
    .innerJoin('sessions as s', 's.id', 'o.session_id')
    .where('a.number', '=', value('number'))
    .where('a.channel', '=', value('channel'))
    .where('b.merchant_id', '=', value('merchant'))
    .where('o.expires_at', '>', value('now'))
    .where('s.status', '=', 'PENDING')
    .where('s.reason', '!=', 'review')
    .select(({ fn }) => [
      fn.sum<number | string | null>('o.due_paisa').as('paisa'),
      fn.countAll<number | string>().as('count'),
    ]),
);

/** The living phones of a merchant with that SIM. */
export const phonesOfNumber = prepared<Pick<OfNumber, 'merchant' | 'number'>>()((db, value) =>
  db.query
    .selectFrom('devices as d')
    .innerJoin('device_sims as s', 's.device_id', 'd.id')
    .where('d.merchant_id', '=', value('merchant'))
    .where('d.revoked_at', 'is', null)
    .where('s.number', '=', value('number'))
    .select(['d.agent', 'd.last_seen_at']),
);

/** Fixes the number that a payment shows. */
export const insertChosenAccount = inserter('session_accounts');

/** Accounts that were chosen for a payment; none where there was no choice. */
export const chosenAccounts = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('session_accounts as o')
    .innerJoin('accounts as a', 'a.id', 'o.account_id')
    .where('o.session_id', '=', value('session'))
    .orderBy('a.channel')
    .orderBy('a.type')
    .select(['a.id', 'a.channel', 'a.type', 'a.number']),
);
