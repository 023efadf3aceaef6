/** Programs that check what they hear and compare strictly: NagorikPay's, and shops written for Kashbox. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Books, deafTo, type Heard, linkOf, type MakeProgram, postJson, priceOf } from './client.js';

interface Verified {
  readonly status: unknown;
  readonly amount?: string;
  readonly metadata?: { readonly order_id?: string };
}

/** Their own header, in one of two spellings; older than five minutes is refused. */
function isSignedForNagorik({ headers, body }: Heard, secret: string): boolean {
  const timestamp = headers['x-nagorikpay-timestamp'];
  const signature = headers['x-nagorikpay-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300)) return false;
  const given = Buffer.from(signature.replace(/^sha256=/, ''));
  const wanted = Buffer.from(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/**
 * NagorikPay's client and webhook route. A `false` at the top of verify is an error to it; the order stands
 * in the meta data, and the amount must cover it.
 */
export const nagorikpay: MakeProgram = (place) => {
  const books = new Books();
  const headers = { 'API-KEY': place.key };
  const settle = async (transaction_id: string): Promise<void> => {
    const { status, text } = await postJson(place, '/api/payment/verify', headers, { transaction_id });
    if (status !== 200) throw new Error(text);
    const told = JSON.parse(text) as Verified;
    if (told.status === false) throw new Error(text);
    const order = told.metadata?.order_id;
    if (order === undefined || told.status !== 'COMPLETED' || Number(told.amount) < priceOf(order, 650))
      return;
    books.once(order);
  };
  return {
    taka: '650.00',
    open: async (order) => {
      const answer = await postJson(place, '/api/payment/create', headers, {
        cus_name: 'Asha',
        cus_email: 'asha@example.com',
        amount: String(priceOf(order, 650)),
        success_url: `${place.site}/payment/success`,
        cancel_url: `${place.site}/payment/cancel`,
        webhook_url: `${place.hook}/api/payment/webhook`,
        metadata: { order_id: order },
      });
      if ((JSON.parse(answer.text) as Verified).status !== true) throw new Error(answer.text);
      return linkOf(answer);
    },
    visit: async ({ searchParams }) => {
      const reference = searchParams.get('transactionId') ?? searchParams.get('transaction_id');
      if (reference !== null) await settle(reference).catch(() => {});
    },
    hear: async (heard) => {
      if (!isSignedForNagorik(heard, place.secret)) return 403;
      const form = new URLSearchParams(heard.body);
      const reference = form.get('transactionId') ?? form.get('transaction_id');
      if (reference === null) return 400;
      return settle(reference).then(
        () => 200,
        () => 500,
      );
    },
    booked: (order) => books.count(order),
  };
};

/** A shop that hears by JSON, checks with the library of Standard Webhooks and goes by the event. */
export const standardWebhooks: MakeProgram = (place) => {
  const books = new Books();
  const seen = new Set<string>();
  return {
    taka: '500.00',
    open: async (order) =>
      linkOf(
        await postJson(
          place,
          '/api/payment/create',
          { 'BRAND-KEY': place.key },
          {
            amount: priceOf(order, 500),
            success_url: `${place.site}/thanks`,
            cancel_url: `${place.site}/cart`,
            webhook_url: `${place.hook}/kashbox`,
            meta_data: { order },
          },
        ),
      ),
    visit: async () => {},
    hear: async ({ headers, body }) => {
      try {
        new Webhook(place.secret).verify(body, headers as Record<string, string>);
      } catch {
        return 401;
      }
      const told = JSON.parse(body) as { event: string; id: string; meta_data: { order: string } | null };
      if (seen.has(told.id) || told.event !== 'payment.completed') return 200;
      seen.add(told.id);
      books.add(told.meta_data?.order ?? '');
      return 200;
    },
    booked: (order) => books.count(order),
  };
};

/** A shop with a client made of the document: the record of verify, compared strictly. */
export const openapi: MakeProgram = (place) => {
  const books = new Books();
  const headers = { authorization: `Bearer ${place.key}` };
  return {
    taka: '220.10',
    open: async (order) =>
      linkOf(
        await postJson(place, '/api/payment/create', headers, {
          amount: priceOf(order, 220.1),
          success_url: `${place.site}/thanks?order=${order}`,
          cancel_url: `${place.site}/cart`,
          meta_data: { order },
        }),
      ),
    visit: async ({ searchParams }) => {
      const transaction_id = searchParams.get('transactionId');
      if (transaction_id === null) return;
      const { status, text } = await postJson(place, '/api/payment/verify', headers, { transaction_id });
      if (status !== 200) return;
      const { data } = JSON.parse(text) as { data: { status: string; meta_data: { order: string } } };
      if (data.status === 'COMPLETED') books.once(data.meta_data.order);
    },
    hear: deafTo(200),
    booked: (order) => books.count(order),
  };
};
