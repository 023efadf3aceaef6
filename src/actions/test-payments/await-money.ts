/**
 * Runs a test payment with real money: creates a payment of the shop, waits for the SMS of that amount, and
 * claims it as a shop would. The credit stays in the shop's accounting, because the money was paid.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { isChannel } from '../../domain/accounts/channels.js';
import { brandContext } from '../brands/brand-context.js';
import { verifyPayment } from '../claims/verify-claim.js';
import type { Core } from '../core/core.js';
import { createSession } from '../sessions/create-session.js';
import { listSms, type SmsRow } from '../sms/list-sms.js';
import type { ShopUnderTest } from './simulate-payments.js';

const CUSTOMER = 'Test payment';
/** Maximum number of SMS that arrive between two polls. */
const MAX_SMS = 50;

interface AwaitedPayment {
  readonly id: string;
  readonly gateway_reference: string;
  readonly amountPaisa: Paisa;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  readonly expiresAt: number;
  /** Identifiers of SMS that were there before it, or were looked at since. */
  readonly known: Set<string>;
}

/** @throws KashboxError `amount_out_of_range` */
export async function openTestPayment(
  core: Core,
  shop: ShopUnderTest,
  amountPaisa: Paisa,
): Promise<AwaitedPayment> {
  const openedAt = core.clock.now();
  const earlier = await smsSince(core, openedAt);
  const brand = await brandContext(core, shop.brandId);
  const about = { brand, hosted: null, cusName: CUSTOMER, cusEmail: '', metaJson: '{"test":true}' };
  const { id, gatewayReference, expiresAt } = await createSession(core, { ...about, amountPaisa });
  const known = new Set(earlier.map((sms) => sms.id));
  return { id, gateway_reference: gatewayReference, amountPaisa, openedAt, expiresAt, known };
}

const smsSince = (core: Core, sinceMs: number) => listSms(core, { sinceMs, limit: MAX_SMS });

/** Error codes for an SMS that pays for something else, or for nothing. */
const REFUSALS: readonly string[] = [
  ...['proof_disagrees', 'already_credited', 'session_completed', 'session_not_found'],
  ...['transaction_not_found', 'method_unavailable', 'invalid_input', 'too_many_attempts'],
];

/** New SMS with its outcome for the awaited payment. */
type ReceivedSms = { readonly sms: SmsRow } & (
  | { readonly outcome: 'completed' | 'under_review' }
  /** SMS that is not money, or has another amount or account. */
  | { readonly outcome: 'other'; readonly detail: string | null }
);

/**
 * Checks the SMS that arrived on the shop's phones since the payment was created, oldest first, each once.
 * @throws KashboxError `store_…`
 */
export async function checkNewSms(
  core: Core,
  shop: ShopUnderTest,
  payment: AwaitedPayment,
): Promise<ReceivedSms[]> {
  const { known, openedAt } = payment;
  const since = await smsSince(core, openedAt);
  const names = shop.devices.map(({ name }) => name);
  const fresh = since.filter(({ id, device }) => !known.has(id) && names.includes(device ?? ''));
  const heard: ReceivedSms[] = [];
  for (const sms of fresh.reverse()) {
    known.add(sms.id);
    heard.push(await judge(core, payment, sms));
  }
  return heard;
}

async function judge(core: Core, payment: AwaitedPayment, sms: SmsRow): Promise<ReceivedSms> {
  const { channel, trx_id, amount, settle } = sms;
  const isMoney = settle !== 'never' && amount === formatTaka(payment.amountPaisa);
  if (!isMoney || trx_id === null || !isChannel(channel)) return { sms, outcome: 'other', detail: null };
  try {
    const { outcome } = await verifyPayment(core, payment.id, channel, trx_id);
    return outcome === 'part' ? { sms, outcome: 'other', detail: null } : { sms, outcome };
  } catch (error) {
    if (!isKashboxError(error) || !REFUSALS.includes(error.code)) throw error;
    return { sms, outcome: 'other', detail: error.message };
  }
}
