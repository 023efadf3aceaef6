/**
 * Creates refunds: of a payment, or of money that paid for nothing. Kashbox sends no money: a refund names
 * the payer of the proof and a sum, the operator sends it, and a transfer completes the refund.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { DAY_MS, DHAKA_OFFSET_MS } from '../../base/values/clock.js';
import { newGatewayReference, newRowId } from '../../base/values/ids.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import {
  type PlannedRefund,
  planRefund,
  type RefundableMoney,
  type RefundPlan,
} from '../../domain/refunds/refund-plan.js';
import { statusAt } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { closeMoney, lockMoney } from '../../store/tables/money.js';
import {
  moneyNamedSo,
  moneyOfPayment,
  type RefundableRow,
  refundablePayment,
  sumOfApi,
} from '../../store/tables/refundable.js';
import { insertRefund, type RefundRow, refundsOf } from '../../store/tables/refunds.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';
import { answerOnce } from '../input/idempotency.js';
import { payeeField } from './change-refund.js';
import { completeRefund } from './complete-refund.js';
import { type RefundView, refundView, requireRefund } from './list-refunds.js';

interface CreateRefund {
  /**
   * Gateway reference or session id of a payment; transaction id of money, or id of its SMS. The id of money
   * that was credited names its payment, of which only this money goes back.
   */
  readonly of: string;
  /** Default: all that was paid without fees and is not sent back yet. */
  readonly amountPaisa?: Paisa | undefined;
  /** Reason, in one sentence. */
  readonly note: string;
  /** Number or address of the payer, where the proof does not show it in full. */
  readonly number?: string | undefined;
  readonly who: string;
}

/**
 * @returns one refund for each payee, the latest money first.
 * @throws KashboxError `not_found`, `invalid_input`, `refund_exceeds_paid`, `state_refused`
 */
export async function createRefund(core: Core, input: CreateRefund): Promise<RefundView[]> {
  const wanted = { ...input, amountPaisa: positive(input.amountPaisa), note: noteField(input.note) };
  const rows = await core.store.write(async (db) => {
    const payment = await refundablePayment(db, input.of.trim());
    if (payment !== undefined) return refundPayment(core, db, payment, wanted);
    const { id, session_id: session, merchant_id } = await requireMoney(db, input.of.trim());
    return session === null
      ? refundMoney(core, db, { id, merchant_id }, wanted)
      : refundPayment(core, db, { id: session, merchant_id }, { ...wanted, only: id });
  });
  return rows.map((row) => refundView(row));
}

/** @throws KashboxError `not_found`, `invalid_input` if several have that id */
async function requireMoney(db: Db, named: string): Promise<RefundableRow> {
  const [only, ...others] = await moneyNamedSo(db, named);
  if (others.length > 0) {
    refuse(`Several have the id "${echoed(named)}"`, 'Name the money by its SMS: kashbox sms list --search');
  }
  if (only !== undefined) return only;
  throw new KashboxError('not_found', {
    message: `No payment and no money has the id "${echoed(named)}"`,
    hint: 'List them with `kashbox payments list` and `kashbox sms list --unmatched`.',
  });
}

/** @throws KashboxError `amount_out_of_range` */
function positive(paisa: Paisa | undefined): Paisa | undefined {
  if (paisa === undefined || paisa > 0) return paisa;
  throw new KashboxError('amount_out_of_range');
}

interface RequestRefund {
  readonly brand: BrandContext;
  readonly sessionId: string;
  readonly amountPaisa?: Paisa | undefined;
  readonly note: string;
  readonly idempotencyKey: string;
}

/** Refunds that a shop's program has created, and the sums of its payment. */
export interface RequestedRefund {
  readonly refunds: readonly RefundView[];
  readonly refundedPaisa: Paisa;
  /** Sum of the refunds that still have to be sent. */
  readonly pendingPaisa: Paisa;
}

/**
 * Creates the refunds that a shop's program requests with its Brand Key, once for each idempotency key.
 * @throws KashboxError `refunds_off`, `session_not_found`, `invalid_input`, `refund_exceeds_paid`,
 * `state_refused`, `day_limit_reached`, `idempotency_conflict`
 */
export async function requestRefund(core: Core, input: RequestRefund): Promise<RequestedRefund> {
  const { brand, sessionId, idempotencyKey: key } = input;
  const limitPaisa = brand.refundDayLimitPaisa;
  if (limitPaisa === null) throw new KashboxError('refunds_off');
  const note = noteField(input.note);
  const amountPaisa = positive(input.amountPaisa);
  const now = core.clock.now();
  const keyed = {
    ...{ scope: `${brand.brandId} refund`, key, now },
    request: { sessionId, amountPaisa: amountPaisa ?? null, note },
  };
  return core.store.write(async (db) => {
    // Before the key: what another request of this merchant has created is seen by the next.
    await lockMerchant(db, brand.merchantId);
    return answerOnce(db, keyed, async () => {
      const payment = await refundablePayment(db, sessionId);
      if (payment?.brand_id !== brand.brandId) throw new KashboxError('session_not_found');
      const used = await sumOfApi(db, brand.brandId, dayStart(now));
      const rows = await refundPayment(core, db, payment, { amountPaisa, note, who: 'api' });
      if (used + sumOf(rows) > limitPaisa) throw overDay(limitPaisa, Math.max(0, limitPaisa - used), now);
      const all = await refundsOf(db, { session: payment.id });
      return {
        refunds: rows.map((row) => refundView(row)),
        refundedPaisa: sumOf(all.filter(({ state }) => state === 'COMPLETED')),
        pendingPaisa: sumOf(all.filter(({ state }) => state === 'PENDING')),
      };
    });
  });
}

const sumOf = (rows: readonly Pick<RefundRow, 'amount_paisa'>[]) =>
  rows.reduce((sum, { amount_paisa }) => sum + amount_paisa, 0);

const dayStart = (now: number) => now - ((now + DHAKA_OFFSET_MS) % DAY_MS);

function overDay(limitPaisa: Paisa, leftPaisa: Paisa, now: number): KashboxError {
  return new KashboxError('day_limit_reached', {
    message:
      `Refunds by the API are limited to ${formatTaka(limitPaisa)} taka a day for this brand; ` +
      `${formatTaka(leftPaisa)} are left today`,
    hint: 'Create it with `kashbox refunds create`, or raise the limit: kashbox brands update --api-refunds',
    retryAfterSeconds: Math.ceil((dayStart(now) + DAY_MS - now) / 1_000),
  });
}

interface Wanted extends Omit<CreateRefund, 'of'> {
  /** Id of the only proof whose money may go back; default: all. */
  readonly only?: string;
}

/** A session, or money that paid for nothing. */
interface Named {
  readonly id: string;
  readonly merchant_id: string;
}

type RefundablePayment = NonNullable<Awaited<ReturnType<typeof refundablePayment>>>;

/** Creates under locks, so that two requests together never send back more than was paid. */
async function refundPayment(
  core: Core,
  db: Db,
  { id, merchant_id }: Named,
  wanted: Wanted,
): Promise<RefundRow[]> {
  await lockMerchant(db, merchant_id);
  await lockSession(db, id);
  const payment = await refundablePayment(db, id);
  if (payment === undefined) throw new KashboxError('session_not_found');
  const { gateway_reference: named, brand_id, test_of } = payment;
  requireEnded(payment, core.clock.now());
  const { only = null } = wanted;
  const money = await moneyOfPayment(db, id);
  const fees = money.filter((row) => only === null || row.id === only).map((row) => row.fee_paisa ?? 0);
  const plan = planRefund(
    {
      money: money.map(toMoney),
      earlier: await refundsOf(db, { session: id }),
      feePaisa: fees.reduce((sum, paisa) => sum + paisa, 0),
      only,
    },
    wanted.amountPaisa ?? null,
  );
  const owner = { merchant_id, brand_id, session_id: id, isTest: test_of !== null };
  return insertPlanned(core, db, plannedOf(plan, `payment ${named}`, named), owner, wanted);
}

/** While a payment is open its customer may pay the rest, which would complete it without what went back. */
function requireEnded(payment: RefundablePayment, now: number): void {
  if (payment.status !== 'PENDING') return;
  const named = payment.gateway_reference;
  if (payment.reason === 'review') {
    throw new KashboxError('state_refused', {
      message: `Payment ${named} is under review: its customer may have paid`,
      hint: `Decide that first: kashbox verifications show ${named}`,
    });
  }
  const isOver = statusAt(payment, now).status === 'FAILED';
  throw new KashboxError('state_refused', {
    message: isOver
      ? `Payment ${named} has expired a moment ago and is being closed`
      : `Payment ${named} is still open: its customer can pay it`,
    hint: isOver
      ? 'Try again in a minute.'
      : `Wait until it expires, or cancel it: kashbox payments cancel ${named}`,
  });
}

/** Creates a refund of money that paid for nothing, and closes the money, so that nobody can claim it. */
async function refundMoney(
  core: Core,
  db: Db,
  { id, merchant_id }: Named,
  wanted: Wanted,
): Promise<RefundRow[]> {
  await lockMerchant(db, merchant_id);
  await lockMoney(db, [id]);
  const money = await requireMoney(db, id);
  const earlier = await refundsOf(db, { proofs: [id] });
  const isOwn = earlier.some(({ state }) => state !== 'CANCELLED');
  requireFree(money, isOwn);
  const refundable = { money: [toMoney(money)], earlier, feePaisa: 0, only: null };
  const plan = planRefund(refundable, wanted.amountPaisa ?? null);
  const planned = plannedOf(plan, `the money ${money.reference}`, money.reference);
  if (!isOwn) await closeMoney(db, [id], wanted.note, 'returned');
  const owner = { merchant_id, brand_id: null, session_id: null, isTest: money.test_of !== null };
  return insertPlanned(core, db, planned, owner, wanted);
}

/** @throws KashboxError `state_refused` */
function requireFree(money: RefundableRow, isOwn: boolean): void {
  const { reference, review, closed_note: closed } = money;
  const refused = (message: string, hint: string) => new KashboxError('state_refused', { message, hint });
  if (money.session_id !== null) {
    throw refused(`The money ${reference} was credited a moment ago`, `See it: kashbox why ${reference}`);
  }
  if (review !== null) {
    throw refused(
      `The money ${reference} is under manual review`,
      `Decide that first: kashbox verifications show ${review}`,
    );
  }
  if (closed !== null && !isOwn) {
    throw refused(
      `The money ${reference} is closed: ${closed}`,
      `If that was a mistake, reopen it: kashbox sms reopen ${reference} --note WHY`,
    );
  }
  if (money.amount_paisa === null) {
    throw refused(
      `The amount of the money ${reference} is not known`,
      'Send it back by hand, then: kashbox sms close --as returned',
    );
  }
}

function toMoney(row: RefundableRow): RefundableMoney {
  return {
    proof: row.id,
    channel: row.channel,
    amountPaisa: row.credited_paisa ?? row.amount_paisa ?? 0,
    units: row.units,
    payer: row.payer,
    kind: row.kind,
    // Transfers between wallets and banks run over this network, and their texts name it.
    isFromElsewhere: /\bNPSB\b/i.test(row.body ?? ''),
    isDisputed: row.disputed_by !== null && row.dispute !== 'APPROVED',
  };
}

/** @returns the planned refunds. @throws KashboxError `refund_exceeds_paid`, `state_refused` */
function plannedOf(plan: RefundPlan, what: string, named: string): readonly PlannedRefund[] {
  switch (plan.outcome) {
    case 'planned':
      return plan.refunds;
    case 'more_than_paid':
      throw new KashboxError('refund_exceeds_paid', {
        message: `At most ${formatTaka(plan.mostPaisa)} taka of ${what} can be sent back`,
        hint: `See what was paid and refunded: kashbox payments show ${named}`,
      });
    case 'nothing_left':
      throw new KashboxError('refund_exceeds_paid', {
        message: `Nothing of ${what} is left to send back${feesLeft(plan.mostPaisa)}`,
        hint: `See its refunds: kashbox why ${named}`,
      });
    case 'disputed':
      throw new KashboxError('state_refused', {
        message: `A later message says that the money of ${what} has gone back already`,
        hint: `Check it first: kashbox verifications list, or kashbox why ${named}`,
      });
    default:
      return plan satisfies never;
  }
}

const feesLeft = (paisa: Paisa) =>
  paisa <= 0 ? '' : `, except ${formatTaka(paisa)} taka of fees, if you name the amount`;

interface RefundOwner {
  readonly merchant_id: string;
  readonly brand_id: string | null;
  readonly session_id: string | null;
  readonly isTest: boolean;
}

async function insertPlanned(
  core: Core,
  db: Db,
  planned: readonly PlannedRefund[],
  { isTest, ...owner }: RefundOwner,
  { note, number, who }: Wanted,
): Promise<RefundRow[]> {
  if (number !== undefined && planned.length > 1) {
    refuse(
      'number goes with one refund, but this money came from several payers',
      'Create the refunds without it, then: kashbox refunds update ID --number',
    );
  }
  const rows: RefundRow[] = [];
  for (const { amountPaisa, ...refund } of planned) {
    const { proof, channel, units, shown, payee } = refund;
    const now = core.clock.now();
    const id = newRowId(core.random, now, 'refund');
    await insertRefund(db, {
      ...{ id, ...owner, proof_id: proof, channel, amount_paisa: amountPaisa, units, shown },
      payee: number === undefined ? payee : await payeeField(refund, number),
      ...{ note, state: 'PENDING' as const, created_at: now, created_by: who },
      ...{ closed_at: null, closed_by: null, reference: null, fee_paisa: null, sent_id: null },
    });
    const after = { session: owner.session_id, proof, channel, paisa: amountPaisa, payee, number, note };
    await audit(core, db, who, 'refund.create', id, { after });
    // No money was paid to a test brand, so none is sent: an invented transfer completes its refunds.
    const transfer = { reference: newGatewayReference(core.random), feePaisa: 0, sentId: null, who: 'rule' };
    if (isTest) await completeRefund(core, db, await requireRefund(db, id), transfer);
    rows.push(await requireRefund(db, id));
  }
  return rows;
}
