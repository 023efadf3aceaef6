/**
 * The amount in USDT of a payment that a link has opened: fixed when its customer asks for it, because every
 * such amount is held for hours, and whoever has the link can open payments without end.
 */

import { isOnChain, type PayChannel } from '../../domain/accounts/channels.js';
import { EVERY_BRAND } from '../../domain/matching/quote.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { hostedSession } from '../../store/tables/checkout.js';
import { linkOfSession } from '../../store/tables/links.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import { rateOf } from '../../store/tables/rates.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';
import { type OverBudget, useBudget } from '../strangers/use-budget.js';
import { quotedAmountOf } from './quote-session.js';

export interface QuoteOnDemand {
  readonly sessionId: string;
  readonly channel: PayChannel;
  /** Of the customer's address; absent where that is not known. */
  readonly addressMark?: string | undefined;
}

export type QuotedOnDemand =
  | { readonly outcome: 'quoted' }
  /** Nothing more is paid there. */
  | { readonly outcome: 'over' }
  /** It cannot be paid so: no such account, no rate, or all amounts near its price are held. */
  | { readonly outcome: 'method_unavailable' }
  | OverBudget;

type Row = NonNullable<Awaited<ReturnType<typeof hostedSession.first>>>;

/** Idempotent: an amount that was given stays. Payments that a shop has created were quoted then. */
export async function quoteOnDemand(core: Core, input: QuoteOnDemand): Promise<QuotedOnDemand> {
  const { quoted, soldOut } = await core.store.write((db) => quoteIn(core, db, input));
  for (const account of soldOut) core.soldOut.tell(account);
  return quoted;
}

interface Result {
  readonly quoted: QuotedOnDemand;
  readonly soldOut: readonly string[];
}

const only = (quoted: QuotedOnDemand): Result => ({ quoted, soldOut: [] });

async function quoteIn(
  core: Core,
  db: Db,
  { sessionId, channel, addressMark: mark }: QuoteOnDemand,
): Promise<Result> {
  await lockSession(db, sessionId);
  const row = await hostedSession.first(db, { id: sessionId });
  if (row === undefined || !isOpen(row, core.clock.now())) return only({ outcome: 'over' });
  const quotes = await quotesOfSession.all(db, { session: sessionId });
  if (quotes.some((quote) => quote.channel === channel)) return only({ outcome: 'quoted' });
  const accounts = await unquotedAccounts(core, db, row);
  const own = accounts.filter((account) => account.channel === channel);
  const link = await linkOfSession.first(db, { session: sessionId });
  if (own.length === 0 || link === undefined || row.merchant_status === 'SUSPENDED') {
    return only({ outcome: 'method_unavailable' });
  }
  const { brand_id: brandId, merchant_id: merchantId } = row;
  const stranger = { brandId, merchantId, link: link.id, addressMark: mark ?? null };
  const over = await useBudget(core, db, 'amounts', stranger);
  if (over !== null) return only(over);
  const { gateway_reference: gatewayReference, expires_at: expiresAt, fees, amount_paisa } = row;
  const session = { id: row.id, gatewayReference, expiresAt, fees, amount_paisa };
  const asked = { session, brandId, merchantId, accounts: own, publicBase: '' };
  const { quotedAmounts, soldOut } = await quotedAmountOf(core, db, asked);
  const outcome = quotedAmounts.has(channel) ? 'quoted' : 'method_unavailable';
  return { quoted: { outcome }, soldOut };
}

/** @returns the accounts of a link's open payment for which an amount may be asked for. */
export async function unquotedAccounts(core: Core, db: Db, row: Row): Promise<readonly BrandAccount[]> {
  const { active } = await core.accounts.shownIn(db, row);
  const held = active.filter(({ channel }) => isOnChain(channel));
  if (held.length === 0) return [];
  const rate = await rateOf.first(db, { brand: row.brand_id, every: EVERY_BRAND });
  return rate === undefined ? [] : held;
}
