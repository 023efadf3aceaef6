// Client of the Kashbox API: create a payment, verify it, check a webhook. Node 20 or newer, no package.
import { createHmac, timingSafeEqual } from 'node:crypto';

const { KASHBOX_URL, BRAND_KEY, WEBHOOK_SECRET, SHOP_URL } = process.env;
if (!KASHBOX_URL || !BRAND_KEY || !WEBHOOK_SECRET || !SHOP_URL) {
  throw new Error('Set KASHBOX_URL, BRAND_KEY, WEBHOOK_SECRET and SHOP_URL.');
}
// For a self-signed certificate, start Node with NODE_EXTRA_CA_CERTS=…/tls/cert.pem.

/** Returns the JSON answer; throws if it is a refusal. */
async function callKashbox(path, fields, headers = {}) {
  const response = await fetch(`${KASHBOX_URL}/api/payment/${path}`, {
    method: 'POST',
    headers: { 'BRAND-KEY': BRAND_KEY, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(fields),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.json();
  if (answer.status !== true) throw new Error(`Kashbox: ${response.status} ${answer.message}`);
  return answer;
}

/** Returns the address of the payment page; the part after its last slash is the session reference. */
export async function createPayment(order) {
  const fields = {
    amount: order.amount,
    success_url: `${SHOP_URL}/paid?order=${order.id}`,
    cancel_url: `${SHOP_URL}/cancelled`,
    meta_data: { order: order.id },
  };
  return (await callKashbox('create', fields, { 'Idempotency-Key': order.id })).payment_url;
}

/** True only if the payment of this order is completed, and of its full amount. */
export async function isPaid(order) {
  const { data } = await callKashbox('verify', { transaction_id: order.reference });
  if (data.status !== 'COMPLETED' || data.meta_data?.order !== order.id) return false;
  return paisa(data.amount) === paisa(order.amount);
}

/** Exact: "500.00" is 50000. Never compare money as floating point. */
function paisa(taka) {
  const [, whole, rest] = /^(\d{1,9})\.(\d\d)$/.exec(taka) ?? [];
  if (whole === undefined) throw new Error(`Not an amount: ${taka}`);
  return 100 * Number(whole) + Number(rest);
}

/** Checks the Standard Webhooks signature of the raw body. */
export function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers;
  if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const mine = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  const theirs = signatures.split(' ').map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'));
  return theirs.some((one) => one.length === mine.length && timingSafeEqual(one, mine));
}
