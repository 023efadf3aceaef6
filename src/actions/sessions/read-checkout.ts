/**
 * Everything that the hosted checkout page may show of one session, in one reading. The caller decides which
 * parts a browser may see.
 */
import type { Paisa } from '../../base/values/money.js';
import type { QuotedAmount } from '../../channels/channel.js';
import { CHANNEL, PAY_CHANNELS, type PayChannel } from '../../domain/accounts/channels.js';
import { type Disagreement, isDisagreement } from '../../domain/matching/matching.js';
import { readShopNumber } from '../../domain/matching/reference.js';
import { pluginOf } from '../../domain/plugins/plugins.js';
import { type Due, dueOn } from '../../domain/sessions/due.js';
import {
  type ReturnAddresses,
  type ReturnFacts,
  type ReturnMethod,
  reviewFacts,
} from '../../domain/sessions/redirect.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { hostedSession, lastClaim, openReviewOf } from '../../store/tables/checkout.js';
import { codeOfSession } from '../../store/tables/codes.js';
import { creditedProof } from '../../store/tables/proofs.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import { lacksSlip as lacksItsSlip } from '../../store/tables/slips.js';
import type { BrandContact } from '../brands/brand-context.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';

/**
 * `open`: nothing is claimed yet. `waiting`: a transaction id was given and its SMS is not here. `review`: a
 * person decides. The others are over.
 */
export type CheckoutState =
  | 'open'
  | 'waiting'
  | 'review'
  | 'completed'
  | 'cancelled'
  | 'expired'
  | 'rejected';

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
  /** What it costs where USDT are paid; null where taka are. */
  readonly usdt: NonNullable<QuotedAmount['usdt']> | null;
}

export interface Checkout {
  readonly id: string;
  readonly gatewayReference: string;
  readonly brandId: string;
  readonly merchantId: string;
  readonly state: CheckoutState;
  readonly brand: BrandContact;
  /** Empty where the shop gave none. */
  readonly cusName: string;
  readonly amountPaisa: Paisa;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Of its merchant: nobody should send money now, and what was sent is kept. */
  readonly isSuspended: boolean;
  /** In the order of the API's `methods`, `bank` last. Empty once the payment is over. */
  readonly methods: readonly CheckoutMethod[];
  /** Where money counts: by the methods, and by accounts that were shown when it was opened. */
  readonly takes: readonly PayChannel[];
  /** What the customer said last: their own data, for the browser that said it. */
  readonly claim: {
    readonly channel: PayChannel;
    readonly reference: string;
    /** That its money may still come. */
    readonly isWaiting: boolean;
    /** Why the money that came under this reference does not pay; null while nothing is known against it. */
    readonly refusedFor: Disagreement | 'already_credited' | null;
  } | null;
  /** A slip came with a claim that waits for a person, and there was no room to keep it. */
  readonly lacksSlip: boolean;
  /** What was credited: likewise. */
  readonly paid: {
    readonly channel: PayChannel;
    readonly reference: string;
    /** Without the fee. */
    readonly paidPaisa: Paisa;
    readonly feePaisa: Paisa;
  } | null;
  /** A browser in which one of these was given is the payer's. */
  readonly payerGave: readonly { readonly channel: PayChannel; readonly reference: string }[];
  /** What the shop is told when the customer goes back now. */
  readonly facts: ReturnFacts;
  /** Further names under which the shop's program looks for the transaction id. */
  readonly returnNames: readonly string[];
  readonly addresses: ReturnAddresses;
  readonly returnMethod: ReturnMethod;
}

/** Placeholder name where a shop gave none; never shown. */
export const DEFAULT_CUSTOMER = 'Default Name';

type Row = NonNullable<Awaited<ReturnType<typeof hostedSession.first>>>;
type Claim = Awaited<ReturnType<typeof lastClaim.first>>;

/** @returns null where there is no hosted session of that id. */
export async function readCheckout(core: Core, id: string): Promise<Checkout | null> {
  return core.store.read(async (db) => {
    const row = await hostedSession.first(db, { id });
    if (row === undefined) return null;
    const { active: accounts, shown } = await core.accounts.shownIn(db, row);
    // Every claim counts a miss, opens a review or completes, unless it waits for somebody outside: most
    // pages are opened before there is one.
    const mayWait = accounts.some(({ channel }) => CHANNEL[channel].kind === 'pull');
    const isUntouched = row.reason === 'initiated' && row.misses === 0 && !mayWait;
    const claim = isUntouched ? undefined : await lastClaim.first(db, { session: id });
    const isOver = row.status !== 'COMPLETED' && !isOpen(row, core.clock.now());
    const review = isOver ? await openReviewOf.first(db, { session: id }) : undefined;
    const state = stateOf(row, claim, review !== undefined, isOver);
    const methods = await methodsOf(db, row, accounts, state);
    const isPaid = row.paid_channel !== null;
    return checkoutOf(row, claim, {
      state,
      isOver,
      methods,
      takes: channelsOf(methods, isClosed(state) ? [] : shown),
      payerGave: claim === undefined && !isPaid ? [] : await payerGave(db, row, claim),
      lacksSlip: state === 'review' && (await lacksItsSlip(db, id)),
    });
  });
}

function stateOf(row: Row, claim: Claim, hasReview: boolean, isOver: boolean): CheckoutState {
  if (row.status === 'COMPLETED') return 'completed';
  if (row.reason === 'review' || hasReview) return 'review';
  if (!isOver) return claim?.state === 'WAITING' ? 'waiting' : 'open';
  return row.reason === 'cancelled' || row.reason === 'rejected' ? row.reason : 'expired';
}

function isClosed(state: CheckoutState): boolean {
  return state === 'completed' || state === 'rejected';
}

function channelsOf(
  ...lists: readonly (readonly { readonly channel: PayChannel }[])[]
): readonly PayChannel[] {
  return [...new Set(lists.flatMap((list) => list.map(({ channel }) => channel)))];
}

/** Also of one that is over without money, or whose merchant is suspended: who has paid says so there. */
async function methodsOf(
  db: Db,
  row: Row,
  accounts: readonly BrandAccount[],
  state: CheckoutState,
): Promise<CheckoutMethod[]> {
  if (isClosed(state)) return [];
  const has = (kind: string) => accounts.some(({ channel }) => CHANNEL[channel].kind === kind);
  const quotes = has('pull') ? await quotesOfSession.all(db, { session: row.id }) : [];
  const code = has('push') ? await codeOfSession.first(db, { session: row.id }) : undefined;
  return PAY_CHANNELS.flatMap((channel): CheckoutMethod[] => {
    const own = accounts.filter((account) => account.channel === channel);
    const quoted = quotes.filter((candidate) => candidate.channel === channel);
    const [quote] = quoted;
    // Of USDT only what was quoted when the session was opened: another address or amount is not looked for.
    const { kind } = CHANNEL[channel];
    const shown =
      kind === 'pull' ? own.filter(({ id }) => quoted.some(({ account_id }) => account_id === id)) : own;
    if (shown.length === 0) return [];
    const usdt = quote === undefined ? null : { rate: quote.rate, amount: quote.amount };
    const withCode = kind === 'push' && code !== undefined ? { qr: code.payload } : {};
    return [
      {
        channel,
        ...dueOn(channel, row),
        usdt,
        accounts: shown.map(({ type, number, details }) => ({
          type,
          number,
          details: { ...details, ...withCode },
        })),
      },
    ];
  });
}

/**
 * A payment of an exchange has several ids, and what was typed may not be the one that was credited. The
 * number that a shop gave to its order is not among them, because strangers can guess it. Elsewhere the claim
 * counts as well: an operator may credit a transfer under the reference of the bank's statement, not the
 * customer's.
 */
async function payerGave(db: Db, row: Row, claim: Claim): Promise<Checkout['payerGave']> {
  const { paid_channel: channel, paid_reference: reference } = row;
  const claimed = claim === undefined ? [] : [{ channel: claim.channel, reference: claim.reference }];
  if (channel === null || reference === null) return claimed;
  if (!CHANNEL[channel].hasManyIds) return [{ channel, reference }, ...claimed];
  const proof = await creditedProof.first(db, { session: row.id });
  const aliases = JSON.parse(proof?.aliases ?? '[]') as string[];
  const ids = [reference, ...aliases.filter((alias) => readShopNumber(alias) === null)];
  return ids.map((id) => ({ channel, reference: id }));
}

type PageState = Pick<Checkout, 'state' | 'methods' | 'takes' | 'payerGave' | 'lacksSlip'> & {
  readonly isOver: boolean;
};

/** Names each field: an object that is spread from another took a third of the page's time. */
function checkoutOf(
  row: Row,
  claim: Claim,
  { state, isOver, methods, takes, payerGave, lacksSlip }: PageState,
): Checkout {
  const { paid_channel, paid_reference, paid_paisa, paid_fee_paisa } = row;
  const feePaisa = paid_fee_paisa ?? 0;
  const paid =
    paid_channel === null || paid_reference === null
      ? null
      : {
          channel: paid_channel,
          reference: paid_reference,
          paidPaisa: (paid_paisa ?? 0) - feePaisa,
          feePaisa,
        };
  return {
    id: row.id,
    gatewayReference: row.gateway_reference,
    brandId: row.brand_id,
    merchantId: row.merchant_id,
    state,
    brand: {
      name: row.brand_name,
      mobile: row.brand_mobile,
      whatsapp: row.brand_whatsapp,
      email: row.brand_email,
    },
    cusName: row.cus_name === DEFAULT_CUSTOMER ? '' : row.cus_name,
    amountPaisa: row.amount_paisa,
    expiresAt: row.expires_at,
    isSuspended: row.merchant_status === 'SUSPENDED',
    methods,
    takes,
    claim: claim === undefined ? null : claimOf(claim),
    lacksSlip,
    paid,
    payerGave,
    facts:
      state === 'review' && !isOver
        ? reviewFacts({
            flow: 'hosted',
            channel: claim?.channel ?? null,
            transactionId: row.gateway_reference,
            amountPaisa: row.amount_paisa,
            feePaisa: claim === undefined ? 0 : dueOn(claim.channel, row).feePaisa,
          })
        : {
            // Also before the job that writes it down has come by.
            status: isOver ? 'FAILED' : row.status,
            channel: paid?.channel ?? claim?.channel ?? null,
            transactionId: paid?.reference ?? row.gateway_reference,
            paidPaisa: paid?.paidPaisa ?? 0,
            feePaisa: paid?.feePaisa ?? 0,
          },
    returnNames: pluginOf(row.plugin)?.returnNames ?? [],
    addresses: { successUrl: row.success_url ?? '', cancelUrl: row.cancel_url ?? '' },
    returnMethod: row.return_type ?? 'GET',
  };
}

function claimOf({ channel, reference, state, reason }: NonNullable<Claim>): Checkout['claim'] {
  return {
    channel,
    reference,
    isWaiting: state === 'WAITING',
    refusedFor:
      state === 'REFUSED' && (isDisagreement(reason) || reason === 'already_credited') ? reason : null,
  };
}
