/** The refund route of the headless API: a shop's program requests that money of a payment goes back. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { amountField, idempotencyKeyField } from '../../../src/actions/input/fields.js';
import { requestRefund } from '../../../src/actions/refunds/create-refund.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import { takaJsonNumber } from '../../../src/base/values/money.js';
import { PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { REFUND_STATES } from '../../../src/domain/refunds/refund-plan.js';
import type { RouteContext } from '../context.js';
import { addBrandGate, callerBrand, findHeader } from '../gates/auth.js';
import { acceptForms, getParameters } from '../input/forms.js';
import { Nullable, StringEnum, status, takaField, text } from '../schemas/fields.js';
import {
  ALL_CONTENT_TYPES,
  answer,
  operation,
  resolveIdempotencyKey,
  TWO_KEYS,
} from '../schemas/operation.js';

const wrong = (message: string) => new KashboxError('invalid_input', { message });

const RefundBody = Type.Object({
  id: text('The `id` that create returned.', '2b37b7eabf3f93b131a98370d3e060e9'),
  amount: Type.Optional(
    Nullable(
      takaField(
        { exclusiveMinimum: 0, maximum: 1_000_000 },
        'Taka to send back; by default what was paid without fees and is not sent back yet.',
      ),
    ),
  ),
  note: text('Reason, one sentence; the operator sees it.', 'Out of stock', { minLength: 1, maxLength: 500 }),
  idempotency_key: Type.Optional(
    Nullable(
      text(
        'Required, here or as header `Idempotency-Key`: your own key for this refund. The same request with ' +
          'the same key, within a day, creates nothing and returns the same answer.',
        'refund-17-1',
        { maxLength: 255 },
      ),
    ),
  ),
});

const Refund = Type.Object(
  {
    id: text('Id of the refund.', 'rfd_0198c8b1f00e5f6a7b8c9d0e'),
    payment: Nullable(text('Gateway reference of the payment.', 'K7Q2M9XW4TZB')),
    session_id: Nullable(text('Id of the session.', '2b37b7eabf3f93b131a98370d3e060e9')),
    transaction_id: text('Reference of the money that goes back.', 'DKL7CD1EF2'),
    amount: Type.Number({ description: 'Taka to send back.', examples: [250] }),
    payment_method: StringEnum(PAY_CHANNELS, 'The method by which the money came and goes back.'),
    pay_to: Nullable(text('Number that paid; null until the operator has completed it.', '01711000099')),
    pay_to_shown: Nullable(text('The same as the proof shows it, sometimes masked.', '01711000099')),
    status: StringEnum(
      REFUND_STATES,
      '`PENDING`: the operator must send it. `COMPLETED`: sent. `CANCELLED`: it is not sent.',
    ),
    note: text('Your reason.', 'Out of stock'),
    fee: Nullable(Type.Number({ description: 'What sending it cost the shop.', examples: [5] })),
    refund_transaction_id: Nullable(text('Id of the transfer; null until it is completed.', 'DKM1AB2CD3')),
    created_at: text('Time in Bangladesh, ISO 8601.', '2026-08-21T12:35:00+06:00'),
    completed_at: Nullable(text('The same of the transfer.', '2026-08-21T13:02:00+06:00')),
  },
  { description: 'A refund.' },
);

const RefundAnswer = Type.Object({
  status,
  message: text('What happens next.', 'The refund was created; the shop sends the money'),
  data: Type.Object(
    {
      refunds: Type.Array(Refund, {
        description: 'The refunds of this request: one, or one for each number that paid a part.',
      }),
      refunded_amount: Type.Number({
        description: 'Taka of this payment that were sent back.',
        examples: [0],
      }),
      pending_amount: Type.Number({ description: 'Taka that still have to be sent back.', examples: [250] }),
    },
    { description: 'The refunds, and the sums of the payment.' },
  ),
});

const refundPayment = operation({
  operationId: 'refundPayment',
  tag: 'headless',
  access: 'brand',
  summary: 'Request that money of a payment goes back to its payer',
  description:
    'Off until the operator allows a sum a day: `kashbox brands update BRAND --api-refunds 5000`. Kashbox ' +
    'moves no money: the operator sends it with the phone of the shop, to the number that paid. A number in ' +
    'the request is ignored, like every unknown field. When the money was sent, the notification ' +
    '`payment.refunded` comes, and verify returns `refunded_amount`. The payment stays `COMPLETED`.',
  body: RefundBody,
  shape: { missing: (field) => wrong(`${field} is required`), wrong },
  takes: ALL_CONTENT_TYPES,
  answers: {
    200: answer('The refund is created; it is pending until the money was sent.', RefundAnswer, 'created'),
  },
  refusals: [
    ['invalid_input', 'idempotency_key is required'],
    TWO_KEYS,
    'refunds_off',
    'session_not_found',
    'amount_out_of_range',
    'amount_decimals',
    'refund_exceeds_paid',
    'state_refused',
    'idempotency_conflict',
    'day_limit_reached',
    'store_full',
  ],
});

export function refundRoutes(app: FastifyInstance, { core, limits }: RouteContext): void {
  addBrandGate(app, core, limits);
  acceptForms(app);

  app.post('/api/v2/payment/refund', refundPayment, async (request) => {
    const given = getParameters<Static<typeof RefundBody>>(request);
    const key = resolveIdempotencyKey(given.idempotency_key, findHeader(request, 'idempotency-key'));
    if (key === undefined) throw wrong('idempotency_key is required');
    const idempotencyKey = idempotencyKeyField('idempotency_key', key);
    const isNamed = given.amount !== undefined && given.amount !== null && given.amount !== '';
    const amountPaisa = isNamed ? amountField(given.amount) : undefined;
    if (!SESSION_ID.test(given.id)) throw new KashboxError('session_not_found');
    const { note, id: sessionId } = given;
    const brand = callerBrand(request);
    const made = await requestRefund(core, { brand, sessionId, amountPaisa, note, idempotencyKey });
    return {
      status: true,
      message: 'The refund was created; the shop sends the money',
      data: {
        refunds: made.refunds.map((refund) => ({
          ...refund,
          amount: Number(refund.amount),
          fee: refund.fee === null ? null : Number(refund.fee),
        })),
        refunded_amount: takaJsonNumber(made.refundedPaisa),
        pending_amount: takaJsonNumber(made.pendingPaisa),
      },
    };
  });
}
