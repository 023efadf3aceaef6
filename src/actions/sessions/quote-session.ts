/**
 * Quotes what a session needs in addition to taka: its amount in USDT, and its own QR code. Both are fixed in
 * the database transaction that creates the session. Exception: for a payment created by a link, the amount
 * in USDT is fixed when its customer requests it, because each such amount is held for hours, and anyone who
 * has the link can create any number of payments.
 */
import { newSessionId } from '../../base/values/ids.js';
import type { TenThousandths } from '../../base/values/usdt.js';
import type { QuotedAmount } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import { dynamicPayload } from '../../channels/qr-interbank/emv.js';
import {
  BANK,
  CHANNEL,
  type Channel,
  isOnChain,
  type PayChannel,
  type PulledChannel,
} from '../../domain/accounts/channels.js';
import { EVERY_BRAND, HELD_AFTER_END_MS, quotedSteps, roomAbove } from '../../domain/matching/quote.js';
import { dueOn, type PricedSession } from '../../domain/sessions/fees.js';
import { isOpen } from '../../domain/sessions/session.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db, QuoteTable } from '../../store/schema/index.js';
import { type HostedSession, hostedSession, insertCode } from '../../store/tables/checkout.js';
import { linkOfSession } from '../../store/tables/links.js';
import {
  insertQuote,
  nextFreeAmount,
  quotesOfSession,
  releasePaidElsewhere,
} from '../../store/tables/quotes.js';
import { findRate } from '../../store/tables/rates.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';
import { type OverBudget, useBudget } from '../strangers/use-budget.js';

interface QuoteInput {
  readonly session: PricedSession & {
    readonly id: string;
    readonly gatewayReference: string;
    readonly paymentReference: string | null;
    /** Milliseconds since the epoch. */
    readonly expiresAt: number;
  };
  readonly brandId: string;
  readonly merchantId: string;
  readonly accounts: readonly BrandAccount[];
  readonly publicBase: string;
}

export interface SessionQuotes {
  /** Quoted amounts by channel, without the channels that need only taka. */
  readonly quotedAmounts: ReadonlyMap<PayChannel, QuotedAmount>;
  /** Ids of accounts on which it cannot be paid, because every amount near its price is held. */
  readonly soldOut: readonly string[];
}

export const NO_QUOTES: SessionQuotes = { quotedAmounts: new Map(), soldOut: [] };

/** True if a session on these accounts needs a quote or a QR code. */
export function asksForMore(accounts: readonly BrandAccount[]): boolean {
  return accounts.some(({ channel, hasCode }) => CHANNEL[channel].kind === 'pull' || hasCode);
}

export async function quoteAmounts(core: Core, db: Db, input: QuoteInput): Promise<SessionQuotes> {
  const quotedAmounts = new Map<PayChannel, QuotedAmount>();
  const soldOut: string[] = [];
  const { accounts } = input;
  if (accounts.some(({ channel }) => CHANNEL[channel].kind === 'pull')) {
    const found = await findRate.first(db, { brand: input.brandId, every: EVERY_BRAND });
    // Without a rate nobody can say what it costs: the channel is not offered.
    const rate = found?.rate ?? 0;
    for (const account of rate === 0 ? [] : accounts) {
      const row = CHANNEL[account.channel];
      if (row.kind !== 'pull') continue;
      const { channel } = row;
      const amount = await quote(db, input, channel, account, rate);
      if (amount === null) soldOut.push(account.id);
      else quotedAmounts.set(channel, { usdt: { rate, amount } });
    }
  }
  for (const account of accounts) {
    const { channel } = account;
    if (account.hasCode && channel !== BANK && !quotedAmounts.has(channel)) {
      quotedAmounts.set(channel, await drawCode(core, db, input, { ...account, channel }));
    }
  }
  return { quotedAmounts, soldOut };
}

/** Maximum number of attempts: in each round, one of the sessions that request the same amount gets it. */
const MAX_ROUNDS = 50;

async function quote(
  db: Db,
  { session, merchantId: merchant }: QuoteInput,
  channel: PulledChannel,
  account: BrandAccount,
  rate: TenThousandths,
): Promise<TenThousandths | null> {
  const wanted = quotedSteps(dueOn(channel, session).totalPaisa, rate);
  const row: QuoteTable = {
    session_id: session.id,
    channel,
    account_id: account.id,
    merchant_id: merchant,
    receiver: account.number,
    rate,
    amount: wanted,
    // Hashes of a chain are public, so the amount must say whose transfer it is; of orders their ids say it.
    held_until: channelModule(channel).isPublic ? session.expiresAt + HELD_AFTER_END_MS : null,
  };
  const receiver = account.number;
  let amount = wanted;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (await insertQuote(db, { ...row, amount })) return amount;
    if ((await releasePaidElsewhere.first(db, { merchant, receiver, amount })) !== undefined) continue;
    const free = await nextFreeAmount.first(db, { merchant, receiver, amount: wanted });
    amount = free === undefined ? wanted : Number(free.amount);
    if (amount - wanted > roomAbove(wanted)) return null;
  }
  throw new RetryableConflict('no amount in USDT was free');
}

async function drawCode(
  core: Core,
  db: Db,
  { session, publicBase }: QuoteInput,
  { channel, number: receiver, details }: BrandAccount & { readonly channel: Channel },
): Promise<QuotedAmount> {
  const token = newSessionId(core.random);
  const amountPaisa = dueOn(channel, session).totalPaisa;
  // A wallet's SMS may repeat what the code contains: the reference that its payers type.
  const reference = CHANNEL[channel].kind === 'sms' ? session.paymentReference : null;
  const payload = dynamicPayload(details.qr ?? '', {
    amountPaisa,
    reference: reference ?? session.gatewayReference,
  });
  const code = { token, session_id: session.id, channel, receiver, amount_paisa: amountPaisa, payload };
  await insertCode(db, { ...code, created_at: core.clock.now() });
  return { code: { image: `${publicBase}/api/qr/${token}.png`, payload } };
}

interface QuoteOnDemand {
  readonly sessionId: string;
  readonly channel: PayChannel;
  /** Keyed hash of the customer's address; absent if the address is unknown. */
  readonly addressMark?: string | undefined;
}

type QuotedOnDemand =
  | { readonly outcome: 'quoted' }
  /** Payment that cannot be paid any longer. */
  | { readonly outcome: 'over' }
  /** Method that cannot be used: no such account, no rate, or all amounts near its price are held. */
  | { readonly outcome: 'method_unavailable' }
  | OverBudget;

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
  const { gateway_reference: gatewayReference, payment_reference: paymentReference } = row;
  const session = { ...row, gatewayReference, paymentReference, expiresAt: row.expires_at };
  const asked = { session, brandId, merchantId, accounts: own, publicBase: '' };
  const { quotedAmounts, soldOut } = await quoteAmounts(core, db, asked);
  const outcome = quotedAmounts.has(channel) ? 'quoted' : 'method_unavailable';
  return { quoted: { outcome }, soldOut };
}

/** @returns accounts of a link's open payment for which an amount can be requested. */
export async function unquotedAccounts(
  core: Core,
  db: Db,
  row: HostedSession,
): Promise<readonly BrandAccount[]> {
  const shown = await core.accounts.shownIn(db, row);
  const held = shown.filter(({ channel }) => isOnChain(channel));
  if (held.length === 0) return [];
  const rate = await findRate.first(db, { brand: row.brand_id, every: EVERY_BRAND });
  return rate === undefined ? [] : held;
}
