/**
 * clients/typescript/src/api.ts, made of the document of the API: what the client sends and what it gets.
 * `node dist/test/docs/field-tables.js --write` writes it.
 */
import { type FieldRow, listFields, listObjectSchemas } from '../../daemon/http/reference/fields.js';
import type { DocumentedSchema, MediaType, ReferenceDocument } from '../../daemon/http/reference/openapi.js';
import { wrap } from '../../src/base/values/cells.js';
import { PAY_CHANNELS } from '../../src/domain/accounts/channels.js';

export const API_TYPES = 'clients/typescript/src/api.ts';

const HEAD = `/**
 * Types of the Kashbox API, generated from its OpenAPI document.
 * To regenerate them: node dist/test/docs/field-tables.js --write
 */
`;

/** @returns the text of the file. */
export function apiTypes(document: ReferenceDocument): string {
  const post = (path: string) => document.paths[path]?.post;
  const event = Object.values(document.webhooks).find(({ post }) => post.operationId === 'onPaymentEvent');
  const [answer] = shapesOf(document, post('/api/payment/verify')?.responses['200']?.content);
  const data = fieldOf(answer, 'data');
  const [payment] = shapesOf(document, event?.post.requestBody?.content);
  const [refund] = shapesOf(document, post('/api/v2/payment/refund')?.responses['200']?.content);
  return [
    HEAD,
    `/** How a customer can pay. */\nexport type PaymentMethod =\n${METHODS.map((text) => `  | ${text}`).join('\n')};\n`,
    typeText('OrderLine', 'A line of an order.', orderLine(document)),
    typeText(
      'CreateBody',
      'Body of create.',
      shapesOf(document, post('/api/payment/create')?.requestBody?.content)[0],
    ),
    typeText('PaidPart', 'A part of a payment that is paid in parts.', fieldOf(payment, 'parts')?.items),
    typeText('SentRefund', 'A refund that is completed, in a notification.', fieldOf(payment, 'refund')),
    typeText('Refund', 'A refund, as it was requested.', fieldOf(fieldOf(refund, 'data'), 'refunds')?.items),
    typeText('RecordedRefund', 'A refund, as verify lists it.', fieldOf(data, 'refunds')?.items),
    typeText('TransactionRecord', 'A payment, as verify returns it.', data),
    typeText('PaymentEvent', 'Body of a notification.', payment),
  ].join('\n');
}

function fieldOf(shape: unknown, name: string): DocumentedSchema | undefined {
  const { properties } = (shape ?? {}) as { properties?: Readonly<Record<string, DocumentedSchema>> };
  return properties?.[name];
}

/** The lines are of one shape, in the body of create and in notifications. */
function orderLine(document: ReferenceDocument): object | undefined {
  const [body] = shapesOf(document, document.paths['/api/payment/create']?.post?.requestBody?.content);
  const items = fieldOf(body, 'items');
  return (items?.anyOf as readonly DocumentedSchema[] | undefined)?.[0]?.items as object | undefined;
}

type Content = Readonly<Record<string, MediaType>>;

function shapesOf(document: ReferenceDocument, content: Content | undefined) {
  const media = content?.['application/json'];
  return media === undefined ? [] : listObjectSchemas(document, media);
}

function typeText(name: string, text: string, shape: unknown): string {
  const fields = listFields((shape ?? {}) as Parameters<typeof listFields>[0]);
  if (fields.length === 0) throw new Error(`the document has no ${name}`);
  const lines = fields.flatMap((field) => [
    ...commentLines(field.text),
    ...fieldLines(`  readonly ${field.name}${field.isNeeded ? '' : '?'}:`, typesOf(field)),
  ]);
  return [`/** ${text} */`, `export interface ${name} {`, ...lines, '}', ''].join('\n');
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'Readonly<Record<string, unknown>>',
  integer: 'number',
  'array of objects': 'readonly OrderLine[]',
};
/** Types of the fields that have other objects. */
const OBJECTS: Readonly<Record<string, string>> = {
  parts: 'readonly PaidPart[]',
  part: "Omit<PaidPart, 'paid_at'>",
  refund: 'SentRefund',
  refunds: 'readonly RecordedRefund[]',
};

const METHODS = PAY_CHANNELS.map((channel) => `'${channel}'`);

/** A text of which all values are known is one of them. */
function typesOf({ name, type, values }: FieldRow): readonly string[] {
  const texts = values.map((value) => `'${value}'`);
  const types = type.split(' or ').flatMap((one) => {
    if (one === 'string' && texts.join() === METHODS.join()) return ['PaymentMethod'];
    if (one === 'string' && texts.length > 0) return texts;
    return [(one.includes('object') ? OBJECTS[name] : undefined) ?? TYPES[one] ?? one];
  });
  return [...new Set(types)];
}

const COLUMNS = 110;

/** As the formatter writes it. */
function fieldLines(start: string, types: readonly string[]): readonly string[] {
  const line = `${start} ${types.join(' | ')};`;
  return line.length <= COLUMNS ? [line] : [start, `${types.map((type) => `    | ${type}`).join('\n')};`];
}

function commentLines(text: string): readonly string[] {
  const line = `  /** ${text} */`;
  if (line.length <= COLUMNS) return [line];
  return ['  /**', ...wrap(text, COLUMNS - 5).map((part) => `   * ${part}`), '   */'];
}
