/** The hosted payment API: reads requests, calls one action each, writes answers. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { findPayment, type PaymentRecord } from '../../../src/actions/sessions/find-payment.js';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { privateWebhooks } from '../../../src/config/settings.js';
import {
  answersTrueWhenFound,
  type MetadataAs,
  paidField,
  testField,
  usdtFields,
  writtenStatus,
} from '../../../src/domain/sessions/payment-record.js';
import type { SessionStatus } from '../../../src/domain/sessions/session.js';
import type { RouteContext } from '../context.js';
import { addBrandGate, brandOf, headerOf, legacyNamesOf } from '../gates/auth.js';
import { callerWatch } from '../gates/callers.js';
import { publicBase } from '../gates/public-origin.js';
import { acceptForms, parametersOf } from '../input/forms.js';
import { readHostedCreate, readHostedReference } from '../input/payment-fields.js';
import {
  createHostedPayment,
  createHostedPaymentByQuery,
  verifyHostedPayment,
  verifyHostedPaymentByQuery,
} from '../schemas/hosted.js';

/** No HEAD: Fastify would run the GET and create a session. */
const NO_HEAD = { exposeHeadRoute: false };

/** Shop programs use two names for each route. */
const CREATE_PATHS = ['/api/payment/create', '/api/payment/checkout'];
const VERIFY_PATHS = ['/api/payment/verify', '/api/payment/verify-payment'];

export function hostedRoutes(app: FastifyInstance, { core, limits, log }: RouteContext): void {
  acceptForms(app);
  addBrandGate(app, core, limits);
  app.addHook('preHandler', callerWatch(core, log));

  const create = async (request: FastifyRequest) => {
    const brand = brandOf(request);
    const allowed = privateWebhooks(core.settings, brand.isTest);
    const key = headerOf(request, 'idempotency-key') || undefined;
    const input = readHostedCreate(parametersOf(request), brand, key, allowed);
    const base = publicBase(request, core.settings);
    const { id } = await createSession(core, { ...input, publicBase: base });
    return {
      status: true,
      message: 'Payment URL generated',
      payment_url: `${base}/api/execute/${id}`,
      ...testField(input.brand.isTest),
    };
  };
  for (const path of CREATE_PATHS) {
    app.get(path, { ...createHostedPaymentByQuery, ...NO_HEAD }, create);
    app.post(path, createHostedPayment, create);
  }

  const verify = async (request: FastifyRequest) => {
    const brand = brandOf(request);
    const reference = readHostedReference(parametersOf(request));
    const record = await findPayment(core, { brand, reference });
    switch (brand.dialect) {
      case 'standard':
      case 'strict': {
        const data = recordFields(record, brand);
        const isLegacy = legacyNamesOf(request).length > 0;
        if (record.status === 'COMPLETED' || answersTrueWhenFound(brand.dialect, isLegacy)) {
          return { status: true, data };
        }
        return { status: false, message: NOT_COMPLETED[record.status], data };
      }
      case 'flat':
        return flatAnswer(record, brand);
      default:
        return brand.dialect satisfies never;
    }
  };
  const writer = { serializerCompiler: () => writeJson };
  for (const path of VERIFY_PATHS) {
    app.get(path, { ...verifyHostedPaymentByQuery, ...NO_HEAD, ...writer }, verify);
    app.post(path, { ...verifyHostedPayment, ...writer }, verify);
  }
}

/** Message of an answer with status false although the payment was found. */
const NOT_COMPLETED: Readonly<Record<Exclude<SessionStatus, 'COMPLETED'>, string>> = {
  PENDING: 'The payment is not completed: it is not paid yet, or under review',
  FAILED: 'The payment has failed: it was cancelled, refused, or has expired',
};

/** v1: the amount is a text with two decimals. */
function recordFields(record: PaymentRecord, { metadataAs, statusAs }: BrandContext) {
  return {
    cus_name: record.cusName,
    cus_email: record.cusEmail,
    amount: formatTaka(record.amountPaisa),
    ...paidField(record, formatTaka),
    transaction_id: record.transactionId,
    meta_data: metaOf(record.metaJson, metadataAs),
    payment_method: record.channel,
    status: writtenStatus(record.status, statusAs),
    ...usdtFields(record),
    ...testField(record.isTest),
  };
}

/**
 * Repeats fields in the places where different shop programs look for them. Some credit `amount` to whom
 * `metadata` names and never read `status`, so of what is not completed they find neither at the top.
 */
function flatAnswer(record: PaymentRecord, brand: BrandContext) {
  const fields = recordFields(record, brand);
  const both = {
    ...fields,
    metadata: fields.meta_data,
    fullname: fields.cus_name,
    email: fields.cus_email,
  };
  if (record.status === 'COMPLETED') return { ...both, data: both };
  const { status, transaction_id } = fields;
  return { status, message: NOT_COMPLETED[record.status], transaction_id, data: both };
}

function metaOf(json: string | null, metadataAs: MetadataAs): unknown {
  if (json === null || metadataAs === 'string') return json;
  return new JsonText(json);
}
