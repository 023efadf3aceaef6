/**
 * One row for each published program with which Kashbox was tried, as the program wants it. docs/plugins.md
 * is made of it: `node dist/test/docs/plugins-page.js --write`.
 */
import type { Plugin } from './plugin.js';

/** What the programs of this API family have in common: they read the record at the top, and forms. */
const FAMILY = {
  dialect: 'flat',
  metadataAs: 'object',
  webhookFormat: 'form',
  returnType: 'GET',
  returnNames: [],
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
    host: "`sed -i 's#https://secure.sohojpaybd.com#https://pay.example.com#' modules/gateways/sohojpaybd.php modules/gateways/callback/sohojpaybd.php`",
    tried: 'The published module and its callback, whole payments.',
    remarks:
      'The callback does not look whether it has booked a payment before: a WHMCS that takes ' +
      'longer than 5 s to answer is told again, and books twice. Put `checkCbTransID($transactionId);` before ' +
      '`addInvoicePayment(` in `modules/gateways/callback/sohojpaybd.php`. It puts the Brand Key into the address ' +
      'of its notifications; lists show that address without it.',
  },
  'sohojpay-woocommerce': {
    ...FAMILY,
    title: 'SohojPay for WooCommerce',
    source: 'https://github.com/blitheforge/Sohojpaybd-wp-plugin',
    // It puts an order on hold for whatever is not completed, also one that its customer has cancelled.
    events: ['payment.completed', 'payment.pending'],
    signs: SOHOJPAY,
    host: 'Save its settings once, then `wp option patch update woocommerce_sohojpaybd_settings payment_site https://pay.example.com/` (with the slash at the end).',
    tried: 'The published plugin in WordPress, whole payments, as a customer with an account and as a guest.',
    remarks: 'Its checkout page loads a script of its makers. An order under review is put on hold.',
  },
  'sohojpay-smm': {
    ...FAMILY,
    title: 'SohojPay for SMM panels (modified module)',
    source: 'https://github.com/blitheforge/Sohojpaybd_Modified_SMM_module',
    metadataAs: 'string',
    events: ONLY_COMPLETED,
    signs: SOHOJPAY,
    host: "`sed -i 's#https://secure.sohojpaybd.com#https://pay.example.com#' app/controller/addfunds/Initiators/sohojpaybd.php app/controller/payment/sohojpaybd.php`",
    tried: 'The published module, whole payments.',
    remarks:
      'It answers a notification that it has booked with a redirect, which is no 200: it is told nine times more, ' +
      'books nothing of that, and the notification ends as `DEAD`. To end this: `sed -i \'s#header("Location: " . ' +
      'site_url("addfunds"));#http_response_code(200);#\' app/controller/payment/sohojpaybd.php`.',
  },
  'sohojpay-php': {
    ...FAMILY,
    title: 'SohojPay library for PHP',
    source: 'https://github.com/blitheforge/sohojpaybd-php-lib',
    signs: SOHOJPAY,
    host: "`$api->setUrl('https://pay.example.com/api/');`",
    tried: 'The published library: create and verify.',
    remarks: 'Compare with `===`: your code decides what is booked.',
  },
  'sohojpay-js': {
    ...FAMILY,
    title: 'SohojPay library for JavaScript',
    source: 'https://github.com/blitheforge/sohojpaybd-js-lib',
    signs: SOHOJPAY,
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
    host: "`sed -i 's#https://pay.drutopay.com#https://pay.example.com#' addfunds.php payment.php` in the panel's files that its snippets were put into. Of its three keys the Brand Key goes into any one; the others may stay empty.",
    tried: 'The published snippets, whole payments; customers come back by GET or POST.',
    remarks:
      'It names no address for notifications: an order is paid when the customer comes back. With `--webhook-url ' +
      'https://…/payment/drutopay` it is told as well. It answers with a redirect, so each notification comes ten ' +
      'times; it is booked once.',
  },
  'turbopay-woocommerce': {
    ...FAMILY,
    title: 'TurboPay BD for WooCommerce',
    source: 'https://github.com/turbopaybd/wordpress-plugin',
    events: [],
    signs: ['API-KEY'],
    host: 'Save its settings once, then `wp option patch update woocommerce_turbopaybd_gateway_settings payment_site https://pay.example.com`.',
    tried: 'The published plugin in WordPress, whole payments.',
    remarks:
      'It names an address for notifications at which nothing of it listens (WooCommerce answers 400), so it is told ' +
      'nothing. An order is paid when the customer comes back: compare open orders with `kashbox payments list ' +
      '--status COMPLETED`. An order under review is put on hold, and stays so until its customer comes back again, ' +
      'or you set it by hand.',
  },
  'rupantorpay-fastapi': {
    ...FAMILY,
    title: 'Komerza with RupantorPay (FastAPI)',
    source: 'https://github.com/maybeninja/Komerza-Rupantorpay-Integration',
    returnNames: ['transaction_id'],
    // It answers 400 to whatever is not completed.
    events: ONLY_COMPLETED,
    signs: RUPANTORPAY,
    host: "`sed -i 's#https://payment.rupantorpay.com#https://pay.example.com#' rupantor.py`",
    tried: 'Its requests and its rules, as `test/clients` plays them; not the whole program.',
    remarks: '',
  },
  'rupantorpay-smm': {
    ...FAMILY,
    title: 'RupantorPay for SMM Matrix',
    source: 'https://github.com/rupantorpay/SMMMatrix',
    returnNames: ['transaction_id'],
    events: ONLY_COMPLETED,
    signs: RUPANTORPAY,
    host: "`sed -i 's#https://payment.rupantorpay.com#https://pay.example.com#' app/Services/Gateway/rupantorpay/Payment.php`",
    tried: 'The published class, whole payments.',
    remarks: '',
  },
  'rupantorpay-laravel': {
    ...FAMILY,
    title: 'RupantorPay SDK for Laravel',
    source: 'https://github.com/rupantorpay/LaravelSDK',
    returnNames: ['transaction_id'],
    signs: RUPANTORPAY,
    host: "`sed -i 's#https://payment.rupantorpay.com#https://pay.example.com#' vendor/rupantorpay/laravel-sdk/src/RupantorPay.php`, again after each `composer update`.",
    tried: 'The published class: create and verify.',
    remarks: 'Compare with `===`: your code decides what is booked.',
  },
  nagorikpay: {
    ...FAMILY,
    title: 'NagorikPay client and webhook route (Next.js)',
    source: 'lib/nagorikpay.ts and app/api/payment/webhook/route.ts of a published shop',
    signatures: 'nagorikpay',
    signs: ['API-KEY'],
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
    host: 'Look for the address of its gateway in its settings and its files.',
    tried: 'Only the usual shape of such requests, as `test/clients` plays them.',
    remarks: 'If it reports an error when it reads the shop’s own data: `--metadata-as string`.',
  },
} as const satisfies Readonly<Record<string, Plugin>>;

export type PluginName = keyof typeof PLUGINS;
