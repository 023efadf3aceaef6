/**
 * What the reference says of an operation beyond what its route's schemas say, and the words in which it is
 * said. Types and small makers; knows neither Fastify nor OpenAPI's document.
 */
import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../../src/base/errors/errors.js';

export const TAGS = {
  hosted: {
    name: 'Hosted payments (v1)',
    description:
      'The customer is sent to a page of Kashbox and comes back. Open the payment, send the customer to ' +
      '`payment_url`, and verify before you deliver: anybody can type the address of your thank-you page.',
  },
  headless: {
    name: 'Headless payments (v2)',
    description:
      'Your shop shows the numbers of `methods` and takes the transaction id of the customer’s SMS itself. ' +
      'An SMS arrives 5 to 20 seconds after the payment: ask verify every 5 seconds, up to 3 times, before ' +
      'you say that something is wrong.',
  },
  notifications: {
    name: 'Notifications',
    description:
      'What Kashbox POSTs to your server, signed with the webhook secret of the brand, as JSON or as a form. ' +
      'Answer 200 within 5 seconds; else it is sent again, up to ten times in two days. It may come twice, or ' +
      'out of order.',
  },
  relay: {
    name: 'Relay phones',
    description:
      'What the phone that receives the wallets’ SMS calls, and what a script may call in its place.',
  },
  sms: {
    name: 'Sending SMS',
    description:
      'Texts that a relay phone sends for a shop, such as “your order is on its way”. The Gateway Key belongs to ' +
      'one phone; `kashbox devices enroll` prints it.',
  },
  banks: {
    name: 'Banks',
    description: 'What a bank or acquirer calls to tell of payments to a merchant’s QR code.',
  },
  service: { name: 'Service', description: 'For watchdogs and programmers. No key is needed.' },
} as const;

/** A JSON Schema as it stands in the document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string;
  /** This is only another name of that parameter. */
  readonly 'x-alias-of'?: string;
}

export interface Answer {
  readonly description: string;
  /** JSON where nothing is said. */
  readonly mediaType?: string;
  /** Where the route has none of its own for this status. */
  readonly schema?: Schema;
  /** By name; shown as they stand. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** A row of the error table, with the message where the operation says it more precisely. */
export type Refusal = ErrorCode | readonly [code: ErrorCode, message: string];

export interface Operation {
  readonly method: 'get' | 'post';
  /** As the route is registered, without `basePath`. */
  readonly route: string;
  /** As it is documented, where that differs. */
  readonly path?: string;
  /** Unique; the name of the call in generated clients. */
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Plain text, with `code` between backticks; a blank line begins a paragraph. */
  readonly description: string;
  readonly access: 'brand' | 'device' | 'devices' | 'gateway' | 'acquirer' | 'open';
  readonly parameters?: readonly Parameter[];
  readonly body?: {
    /** Where the route reads the body by itself, or checks less than it tells. */
    readonly schema?: Schema;
    /** An example for each content type that is taken, the usual one first. */
    readonly examples: Readonly<Record<string, object>>;
  };
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals that are answered as JSON. */
  readonly refusals: readonly Refusal[];
}

export const OF_EVERY_BODY: readonly Refusal[] = ['invalid_json', 'body_too_large', 'unsupported_media_type'];
/** Where forms are taken beside JSON. */
export const OF_EVERY_FORM: readonly Refusal[] = OF_EVERY_BODY.map((code) =>
  code === 'unsupported_media_type'
    ? ([
        code,
        'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data',
      ] as const)
    : code,
);
export const OF_THE_BRAND_KEY: readonly Refusal[] = [
  'key_missing',
  'key_invalid',
  'merchant_suspended',
  'ip_not_allowed',
  'too_many_requests',
];
export const OF_THE_STORE: readonly Refusal[] = ['store_busy', 'store_unreachable', 'internal'];

/** The fields of an object as parameters of a query, where objects can only stand as texts. */
export function queryParameters(
  schema: TObject,
  examples: Readonly<Record<string, string>>,
): readonly Parameter[] {
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description = '', 'x-alias-of': aliasOf, ...rest } = property as TSchema;
    const { default: initial, format, pattern, enum: values, maxLength } = rest;
    const text = { type: 'string', default: initial, format, pattern, enum: values, maxLength };
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: Object.fromEntries(Object.entries(text).filter(([, value]) => value !== undefined)),
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
      ...(typeof aliasOf === 'string' ? { 'x-alias-of': aliasOf } : {}),
    };
  });
}

/** One example for each way in which a body may come. */
export const inEveryForm = (json: object, form: object) => ({
  'application/json': json,
  'application/x-www-form-urlencoded': form,
  'multipart/form-data': form,
});

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface DocumentedAnswer {
  readonly description: string;
  readonly headers?: Schema;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Schema[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}
