/**
 * A test payment with real money: a payment of the shop is opened, and the SMS of that amount, when it comes,
 * is claimed for it as a shop would claim it. What is credited stays in the books, because it was paid.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { brandContext } from '../brands/brand-context.js';
import { verifyPayment } from '../claims/verify-claim.js';
import type { Core } from '../core/core.js';
import { createSession } from '../sessions/create-session.js';
import { listSms, type SmsRow } from '../sms/list-sms.js';
import type { TriedShop } from './play-payments.js';

const CUSTOMER = 'Test payment';
/** More SMS than this do not come between two looks. */
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
  shop: TriedShop,
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

/** What the claim of an SMS is refused by: it pays something else, or nothing. */
const REFUSALS: readonly string[] = [
  ...['proof_disagrees', 'already_credited', 'session_completed', 'session_not_found'],
  ...['transaction_not_found', 'method_unavailable', 'invalid_input', 'too_many_attempts'],
];

/** What an SMS means for the payment that is waited for. */
type HeardSms = { readonly sms: SmsRow } & (
  | { readonly outcome: 'completed' | 'under_review' }
  /** It is no money, or of another amount, or came on another account. */
  | { readonly outcome: 'other'; readonly detail: string | null }
);

/**
 * Looks at the SMS that have come to the shop's phones since the payment was opened, the oldest first, each
 * once.
 * @throws KashboxError `store_…`
 */
export async function hearSms(core: Core, shop: TriedShop, payment: AwaitedPayment): Promise<HeardSms[]> {
  const { known, openedAt } = payment;
  const since = await smsSince(core, openedAt);
  const names = shop.devices.map(({ name }) => name);
  const fresh = since.filter(({ id, device }) => !known.has(id) && names.includes(device ?? ''));
  const heard: HeardSms[] = [];
  for (const sms of fresh.reverse()) {
    known.add(sms.id);
    heard.push(await judge(core, payment, sms));
  }
  return heard;
}

async function judge(core: Core, payment: AwaitedPayment, sms: SmsRow): Promise<HeardSms> {
  const { channel, trx_id, amount, settle } = sms;
  const isMoney = settle !== 'never' && amount === formatTaka(payment.amountPaisa);
  if (!isMoney || trx_id === null || channel === null) return { sms, outcome: 'other', detail: null };
  try {
    const { outcome } = await verifyPayment(core, payment.id, channel, trx_id);
    return { sms, outcome };
  } catch (error) {
    if (!isKashboxError(error) || !REFUSALS.includes(error.code)) throw error;
    return { sms, outcome: 'other', detail: error.message };
  }
}
