/** The programs of RupantorPay: other paths, another header, other names of fields. */
import {
  Books,
  carelessly,
  type Heard,
  linkOf,
  type MakeProgram,
  postJson,
  priceOf,
  requestOf,
} from './client.js';

const CREATE = '/api/payment/checkout';
const VERIFY = '/api/payment/verify-payment';

/** What the FastAPI program wants in an answer before it looks at any of it. */
const NEEDED = ['status', 'fullname', 'email', 'amount', 'payment_method', 'transaction_id'];

/**
 * A FastAPI program that delivers from its receiver alone. It compares name, address and amount with the
 * order, answers 400 to whatever is not completed, and dies of a status that is no text.
 */
export const rupantorpayFastapi: MakeProgram = (place) => {
  const books = new Books();
  const headers = { accept: 'application/json', 'X-API-KEY': place.key };
  const email = 'Asha@example.com';
  return {
    taka: '1310.55',
    open: async (order) =>
      linkOf(
        await postJson(place, CREATE, headers, {
          success_url: `${place.site}/checkout/${order}`,
          cancel_url: `${place.site}/${order}/cancel`,
          webhook_url: `${place.hook}/webhook/${order}/paid`,
          fullname: order,
          email,
          amount: priceOf(order, 1310.55),
        }),
      ),
    visit: async () => {},
    hear: async (heard) => {
      const [, order = ''] = /\/webhook\/([^/]+)\/paid$/.exec(heard.url.pathname) ?? [];
      const { transactionId } = requestOf(heard);
      if (transactionId === undefined) return 400;
      if (books.count(order) > 0) return 200;
      const { status, text } = await postJson(place, VERIFY, headers, { transaction_id: transactionId });
      if (status !== 200) return 400;
      const told = JSON.parse(text) as Readonly<Record<string, unknown>>;
      if (NEEDED.some((name) => !(name in told))) return 400;
      if (typeof told.status !== 'string') return 500;
      if (told.status.toUpperCase() !== 'COMPLETED') return 400;
      const isOrder = told.fullname === order && String(told.email).toLowerCase() === email.toLowerCase();
      if (!isOrder || Math.abs(Number(told.amount) - priceOf(order, 1310.55)) > 1) return 400;
      books.add(order);
      return 200;
    },
    booked: (order) => books.count(order),
  };
};

/** SMM Matrix. One address for customers and notifications, which looks for `transaction_id` alone. */
export const rupantorpaySmm: MakeProgram = (place) => {
  const books = new Books();
  const ipn = async (pathname: string, transaction_id: string | undefined): Promise<number> => {
    const [, order] = /\/ipn\/rupantorpay\/([^/]+)$/.exec(pathname) ?? [];
    if (order === undefined || transaction_id === undefined) return 302;
    const { status, text } = await postJson(place, VERIFY, { 'X-API-KEY': place.key }, { transaction_id });
    if (status !== 200) return 500;
    if ((await place.php.judge('identical', text)).paid) books.once(order);
    return 302;
  };
  return {
    taka: '300.00',
    open: async (order) =>
      linkOf(
        await postJson(
          place,
          CREATE,
          { 'X-API-KEY': place.key },
          {
            fullname: 'asha',
            email: 'asha@example.com',
            amount: priceOf(order, 300),
            success_url: `${place.site}/ipn/rupantorpay/${order}`,
            cancel_url: `${place.site}/failed`,
            webhook_url: `${place.hook}/ipn/rupantorpay/${order}`,
            metadata: { trx_id: order },
          },
        ),
      ),
    visit: async ({ pathname, searchParams }) => {
      await ipn(pathname, searchParams.get('transaction_id') ?? undefined);
    },
    hear: (heard) => ipn(heard.url.pathname, laravelInput(heard).transaction_id),
    booked: (order) => books.count(order),
  };
};

/** A shop in Laravel around the SDK. */
export const rupantorpayLaravel: MakeProgram = (place) => {
  const headers = { 'X-API-KEY': place.key };
  const verify = (transaction_id: string | undefined) => postJson(place, VERIFY, headers, { transaction_id });
  return {
    ...carelessly(place, verify, laravelInput),
    taka: '45.00',
    open: async (order) =>
      linkOf(
        await postJson(place, CREATE, headers, {
          fullname: 'Asha',
          email: 'asha@example.com',
          amount: String(priceOf(order, 45)),
          success_url: `${place.site}/thanks?order=${order}`,
          cancel_url: `${place.site}/thanks?order=${order}`,
          webhook_url: `${place.hook}/ipn?order=${order}`,
        }),
      ),
  };
};

/** Laravel reads forms and JSON alike. */
function laravelInput(heard: Heard): Readonly<Record<string, string>> {
  const isJson = heard.headers['content-type'] === 'application/json';
  return { ...requestOf(heard), ...(isJson ? (JSON.parse(heard.body) as Record<string, string>) : {}) };
}
