/**
 * Types of the Kashbox API, generated from its OpenAPI document.
 * To regenerate them: node dist/test/docs/field-tables.js --write
 */

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

/** A payment, as verify returns it. */
export interface TransactionRecord {
  /** Name of the customer, as given at create. */
  readonly cus_name: string;
  /** E-mail address of the customer, as given at create. */
  readonly cus_email: string;
  /** Requested amount in taka, with two decimals. */
  readonly amount: string;
  /**
   * Only for a completed payment for which an operator accepted another sum than `amount`: the taka received,
   * without the fee. If you sell a balance, credit this sum.
   */
  readonly paid_amount?: string;
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
  readonly payment_method:
    | 'mfs_a'
    | 'mfs_b'
    | 'mfs_c'
    | 'mfs_d'
    | 'qr_interbank'
    | 'exchange_pay'
    | 'bep20'
    | 'bank'
    | null;
  /**
   * `COMPLETED`: paid, deliver. `PENDING`: not paid yet, or under review. `FAILED`: cancelled, refused or
   * expired.
   */
  readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
  /** Only for `bep20`, after the credit: the USDT received. */
  readonly amount_usdt?: number;
  /** Only for `bep20`, after the credit: the address of the wallet that received it. */
  readonly receiver?: string;
  /** Only for a test brand: the payment was simulated, and no money was moved. */
  readonly test?: boolean;
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
   * Only for a completed payment for which an operator accepted another sum than `amount`: the taka received,
   * without the fee. If you sell a balance, credit this sum. Written as `amount` is.
   */
  readonly paid_amount?: number | string;
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
  readonly payment_method:
    | 'mfs_a'
    | 'mfs_b'
    | 'mfs_c'
    | 'mfs_d'
    | 'qr_interbank'
    | 'exchange_pay'
    | 'bep20'
    | 'bank'
    | null;
  /** Deliver on `COMPLETED` only. `PENDING`: under review. `FAILED`: cancelled, refused or expired. */
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
}
