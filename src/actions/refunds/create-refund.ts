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
import {
  findRefund,
  insertRefund,
  type RefundRow,
  refundsOf,
  sumRefunds,
} from '../../store/tables/refunds.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';
import { answerOnce } from '../input/idempotency.js';
import { payeeField } from './change-refund.js';
import { completeRefund } from './complete-refund.js';
import { type RefundView, refundView } from './list-refunds.js';

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
    const named = await findNamed(db, input.of.trim());
    if (named.session === null) return refundMoney(core, db, named.proof, wanted);
    const payment = await refundablePayment(db, named.session);
    return payment === undefined
      ? []
      : refundPayment(core, db, payment, { ...wanted, only: named.proof || null });
  });
  return rows.map((row) => refundView(row));
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
      const wanted = { amountPaisa, note, who: 'api', only: null };
      const rows = await refundPayment(core, db, payment, wanted);
      const paisa = rows.reduce((sum, { amount_paisa }) => sum + amount_paisa, 0);
      if (used + paisa > limitPaisa) throw overDay(limitPaisa, Math.max(0, limitPaisa - used), now);
      const refundedPaisa = await refundedOf(db, payment.id);
      const pendingPaisa = (await sumRefunds(db, payment.id)) - refundedPaisa;
      return { refunds: rows.map((row) => refundView(row)), refundedPaisa, pendingPaisa };
    });
  });
}

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

async function refundedOf(db: Db, session: string): Promise<Paisa> {
  const row = db.query.selectFrom('sessions').where('id', '=', session).select('refunded_paisa');
  return Number((await row.executeTakeFirstOrThrow()).refunded_paisa);
}

interface Named {
  /** Session id; null for money that paid for nothing. */
  readonly session: string | null;
  /** Id of the proof that was named; empty if a payment was named. */
  readonly proof: string;
}

async function findNamed(db: Db, named: string): Promise<Named> {
  const payment = await refundablePayment(db, named);
  if (payment !== undefined) return { session: payment.id, proof: '' };
  const [only, ...others] = await moneyNamedSo(db, named);
  if (others.length > 0) {
    refuse(`Several have the id "${echoed(named)}"`, 'Name the money by its SMS: kashbox sms list --search');
  }
  if (only !== undefined) return { session: only.session_id, proof: only.id };
  throw new KashboxError('not_found', {
    message: `No payment and no money has the id "${echoed(named)}"`,
    hint: 'List them with `kashbox payments list` and `kashbox sms list --unmatched`.',
  });
}

interface Wanted extends Pick<CreateRefund, 'amountPaisa' | 'note' | 'number' | 'who'> {
  /** Id of the only proof whose money may go back; null for all. */
  readonly only: string | null;
}

type RefundablePayment = NonNullable<Awaited<ReturnType<typeof refundablePayment>>>;

/** Creates under locks, so that two requests together never send back more than was paid. */
async function refundPayment(
  core: Core,
  db: Db,
  found: RefundablePayment,
  { only, ...wanted }: Wanted,
): Promise<RefundRow[]> {
  await lockMerchant(db, found.merchant_id);
  await lockSession(db, found.id);
  const payment = (await refundablePayment(db, found.id)) ?? found;
  const named = payment.gateway_reference;
  requireEnded(payment, core.clock.now());
  const money = await moneyOfPayment(db, payment.id);
  const fees = money.filter(({ id }) => only === null || id === only).map((row) => row.fee_paisa ?? 0);
  const plan = planRefund(
    {
      money: money.map(toMoney),
      earlier: await refundsOf(db, { session: payment.id }),
      feePaisa: fees.reduce((sum, paisa) => sum + paisa, 0),
      only,
    },
    wanted.amountPaisa ?? null,
  );
  const owner = { merchant: payment.merchant_id, brand: payment.brand_id, session: payment.id };
  return insertPlanned(core, db, plannedOf(plan, `payment ${named}`, named), {
    ...owner,
    ...wanted,
    isTest: payment.test_of !== null,
  });
}

/** While a payment is open its customer may pay the rest, which would complete it without what went back. */
function requireEnded(payment: RefundablePayment, now: number): void {
  if (payment.status !== 'PENDING') return;
  const named = payment.gateway_reference;
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
  proof: string,
  wanted: Omit<Wanted, 'only'>,
): Promise<RefundRow[]> {
  const [named] = await moneyNamedSo(db, proof);
  if (named === undefined) return [];
  await lockMerchant(db, named.merchant_id);
  await lockMoney(db, [proof]);
  const [money = named] = await moneyNamedSo(db, proof);
  const earlier = await refundsOf(db, { proof });
  const isOwn = earlier.some(({ state }) => state !== 'CANCELLED');
  requireFree(money, isOwn);
  const plan = planRefund(
    { money: [toMoney(money)], earlier, feePaisa: 0, only: null },
    wanted.amountPaisa ?? null,
  );
  const planned = plannedOf(plan, `the money ${money.reference}`, money.reference);
  if (!isOwn) await closeMoney(db, [proof], wanted.note, 'returned');
  return insertPlanned(core, db, planned, {
    ...{ merchant: money.merchant_id, brand: null, session: null },
    ...wanted,
    isTest: money.test_of !== null,
  });
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
        hint: 'See its refunds with `kashbox refunds list`.',
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

interface Owned extends Omit<Wanted, 'only'> {
  readonly merchant: string;
  readonly brand: string | null;
  readonly session: string | null;
  readonly isTest: boolean;
}

async function insertPlanned(
  core: Core,
  db: Db,
  planned: readonly PlannedRefund[],
  { merchant, brand, session, note, number, who, isTest }: Owned,
): Promise<RefundRow[]> {
  if (number !== undefined && planned.length > 1) {
    refuse(
      'number goes with one refund, but this money came from several payers',
      'Create the refunds without it, then: kashbox refunds update ID --number',
    );
  }
  const rows: RefundRow[] = [];
  for (const { proof, channel, amountPaisa, units, shown, payee } of planned) {
    const id = newRowId(core.random, core.clock.now(), 'refund');
    const about = { channel, shown, payee };
    await insertRefund(db, {
      ...{ id, merchant_id: merchant, brand_id: brand, session_id: session, proof_id: proof, channel },
      ...{ amount_paisa: amountPaisa, units, shown, note, state: 'PENDING' as const },
      payee: number === undefined ? payee : await payeeField(about, number),
      ...{ created_at: core.clock.now(), created_by: who, closed_at: null, closed_by: null },
      ...{ reference: null, fee_paisa: null, sent_id: null },
    });
    const after = { session, proof, channel, paisa: amountPaisa, payee, number, note };
    await audit(core, db, who, 'refund.create', id, { after });
    if (isTest) await completeTest(core, db, id);
    rows.push(await storedRefund(db, id));
  }
  return rows;
}

/** No money was paid to a test brand, so none is sent: its refunds are completed with an invented id. */
async function completeTest(core: Core, db: Db, id: string): Promise<void> {
  const reference = newGatewayReference(core.random);
  const transfer = { reference, feePaisa: 0, sentId: null, who: 'rule' };
  await completeRefund(core, db, await storedRefund(db, id), transfer);
}

async function storedRefund(db: Db, id: string): Promise<RefundRow> {
  const row = await findRefund(db, id);
  if (row === undefined) throw new Error(`refund ${id} was not stored`);
  return row;
}
