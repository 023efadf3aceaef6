/**
 * Operation of a route: the schemas that validate its requests and write its answers, and the texts that
 * describe it. The reference is made of nothing else.
 */
import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../../src/base/errors/error-table.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { type ShapeRefusals, shapeCompiler } from '../input/shape.js';
import { firstExample, Message } from './fields.js';

export interface OperationAnswer {
  readonly description: string;
  /** JSON where nothing is said. */
  readonly mediaTypes?: readonly string[];
  readonly schema?: TSchema;
  /** Examples by name, shown as they are. */
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
  /** Parameters of the path, in its order. */
  readonly params?: TObject;
  readonly querystring?: TObject;
  /** Body; first example for JSON, last for a form or query. Without any, one is built from its fields. */
  readonly body?: TSchema;
  /** Content types of the body; JSON where nothing is said. */
  readonly takes?: readonly string[];
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** Refusals that are answered as JSON, in addition to those common to its kind of key and body. */
  readonly refusals?: readonly Refusal[];
  /** Errors for input that does not have its shape. Without it the route validates its input itself. */
  readonly shape?: ShapeRefusals;
}

/** Header and field of a create or an SMS name different keys. */
export const TWO_KEYS = [
  'invalid_input',
  'The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike',
] as const satisfies Refusal;

/**
 * @param key value of the field. @param headerKey header Idempotency-Key. Empty values are absent.
 * @throws KashboxError `invalid_input` if they differ: the sender may use the other one in a retry.
 */
export function resolveIdempotencyKey(
  key: string | null | undefined,
  headerKey: string | undefined,
): string | undefined {
  const [code, message] = TWO_KEYS;
  if (key && headerKey && headerKey !== key) throw new KashboxError(code, { message });
  return key || headerKey || undefined;
}

export const JSON_TYPE = 'application/json';
export const JSON_OR_FORM = [JSON_TYPE, 'application/x-www-form-urlencoded'];
export const ALL_CONTENT_TYPES = [...JSON_OR_FORM, 'multipart/form-data'];

/** Refusals of a route while its store is unavailable. */
export const OF_THE_STORE: readonly Refusal[] = ['store_busy', 'store_unreachable', 'internal'];

/** Describes a JSON answer. @param examples by name, or the name of one built from the field examples. */
export function answer(
  description: string,
  schema: TSchema,
  examples: NonNullable<OperationAnswer['examples']> | string,
): OperationAnswer {
  return {
    description,
    schema,
    examples: typeof examples === 'string' ? { [examples]: firstExample(schema) } : examples,
  };
}

/** Describes an answer that is not JSON. */
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
