/** The hosted payment API (spec 4.1 and 4.3): reads requests, calls one action each, writes answers. */
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core.js';
import { createSession } from '../../../src/actions/create-session.js';
import { findPayment, type PaymentRecord } from '../../../src/actions/find-payment.js';
import { JsonText, writeJson } from '../../../src/base/json-text.js';
import { formatTaka } from '../../../src/base/money.js';
import type { MetadataAs } from '../../../src/domain/dialect.js';
import { usdtFields } from '../../../src/domain/usdt-record.js';
import { addBrandGate, brandOf } from '../auth.js';
import { acceptForms, parametersOf } from '../forms.js';
import { readHostedCreate, readHostedReference } from '../hosted-fields.js';
import type { Limits } from '../limits.js';
import { publicBase } from '../public-origin.js';
import { HostedCreateAnswer, HostedVerifyAnswer, Message } from '../schemas.js';

/** No HEAD: Fastify would answer it by running the GET, and open a session that nobody sees. */
const METHODS = { method: ['GET', 'POST'], exposeHeadRoute: false };
const refusals = { '4xx': Message, '5xx': Message };

export function hostedRoutes(app: FastifyInstance, core: Core, limits: Limits): void {
  acceptForms(app);
  addBrandGate(app, core, limits);

  app.route({
    ...METHODS,
    url: '/api/payment/create',
    schema: { response: { 200: HostedCreateAnswer, ...refusals } },
    handler: async (request) => {
      const { allowPrivateWebhooks } = core.settings;
      const input = readHostedCreate(parametersOf(request), brandOf(request), allowPrivateWebhooks);
      const base = publicBase(request, core.settings);
      const { id } = await createSession(core, { ...input, publicBase: base });
      return {
        status: true,
        message: 'Payment URL generated',
        payment_url: `${base}/api/execute/${id}`,
      };
    },
  });

  app.route({
    ...METHODS,
    url: '/api/payment/verify',
    schema: { response: { 200: HostedVerifyAnswer, ...refusals } },
    serializerCompiler: () => writeJson,
    handler: async (request) => {
      const brand = brandOf(request);
      const reference = readHostedReference(parametersOf(request));
      const record = await findPayment(core, { brand, reference });
      switch (brand.dialect) {
        case 'standard':
          return { status: true, data: recordFields(record, brand.metadataAs) };
        case 'flat':
          return flatAnswer(record, brand.metadataAs);
        default:
          return brand.dialect satisfies never;
      }
    },
  });
}

/** Spec 2.5, v1: the amount is a text with two decimals. */
function recordFields(record: PaymentRecord, metadataAs: MetadataAs) {
  return {
    cus_name: record.cusName,
    cus_email: record.cusEmail,
    amount: formatTaka(record.amountPaisa),
    transaction_id: record.transactionId,
    meta_data: metaOf(record.metaJson, metadataAs),
    payment_method: record.channel,
    status: record.status,
    ...usdtFields(record),
  };
}

/** Everything where some client of this API family looks for it (design.md section 5, "Compatibility"). */
function flatAnswer(record: PaymentRecord, metadataAs: MetadataAs) {
  const fields = recordFields(record, metadataAs);
  const both = { ...fields, metadata: fields.meta_data };
  return { ...both, data: both };
}

function metaOf(json: string | null, metadataAs: MetadataAs): unknown {
  if (json === null || metadataAs === 'string') return json;
  return new JsonText(json);
}
