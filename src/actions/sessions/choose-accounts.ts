/** Fixes the number that a new payment shows, where its brand has several of one wallet and type. */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { chooseAccount, groupNumbers } from '../../domain/accounts/choose-account.js';
import { dueOn, type PricedSession } from '../../domain/sessions/fees.js';
import type { Db } from '../../store/schema/index.js';
import { lockNames } from '../../store/tables/locks.js';
import { insertChosenAccount } from '../../store/tables/number-use.js';
import { candidateOf } from '../accounts/number-use.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';

interface ChoosingSession extends PricedSession {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly expires_at: number;
}

interface ChoosingBrand {
  readonly merchantId: string;
  readonly name: string;
}

const choicesIn = (accounts: readonly BrandAccount[]) =>
  groupNumbers(accounts).filter((numbers) => numbers.length > 1);

/** True if a payment cannot show all of these accounts. */
export function hasChoice(accounts: readonly BrandAccount[]): boolean {
  return choicesIn(accounts).length > 0;
}

/**
 * Makes payments of one moment wait for each other, so that both do not fill the same number. Called before
 * the session is inserted (store/tables/locks).
 */
export async function lockChoice(
  db: Db,
  merchantId: string,
  accounts: readonly BrandAccount[],
): Promise<void> {
  const numbers = choicesIn(accounts).flat();
  const names = numbers.map(({ channel, number }) => ({ reference: `${channel} ${number}` }));
  await lockNames(db, merchantId, names);
}

/**
 * @param session already inserted.
 * @param accounts all active accounts of the brand.
 * @returns those that the payment shows, in the same order.
 */
export async function chooseAccounts(
  core: Core,
  db: Db,
  { session, brand }: { readonly session: ChoosingSession; readonly brand: ChoosingBrand },
  accounts: readonly BrandAccount[],
): Promise<readonly BrandAccount[]> {
  const left = new Set<BrandAccount>();
  for (const numbers of choicesIn(accounts)) {
    const chosen = await chooseOne(core, db, { session, brand }, numbers);
    for (const account of numbers) if (account.id !== chosen) left.add(account);
  }
  return accounts.filter((account) => !left.has(account));
}

async function chooseOne(
  core: Core,
  db: Db,
  { session, brand }: { readonly session: ChoosingSession; readonly brand: ChoosingBrand },
  numbers: readonly BrandAccount[],
): Promise<string> {
  const now = session.created_at;
  const candidates = [];
  for (const account of numbers) candidates.push(await candidateOf(db, account, brand.merchantId, now));
  const [first] = numbers as readonly [BrandAccount, ...BrandAccount[]];
  const duePaisa = dueOn(first.channel, session).totalPaisa;
  const choice = chooseAccount(candidates, duePaisa);
  const { expires_at } = session;
  await insertChosenAccount(db, {
    ...{ session_id: session.id, account_id: choice.id, due_paisa: duePaisa, expires_at },
  });
  if (choice.isWithin) return choice.id;
  const { channel, type, number } = numbers.find(({ id }) => id === choice.id) ?? first;
  const day = dhakaIso(now).slice(0, 10);
  await raiseAlert(core, db, {
    kind: 'account.limit',
    detail: {
      ...{ brand: brand.name, channel, type, number, day },
      amount: formatTaka(duePaisa),
      room: formatTaka(Math.max(0, choice.roomPaisa)),
    },
    merchantId: brand.merchantId,
    incident: `account.limit:${brand.merchantId}:${channel}:${number}:${day}`,
  });
  return choice.id;
}
