/** Programs that book when the customer comes back: DrutoPay in SMM panels, TurboPay BD in WooCommerce. */
import { createHash } from 'node:crypto';
import {
  Books,
  carelessly,
  deafTo,
  linkOf,
  type MakeProgram,
  postJson,
  priceOf,
  requestOf,
} from './client.js';

const CREATE = '/api/payment/create';
const VERIFY = '/api/payment/verify';

/**
 * An SMM panel. It sends the key under three names, placeholders in two of them, multiplies by a rate without
 * rounding, and takes the order from the meta data, which must be a text. The page for the customer and the
 * receiver of notifications are one.
 */
export const drutopaySmm: MakeProgram = (place) => {
  const books = new Books();
  const headers = { 'API-KEY': place.key, 'SECRET-KEY': 'your-secret-key', 'BRAND-KEY': '' };
  const settle = async (transaction_id: string | undefined): Promise<number> => {
    if (transaction_id === undefined) return 200;
    const { text } = await postJson(place, VERIFY, headers, { transaction_id });
    const { paid, order, fatal } = await place.php.judge('panel', text, 'txnid');
    if (fatal !== null) return 500;
    if (!paid) return 302;
    if (order !== null) books.once(order);
    return 302;
  };
  return {
    taka: '121.00',
    open: async (order) => {
      const fields = {
        cus_name: 'asha',
        cus_email: 'asha@example.com',
        success_url: `${place.site}/payment/drutopay`,
        cancel_url: `${place.site}/addfunds?cancel=true`,
        metadata: { txnid: order },
      };
      return linkOf(
        await postJson(place, CREATE, headers, await place.php.body(fields, priceOf(order, 1.1), 110)),
      );
    },
    visit: async ({ pathname, searchParams }) => {
      if (pathname === '/payment/drutopay') await settle(searchParams.get('transactionId') ?? undefined);
    },
    hear: async (heard) => settle(requestOf(heard).transactionId),
    booked: (order) => books.count(order),
  };
};

/** Of one order, made with a secret of WordPress. */
const nonceOf = (order: string): string =>
  createHash('sha256').update(`salt of WordPress ${order}`).digest('hex').slice(0, 10);

/**
 * WooCommerce. Its address for notifications belongs to no hook of it: WooCommerce answers 400. Whoever comes
 * back with the right nonce has verify asked; it is compared loosely with two words.
 */
export const turbopayWooCommerce: MakeProgram = (place) => {
  const books = new Books();
  const headers = { 'API-KEY': place.key };
  return {
    taka: '999.99',
    open: async (order) =>
      linkOf(
        await postJson(place, CREATE, headers, {
          cus_name: 'Asha Islam',
          cus_email: 'asha@example.com',
          amount: String(priceOf(order, 999.99)),
          metadata: { phone: '01711000000' },
          uid: 1,
          success_url: `${place.site}/checkout/?turbopaybd_return=1&order_id=${order}&_wpnonce=${nonceOf(order)}`,
          cancel_url: `${place.site}/checkout/`,
          webhook_url: `${place.hook}/wc-api/TPBD_WC_Gateway/`,
        }),
      ),
    visit: async ({ searchParams }) => {
      const order = searchParams.get('order_id');
      const transaction_id = searchParams.get('transactionId');
      const isReturn = searchParams.has('turbopaybd_return') && order !== null && transaction_id !== null;
      if (!isReturn || searchParams.get('_wpnonce') !== nonceOf(order)) return;
      const { text } = await postJson(place, VERIFY, headers, { transaction_id });
      if ((await place.php.judge('loose_or_success', text)).paid) books.once(order);
    },
    hear: deafTo(400),
    booked: (order) => books.count(order),
  };
};

/**
 * A game's wallet, written for DrutoPay's API. It never reads `status`: who is named in the meta data at the
 * top of verify's answer is credited the amount that stands beside it.
 */
export const creditsUnseen: MakeProgram = (place) => {
  const books = new Books();
  const headers = { 'API-KEY': place.key, 'SECRET-KEY': 'x', 'BRAND-KEY': 'x' };
  const settle = async (transaction_id: string | undefined): Promise<number> => {
    const { text } = await postJson(place, VERIFY, headers, { transaction_id });
    const told = JSON.parse(text) as { readonly amount?: string; readonly metadata?: string };
    if (told.amount === undefined || typeof told.metadata !== 'string') return 200;
    const { user } = JSON.parse(told.metadata) as { readonly user: string };
    if (Number(told.amount) > 0) books.once(user);
    return 200;
  };
  return {
    taka: '50.00',
    open: async (order) =>
      linkOf(
        await postJson(place, CREATE, headers, {
          amount: '50',
          metadata: { user: order },
          success_url: `${place.site}/paid`,
          cancel_url: `${place.site}/paid`,
          webhook_url: `${place.hook}/ipn`,
        }),
      ),
    visit: async ({ searchParams }) => {
      await settle(searchParams.get('transactionId') ?? undefined);
    },
    hear: async (heard) => settle(requestOf(heard).transactionId),
    booked: (order) => books.count(order),
  };
};

/** A program of the family that nobody has tried: the key in forms and queries, under `api_key`. */
export const genericPhp: MakeProgram = (place) => ({
  ...carelessly(place, (reference = '') => {
    const asked = new URLSearchParams({ api_key: place.key, transactionid: reference });
    return place.ask(`${VERIFY}?${asked}`, {});
  }),
  taka: '75.00',
  open: async (order) => {
    const fields = {
      api_key: place.key,
      amount: String(priceOf(order, 75)),
      success_url: `${place.site}/ok.php?order=${order}`,
      cancel_url: `${place.site}/ok.php?order=${order}`,
      webhook_url: `${place.hook}/ipn.php?order=${order}`,
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    return linkOf(await place.ask(CREATE, { method: 'POST', headers, body }));
  },
});
