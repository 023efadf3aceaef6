/**
 * Client of the Kashbox API for Node: creates a payment, verifies it, receives its notifications and delivers
 * its order once. Not kept here: orders and prices, which are the shop's.
 */
import { createHash } from 'node:crypto';
import type { CreateBody, OrderLine, PaidPart, PaymentEvent, Refund, TransactionRecord } from './api.js';
import type { Delivery, DeliveryStore } from './deliveries.js';
import { PaymentMismatchError } from './errors.js';
import {
  amountOf,
  countOf,
  idOf,
  keyOf,
  orderOf,
  refuse,
  requiredOf,
  secretOf,
  trimmed,
  urlOf,
} from './input.js';
import { checkSignature, type WebhookHeaders } from './signature.js';
import { type Connection, call, isObject, parseObject, readCertificate, strange } from './transport.js';

export { type Delivery, type DeliveryStore, FileDeliveryStore } from './deliveries.js';
export * from './errors.js';
export { amountOf } from './input.js';
export type { OrderLine, PaidPart, PaymentEvent, Refund, TransactionRecord, WebhookHeaders };

const PAGE = 'the full address of a page of your shop';

export interface KashboxOptions {
  /** Address of the installation, with its path if it has one: `https://pay.example.com`. */
  readonly url: string;
  /** The Brand Key: `bk_…`, or `test_…` of a test brand. */
  readonly key: string;
  /** The webhook secret, `whsec_…`; for receive. */
  readonly secret?: string | undefined;
  /** For settle. */
  readonly deliveries?: DeliveryStore | undefined;
  /** File of a self-signed certificate, `tls/cert.pem` of Kashbox; then only this is trusted. */
  readonly ca?: string | undefined;
  /** Seconds until a call is given up. Default: 10. */
  readonly timeout?: number | undefined;
}

export interface Order {
  /** Your order number. */
  readonly order: string | number;
  /** Taka, from your own database; see amountOf. */
  readonly amount: string | number;
}

export interface NewPayment extends Order {
  /** Where the customer returns when the payment is made, or under review. */
  readonly successUrl: string;
  /** Where the customer returns when it is cancelled, refused or expired. */
  readonly cancelUrl: string;
  /** Address for notifications of this payment; default: that of the brand. */
  readonly webhookUrl?: string | null | undefined;
  readonly customerName?: string | null | undefined;
  readonly customerEmail?: string | null | undefined;
  /** What the customer pays for, in your words; shown on the payment page. */
  readonly description?: string | null | undefined;
  /**
   * Order lines, shown on the payment page. They must add up to `amount` and `dueOnDelivery`, so with
   * delivery and discount.
   */
  readonly items?: readonly OrderLine[] | undefined;
  /** If the payment may come in parts. Default: the setting of the brand. */
  readonly parts?: boolean | undefined;
  /** For an advance: taka that the customer pays on delivery, in addition to `amount`. */
  readonly dueOnDelivery?: string | number | undefined;
  /** Data of your own, without `order`, which the client adds. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Count it up for a new payment of the same order, after the last one has failed. Default: 1. */
  readonly attempt?: number | undefined;
}

/** Store `id` with the order, and redirect the customer to `url`. */
export interface CreatedPayment {
  /** Session reference, 32 characters. */
  readonly id: string;
  /** Address of the payment page. */
  readonly url: string;
}

export interface PaymentQuery extends Order {
  /** From create, or `sessionId` of a notification; never from the customer's browser. */
  readonly id: string;
}

/** The payment of the order and amount given to verify. */
export interface Payment {
  readonly id: string;
  readonly order: string;
  /** Requested taka, such as "500.00". */
  readonly amount: string;
  /** `review`: an operator decides. `failed`: cancelled, refused or expired. */
  readonly state: 'completed' | 'pending' | 'review' | 'failed';
  /** True if `state` is `completed`: deliver. */
  readonly isPaid: boolean;
  /**
   * Taka received, without the fee; null if nothing has come. An operator may have accepted another sum. Of a
   * payment in parts also while `isPaid` is false.
   */
  readonly paidAmount: string | null;
  /** Taka that are still due of a payment in parts; null before its first part, and of all others. */
  readonly dueAmount: string | null;
  /** Taka that were sent back to the customer, such as "0.00". */
  readonly refundedAmount: string;
  /** `mfs_a` … `bank`, or null while unknown. */
  readonly paymentMethod: TransactionRecord['payment_method'];
  /** Reference of the wallet or bank once paid, before that of Kashbox. */
  readonly transactionId: string;
  /** True if the payment was simulated: a test brand, no money. */
  readonly isTest: boolean;
  /** The transaction record as Kashbox answered it. */
  readonly data: TransactionRecord;
}

export interface SettledPayment extends Payment {
  /** Null if the order is not paid. If it is `running`, answer a webhook with 503, so that it is repeated. */
  readonly delivery: Delivery | null;
}

export interface NewRefund {
  /** Id of the payment, from create. */
  readonly id: string;
  /** Your own number of this refund: a repeated call with it creates nothing. */
  readonly refund: string | number;
  /** Taka; default: what was paid without fees and was not sent back. */
  readonly amount?: string | number | null | undefined;
  /** Reason; the operator sees it. */
  readonly note: string;
}

/** Refunds that the operator has to send. `payment.refunded` says that one was sent. */
export interface CreatedRefunds {
  /** One, or one for each number that paid a part. */
  readonly refunds: readonly Refund[];
  /** Taka of the payment that were sent back, and that have to be sent. */
  readonly refundedAmount: string;
  readonly pendingAmount: string;
}

/** A notification whose signature is valid. */
export interface Notification {
  readonly event: PaymentEvent['event'] | 'ping';
  /** Id of the notification, the same in all its repeats. */
  readonly id: string;
  /** Order that create named; null for a ping and for payments created without this client. */
  readonly order: string | null;
  /** Session reference of the payment; null for a ping. */
  readonly sessionId: string | null;
  /** All fields of the notification; of a ping only the first four. */
  readonly data: Partial<PaymentEvent>;
}

export class Kashbox {
  readonly #connection: Connection;
  readonly #secret: Uint8Array | undefined;
  readonly #deliveries: DeliveryStore | undefined;

  /** @throws InvalidInputError */
  constructor(options: KashboxOptions) {
    this.#connection = {
      url: urlOf(options.url),
      key: keyOf(options.key),
      ca: readCertificate(trimmed('ca', options.ca)),
      timeoutS: countOf('timeout', options.timeout ?? 10, 'seconds, such as 10'),
    };
    this.#secret = secretOf(options.secret);
    this.#deliveries = options.deliveries;
  }

  /**
   * Creates a payment. Repeating it, after an answer that was lost, returns the same payment for 24 hours.
   * @throws InvalidInputError, RefusedError, ApiConnectionError
   */
  async create(payment: NewPayment): Promise<CreatedPayment> {
    const order = orderOf(payment.order);
    const amount = amountOf(payment.amount);
    const attempt = countOf('attempt', payment.attempt ?? 1, '1, 2, 3 and so on');
    const metadata: unknown = payment.metadata ?? {};
    if (!isObject(metadata) || 'order' in metadata) {
      refuse('Set metadata to an object without "order", which this client adds.');
    }
    const fields: CreateBody = {
      amount,
      success_url: requiredOf('successUrl', payment.successUrl, PAGE),
      cancel_url: requiredOf('cancelUrl', payment.cancelUrl, PAGE),
      ...(payment.webhookUrl ? { webhook_url: payment.webhookUrl } : {}),
      ...(payment.customerName ? { cus_name: payment.customerName } : {}),
      ...(payment.customerEmail ? { cus_email: payment.customerEmail } : {}),
      ...(payment.description ? { description: payment.description } : {}),
      ...(payment.items?.length ? { items: payment.items } : {}),
      ...(payment.parts === undefined ? {} : { parts: payment.parts }),
      ...(payment.dueOnDelivery === undefined ? {} : { due_on_delivery: amountOf(payment.dueOnDelivery) }),
      meta_data: { order, ...metadata },
    };
    const key = createHash('sha256').update(`${order}\n${amount}\n${attempt}`).digest('hex');
    const answer = await call(this.#connection, 'payment/create', { ...fields }, { 'Idempotency-Key': key });
    const url = typeof answer.payment_url === 'string' ? answer.payment_url : '';
    const [, id] = /^https?:\/\/.*\/([0-9a-f]{32})$/.exec(url) ?? [];
    if (id === undefined) throw strange(this.#connection.url, 'an answer without payment_url');
    return { id, url };
  }

  /**
   * Verifies that this is the payment of this order and amount, and returns its state.
   * @throws PaymentMismatchError if it is the payment of another order or another amount, or if it was
   *   simulated and the key is not a test key; InvalidInputError, RefusedError, ApiConnectionError
   */
  async verify(query: PaymentQuery): Promise<Payment> {
    const id = idOf(query.id);
    const order = orderOf(query.order);
    const amount = amountOf(query.amount);
    const { data } = await call(this.#connection, 'payment/verify', { transaction_id: id });
    if (!isObject(data)) throw strange(this.#connection.url, 'an answer without data');
    compare(data, order, amount);
    if (data.test === true && !this.#connection.key.startsWith('test_')) {
      throw new PaymentMismatchError(`The payment of order ${order} was simulated: do not deliver.`);
    }
    return paymentOf(data as unknown as TransactionRecord, { id, order, amount });
  }

  /**
   * Verifies a payment, and delivers its order if it is paid: once, however often and from wherever it is
   * called. For the return page and for the webhook.
   * @param deliver if it throws, the next call delivers again.
   * @throws as verify does, and what `deliver` throws
   */
  async settle(
    query: PaymentQuery,
    deliver: (payment: Payment) => void | Promise<void>,
  ): Promise<SettledPayment> {
    if (this.#deliveries === undefined) {
      refuse("Set deliveries, such as new FileDeliveryStore('/var/lib/shop/deliveries').");
    }
    const payment = await this.verify(query);
    if (!payment.isPaid) return { ...payment, delivery: null };
    const delivery = await this.#deliveries.once(payment.order, async () => {
      await deliver(payment);
    });
    return { ...payment, delivery };
  }

  /**
   * Requests that money goes back to the customer. The operator sends it, to the number that paid.
   * @throws InvalidInputError, RefusedError, ApiConnectionError
   */
  async refund(refund: NewRefund): Promise<CreatedRefunds> {
    const id = idOf(refund.id);
    const own = orderOf(refund.refund, 'refund', 'your own number of this refund');
    const note = requiredOf('note', refund.note, 'the reason of the refund');
    const amount = refund.amount == null ? {} : { amount: amountOf(refund.amount) };
    const key = createHash('sha256').update(`${id}\n${own}`).digest('hex');
    const fields = { id, ...amount, note };
    const { data } = await call(this.#connection, 'v2/payment/refund', fields, { 'Idempotency-Key': key });
    if (!isObject(data) || !Array.isArray(data.refunds)) {
      throw strange(this.#connection.url, 'an answer without refunds');
    }
    return {
      refunds: data.refunds as readonly Refund[],
      refundedAmount: amountOf(data.refunded_amount as number),
      pendingAmount: amountOf(data.pending_amount as number),
    };
  }

  /**
   * Checks the Standard Webhooks signature of a notification, and returns its content.
   * @param rawBody bytes or text as they came, before anything parsed them.
   * @throws SignatureError, InvalidInputError
   */
  receive(rawBody: string | Uint8Array, headers: WebhookHeaders, now = new Date()): Notification {
    if (this.#secret === undefined) {
      refuse('Set secret to the webhook secret of the brand, which begins with whsec_.');
    }
    if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
      refuse("Give the raw body, for example of express.raw({ type: '*/*' }); this one was parsed already.");
    }
    checkSignature(this.#secret, rawBody, headers, now);
    const data = parseObject(Buffer.from(rawBody).toString('utf8'));
    if (typeof data?.event !== 'string') {
      refuse(
        'The notification is signed, but it is not JSON: `kashbox brands update BRAND --webhook-format json`.',
      );
    }
    const event = data as unknown as Partial<PaymentEvent>;
    return {
      event: event.event ?? 'ping',
      id: String(event.id ?? ''),
      order: orderIn(data),
      sessionId: event.session_id ?? null,
      data: event,
    };
  }
}

/** The order in `meta_data`, which is a JSON text for brands with `--metadata-as string`. */
function orderIn(data: Readonly<Record<string, unknown>>): string | null {
  const meta = typeof data.meta_data === 'string' ? parseObject(data.meta_data) : data.meta_data;
  const order = isObject(meta) ? meta.order : null;
  return typeof order === 'string' || Number.isSafeInteger(order) ? String(order) : null;
}

/** @throws PaymentMismatchError */
function compare(data: Readonly<Record<string, unknown>>, order: string, amount: string): void {
  const own = orderIn(data);
  if (own !== order) {
    throw new PaymentMismatchError(
      own === null
        ? `This payment names no order, but order ${order} was expected: do not deliver.`
        : `This is the payment of order ${own}, not of order ${order}: do not deliver.`,
    );
  }
  const requested = typeof data.amount === 'string' ? amountOf(data.amount) : 'no';
  if (requested !== amount) {
    throw new PaymentMismatchError(
      `This payment is for ${requested} taka, but order ${order} costs ${amount}: do not deliver.`,
    );
  }
}

function paymentOf(data: TransactionRecord, known: Pick<Payment, 'id' | 'order' | 'amount'>): Payment {
  const state = stateOf(data);
  const isPaid = state === 'completed';
  return {
    ...known,
    state,
    isPaid,
    paidAmount: isPaid || data.paid_amount ? amountOf(data.paid_amount ?? known.amount) : null,
    dueAmount: data.due_amount ? amountOf(data.due_amount) : null,
    refundedAmount: amountOf(data.refunded_amount ?? 0),
    paymentMethod: data.payment_method ?? null,
    transactionId: data.transaction_id ?? '',
    isTest: data.test === true,
    data,
  };
}

/** An unknown status is pending, never paid. Brands with `--status-as lower` get lower case. */
function stateOf({ status, review }: TransactionRecord): Payment['state'] {
  switch (typeof status === 'string' ? status.toUpperCase() : '') {
    case 'COMPLETED':
      return 'completed';
    case 'FAILED':
      return 'failed';
    default:
      return review === true ? 'review' : 'pending';
  }
}
