/**
 * Types of the Kashbox API, generated from its OpenAPI document.
 * To regenerate them: node dist/test/docs/field-tables.js --write
 */

/** How a customer can pay. */
export type PaymentMethod =
  | 'mfs_a'
  | 'mfs_b'
  | 'mfs_c'
  | 'mfs_d'
  | 'qr_interbank'
  | 'exchange_pay'
  | 'bep20'
  | 'bank';

/** A line of an order. */
export interface OrderLine {
  /** What it is, one line. */
  readonly name: string;
  /** Number of pieces. */
  readonly quantity?: number;
  /** Taka for one piece, with the syntax of `amount`; negative for a discount. */
  readonly price: number | string;
}

/** Body of create. */
export interface CreateBody {
  /**
   * Taka from 1 to 1,000,000 with at most two decimals, as a number or a string. Values from floating-point
   * arithmetic (`121.00000000000001`, `900.000`) are read as the amount that they mean; `1e3`, `1,000` and
   * `500.001` are refused.
   */
  readonly amount: number | string;
  /**
   * Where the customer goes when the payment is made, or under review. An absolute `https://` address without
   * user name, backslash or space; it may have a query. For a test brand also `http://` on `localhost`.
   */
  readonly success_url: string;
  /**
   * Where the customer goes when it is cancelled, refused or expired. An absolute `https://` address without
   * user name, backslash or space; it may have a query. For a test brand also `http://` on `localhost`.
   */
  readonly cancel_url: string;
  /**
   * Address for notifications of this payment; default: the address of the brand. An absolute `https://`
   * address without user name, on a public host and port 443, 8443 or another above 1023 that no internal
   * service uses.
   */
  readonly webhook_url?: string;
  /** Name of the customer, one line. */
  readonly cus_name?: string;
  /** E-mail address of the customer, one line. */
  readonly cus_email?: string;
  /**
   * Your own data, which verify returns: an object or its JSON text, at most 8 KiB and 8 levels. In a form or
   * a query also `meta_data[order]=17`.
   */
  readonly meta_data?: Readonly<Record<string, unknown>> | string | null;
  /**
   * What the customer pays for, in your words. Shown on the page of a hosted payment, and sent back in
   * notifications.
   */
  readonly description?: string;
  /**
   * The order lines, shown and sent back like the description: a list of up to 50, such as `[{"name":"Shirt",
   * "quantity":2,"price":"250.00"}]`, or its JSON text. `name`: at most 120 characters. `quantity`: an
   * integer up to 9,999, 1 by default. `price`: taka for one piece, negative for a discount. Quantity times
   * price of all lines must add up to `amount`, or to `amount` and `due_on_delivery` together: send delivery
   * and fees as lines, too. In a form or a query also `items[0][name]=Shirt&items[0][price]=250`.
   */
  readonly items?: readonly OrderLine[] | string | null;
  /** If the payment may come in parts, of several methods. Default: the setting of the brand. */
  readonly parts?: boolean;
  /**
   * For an advance: taka that the customer pays on delivery, in addition to `amount`, which is paid now. It
   * is shown to the customer, and never collected here. Default: 0.
   */
  readonly due_on_delivery?: number | string;
  /**
   * Your own key for this payment, valid for a day: the same request with the same key returns the same
   * payment. The header `Idempotency-Key` does the same.
   */
  readonly idempotency_key?: string | null;
  /**
   * How the customer returns with the parameters. `GET`: in the query. `POST`: as a form. Case is ignored.
   * Default: the setting of the brand, which is `GET` at first.
   */
  readonly return_type?: string;
}

/** A part of a payment that is paid in parts. */
export interface PaidPart {
  /** Reference of the wallet or the bank. */
  readonly transaction_id: string;
  /** The method of this part. */
  readonly payment_method: PaymentMethod;
  /** Taka received, without the fee. Written as `amount` is. */
  readonly amount: number | string;
  /** When it was credited, UTC. */
  readonly paid_at: string;
}

/** A refund that is completed, in a notification. */
export interface SentRefund {
  /** Of the refund, the same in all lists. */
  readonly id: string;
  /** Taka that were sent back. */
  readonly amount: number | string;
  /** Reference of the transfer to the customer; null if it is unknown. */
  readonly transaction_id: string | null;
  /** The method by which it was sent. */
  readonly payment_method: PaymentMethod;
  /** What sending it cost you; null if it is unknown. */
  readonly fee: number | string | null;
}

/** A refund, as it was requested. */
export interface Refund {
  /** Id of the refund. */
  readonly id: string;
  /** Gateway reference of the payment. */
  readonly payment: string | null;
  /** Id of the session. */
  readonly session_id: string | null;
  /** Reference of the money that goes back. */
  readonly transaction_id: string;
  /** Taka to send back. */
  readonly amount: number;
  /** The method by which the money came and goes back. */
  readonly payment_method: PaymentMethod;
  /** Number that paid; null until the operator has completed it. */
  readonly pay_to: string | null;
  /** The same as the proof shows it, sometimes masked. */
  readonly pay_to_shown: string | null;
  /** `PENDING`: the operator must send it. `COMPLETED`: sent. `CANCELLED`: it is not sent. */
  readonly status: 'PENDING' | 'COMPLETED' | 'CANCELLED';
  /** Your reason. */
  readonly note: string;
  /** What sending it cost the shop. */
  readonly fee: number | null;
  /** Id of the transfer; null until it is completed. */
  readonly refund_transaction_id: string | null;
  /** Time in Bangladesh, ISO 8601. */
  readonly created_at: string;
  /** The same of the transfer. */
  readonly completed_at: string | null;
}

/** A refund, as verify lists it. */
export interface RecordedRefund {
  /** Id of the refund. */
  readonly id: string;
  /** Taka that go back, with two decimals. */
  readonly amount: string;
  /** The method by which they go back. */
  readonly payment_method: PaymentMethod;
  /** `PENDING`: the operator must send it. `COMPLETED`: sent. `CANCELLED`: it is not sent. */
  readonly status: 'PENDING' | 'COMPLETED' | 'CANCELLED';
  /** Id of the transfer; null until it is completed. */
  readonly refund_transaction_id: string | null;
}

/** A payment, as verify returns it. */
export interface TransactionRecord {
  /** Name of the customer, as given at create. */
  readonly cus_name: string;
  /** E-mail address of the customer, as given at create. */
  readonly cus_email: string;
  /** Requested amount in taka, with two decimals. */
  readonly amount: string;
  /**
   * Only for a completed payment for which an operator accepted another sum than `amount`, and for one that
   * is paid in parts: the taka received so far, without the fee. If you sell a balance, credit this sum when
   * the payment is completed.
   */
  readonly paid_amount?: string;
  /** Only for a payment that is paid in parts: the taka that are still due, without a fee. */
  readonly due_amount?: string;
  /** Only for a payment that is paid in parts: what has come, the first part first. */
  readonly parts?: readonly PaidPart[];
  /** Only for an advance: the taka that the customer pays on delivery, in addition to `amount`. */
  readonly due_on_delivery?: string;
  /**
   * Only after a refund: the taka that were sent back. `status` and `paid_amount` do not change by a refund.
   */
  readonly refunded_amount?: string;
  /** Only after a refund: the taka that the shop still has of what was paid, without a fee. */
  readonly remaining_amount?: string;
  /**
   * After a credit the reference of the wallet, the bank, the chain or the exchange; before that the gateway
   * reference.
   */
  readonly transaction_id: string;
  /**
   * Your data from create, with every number as you wrote it; null if you sent none. A text for brands with
   * `--metadata-as string`.
   */
  readonly meta_data: Readonly<Record<string, unknown>> | string | null;
  /** The method by which the customer paid or claims to have paid; null while it is unknown. */
  readonly payment_method: PaymentMethod | null;
  /**
   * `COMPLETED`: paid, deliver. `PENDING`: not paid yet, only in part, or under review. `FAILED`: cancelled,
   * refused or expired.
   */
  readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
  /** Only for `bep20`, after the credit: the USDT received. */
  readonly amount_usdt?: number;
  /** Only for `bep20`, after the credit: the address of the wallet that received it. */
  readonly receiver?: string;
  /** Only for a test brand: the payment was simulated, and no money was moved. */
  readonly test?: boolean;
  /** Only for a payment with refunds, sent or not: all of them, the first one first. */
  readonly refunds?: readonly RecordedRefund[];
  /**
   * Only while the payment is under manual review, with the status `PENDING`: the customer has paid or claims
   * to have paid, and an operator decides.
   */
  readonly review?: boolean;
}

/** Body of a notification. */
export interface PaymentEvent {
  /** What happened. */
  readonly event:
    | 'payment.completed'
    | 'payment.pending'
    | 'payment.failed'
    | 'payment.disputed'
    | 'payment.partial'
    | 'payment.refunded';
  /** Of this notification, the same in all its repeats; also the header `webhook-id`. */
  readonly id: string;
  /** When it happened, UTC. Repeats keep it. */
  readonly created_at: string;
  /** Counts the notifications of one payment, from 1. Ignore one with a smaller number than the last. */
  readonly sequence: number;
  /** The `id` of headless create, or the session reference at the end of `payment_url`. */
  readonly session_id: string;
  /** Name of the customer, as given at create. */
  readonly cus_name: string;
  /** E-mail address of the customer, as given at create. */
  readonly cus_email: string;
  /**
   * Taka that you asked for, as verify writes it: of a headless payment a number, of a hosted one a text with
   * two decimals.
   */
  readonly amount: number | string;
  /**
   * Only for a completed payment for which an operator accepted another sum than `amount`, and for one that
   * is paid in parts: the taka received so far, without the fee. If you sell a balance, credit this sum when
   * the payment is completed. Written as `amount` is.
   */
  readonly paid_amount?: number | string;
  /**
   * Only for a payment that is paid in parts: the taka that are still due, without a fee. Written as `amount`
   * is.
   */
  readonly due_amount?: number | string;
  /** Only for a payment that is paid in parts: what has come, the first part first. */
  readonly parts?: readonly PaidPart[];
  /**
   * Only for an advance: the taka that the customer pays on delivery, in addition to `amount`. Written as
   * `amount` is.
   */
  readonly due_on_delivery?: number | string;
  /**
   * Only after a refund: the taka that were sent back. `status` and `paid_amount` do not change by a refund.
   * Written as `amount` is.
   */
  readonly refunded_amount?: number | string;
  /**
   * Only after a refund: the taka that the shop still has of what was paid, without a fee. Written as
   * `amount` is.
   */
  readonly remaining_amount?: number | string;
  /**
   * After a credit the reference of the wallet, the bank, the chain or the exchange; before that the gateway
   * reference.
   */
  readonly transaction_id: string;
  /**
   * Your data from create, with every number as you wrote it; null if you sent none. A text for brands with
   * `--metadata-as string`.
   */
  readonly meta_data: Readonly<Record<string, unknown>> | string | null;
  /** The method by which the customer paid or claims to have paid; null while it is unknown. */
  readonly payment_method: PaymentMethod | null;
  /**
   * Deliver on `COMPLETED` only. `PENDING`: under review, or a rest is due. `FAILED`: cancelled, refused or
   * expired.
   */
  readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
  /** Only for `bep20`, after the credit: the USDT received. */
  readonly amount_usdt?: number;
  /** Only for `bep20`, after the credit: the address of the wallet that received it. */
  readonly receiver?: string;
  /** Only for a test brand: the payment was simulated, and no money was moved. */
  readonly test?: boolean;
  /** What you sent at create as `description`; absent without. */
  readonly description?: string;
  /** The order lines that you sent at create; absent without. */
  readonly items?: readonly OrderLine[];
  /** Only of `payment.partial`: the last of the parts. */
  readonly part?: Omit<PaidPart, 'paid_at'>;
  /** Only of `payment.refunded`: the refund that is completed. */
  readonly refund?: SentRefund;
}
