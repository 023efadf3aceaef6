/**
 * Reference of notifications: the section `webhooks` of the document. A test compares the schemas with what
 * is really sent; see also docs/webhooks.md.
 */
import { Type } from '@sinclair/typebox';
import { PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import {
  contentType,
  type Envelope,
  FORM_EVENTS,
  NOTIFICATION_EVENTS,
  type NotificationFacts,
  notificationContent,
} from '../../../src/domain/notifications/notification.js';
import { signatureHeaders } from '../../../src/notify/signature.js';
import { integer, Nullable, StringEnum, text } from '../schemas/fields.js';
import {
  AmountNumber,
  AmountText,
  HostedRecord,
  NOTIFIED_AMOUNTS,
  PAYMENT_STATUSES,
  partFields,
  takaOfEither,
} from '../schemas/record.js';
import { type DocumentedOperation, type Parameter, type Refer, TAGS } from './openapi.js';

const COUNTED =
  'Counts the notifications of one payment, from 1. Ignore one with a smaller number than the last.';
const envelope = {
  id: text('Of this notification, the same in all its repeats; also the header `webhook-id`.', undefined, {
    pattern: '^ntf_[0-9a-f]{24}$',
  }),
  created_at: text('When it happened, UTC. Repeats keep it.', undefined, { format: 'date-time' }),
  sequence: integer(COUNTED, undefined, { minimum: 1 }),
};
/** All values of a form are text. */
const formEnvelope = { ...envelope, sequence: text(COUNTED, undefined, { pattern: '^\\d+$' }) };

const PAYMENT_EVENTS = NOTIFICATION_EVENTS.filter((event) => event !== 'ping');
const PAYMENT_FORM_EVENTS = FORM_EVENTS.filter((event) => event !== 'ping');
const ping = StringEnum(['ping'], 'A test.');
const session_id = text('The `id` of headless create, or the session reference at the end of `payment_url`.');
const taka = (description: string) => text(description, undefined, { pattern: AmountText.pattern ?? '' });

const PaymentJson = Type.Object({
  event: StringEnum(PAYMENT_EVENTS, 'What happened.'),
  ...envelope,
  session_id,
  ...HostedRecord.properties,
  description: Type.Optional(text('What you sent at create as `description`; absent without.')),
  items: Type.Optional(
    Type.Array(
      Type.Object({
        name: text('As you sent it.'),
        quantity: integer('Number of pieces.'),
        price: Type.Union([Type.Number(), Type.String({ pattern: '^-?\\d+\\.\\d{2}$' })], {
          description: 'Taka for one piece, written as `amount` is; negative for a discount.',
        }),
      }),
      { description: 'The order lines that you sent at create; absent without.' },
    ),
  ),
  amount: Type.Union([AmountNumber, AmountText], {
    description:
      'Taka that you asked for, as verify writes it: of a headless payment a number, of a hosted one a text with ' +
      'two decimals.',
  }),
  ...NOTIFIED_AMOUNTS,
  status: StringEnum(
    PAYMENT_STATUSES,
    'Deliver on `COMPLETED` only. `PENDING`: under review, or a rest is due. `FAILED`: cancelled, refused or expired.',
  ),
  part: Type.Optional(
    Type.Object(partFields(takaOfEither), {
      description: 'Only of `payment.partial`: the last of the parts.',
    }),
  ),
  refund: Type.Optional(
    Type.Object(
      {
        id: text('Of the refund, the same in all lists.'),
        amount: takaOfEither('Taka that were sent back.'),
        transaction_id: Nullable(text('Reference of the transfer to the customer; null if it is unknown.')),
        payment_method: StringEnum(PAY_CHANNELS, 'The method by which it was sent.'),
        fee: Type.Union([...takaOfEither('').anyOf, Type.Null()], {
          description: 'What sending it cost you; null if it is unknown.',
        }),
      },
      { description: 'Only of `payment.refunded`: the refund that is completed.' },
    ),
  ),
});

const PaymentForm = Type.Object({
  event: StringEnum(PAYMENT_FORM_EVENTS, 'What happened.'),
  ...formEnvelope,
  session_id,
  paymentMethod: text(
    `The way in which the customer paid: ${PAY_CHANNELS.map((name) => `\`${name}\``).join(', ')}; of a hosted payment ` +
      'under review always `bank`; empty while none is known.',
  ),
  transactionId: HostedRecord.properties.transaction_id,
  paymentAmount: taka(
    'Taka that were credited, without the fee; under review what you asked for; `0.00` of what has failed.',
  ),
  paymentFee: taka('The fee that was paid on top; under review the fee that is due.'),
  status: StringEnum(['completed', 'pending', 'failed'], 'Deliver on `completed` only.'),
  transaction_id: text('The same as `transactionId`.'),
  paid_amount: HostedRecord.properties.paid_amount,
  meta_data: Type.Optional(text('What you gave at create, as JSON text; absent without.')),
  test: Type.Optional(
    Type.Literal('true', {
      description: 'Only of a test brand: the payment was played, and nothing of it is money.',
    }),
  ),
});

/** Descriptions by header name; src/notify/signature creates the headers. */
const HEADERS: Readonly<Record<string, string>> = {
  'X-Service-Signature':
    'When this attempt was made, in Unix seconds, and HMAC-SHA256 in hex of those digits, a dot and the raw ' +
    'body, under the text of the secret as it stands. Two `v1` while the secret is rotated: one must fit.',
  'webhook-id': 'The same in all repeats: ignore one that you have.',
  'webhook-timestamp': 'Standard Webhooks: Unix seconds.',
  'webhook-signature': 'Standard Webhooks: its published libraries check these three headers as they are.',
};

/** The example of docs/webhooks.md, which readers can recompute. */
const EXAMPLE_SECRET = 'whsec_S2FzaGJveCBleGFtcGxlIHNlY3JldCwgbm90IHJlYWw=';
const ID = 'ntf_1a1fd3cd6604c1be27a9d035';
const createdAt = Date.UTC(2026, 10, 21, 8, 33, 5, 120);
export const EXAMPLE: Envelope = { id: ID, event: 'payment.completed', sequence: 1, createdAt };
export const EXAMPLE_PAYMENT: NotificationFacts = {
  sessionId: '2b37b7eabf3f93b131a98370d3e060e9',
  flow: 'headless',
  status: 'COMPLETED',
  cusName: 'Customer',
  cusEmail: 'customer@example.com',
  amountPaisa: 50_000,
  transactionId: 'DKL7CD1EF2',
  channel: 'mfs_a',
  metaJson: '{"order":17}',
  metadataAs: 'object',
  statusAs: 'upper',
  isTest: false,
  paidPaisa: 50_000,
  parts: [],
  refundedPaisa: 0,
  deliveryPaisa: 0,
  feePaisa: 0,
  units: null,
  receiver: null,
  items: [],
  description: '',
};

const WEBHOOK_OPERATIONS = {
  payment: {
    operationId: 'onPaymentEvent',
    summary: 'A payment is settled, in part or in full, under review, failed, or refunded',
    description:
      'Sent to the `webhook_url` of the payment, else of its brand. Check the signature over the raw body, note ' +
      'the `webhook-id`, answer, and do the work afterwards.',
    shapes: { json: PaymentJson, form: PaymentForm },
    envelope: EXAMPLE,
    payment: EXAMPLE_PAYMENT,
  },
  ping: {
    operationId: 'onPing',
    summary: 'Somebody has run kashbox webhooks test',
    description: 'Tells of no payment.',
    shapes: {
      json: Type.Object({ event: ping, ...envelope }),
      form: Type.Object({ event: ping, ...formEnvelope }),
    },
    envelope: { ...EXAMPLE, event: 'ping' },
    payment: null,
  },
} as const;

/** @param refer gives a shape a name. @returns the section `webhooks` of the document. */
export function documentedWebhooks(
  refer: Refer,
): Readonly<Record<string, { readonly post: DocumentedOperation }>> {
  const entries = Object.entries(WEBHOOK_OPERATIONS).map(([name, operations]) => {
    const { operationId, summary, description, shapes, envelope, payment } = operations;
    const typeName = operationId.replace(/^./, (letter) => letter.toUpperCase());
    const json = notificationContent('json', envelope, payment);
    const form = new URLSearchParams(notificationContent('form', envelope, payment));
    const content = {
      [contentType('json')]: {
        schema: refer(`${typeName}Json`, shapes.json),
        example: JSON.parse(json) as unknown,
      },
      [contentType('form')]: {
        schema: refer(`${typeName}Form`, shapes.form),
        example: Object.fromEntries(form),
      },
    };
    const post = {
      operationId,
      tags: [TAGS.notifications.name],
      summary,
      description,
      security: [],
      parameters: headersOf(json),
      requestBody: { required: true, content },
      responses: {
        200: { description: 'Heard. Anything else, or nothing within 5 s, and it is sent again.' },
      },
    };
    return [name, { post }] as const;
  });
  return Object.fromEntries(entries);
}

function headersOf(content: string): Parameter[] {
  const signed = signatureHeaders({ id: ID, at: createdAt, content, secrets: [EXAMPLE_SECRET] });
  return Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example: signed[name.toLowerCase()] ?? '',
  }));
}
