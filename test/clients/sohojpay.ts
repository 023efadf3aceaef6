/** The programs of SohojPay: its modules for WHMCS, WooCommerce and SMM panels, and its two libraries. */
import {
  Books,
  carelessly,
  deafTo,
  linkOf,
  type MakeProgram,
  postJson,
  priceOf,
  requestOf,
  type ShopPlace,
} from './client.js';

const CREATE = '/api/payment/create';
const VERIFY = '/api/payment/verify';

const keyed = ({ key }: ShopPlace) => ({ 'SOHOJPAY-API-KEY': key });

/**
 * WHMCS. An invoice in dollars is multiplied by a rate and not rounded. Its callback asks verify, compares
 * loosely, and adds the payment to the invoice without looking whether it has done so.
 */
export const sohojpayWhmcs: MakeProgram = (place) => {
  const books = new Books();
  return {
    taka: '121.00',
    open: async (order) => {
      const page = `${place.site}/viewinvoice.php?id=${order}`;
      const fields = {
        cus_name: 'Asha Islam',
        cus_email: 'asha@example.com',
        webhook_url: `${place.hook}/modules/gateways/callback/sohojpaybd.php?api=${place.key}&invoice=${order}`,
        success_url: page,
        cancel_url: page,
      };
      const body = await place.php.body(fields, priceOf(order, 1.1), 110);
      return linkOf(await postJson(place, CREATE, keyed(place), body));
    },
    visit: async () => {},
    hear: async (heard) => {
      const { invoice = '', transactionId = null } = requestOf(heard);
      const key = { 'SOHOJPAY-API-KEY': heard.url.searchParams.get('api') ?? '' };
      const { text } = await postJson(place, VERIFY, key, { transaction_id: transactionId });
      if ((await place.php.judge('loose', text)).paid) books.add(invoice);
      return 200;
    },
    booked: (order) => books.count(order),
  };
};

/**
 * WooCommerce. Of a guest WordPress knows no name and no address, and says `false`. Its receiver sets
 * whatever is not completed on hold, and answers 200 in any case.
 */
export const sohojpayWooCommerce: MakeProgram = (place) => {
  const books = new Books();
  return {
    taka: '118.80',
    open: async (order) => {
      const fields = {
        cus_name: false,
        cus_email: false,
        cus_phone: '',
        webhook_url: `${place.hook}/?wc-api=wc_sohojpaybd_gateway&order_id=${order}`,
        success_url: `${place.site}/checkout/order-received/${order}/?key=wc_order_${order}`,
        cancel_url: `${place.site}/checkout/`,
      };
      const body = await place.php.body(fields, priceOf(order, 1.1), 108);
      return linkOf(await postJson(place, CREATE, keyed(place), body));
    },
    visit: async () => {},
    hear: async (heard) => {
      const { order_id: order = '', transactionId = null } = requestOf(heard);
      const { text } = await postJson(place, VERIFY, keyed(place), { transaction_id: transactionId });
      if ((await place.php.judge('loose', text)).paid) books.once(order);
      return 200;
    },
    booked: (order) => books.count(order),
  };
};

/**
 * An SMM panel. Its receiver takes the reference from a form or from JSON and the order from the meta data,
 * which must be a text; it answers a redirect to what it has booked, and 405 to what is not completed.
 */
export const sohojpaySmm: MakeProgram = (place) => {
  const books = new Books();
  return {
    taka: '250.00',
    open: async (order) =>
      linkOf(
        await postJson(place, CREATE, keyed(place), {
          cus_name: 'User',
          cus_email: 'test@test.com',
          amount: priceOf(order, 250),
          metadata: { order_id: order },
          success_url: `${place.site}/`,
          cancel_url: `${place.site}/`,
          webhook_url: `${place.hook}/payment/sohojpaybd`,
        }),
      ),
    visit: async () => {},
    hear: async (heard) => {
      const isJson = heard.headers['content-type'] === 'application/json';
      const json = isJson ? (JSON.parse(heard.body) as { readonly transaction_id?: string }) : {};
      const transaction_id = requestOf(heard).transactionId ?? json.transaction_id;
      if (transaction_id === undefined) return 200;
      const { text } = await postJson(place, VERIFY, keyed(place), { transaction_id });
      const { paid, order, fatal } = await place.php.judge('panel', text, 'order_id');
      if (fatal !== null) return 500;
      if (!paid) return 405;
      if (order === null || books.count(order) > 0) return 200;
      books.add(order);
      return 302;
    },
    booked: (order) => books.count(order),
  };
};

/** A shop of its own around the library for PHP. */
export const sohojpayPhp: MakeProgram = (place) => ({
  ...carelessly(place, (transaction_id) => postJson(place, VERIFY, keyed(place), { transaction_id })),
  taka: '121.00',
  open: async (order) => {
    const fields = {
      cus_name: 'Asha',
      cus_email: 'asha@example.com',
      metadata: { order },
      success_url: `${place.site}/paid.php?order=${order}`,
      cancel_url: `${place.site}/cart.php`,
      webhook_url: `${place.hook}/ipn.php?order=${order}`,
    };
    return linkOf(
      await postJson(place, CREATE, keyed(place), await place.php.body(fields, priceOf(order, 1.1), 110)),
    );
  },
});

/** A shop around the library for JavaScript, which throws on every answer but 2xx. */
export const sohojpayJs: MakeProgram = (place) => {
  const books = new Books();
  return {
    taka: '500.50',
    open: async (order) =>
      linkOf(
        await postJson(place, CREATE, keyed(place), {
          cus_name: 'Asha',
          cus_email: 'asha@example.com',
          amount: String(priceOf(order, 500.5)),
          metadata: { order },
          success_url: `${place.site}/paid?order=${order}`,
          cancel_url: `${place.site}/cart`,
        }),
      ),
    visit: async ({ searchParams }) => {
      const order = searchParams.get('order');
      const transaction_id = searchParams.get('transactionId');
      if (order === null || transaction_id === null) return;
      const { status, text } = await postJson(place, VERIFY, keyed(place), { transaction_id });
      if (status < 200 || status >= 300) return;
      if ((JSON.parse(text) as { readonly status: unknown }).status === 'COMPLETED') books.once(order);
    },
    hear: deafTo(200),
    booked: (order) => books.count(order),
  };
};
