/**
 * Everything that the hosted checkout page may show of one session, in one reading. The caller decides which
 * parts a browser may see.
 */
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { type Disagreement, isDisagreement } from '../../domain/matching/matching.js';
import { pluginOf } from '../../domain/plugins/plugins.js';
import { DEFAULT_CUSTOMER } from '../../domain/sessions/customer.js';
import { dueOn } from '../../domain/sessions/due.js';
import {
  type ReturnAddresses,
  type ReturnFacts,
  type ReturnMethod,
  reviewFacts,
} from '../../domain/sessions/redirect.js';
import { isOpen } from '../../domain/sessions/session.js';
import { askedReviewOf, hostedSession, lastClaim, openReviewOf } from '../../store/tables/checkout.js';
import { openSlips } from '../../store/tables/reviews.js';
import { type BrandContact, shownContact } from '../brands/brand-context.js';
import type { BrandLook } from '../brands/brand-look.js';
import type { Core } from '../core/core.js';
import { type CheckoutMethod, channelsOf, methodsOf } from './checkout-methods.js';
import { type Given, payerGave } from './payer.js';
import { linkOf, type PaymentLink } from './payment-link.js';
import { unquotedAccounts } from './quote-on-demand.js';

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

export interface Checkout {
  readonly id: string;
  readonly gatewayReference: string;
  readonly brandId: string;
  readonly merchantId: string;
  readonly state: CheckoutState;
  readonly brand: BrandContact;
  /** Of a test brand: its page plays the wallets, and nothing of it is money. */
  readonly isTest: boolean;
  readonly look: BrandLook;
  /** What its payer may write into a wallet's reference field; null of a payment that has none. */
  readonly paymentReference: string | null;
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
    /** When it was made, in milliseconds since the epoch. */
    readonly at: number;
    /** That its money may still come. */
    readonly isWaiting: boolean;
    /** Why the money that came under this reference does not pay; null while nothing is known against it. */
    readonly refusedFor: Disagreement | 'already_credited' | null;
    /** How much came, of money whose payer wrote the payment reference; null of all other money. */
    readonly camePaisa: Paisa | null;
  } | null;
  /** The customer has sent a claim to the seller, and may still correct it. */
  readonly isAsked: boolean;
  /** A slip came with a claim that waits for a person, and there was no room to keep it. */
  readonly lacksSlip: boolean;
  /** The claim is a bank transfer that waits for a person, and no slip has come with it. */
  readonly takesSlip: boolean;
  /** What was credited: likewise. */
  readonly paid: {
    readonly channel: PayChannel;
    readonly reference: string;
    /** Without the fee. */
    readonly paidPaisa: Paisa;
    readonly feePaisa: Paisa;
    /** The number, address or user id that received it; null where nobody says. */
    readonly recipient: string | null;
    /** Milliseconds since the epoch. */
    readonly at: number;
  } | null;
  /** A browser that gave one of these, or was shown the payment reference, is the payer's. */
  readonly payerGave: readonly Given[];
  /** What the shop is told when the customer goes back now. */
  readonly facts: ReturnFacts;
  /** Further names under which the shop's program looks for the transaction id. */
  readonly returnNames: readonly string[];
  /** Null where there is no shop to go back to. */
  readonly addresses: ReturnAddresses | null;
  readonly returnMethod: ReturnMethod;
  /** The payment link that has opened it; null of a payment of a shop's own. */
  readonly link: PaymentLink | null;
}

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
    // Only payments of a link have no shop to go back to.
    const link = row.success_url === null ? await linkOf(db, id) : null;
    const mayAsk = link !== null && !isOver && row.merchant_status !== 'SUSPENDED';
    const canAsk = mayAsk && mayWait && (await unquotedAccounts(core, db, row)).length > 0;
    const methods = isClosed(state) ? [] : await methodsOf(db, row, accounts, canAsk);
    const isPaid = row.paid_channel !== null;
    const slips = state === 'review' ? await openSlips(db, id) : [];
    return checkoutOf(row, claim, {
      state,
      link,
      isOver,
      methods,
      takes: channelsOf(methods, isClosed(state) ? [] : shown),
      payerGave: claim === undefined && !isPaid ? [] : await payerGave(db, row, claim),
      isAsked:
        state === 'review' && !isOver && (await askedReviewOf.first(db, { session: id })) !== undefined,
      lacksSlip: slips.some(({ slip }) => slip === 'no_room'),
      takesSlip: slips.some(
        ({ channel, reference, slip }) =>
          CHANNEL[channel].kind === 'manual' && reference === claim?.reference && slip === null,
      ),
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

type PageState = Pick<
  Checkout,
  'state' | 'methods' | 'takes' | 'payerGave' | 'isAsked' | 'lacksSlip' | 'takesSlip' | 'link'
> & {
  readonly isOver: boolean;
};

/** Names each field: an object that is spread from another took a third of the page's time. */
function checkoutOf(
  row: Row,
  claim: Claim,
  { state, isOver, methods, takes, payerGave, isAsked, lacksSlip, takesSlip, link }: PageState,
): Checkout {
  const { paid_channel, paid_reference, paid_paisa, paid_fee_paisa, paid_to, paid_at } = row;
  const feePaisa = paid_fee_paisa ?? 0;
  const paid =
    paid_channel === null || paid_reference === null
      ? null
      : {
          channel: paid_channel,
          reference: paid_reference,
          paidPaisa: (paid_paisa ?? 0) - feePaisa,
          feePaisa,
          recipient: paid_to,
          at: paid_at ?? 0,
        };
  return {
    id: row.id,
    gatewayReference: row.gateway_reference,
    paymentReference: row.payment_reference,
    brandId: row.brand_id,
    merchantId: row.merchant_id,
    state,
    brand: shownContact(row),
    look: { website: row.website, colour: row.colour, logo: row.logo },
    isTest: row.test_of !== null,
    cusName: row.cus_name === DEFAULT_CUSTOMER ? '' : row.cus_name,
    amountPaisa: row.amount_paisa,
    expiresAt: row.expires_at,
    isSuspended: row.merchant_status === 'SUSPENDED',
    methods,
    takes,
    claim: claim === undefined ? null : claimOf(claim, row.payment_reference),
    isAsked,
    lacksSlip,
    takesSlip,
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
    addresses: addressesOf(row, state === 'review' && !isOver),
    returnMethod: row.return_type ?? 'GET',
    link,
  };
}

/** What a program that books whatever is completed must not be told by a customer (`Binding`). */
function addressesOf(row: Row, isUnderReview: boolean): ReturnAddresses | null {
  const { success_url: successUrl, cancel_url: cancelUrl } = row;
  if (successUrl === null || cancelUrl === null) return null;
  const plugin = pluginOf(row.plugin);
  if (plugin?.binds === 'success_url' && isUnderReview) return null;
  return { successUrl: plugin?.returnsHome ? new URL('/', successUrl).href : successUrl, cancelUrl };
}

function claimOf(
  { channel, reference, state, reason, created_at: at, named, came_paisa }: NonNullable<Claim>,
  paymentReference: string | null,
): Checkout['claim'] {
  const isNamed = paymentReference !== null && named?.split(' ').includes(paymentReference) === true;
  return {
    channel,
    reference,
    at,
    isWaiting: state === 'WAITING',
    refusedFor:
      state === 'REFUSED' && (isDisagreement(reason) || reason === 'already_credited') ? reason : null,
    camePaisa: isNamed ? came_paisa : null,
  };
}
