/** The headless payment API (spec 4.4 and 4.5): reads requests, calls one action each, writes answers. */
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core.js';
import { createSession } from '../../../src/actions/create-session.js';
import { amountField, metaDataField } from '../../../src/actions/fields.js';
import {
  type TransactionRecord,
  type VerifyOutcome,
  verifyClaim,
} from '../../../src/actions/verify-claim.js';
import { KashboxError } from '../../../src/base/errors.js';
import { JsonText, writeJson } from '../../../src/base/json-text.js';
import { takaJsonNumber } from '../../../src/base/money.js';
import { isChannel } from '../../../src/domain/channels.js';
import { usdtFields } from '../../../src/domain/usdt-record.js';
import { addBrandGate, brandOf } from '../auth.js';
import type { Limits } from '../limits.js';
import { publicBase } from '../public-origin.js';
import { CreateAnswer, CreateBody, Message, VerifyAnswer, VerifyBody } from '../schemas.js';
import { schemaFaults } from '../validation.js';
import { referenceOf } from '../verify-reference.js';

/** Spec 7. */
const createFaults = schemaFaults({
  cus_name: { missing: 'fields_required' },
  amount: { missing: 'fields_required', wrong: 'amount_out_of_range' },
});

export function paymentRoutes(app: FastifyInstance, core: Core, limits: Limits): void {
  addBrandGate(app, core, limits);

  app.post<{ Body: Static<typeof CreateBody> }>(
    '/api/v2/payment/create',
    {
      schema: { body: CreateBody, response: { 200: CreateAnswer, '4xx': Message, '5xx': Message } },
      schemaErrorFormatter: createFaults,
    },
    async (request) => {
      const brand = brandOf(request);
      const created = await createSession(core, {
        brand,
        hosted: null,
        publicBase: publicBase(request, core.settings),
        ...readCreate(request.body),
      });
      return { status: true, id: created.id, brand: created.brand, methods: created.methods };
    },
  );

  app.post<{ Body: Static<typeof VerifyBody> }>(
    '/api/v2/payment/verify',
    {
      schema: {
        body: VerifyBody,
        response: { 200: VerifyAnswer, 202: VerifyAnswer, '4xx': Message, '5xx': Message },
      },
      serializerCompiler: () => writeJson,
    },
    async (request, reply) => {
      const outcome = await verifyClaim(core, { brand: brandOf(request), ...readVerify(request.body) });
      return reply.code(outcome.outcome === 'completed' ? 200 : 202).send(verifyAnswer(outcome));
    },
  );
}

function readCreate(body: Static<typeof CreateBody>) {
  if (body.cus_name.trim() === '' || body.amount === '') throw new KashboxError('fields_required');
  return {
    cusName: body.cus_name,
    cusEmail: body.cus_email ?? '',
    amountPaisa: amountField(String(body.amount)),
    metaJson: metaDataField(body.meta_data ?? body.metadata),
  };
}

/** Session tokens as `newSessionId` makes them; what looks otherwise is nobody's and is not looked up. */
const SESSION_ID = /^[0-9a-f]{32}$/;

function readVerify(body: Static<typeof VerifyBody>) {
  const { id, method } = body;
  const reference = referenceOf(body);
  if (reference === undefined) {
    throw new KashboxError('invalid_input', { message: 'transaction_id is required' });
  }
  if (!isChannel(method)) throw new KashboxError('method_unknown');
  if (!SESSION_ID.test(id)) throw new KashboxError('session_not_found');
  return { sessionId: id, method, reference };
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
    transaction_id: record.transactionId,
    meta_data: record.metaJson === null ? null : new JsonText(record.metaJson),
    payment_method: record.channel,
    status: record.status,
    ...usdtFields(record),
  };
}
