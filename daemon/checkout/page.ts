/**
 * Input of a checkout page: the interface between the routes (requests) and the view (texts and markup).
 */
import type { BankClaimed } from '../../src/actions/claims/claim-bank-transfer.js';
import type { CheckoutClaimed } from '../../src/actions/claims/claim-checkout.js';
import type { Checkout } from '../../src/actions/sessions/load-checkout.js';
import type { PayChannel } from '../../src/domain/accounts/channels.js';
import type { Disagreement } from '../../src/domain/matching/matching.js';
import type { ReturnParameters } from '../../src/domain/sessions/redirect.js';

export const LANGUAGES = ['bn', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reason why a form is shown again, as the actions name it; each has its own sentence on the page. */
export type Problem = {
  /** Method of the submitted form; empty if the customer named none that exists. */
  readonly channel: PayChannel | '';
  /** Text that the customer typed, shown again in the field. */
  readonly typed: string;
  /** True for the form of a wallet's QR code, in which customers enter the number that paid. */
  readonly isByCode?: boolean;
} & (
  | {
      readonly kind:
        | Exclude<CheckoutClaimed['outcome'], 'completed' | 'part' | 'under_review' | 'waiting' | 'disagrees'>
        | Exclude<BankClaimed['outcome'], 'completed' | 'under_review'>
        /** Form whose token does not match: the page was open too long, or the browser sent no cookie. */
        | 'stale_form'
        /** Stale form whose file must be chosen again. */
        | 'stale_upload'
        /** Daily limit of amounts reserved in USDT is reached. */
        | 'sold_out'
        /** Daily limit of simulated payments of a test brand is reached. */
        | 'plays_used_up';
    }
  | {
      readonly kind: 'disagrees';
      readonly about: Disagreement;
      /** Amount received, in paisa; only for a browser whose payment reference identifies the payer. */
      readonly camePaisa?: number | null;
    }
);

/** The way back to the shop: a link, or a form for a shop that wants the parameters by POST. */
export type ReturnWay =
  | { readonly method: 'GET'; readonly url: string }
  | { readonly method: 'POST'; readonly url: string; readonly parameters: ReturnParameters }
  /** Link to the page of the payment link, for another payment; it is never followed automatically. */
  | { readonly method: 'AGAIN'; readonly url: string };

/** True while the payment can be made. */
export const isLive = ({ state }: Pick<Checkout, 'state'>) => state === 'open' || state === 'waiting';

/** True while a part of the money has come, and the rest can be paid. */
export const isPartPaid = (checkout: Checkout) => checkout.parts.length > 0 && isLive(checkout);

export interface CheckoutPage {
  readonly language: Language;
  readonly checkout: Checkout;
  /** True in the payer's browser: only it is shown what was claimed and paid. */
  readonly isPayer: boolean;
  /**
   * True if the payment finished a moment ago: the page then redirects to the shop. A customer who opens the
   * link again sees the state, and stays.
   */
  readonly isFresh: boolean;
  /**
   * True if a customer who has paid asked for the form again: the session expired, or a wrong id is waiting.
   * The page then does not reload.
   */
  readonly isLate: boolean;
  /** Goes into every form, as `token`. */
  readonly token: string;
  readonly problem: Problem | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Path below which all addresses of the daemon are; empty or without a slash at its end. */
  readonly base: string;
  /** Scheme and host of the addresses that are shown in previews; null where no setting says it. */
  readonly origin: string | null;
  /** Path of this page, without a query. Forms post to `${path}/claim`, `/bank`, `/ask` and `/cancel`. */
  readonly path: string;
  /**
   * Null while the payment can still be made: the way out is then to cancel it. Null also where a payment of
   * a link has been made.
   */
  readonly back: ReturnWay | null;
}

/** Pages that belong to no payment, or must not say to which. */
export type Notice =
  /** Link that does not exist, or is mistyped. */
  | 'not_found'
  /** The form came from another site, or is not one of ours. */
  | 'form_refused'
  | 'too_many_requests'
  /** Daily limit for unauthenticated callers is reached. */
  | 'day_limit'
  /** An upload that is larger than any slip may be. */
  | 'upload_too_large'
  | 'unavailable';

export interface NoticePage {
  readonly language: Language;
  readonly notice: Notice;
  /** Path for another attempt; null if a retry would not help. */
  readonly retryPath: string | null;
}
