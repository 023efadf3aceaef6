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
    tried: 'The published module and its callback, whole payments.',
    remarks:
      'The callback does not look whether it has booked a payment before: a WHMCS that takes ' +
      'longer than 5 s to answer is told again, and books twice. Put ' +
      '`checkCbTransID($transactionId);` before `addInvoicePayment(` in ' +
      '`modules/gateways/callback/sohojpaybd.php`; that refuses an id that another invoice ' +
      'has, too: until such a notification is delivered, its id can be used again by a ' +
      'customer who sees it on the invoice. It puts the Brand Key into the address of its ' +
      'notifications; lists show that address without it. It asks verify with whatever key ' +
      'stands in the address, and books whatever amount stands there: who has the Brand Key of ' +
      'another brand here, or of a test brand, can book any invoice with a payment of that ' +
      'brand, and Kashbox cannot see it. To let it ask with its own key: `sed -i ' +
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
    tried: 'The published plugin in WordPress, whole payments, as a customer with an account and as a guest.',
    remarks:
      'Its checkout page loads a script of its makers. An order under review is put on hold, ' +
      'and so is any order with whose number somebody calls its receiver. To let it compare ' +
      "the amount as well, where the shop prices in taka: `sed -i \"s#\\['status'\\] == " +
      '\\"COMPLETED\\"#& \\&\\& \\$data[\'amount\'] >= \\$order->get_total()#" ' +
      'public/class-sohojpaybd-public.php`.',
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
    tried: 'The published module, whole payments.',
    remarks:
      'It answers a notification that it has booked with a redirect, which is no 200: it is told ' +
      `${numberWord(MAX_TRIES - 1)} times more, ` +
      'books nothing of that, and the notification ends as `FAILED`. To end this: `sed -i \'s#header("Location: " . ' +
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
    remarks: 'It throws on every answer but 2xx, without our message.',
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
    host: "`sed -i 's#https://pay.drutopay.com#https://pay.example.com#' addfunds.php payment.php` in the panel's files that its snippets were put into. Of its three keys the Brand Key goes into any one; the others may stay empty.",
    tried: 'The published snippets, whole payments; customers come back by GET or POST.',
    remarks:
      'It names no address for notifications: an order is paid when the customer comes back. With `--webhook-url ' +
      'https://…/payment/drutopay` it is told as well. It answers with a redirect, so each notification comes ' +
      `${numberWord(MAX_TRIES)} times; it is booked once.`,
  },
  'turbopay-woocommerce': {
    ...FAMILY,
    title: 'TurboPay BD for WooCommerce',
    source: 'https://github.com/turbopaybd/wordpress-plugin',
    events: [],
    signs: ['API-KEY'],
    binds: 'success_url',
    host: 'Save its settings once, then `wp option patch update woocommerce_turbopaybd_gateway_settings payment_site https://pay.example.com`.',
    tried: 'The published plugin in WordPress, whole payments.',
    remarks:
      'It names an address for notifications at which nothing of it listens (WooCommerce ' +
      'answers 400), so it is told nothing. An order is paid when the customer comes back: ' +
      'compare open orders with `kashbox payments list --status COMPLETED`. An order under ' +
      'review stays pending until it is decided and its customer comes back from the payment ' +
      'page, or you set it by hand. To let it compare the amount as well: `sed -i ' +
      '"s#\\[\'status\'\\] == \\"success\\")#& \\&\\& \\$data[\'amount\'] >= \\$order->get_total()#" ' +
      'turbopaybd-gateway.php`.',
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
    tried: 'The whole published program.',
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
    tried: 'The published class, whole payments.',
    remarks:
      'It books by notification alone, and customers come back to the first page of the panel. ' +
      "To let it ask for which order an id was: `sed -i \"s#=== 'COMPLETED'#& \\&\\& " +
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
    tried: 'The published client and the rule of its webhook route, whole payments.',
    remarks:
      'It knows one signature. While a secret is rotated the attempts are signed with the new and the old one in ' +
      'turns, so that the second one is good whichever it has.',
  },
  'standard-webhooks': {
    ...FAMILY,
    title: 'Your own program, with a library that checks notifications',
    source: 'standardwebhooks, svix, stripe (`constructEvent`)',
    dialect: 'standard',
    webhookFormat: 'json',
    signs: [],
    binds: 'shop',
    host: '`docs/api.md` and `docs/webhooks.md` say how to write it.',
    tried: 'All three libraries: whole, changed and strange bodies, and both secrets of a rotation.',
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
    tried: 'Only the usual shape of such requests, as `test/clients` plays them.',
    remarks: 'If it reports an error when it reads the shop’s own data: `--metadata-as string`.',
  },
} as const satisfies Readonly<Record<string, Plugin>>;

export type PluginName = keyof typeof PLUGINS;
