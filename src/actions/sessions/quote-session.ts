/**
 * What a new session asks for beyond taka: its amount in USDT, fixed now, and its own QR code. Runs inside
 * the unit of work that opens the session. Of wallets nothing needs to be kept.
 */
import { newSessionId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import type { TenThousandths } from '../../base/values/usdt.js';
import type { QuotedAmount } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import { CHANNEL, type PayChannel, type PulledChannel } from '../../domain/accounts/channels.js';
import { EVERY_BRAND, HELD_AFTER_END_MS, quotedSteps, roomAbove } from '../../domain/matching/quote.js';
import { dueOn } from '../../domain/sessions/due.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db, QuoteTable } from '../../store/schema/index.js';
import { insertCode } from '../../store/tables/checkout.js';
import { insertQuote, nextFreeAmount, releasePaidElsewhere } from '../../store/tables/quotes.js';
import { rateOf } from '../../store/tables/rates.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';

export interface QuoteInput {
  readonly session: {
    readonly id: string;
    readonly gatewayReference: string;
    /** Milliseconds since the epoch. */
    readonly expiresAt: number;
    readonly fees: string | null;
    readonly amount_paisa: Paisa;
  };
  readonly brandId: string;
  readonly merchantId: string;
  readonly accounts: readonly BrandAccount[];
  readonly publicBase: string;
}

export interface SessionQuotes {
  /** By channel what the session asks for there; nothing for channels that need no more than taka. */
  readonly quotedAmounts: ReadonlyMap<PayChannel, QuotedAmount>;
  /** Ids of accounts on which it cannot be paid, because every amount near its price is held. */
  readonly soldOut: readonly string[];
}

export const NO_QUOTES: SessionQuotes = { quotedAmounts: new Map(), soldOut: [] };

/** Whether a session on these accounts asks for something beyond taka. */
export function asksForMore(accounts: readonly BrandAccount[]): boolean {
  return accounts.some(({ channel }) => CHANNEL[channel].kind === 'pull' || CHANNEL[channel].kind === 'push');
}

export async function quotedAmountOf(core: Core, db: Db, input: QuoteInput): Promise<SessionQuotes> {
  const quotedAmounts = new Map<PayChannel, QuotedAmount>();
  const soldOut: string[] = [];
  const { accounts } = input;
  if (accounts.some(({ channel }) => CHANNEL[channel].kind === 'pull')) {
    const found = await rateOf.first(db, { brand: input.brandId, every: EVERY_BRAND });
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
  const code = accounts.find(({ channel }) => CHANNEL[channel].kind === 'push');
  if (code !== undefined) quotedAmounts.set(code.channel, await drawCode(core, db, input, code));
  return { quotedAmounts, soldOut };
}

/** Sessions that ask for one amount at the same moment, from several daemons; each round one of them wins. */
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
  account: BrandAccount,
): Promise<QuotedAmount> {
  // Few shops take bank QR: the others do without what reads and builds it.
  const { dynamicPayload } = await import('../../channels/qr-interbank/emv.js');
  const token = newSessionId(core.random);
  const payload = dynamicPayload(account.details.qr ?? '', {
    amountPaisa: dueOn(account.channel, session).totalPaisa,
    reference: session.gatewayReference,
  });
  await insertCode(db, { token, session_id: session.id, payload, created_at: core.clock.now() });
  return { qrImage: `${publicBase}/api/qr/${token}.png` };
}
