/**
 * One row for each published program with which Kashbox was tried, as the program wants it. docs/plugins.md
 * is made of it: `node dist/test/docs/plugins-page.js --write`.
 */
import { numberWord } from '../../base/values/text.js';
import { MAX_TRIES, type NotificationEvent, type WebhookFormat } from '../notifications/notification.js';
import type { Dialect, MetadataAs, StatusAs } from '../sessions/payment-record.js';
import type { ReturnMethod } from '../sessions/redirect.js';

/** Header names of the signature of a notification, in addition to ours (notify/signature). */
export type SignatureSet = 'kashbox' | 'nagorikpay';

/**
 * Features by which a request of such a program is recognised: a header with its key, a path, or a field.
 * Single words, because they are stored as a space-separated string.
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
 * Party that ensures that a completed payment is booked for its own order, and its id for no other order.
 * `program`: the program compares the response of verify with the order.
 * `notification`: the program books any completed id, and is notified of payments at an address that can be
 * guessed. So verify returns `COMPLETED` only for the id in a notification that is being delivered, which no
 * customer sees (actions/sessions/find-payment).
 * `success_url`: the program books any completed id when a customer opens the `success_url`, which contains a
 * secret of the order. So the checkout page leads there only after the payment is completed.
 * `shop`: the code that uses a library, which is unknown.
 */
type Binding = 'program' | 'notification' | 'success_url' | 'shop';

export interface Plugin {
  /** Name that its vendor uses, and the place where it is published. */
  readonly title: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly metadataAs: MetadataAs;
  readonly statusAs: StatusAs;
  readonly webhookFormat: WebhookFormat;
  readonly returnType: ReturnMethod;
  /** Further names under which the way back to the shop has the transaction id. */
  readonly returnNames: readonly string[];
  /** Customers return to the home page: its `success_url` would book the payment or show an error. */
  readonly returnsHome: boolean;
  readonly binds: Binding;
  /** True if it does not round after an exchange rate: its amounts are rounded half up to paisa. */
  readonly rounds: boolean;
  readonly signatures: SignatureSet;
  /** Events that are sent to it; receivers that misread some events do not get them. */
  readonly events: 'all' | readonly NotificationEvent[];
  readonly signs: readonly CallSign[];
  /** Instructions to point it to Kashbox at https://pay.example.com; with `code` in backticks. */
  readonly host: string;
  /** Parts that were tested, and how. */
  readonly tried: string;
  /** Notes for its users; empty if there are none. */
  readonly remarks: string;
}

/** Settings that the programs of this API family share: they read the record at the top level, and forms. */
const FAMILY = {
  dialect: 'flat',
  metadataAs: 'object',
  statusAs: 'upper',
  webhookFormat: 'form',
  returnType: 'GET',
  returnNames: [],
  returnsHome: false,
  rounds: false,
  signatures: 'kashbox',
  events: 'all',
  remarks: '',
} as const;

const SOHOJPAY = ['SOHOJPAY-API-KEY'] as const;
const RUPANTORPAY = [
  'X-API-KEY',
  '/api/payment/checkout',
  '/api/payment/verify-payment',
  'fullname',
] as const;

const ONLY_COMPLETED = ['payment.completed'] as const;

export const PLUGINS = {
  'sohojpay-whmcs': {
    ...FAMILY,
    title: 'SohojPay for WHMCS',
    source: 'https://github.com/blitheforge/Sohojpaybd_Whmcs_module',
    events: ONLY_COMPLETED,
    signs: SOHOJPAY,
    binds: 'notification',
    rounds: true,
    host: "`sed -i 's#https://secure.sohojpaybd.com#https://pay.example.com#' modules/gateways/sohojpaybd.php modules/gateways/callback/sohojpaybd.php`",
    tried: 'The published module and its callback, complete payments.',
    remarks:
      'The callback does not check whether it has already booked a payment. If WHMCS takes longer than 5 ' +
      's to answer, the notification is sent again and the payment is booked twice. Put ' +
      '`checkCbTransID($transactionId);` before `addInvoicePayment(` in ' +
      '`modules/gateways/callback/sohojpaybd.php`. This also refuses an id that another invoice has. ' +
      'Without it, a customer who sees the id on the invoice can use it again until the notification is ' +
      'delivered. The module puts the Brand Key into the address of its notifications; lists show that ' +
      'address without it. The callback calls verify with the key in that address, and books the amount ' +
      'in it. Anyone with the Brand Key of another brand here, or of a test brand, can book any invoice ' +
      'with a payment of that brand, and Kashbox cannot detect it. To make it use its own key: `sed -i ' +
      "\"s#\\$_GET\\['api'\\]#getGatewayVariables('sohojpaybd')['apiKey']#\" " +
      'modules/gateways/callback/sohojpaybd.php`.',
  },
  'sohojpay-woocommerce': {
    ...FAMILY,
    title: 'SohojPay for WooCommerce',
    source: 'https://github.com/blitheforge/Sohojpaybd-wp-plugin',
    // It puts an order on hold for whatever is not completed, also one that its customer has cancelled.
    events: ['payment.completed', 'payment.pending'],
    signs: SOHOJPAY,
    binds: 'notification',
    rounds: true,
    host: 'Save its settings once, then `wp option patch update woocommerce_sohojpaybd_settings payment_site https://pay.example.com/` (with the slash at the end).',
    tried:
      'The published plugin in WordPress, complete payments, as a customer with an account and as a guest.',
    remarks:
      'Its checkout page loads a script of its vendor. An order under review is put on hold. So is any ' +
      'order whose number someone sends to its receiver. To make it also compare the amount, if the shop ' +
      "prices in taka: `sed -i \"s#\\['status'\\] == \\\"COMPLETED\\\"#& \\&\\& \\$data['amount'] >= " +
      '\\$order->get_total()#" public/class-sohojpaybd-public.php`.',
  },
  'sohojpay-smm': {
    ...FAMILY,
    title: 'SohojPay for SMM panels (modified module)',
    source: 'https://github.com/blitheforge/Sohojpaybd_Modified_SMM_module',
    metadataAs: 'string',
    events: ONLY_COMPLETED,
    signs: SOHOJPAY,
    binds: 'program',
    rounds: true,
    host: "`sed -i 's#https://secure.sohojpaybd.com#https://pay.example.com#' app/controller/addfunds/Initiators/sohojpaybd.php app/controller/payment/sohojpaybd.php`",
    tried: 'The published module, complete payments.',
    remarks:
      'After it has booked a notification it answers with a redirect, not with 200. So Kashbox sends the ' +
      `notification ${numberWord(MAX_TRIES - 1)} more times, the module books none of these, and the ` +
      'notification ends as `FAILED`. To prevent this: `sed -i \'s#header("Location: " . ' +
      'site_url("addfunds"));#http_response_code(200);#\' app/controller/payment/sohojpaybd.php`.',
  },
  'sohojpay-php': {
    ...FAMILY,
    title: 'SohojPay library for PHP',
    source: 'https://github.com/blitheforge/sohojpaybd-php-lib',
    signs: SOHOJPAY,
    binds: 'shop',
    host: "`$api->setUrl('https://pay.example.com/api/');`",
    tried: 'The published library: create and verify.',
    remarks: 'Compare with `===`.',
  },
  'sohojpay-js': {
    ...FAMILY,
    title: 'SohojPay library for JavaScript',
    source: 'https://github.com/blitheforge/sohojpaybd-js-lib',
    signs: SOHOJPAY,
    binds: 'shop',
    host: "`new SohojpayApi('https://pay.example.com/api/')`",
    tried: 'The published library: create and verify.',
    remarks: 'It throws on every response other than 2xx, without the message of Kashbox.',
  },
  'drutopay-smm': {
    ...FAMILY,
    title: 'DrutoPay for SMM panels',
    source: 'https://github.com/DrutoPay/smm-panel',
    metadataAs: 'string',
    events: ONLY_COMPLETED,
    signs: ['API-KEY', 'SECRET-KEY'],
    binds: 'program',
    rounds: true,
    host: "`sed -i 's#https://pay.drutopay.com#https://pay.example.com#' addfunds.php payment.php` in the files of the panel that contain its snippets. It has three fields for keys: put the Brand Key into any of them; the others may stay empty.",
    tried: 'The published snippets, complete payments; customers return by GET or POST.',
    remarks:
      'It sends no address for notifications: an order is paid when the customer returns. With ' +
      '`--webhook-url https://…/payment/drutopay` it also gets notifications. It answers with a ' +
      `redirect, so each notification is sent ${numberWord(MAX_TRIES)} times; the payment is booked once.`,
  },
  'turbopay-woocommerce': {
    ...FAMILY,
    title: 'TurboPay BD for WooCommerce',
    source: 'https://github.com/turbopaybd/wordpress-plugin',
    events: [],
    signs: ['API-KEY'],
    binds: 'success_url',
    host: 'Save its settings once, then `wp option patch update woocommerce_turbopaybd_gateway_settings payment_site https://pay.example.com`.',
    tried: 'The published plugin in WordPress, complete payments.',
    remarks:
      'It sends an address for notifications that it does not serve (WooCommerce answers 400), so ' +
      'Kashbox sends it none. An order is paid when the customer returns: compare open orders with ' +
      '`kashbox payments list --status COMPLETED`. An order under review stays pending until you decide ' +
      'it and its customer returns from the payment page, or until you set it by hand. To make it also ' +
      "compare the amount: `sed -i \"s#\\['status'\\] == \\\"success\\\")#& \\&\\& \\$data['amount'] >= " +
      '\\$order->get_total()#" turbopaybd-gateway.php`.',
  },
  'rupantorpay-fastapi': {
    ...FAMILY,
    title: 'Komerza with RupantorPay (FastAPI)',
    source: 'https://github.com/maybeninja/Komerza-Rupantorpay-Integration',
    returnNames: ['transaction_id'],
    // It answers 400 to whatever is not completed.
    events: ONLY_COMPLETED,
    signs: RUPANTORPAY,
    binds: 'program',
    host: "`sed -i 's#https://payment.rupantorpay.com#https://pay.example.com#' rupantor.py`",
    tried: 'The complete published program.',
    remarks: '',
  },
  'rupantorpay-smm': {
    ...FAMILY,
    title: 'RupantorPay for SMM Matrix',
    source: 'https://github.com/rupantorpay/SMMMatrix',
    events: ONLY_COMPLETED,
    signs: RUPANTORPAY,
    binds: 'notification',
    returnsHome: true,
    host: "`sed -i 's#https://payment.rupantorpay.com#https://pay.example.com#' app/Services/Gateway/rupantorpay/Payment.php`",
    tried: 'The published class, complete payments.',
    remarks:
      'It books by notification only, and customers return to the home page of the panel. To make it ' +
      "check which order an id belongs to: `sed -i \"s#=== 'COMPLETED'#& \\&\\& " +
      "(\\$response['metadata']['trx_id'] ?? '') === \\$order->transaction#\" " +
      'app/Services/Gateway/rupantorpay/Payment.php`.',
  },
  'rupantorpay-laravel': {
    ...FAMILY,
    title: 'RupantorPay SDK for Laravel',
    source: 'https://github.com/rupantorpay/LaravelSDK',
    returnNames: ['transaction_id'],
    signs: RUPANTORPAY,
    binds: 'shop',
    host: "`sed -i 's#https://payment.rupantorpay.com#https://pay.example.com#' vendor/rupantorpay/laravel-sdk/src/RupantorPay.php`, again after each `composer update`.",
    tried: 'The published class: create and verify.',
    remarks: 'Compare with `===`.',
  },
  nagorikpay: {
    ...FAMILY,
    title: 'NagorikPay client and webhook route (Next.js)',
    source: 'lib/nagorikpay.ts and app/api/payment/webhook/route.ts of a published shop',
    signatures: 'nagorikpay',
    signs: ['API-KEY'],
    binds: 'program',
    host: '`NAGORIKPAY_BASE_URL=https://pay.example.com/api/payment` and `NAGORIKPAY_WEBHOOK_SECRET=whsec_…`, the webhook secret of the brand.',
    tried: 'The published client and the rule of its webhook route, complete payments.',
    remarks:
      'It supports one signature. While a secret is rotated, the attempts are signed with the new and ' +
      'the old secret in turn. So the second attempt is valid, whichever secret it has.',
  },
  'standard-webhooks': {
    ...FAMILY,
    title: 'Your own program, with a library that checks notifications',
    source: 'standardwebhooks, svix, stripe (`constructEvent`)',
    dialect: 'standard',
    webhookFormat: 'json',
    signs: [],
    binds: 'shop',
    host: '`docs/api.md` and `docs/webhooks.md` explain how to write it.',
    tried: 'All three libraries: intact, changed and malformed bodies, and both secrets of a rotation.',
    remarks: '',
  },
  openapi: {
    ...FAMILY,
    title: 'Your own program, with a client generated from /openapi.json',
    source: 'openapi-typescript with openapi-fetch, and others',
    dialect: 'standard',
    webhookFormat: 'json',
    signs: [],
    binds: 'shop',
    host: 'Generate the client from `https://pay.example.com/openapi.json`.',
    tried: 'openapi-typescript: its types, and create and verify of v1 and v2.',
    remarks: '',
  },
  generic: {
    ...FAMILY,
    title: 'Another program of this API family',
    source:
      'any that sends `API-KEY`, `SECRET-KEY`, `X-API-KEY` or `api_key` to `/api/payment/create` and `/api/payment/verify`',
    returnNames: ['transaction_id'],
    signs: ['API-KEY', 'SECRET-KEY', 'X-API-KEY', 'api_key'],
    binds: 'shop',
    host: 'Look for the address of its gateway in its settings and its files.',
    tried: 'Only the usual form of such requests, as `test/clients` sends them.',
    remarks: 'If it reports an error when it reads the shop’s own data: `--metadata-as string`.',
  },
} as const satisfies Readonly<Record<string, Plugin>>;

export type PluginName = keyof typeof PLUGINS;
