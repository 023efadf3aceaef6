/** What is known of a published program by which shops ask for payments. */
import type { NotificationEvent, WebhookFormat } from '../notifications/notification.js';
import type { Dialect, MetadataAs, StatusAs } from '../sessions/payment-record.js';
import type { ReturnMethod } from '../sessions/redirect.js';

/** Under which header names a notification is signed beside ours (notify/signature). */
export type SignatureSet = 'kashbox' | 'nagorikpay';

/**
 * By what a request of such a program is recognised: a header with its key, a path, or a field. One word
 * each, because they are kept as a text with spaces between them.
 */
export const CALL_SIGNS = [
  'API-KEY',
  'SECRET-KEY',
  'X-API-KEY',
  'SOHOJPAY-API-KEY',
  'api_key',
  '/api/payment/checkout',
  '/api/payment/verify-payment',
  'fullname',
] as const;

export type CallSign = (typeof CALL_SIGNS)[number];

/**
 * Who makes sure that a paid payment is booked for its own order, and its id for no other one.
 * `program`: it compares what verify says with the order.
 * `notification`: it books whatever id is completed, and hears of payments at an address that anybody can
 * guess. So verify says `COMPLETED` to nothing but the id in a notification that is on its way, which no
 * customer sees (actions/sessions/find-payment).
 * `success_url`: it books whatever id is completed when a customer comes to the `success_url`, which has a
 * secret of the order in it. So the checkout page leads there only once the payment is completed.
 * `shop`: the code around a library, of which nothing is known.
 */
type Binding = 'program' | 'notification' | 'success_url' | 'shop';

export interface Plugin {
  /** As its makers call it, and where they have published it. */
  readonly title: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly metadataAs: MetadataAs;
  readonly statusAs: StatusAs;
  readonly webhookFormat: WebhookFormat;
  readonly returnType: ReturnMethod;
  /** Further names under which the way back to the shop has the transaction id. */
  readonly returnNames: readonly string[];
  /** Customers come back to the first page of the shop: its `success_url` would book, or say no. */
  readonly returnsHome: boolean;
  readonly binds: Binding;
  /** It multiplies by a rate and does not round: an amount is rounded half up to whole paisa. */
  readonly rounds: boolean;
  readonly signatures: SignatureSet;
  /** What it is told; receivers that misread some events do not get them. */
  readonly events: 'all' | readonly NotificationEvent[];
  readonly signs: readonly CallSign[];
  /** How it is led to Kashbox, which stands at https://pay.example.com; with `code` between backticks. */
  readonly host: string;
  /** Which of its sentences were tried, and how. */
  readonly tried: string;
  /** What its user should know; empty where there is nothing. */
  readonly remarks: string;
}
