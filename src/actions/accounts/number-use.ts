/** Reads how far wallet numbers are used: what has come in, and the open payments that show them. */
import { dhakaIso } from '../../base/values/clock.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { Candidate, Income } from '../../domain/accounts/choose-account.js';
import { canReport } from '../../domain/devices/device-state.js';
import type { Db } from '../../store/schema/index.js';
import {
  incomeSince,
  newestBalance,
  openOnNumber,
  phonesOfNumber,
  undatedIncomeSince,
} from '../../store/tables/number-use.js';
import type { BrandAccount } from '../core/account-cache.js';

interface WalletNumber {
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly number: string;
}

/** Sums the credit SMS of a number, today and this month in Bangladesh. @param now ms since the epoch. */
export async function incomeOf(db: Db, wallet: WalletNumber, now: number): Promise<Income> {
  const { merchant, channel, number } = wallet;
  const today = dhakaIso(now).slice(0, 10);
  const [day, month] = [`${today}T00:00:00+06:00`, `${today.slice(0, 7)}-01T00:00:00+06:00`];
  const of = { merchant, channel, number };
  const dated = await incomeSince.first(db, { ...of, day, month });
  const times = { day: Date.parse(day), month: Date.parse(month) };
  const undated = await undatedIncomeSince.first(db, { ...of, ...times });
  return {
    todayPaisa: Number(dated?.day ?? 0) + Number(undated?.day ?? 0),
    monthPaisa: Number(dated?.month ?? 0) + Number(undated?.month ?? 0),
  };
}

/** Reads what the choice between numbers depends on (domain/accounts/choose-account). */
export async function candidateOf(
  db: Db,
  account: BrandAccount,
  merchant: string,
  now: number,
): Promise<Candidate> {
  const { id, channel, number, dayLimitPaisa, monthLimitPaisa } = account;
  const wallet = { merchant, channel, number };
  const open = await openOnNumber.first(db, { ...wallet, now });
  const phones = await phonesOfNumber.all(db, { merchant, number });
  const newest = await newestBalance.first(db, wallet);
  return {
    ...{ id, dayLimitPaisa, monthLimitPaisa },
    ...(await incomeOf(db, wallet, now)),
    openPaisa: Number(open?.paisa ?? 0),
    openPayments: Number(open?.count ?? 0),
    isOnline: phones.some(({ agent, last_seen_at }) => canReport(agent, last_seen_at, now)),
    balancePaisa: newest?.balance_paisa ?? null,
  };
}
