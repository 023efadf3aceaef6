/**
 * What a route carries: its shapes, by which its requests are validated and its answers written, and the
 * words that report it. The reference is made of nothing else.
 */
import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../../src/base/errors/error-table.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { type ShapeRefusals, shapeCompiler } from '../input/shape.js';
import { firstOf, Message } from './fields.js';

export interface OperationAnswer {
  readonly description: string;
  /** JSON where nothing is said. */
  readonly mediaTypes?: readonly string[];
  readonly schema?: TSchema;
  /** By name; shown as they stand. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** A row of the error table, with the message where the operation says it more precisely. */
export type Refusal = ErrorCode | readonly [code: ErrorCode, message: string];

export interface Operation {
  /** Unique; the name of the call in generated clients. */
  readonly operationId: string;
  readonly tag: 'hosted' | 'headless' | 'relay' | 'sms' | 'banks' | 'service';
  readonly access: 'brand' | 'device' | 'devices' | 'gateway' | 'acquirer' | 'open';
  readonly summary: string;
  /** Plain text, with `code` between backticks; a blank line begins a paragraph. */
  readonly description: string;
  /** Of the path, in its order. */
  readonly params?: TObject;
  readonly querystring?: TObject;
  /** Its first example is that of JSON, its last one that of a form or a query; else its fields make one. */
  readonly body?: TSchema;
  /** Content types of the body; JSON where nothing is said. */
  readonly takes?: readonly string[];
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** Refusals that are answered as JSON, beside those of every such key and body. */
  readonly refusals?: readonly Refusal[];
  /** Of a body or a query that lacks its shape. Without it the route judges what it is sent by itself. */
  readonly shape?: ShapeRefusals;
}

/** Header and field of a create or an SMS name different keys. */
export const TWO_KEYS = [
  'invalid_input',
  'The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike',
] as const satisfies Refusal;

/**
 * @param key of the field. @param headerKey of the header Idempotency-Key. Empty ones are none.
 * @throws KashboxError `invalid_input` where they differ: the sender may use the other one when it retries.
 */
export function idempotencyKeyIn(
  key: string | null | undefined,
  headerKey: string | undefined,
): string | undefined {
  const [code, message] = TWO_KEYS;
  if (key && headerKey && headerKey !== key) throw new KashboxError(code, { message });
  return key || headerKey || undefined;
}

export const JSON_TYPE = 'application/json';
export const JSON_OR_FORM = [JSON_TYPE, 'application/x-www-form-urlencoded'];
export const EVERY_FORM = [...JSON_OR_FORM, 'multipart/form-data'];

/** What a route answers while its store is away. */
export const OF_THE_STORE: readonly Refusal[] = ['store_busy', 'store_unreachable', 'internal'];

/** In JSON. @param examples by name, or the name of the one that the fields' own examples make. */
export function answer(
  description: string,
  schema: TSchema,
  examples: NonNullable<OperationAnswer['examples']> | string,
): OperationAnswer {
  return {
    description,
    schema,
    examples: typeof examples === 'string' ? { [examples]: firstOf(schema) } : examples,
  };
}

/** Of anything else. */
export const content = (description: string, ...mediaTypes: readonly string[]): OperationAnswer => ({
  description,
  mediaTypes,
});

/** @returns the options of a Fastify route, whose schema is the operation itself. */
export function operation<Told extends Operation>({ shape, ...told }: Told) {
  const shapes = Object.entries(told.answers).flatMap(([status, { schema }]) =>
    schema === undefined ? [] : [[status, schema]],
  );
  const response = { ...Object.fromEntries(shapes), '4xx': Message, '5xx': Message };
  const schema = { ...told, response };
  return shape === undefined ? { schema } : { schema, validatorCompiler: shapeCompiler(shape) };
}
