/**
 * Everything that the hosted checkout page may show of one session, in one reading. The caller decides which
 * parts a browser may see.
 */
import type { Paisa } from '../../base/values/money.js';
import type { QuotedAmount } from '../../channels/channel.js';
import { CHANNEL, isOnChain, PAY_CHANNELS, type PayChannel } from '../../domain/accounts/channels.js';
import { type PageQuestion, parseQuestions } from '../../domain/brands/questions.js';
import { type Disagreement, isDisagreement } from '../../domain/matching/matching.js';
import { parseShopNumber } from '../../domain/matching/reference.js';
import { findPlugin } from '../../domain/plugins/plugins.js';
import { type AmountDue, dueOn, type PricedSession, restOf } from '../../domain/sessions/fees.js';
import { type OrderItem, storedItems } from '../../domain/sessions/order-items.js';
import type { PaidPart } from '../../domain/sessions/payment-record.js';
import {
  type ReturnAddresses,
  type ReturnFacts,
  type ReturnMethod,
  reviewFacts,
} from '../../domain/sessions/redirect.js';
import { DEFAULT_CUSTOMER, isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import {
  codesOfSession,
  findOpenReview,
  findRequestedReview,
  type HostedSession,
  hostedSession,
  lastClaim,
} from '../../store/tables/checkout.js';
import { creditedProof } from '../../store/tables/proofs.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import { openSlips } from '../../store/tables/reviews.js';
import { creditsOfSession, toParts } from '../../store/tables/sessions.js';
import { codeOnChannel } from '../../store/tables/weak-money.js';
import { type BrandContact, toBrandContact } from '../brands/brand-context.js';
import type { BrandTheme } from '../brands/brand-theme.js';
import type { BrandAccount } from '../core/account-cache.js';
import type { Core } from '../core/core.js';
import { findPaymentLink, type PaymentLink } from './payment-link.js';
import { unquotedAccounts } from './quote-session.js';

/**
 * State that the page shows. `open`: nothing is claimed yet. `waiting`: a transaction id was given and its
 * SMS has not arrived. `review`: under manual review. In the others the payment is over.
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
  /** True for a payment of a test brand: its page simulates the wallets, and no real money is involved. */
  readonly isTest: boolean;
  readonly look: BrandTheme;
  /** At most three. */
  readonly questions: readonly PageQuestion[];
  /** An https address; empty if there is none. */
  readonly video: string;
  /** Reference that the payer may write into a wallet's reference field; null if the payment has none. */
  readonly paymentReference: string | null;
  /** Empty where the shop gave none. */
  readonly cusName: string;
  /** Order lines, which add up to the amount; empty if the shop sent none. */
  readonly items: readonly OrderItem[];
  /** Empty where the shop gave none. */
  readonly description: string;
  readonly amountPaisa: Paisa;
  /** True if several transactions may pay it together. */
  readonly takesParts: boolean;
  /** Credits of a payment that was paid in parts, the oldest first; their references are the payer's data. */
  readonly parts: readonly PaidPart[];
  /** All that was paid, with the fees in it. */
  readonly creditedPaisa: Paisa;
  /** Paid so far and still due, both without fees. */
  readonly paidPaisa: Paisa;
  readonly restPaisa: Paisa;
  /** Rest of the order that is due on delivery; 0 for none. */
  readonly deliveryPaisa: Paisa;
  /** Sum that was sent back to the customer. */
  readonly refundedPaisa: Paisa;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** True if nobody should send money now (merchant suspended); claims for money already sent are kept. */
  readonly isSuspended: boolean;
  /** Payment methods in the order of the API's `methods`, `bank` last. Empty once the payment is over. */
  readonly methods: readonly CheckoutMethod[];
  /** Channels where money counts: those of the methods and of the accounts shown at creation. */
  readonly takes: readonly PayChannel[];
  /** Last claim of the customer: their own data, only for the browser that made the claim. */
  readonly claim: {
    readonly channel: PayChannel;
    readonly reference: string;
    /** Time of the claim, milliseconds since the epoch. */
    readonly at: number;
    /** True if its money may still come. */
    readonly isWaiting: boolean;
    /** Reason why the money with this reference does not pay; null if there is none. */
    readonly refusedFor: Disagreement | 'already_credited' | null;
    /** Amount received, for money whose payer wrote the payment reference; null for all other money. */
    readonly camePaisa: Paisa | null;
  } | null;
  /** The customer has sent a claim to the seller, and may still correct it. */
  readonly isAsked: boolean;
  /** True if a claim under manual review came with a slip that could not be stored for lack of space. */
  readonly lacksSlip: boolean;
  /** True if the claim is a bank transfer under manual review that came without a slip. */
  readonly takesSlip: boolean;
  /** Credited money: only for the payer's browser, too. */
  readonly paid: {
    readonly channel: PayChannel;
    readonly reference: string;
    /** Amount without the fee. */
    readonly paidPaisa: Paisa;
    readonly feePaisa: Paisa;
    /** The number, address or user id that received it; null where nobody says. */
    readonly recipient: string | null;
    /** Milliseconds since the epoch. */
    readonly at: number;
  } | null;
  /** A browser that gave one of these, or was shown the payment reference, is the payer's. */
  readonly payerGave: readonly PayerProof[];
  /** Facts that the shop receives if the customer returns now. */
  readonly facts: ReturnFacts;
  /** Further names under which the shop's program looks for the transaction id. */
  readonly returnNames: readonly string[];
  /** Return addresses; null if there is no shop to return to. */
  readonly addresses: ReturnAddresses | null;
  readonly returnMethod: ReturnMethod;
  /** The payment link that has opened it; null of a payment of a shop's own. */
  readonly link: PaymentLink | null;
}

type Credits = Awaited<ReturnType<typeof creditsOfSession.all>>;
type LastClaim = Awaited<ReturnType<typeof lastClaim.first>>;

/** @returns null if there is no hosted session with that id. */
export async function loadCheckout(core: Core, id: string): Promise<Checkout | null> {
  return core.store.read(async (db) => {
    const row = await hostedSession.first(db, { id });
    if (row === undefined) return null;
    const accounts = await core.accounts.shownIn(db, row);
    // Every claim counts a miss, opens a review or completes, unless it waits for somebody outside: most
    // pages are opened before there is one.
    const mayWait = accounts.some(({ channel }) => CHANNEL[channel].kind === 'pull');
    const isUntouched = row.reason === 'initiated' && row.misses === 0 && !mayWait;
    const claim = isUntouched ? undefined : await lastClaim.first(db, { session: id });
    const isOver = row.status !== 'COMPLETED' && !isOpen(row, core.clock.now());
    const review = isOver ? await findOpenReview.first(db, { session: id }) : undefined;
    const state = stateOf(row, claim, review !== undefined, isOver);
    // Only payments of a link have no shop to go back to.
    const link = row.success_url === null ? await findPaymentLink(db, id) : null;
    const mayAsk = link !== null && !isOver && row.merchant_status !== 'SUSPENDED';
    const isUnpaid = row.paid_paisa === 0;
    const canAsk = mayAsk && mayWait && isUnpaid && (await unquotedAccounts(core, db, row)).length > 0;
    const methods = isClosed(state) ? [] : await methodsOf(db, row, accounts, canAsk);
    const credits = row.takes_parts === 0 || isUnpaid ? [] : await creditsOfSession.all(db, { session: id });
    const slips = state === 'review' ? await openSlips(db, id) : [];
    return checkoutOf(row, claim, {
      parts: toParts(credits),
      state,
      link,
      isOver,
      methods,
      takes: channelsOf(methods, isClosed(state) ? [] : await core.accounts.countingIn(db, row)),
      payerGave: [
        ...(claim === undefined && row.paid_channel === null ? [] : await payerGave(db, row, claim)),
        ...credits.flatMap((credit) => payerGavePart(row, credit)),
      ],
      isAsked:
        state === 'review' && !isOver && (await findRequestedReview.first(db, { session: id })) !== undefined,
      lacksSlip: slips.some(({ slip }) => slip === 'no_room'),
      takesSlip: slips.some(
        ({ channel, reference, slip }) =>
          CHANNEL[channel].kind === 'manual' && reference === claim?.reference && slip === null,
      ),
    });
  });
}

function stateOf(row: HostedSession, claim: LastClaim, hasReview: boolean, isOver: boolean): CheckoutState {
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
  'state' | 'parts' | 'methods' | 'takes' | 'payerGave' | 'isAsked' | 'lacksSlip' | 'takesSlip' | 'link'
> & {
  readonly isOver: boolean;
};

/** Names each field: an object that is spread from another took a third of the page's time. */
function checkoutOf(
  row: HostedSession,
  claim: LastClaim,
  { state, parts, isOver, methods, takes, payerGave, isAsked, lacksSlip, takesSlip, link }: PageState,
): Checkout {
  const paid = creditOf(row);
  return {
    id: row.id,
    gatewayReference: row.gateway_reference,
    paymentReference: row.payment_reference,
    brandId: row.brand_id,
    merchantId: row.merchant_id,
    state,
    brand: toBrandContact(row),
    look: { website: row.website, colour: row.colour, logo: row.logo, marks: row.marks },
    questions: parseQuestions(row.questions),
    video: row.video ?? '',
    isTest: row.test_of !== null,
    cusName: row.cus_name === DEFAULT_CUSTOMER ? '' : row.cus_name,
    items: storedItems(row.items),
    description: row.description ?? '',
    amountPaisa: row.amount_paisa,
    takesParts: row.takes_parts === 1,
    parts,
    creditedPaisa: row.paid_paisa,
    paidPaisa: row.paid_paisa - row.paid_fee_paisa,
    restPaisa: restOf(row),
    deliveryPaisa: row.delivery_paisa,
    refundedPaisa: row.refunded_paisa,
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
    returnNames: findPlugin(row.plugin)?.returnNames ?? [],
    addresses: addressesOf(row, state === 'review' && !isOver),
    returnMethod: row.return_type ?? 'GET',
    link,
  };
}

/** Money of a completed payment; the reference is that of the last part. */
function creditOf(row: HostedSession): Checkout['paid'] {
  const { paid_channel: channel, paid_reference: reference, paid_fee_paisa: feePaisa, paid_at } = row;
  if (channel === null || reference === null) return null;
  const paidPaisa = row.paid_paisa - feePaisa;
  return { channel, reference, paidPaisa, feePaisa, recipient: row.paid_to, at: paid_at ?? 0 };
}

/** Return addresses; a program that accepts any completed order (`Binding`) gets none under review. */
function addressesOf(row: HostedSession, isUnderReview: boolean): ReturnAddresses | null {
  const { success_url: successUrl, cancel_url: cancelUrl } = row;
  if (successUrl === null || cancelUrl === null) return null;
  const plugin = findPlugin(row.plugin);
  if (plugin?.binds === 'success_url' && isUnderReview) return null;
  return { successUrl: plugin?.returnsHome ? new URL('/', successUrl).href : successUrl, cancelUrl };
}

function claimOf(
  { channel, reference, state, reason, created_at: at, named, came_paisa }: NonNullable<LastClaim>,
  paymentReference: string | null,
): Checkout['claim'] {
  const isNamed = namesPayment(named, paymentReference);
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

export interface CheckoutAccount {
  /** `personal`, `agent`, `payment`; of banks a short name that the operator chose. */
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details): a bank's name and branch, the payload of a QR code. */
  readonly details: Readonly<Record<string, string>>;
}

/** Method with the total that the customer must send: the amount and the fee. */
export interface CheckoutMethod extends AmountDue {
  readonly channel: PayChannel;
  /** Accounts of the method, at least one. */
  readonly accounts: readonly CheckoutAccount[];
  /** Price in USDT; null for a method in taka, and if the amount is not requested yet. */
  readonly usdt: NonNullable<QuotedAmount['usdt']> | null;
  /** Text of the payment's own QR code on this channel; absent if it has none. */
  readonly code?: string;
  /** True if a link's USDT amount is not fixed yet: the customer's request fixes and holds it. */
  readonly isUnquoted?: boolean;
}

/** @returns each channel of the lists once. */
function channelsOf(
  ...lists: readonly (readonly { readonly channel: PayChannel }[])[]
): readonly PayChannel[] {
  return [...new Set(lists.flatMap((list) => list.map(({ channel }) => channel)))];
}

/**
 * Lists methods even if the payment is over without money or the merchant suspended: payers can still claim.
 * After a part only those that take any amount, and no codes: quotes and codes are about the full one.
 * @param canAsk true if amounts that the payment lacks may be requested (quote-session).
 */
async function methodsOf(
  db: Db,
  row: PricedSession & { readonly id: string },
  all: readonly BrandAccount[],
  canAsk: boolean,
): Promise<CheckoutMethod[]> {
  const isUnpaid = row.paid_paisa === 0;
  const takesAny = ({ channel }: BrandAccount) => ['sms', 'manual'].includes(CHANNEL[channel].kind);
  const accounts = isUnpaid ? all : all.filter(takesAny);
  const hasQuotes = accounts.some(({ channel }) => CHANNEL[channel].kind === 'pull');
  const quotes = hasQuotes ? await quotesOfSession.all(db, { session: row.id }) : [];
  const hasCodes = isUnpaid && accounts.some(({ hasCode }) => hasCode);
  const codes = hasCodes ? await codesOfSession.all(db, { session: row.id }) : [];
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
    const code = codes.find((one) => one.channel === channel)?.payload;
    return [
      {
        channel,
        ...dueOn(channel, row),
        usdt,
        ...(code === undefined ? {} : { code }),
        ...(isUnquoted ? { isUnquoted } : {}),
        accounts: shown.map(accountOf),
      },
    ];
  });
}

/** In place of the account's own code, which names no payment, the page shows that of the payment. */
const accountOf = ({ type, number, details, hasCode }: BrandAccount): CheckoutAccount => ({
  type,
  number,
  details: hasCode ? withoutCode(details) : details,
});

function withoutCode({ qr: _, ...details }: BrandAccount['details']): BrandAccount['details'] {
  return details;
}

/** @param named payment references that the payer of some money wrote. */
function namesPayment(named: string | null, reference: string | null): boolean {
  return reference !== null && named?.split(' ').includes(reference) === true;
}

/** Data that only the payer knows about a payment. */
export interface PayerProof {
  /**
   * Channel of the reference. `payment_reference` is for the payment's own reference, which its payer wrote
   * into the wallet; `seen` for the reference that a browser was shown.
   */
  readonly channel: PayChannel | 'payment_reference' | 'seen';
  readonly reference: string;
}

/**
 * Lists the references that identify the payer. A payment of an exchange has several ids, and the one typed
 * may differ from the one credited. The order number of the shop is excluded, because strangers can guess it.
 * On other channels the claim counts as well: an operator may credit a transfer under the reference in the
 * bank's statement instead of the customer's.
 */
async function payerGave(db: Db, row: HostedSession, claim: LastClaim): Promise<readonly PayerProof[]> {
  const { paid_channel: channel, paid_reference: reference } = row;
  const claimed: PayerProof[] =
    claim === undefined ? [] : [{ channel: claim.channel, reference: claim.reference }];
  const named = row.paid_named ?? claim?.named ?? null;
  // Money that nobody has claimed was sent by the code that the open page shows.
  const isByCode =
    channel !== null &&
    claim === undefined &&
    (await codeOnChannel.first(db, { session: row.id, channel })) !== undefined;
  const shown = row.payment_reference;
  if (shown !== null && (isByCode || namesPayment(named, shown))) {
    claimed.push({ channel: 'payment_reference', reference: shown });
  }
  if (channel === null || reference === null) return claimed;
  if (!CHANNEL[channel].hasManyIds) return [{ channel, reference }, ...claimed];
  const proof = await creditedProof.first(db, { session: row.id });
  return payersIds(reference, proof?.aliases ?? '[]').map((id) => ({ channel, reference: id }));
}

/** @param aliases JSON text of the other ids. @returns the ids of a payment that strangers cannot guess. */
function payersIds(reference: string, aliases: string): string[] {
  const others = JSON.parse(aliases) as string[];
  return [reference, ...others.filter((alias) => parseShopNumber(alias) === null)];
}

/** Every part of the money identifies the payer. */
function payerGavePart(
  { payment_reference: shown }: HostedSession,
  { channel, reference, aliases, named }: Credits[number],
): PayerProof[] {
  const ids = payersIds(reference, aliases).map((id): PayerProof => ({ channel, reference: id }));
  if (shown === null || !namesPayment(named, shown)) return ids;
  return [...ids, { channel: 'payment_reference', reference: shown }];
}
