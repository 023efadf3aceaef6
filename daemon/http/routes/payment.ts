/** The headless payment API: reads requests, calls one action each, writes answers. */
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import {
  type TransactionRecord,
  type VerifyOutcome,
  verifyClaim,
} from '../../../src/actions/claims/verify-claim.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';
import { takaJsonNumber } from '../../../src/base/values/money.js';
import { paidField, testField, usdtFields } from '../../../src/domain/sessions/payment-record.js';
import type { RouteContext } from '../context.js';
import { addBrandGate, brandOf, headerOf } from '../gates/auth.js';
import { publicBase } from '../gates/public-origin.js';
import { acceptForms, parametersOf } from '../input/forms.js';
import { readHeadlessClaim, readHeadlessCreate } from '../input/payment-fields.js';
import { createPayment, type VerifyAnswer, verifyPayment } from '../schemas/headless.js';

export function paymentRoutes(app: FastifyInstance, { core, limits }: RouteContext): void {
  acceptForms(app);
  addBrandGate(app, core, limits);

  app.post('/api/v2/payment/create', createPayment, async (request) => {
    const from = brandOf(request);
    const created = await createSession(core, {
      ...readHeadlessCreate(parametersOf(request), from, headerOf(request, 'idempotency-key') || undefined),
      publicBase: publicBase(request, core.settings),
    });
    const { id, paymentReference, brand, methods } = created;
    return {
      status: true,
      id,
      payment_reference: paymentReference,
      brand,
      methods,
      ...testField(from.isTest),
    };
  });

  app.post(
    '/api/v2/payment/verify',
    { ...verifyPayment, serializerCompiler: () => writeJson },
    async (request, reply) => {
      const claim = readHeadlessClaim(parametersOf(request));
      const outcome = await verifyClaim(core, { brand: brandOf(request), ...claim });
      return reply.code(outcome.outcome === 'completed' ? 200 : 202).send(verifyAnswer(outcome));
    },
  );
}

function verifyAnswer({ outcome, record }: VerifyOutcome): Static<typeof VerifyAnswer> {
  switch (outcome) {
    case 'completed':
      return { status: true, message: 'Payment verified successfully', data: recordFields(record) };
    case 'under_review':
      return {
        status: false,
        message: 'The payment is under manual review; ask again later',
        data: recordFields(record),
      };
    default:
      return outcome satisfies never;
  }
}

function recordFields(record: TransactionRecord) {
  return {
    cus_name: record.cusName,
    cus_email: record.cusEmail,
    amount: takaJsonNumber(record.amountPaisa),
    ...paidField(record, takaJsonNumber),
    transaction_id: record.transactionId,
    meta_data: record.metaJson === null ? null : new JsonText(record.metaJson),
    payment_method: record.channel,
    status: record.status,
    ...usdtFields(record),
    ...testField(record.isTest),
  };
}
