/** The ways to pay that the checkout page offers for one session, with what each costs. */
import type { Paisa } from '../../base/values/money.js';
import type { QuotedAmount } from '../../channels/channel.js';
import { CHANNEL, isOnChain, PAY_CHANNELS, type PayChannel } from '../../domain/accounts/channels.js';
import { type Due, dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { codeOfSession } from '../../store/tables/checkout.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import type { BrandAccount } from '../core/account-cache.js';

export interface CheckoutAccount {
  /** `personal`, `agent`, `payment`; of banks a short name that the operator chose. */
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details): a bank's name and branch, the payload of a QR code. */
  readonly details: Readonly<Record<string, string>>;
}

/** What the customer must send is the total: the amount and the fee. */
export interface CheckoutMethod extends Due {
  readonly channel: PayChannel;
  /** At least one. */
  readonly accounts: readonly CheckoutAccount[];
  /** What it costs where USDT are paid; null where taka are, and while it is to be asked for. */
  readonly usdt: NonNullable<QuotedAmount['usdt']> | null;
  /** Of a link's payment: its amount in USDT is fixed, and held, once the customer asks for it. */
  readonly isUnquoted?: boolean;
}

interface PricedSession {
  readonly id: string;
  readonly fees: string | null;
  readonly amount_paisa: Paisa;
}

/** @returns each channel of the lists once. */
export function channelsOf(
  ...lists: readonly (readonly { readonly channel: PayChannel }[])[]
): readonly PayChannel[] {
  return [...new Set(lists.flatMap((list) => list.map(({ channel }) => channel)))];
}

/**
 * Also of one that is over without money, or whose merchant is suspended: who has paid says so there.
 * @param canAsk whether amounts that it has none of yet may be asked for (quote-on-demand).
 */
export async function methodsOf(
  db: Db,
  row: PricedSession,
  accounts: readonly BrandAccount[],
  canAsk: boolean,
): Promise<CheckoutMethod[]> {
  const has = (kind: string) => accounts.some(({ channel }) => CHANNEL[channel].kind === kind);
  const quotes = has('pull') ? await quotesOfSession.all(db, { session: row.id }) : [];
  const code = has('push') ? await codeOfSession.first(db, { session: row.id }) : undefined;
  return PAY_CHANNELS.flatMap((channel): CheckoutMethod[] => {
    const own = accounts.filter((account) => account.channel === channel);
    const quoted = quotes.filter((candidate) => candidate.channel === channel);
    const [quote] = quoted;
    // Of USDT only what was quoted when the session was opened: another address or amount is not looked for.
    const { kind } = CHANNEL[channel];
    const isUnquoted = canAsk && quote === undefined && isOnChain(channel);
    const shown =
      kind === 'pull' && !isUnquoted
        ? own.filter(({ id }) => quoted.some(({ account_id }) => account_id === id))
        : own;
    if (shown.length === 0) return [];
    const usdt = quote === undefined ? null : { rate: quote.rate, amount: quote.amount };
    const withCode = kind === 'push' && code !== undefined ? { qr: code.payload } : {};
    return [
      {
        channel,
        ...dueOn(channel, row),
        usdt,
        ...(isUnquoted ? { isUnquoted } : {}),
        accounts: shown.map(({ type, number, details }) => ({
          type,
          number,
          details: { ...details, ...withCode },
        })),
      },
    ];
  });
}
