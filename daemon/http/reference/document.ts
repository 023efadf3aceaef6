/**
 * The API as an OpenAPI document, made of what the routes carry (schemas/operation.ts). A route that carries
 * no operation is in no document. Changes nothing of how a request is read or answered.
 */

import { isDeepStrictEqual } from 'node:util';
import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { ERRORS } from '../../../src/base/errors/error-table.js';
import type { Settings } from '../../../src/config/settings.js';
import { firstExample, Message } from '../schemas/fields.js';
import {
  ALL_CONTENT_TYPES,
  JSON_TYPE,
  OF_THE_STORE,
  type Operation,
  type Refusal,
} from '../schemas/operation.js';
import { documentedWebhooks } from './notifications.js';
import {
  type DocumentedAnswer,
  type DocumentedOperation,
  type DocumentedSchema,
  ERROR_REF,
  type Parameter,
  type Refer,
  type ReferenceDocument,
  TAGS,
} from './openapi.js';

const header = (name: string, description: string) => ({
  [name]: { type: 'apiKey', in: 'header', name, description },
});

/**
 * Credentials of a shop, of a phone, and of a bank. The older names of a Brand Key are only in the document's
 * introduction: generated clients send a key under every name that is listed here, also in URLs.
 */
const SECURITY_SCHEMES = {
  ...header('BRAND-KEY', 'The Brand Key in a header. Recommended.'),
  Bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer` and the Brand Key.' },
  ...header('DEVICE-KEY', 'The key of a relay phone in a header.'),
  ...header('DEVICE-KEYS', 'Keys of relay phones in a header, with commas between them.'),
  ...header('GATEWAY-KEY', 'The Gateway Key of a relay phone in a header; the name `key` is taken, too.'),
  ...header('ACQUIRER-KEY', 'The key of an acquirer in a header, beside its signature.'),
  Basic: { type: 'http', scheme: 'basic', description: 'Key and secret of an acquirer that does not sign.' },
};

interface Access {
  /** Names of the schemes; one of them is required. */
  readonly keys: readonly string[];
  readonly refusals: readonly Refusal[];
}

const ACCESS: Readonly<Record<Operation['access'], Access>> = {
  brand: {
    keys: ['BRAND-KEY', 'Bearer'],
    refusals: ['key_missing', 'key_invalid', 'merchant_suspended', 'ip_not_allowed'],
  },
  device: {
    keys: ['DEVICE-KEY'],
    refusals: ['device_key_missing', 'device_key_invalid', 'merchant_suspended'],
  },
  devices: {
    keys: ['DEVICE-KEYS'],
    refusals: ['device_keys_missing', 'device_keys_invalid', 'merchant_suspended'],
  },
  gateway: {
    keys: ['GATEWAY-KEY'],
    refusals: ['gateway_key_missing', 'gateway_key_invalid', 'merchant_suspended', 'ip_not_allowed'],
  },
  acquirer: {
    keys: ['ACQUIRER-KEY', 'Basic'],
    refusals: [
      'acquirer_key_missing',
      'acquirer_key_invalid',
      'acquirer_signature_invalid',
      ['ip_not_allowed', 'Requests from this IP address are not allowed for this acquirer'],
    ],
  },
  open: { keys: [], refusals: [] },
};

/** The shape of every error. */
const ERROR: DocumentedSchema = {
  ...Message,
  properties: { ...Message.properties, status: { ...Message.properties.status, const: false } },
};

const INTRODUCTION =
  'Kashbox tells a shop which orders have been paid to its own wallets. Call it over HTTPS from the shop’s ' +
  'server, never from a browser or an app, because the Brand Key would be in it; plain HTTP is answered 403.\n\n' +
  'Every answer has `status`, true or false; a refusal has `message`. Of several keys the first, in the order ' +
  'below, that names an active brand is used. Old clients may send the Brand Key under `API-KEY`, `SECRET-KEY`, ' +
  '`X-API-KEY` or `SOHOJPAY-API-KEY` in a header, or as `api_key` in the body or the query, which is deprecated: ' +
  'addresses are logged. A new client sends `BRAND-KEY` alone.\n\n' +
  'Fields are read generously: a whole number is taken for a text, and what is empty, `false` or `null` counts as ' +
  'absent.';

/**
 * Watches the routes that are registered from now on.
 * @returns makes the document; to be called once the app is ready.
 */
export function watchRoutes(app: FastifyInstance, { publicUrl }: Settings): () => ReferenceDocument {
  const found: FoundRoute[] = [];
  app.addHook('onRoute', ({ url, method, schema }) => {
    const operation = (schema ?? {}) as Operation;
    // HEAD goes with GET, and a second path of an operation is another program's name for it.
    const isKnown = found.some((one) => one.operation.operationId === operation.operationId);
    if (operation.operationId === undefined || method === 'HEAD' || isKnown) return;
    const names = Object.keys(operation.params?.properties ?? {});
    const path = url.replace(/:\w+/g, () => `{${names.shift()}}`);
    found.push({ path, method: String(method).toLowerCase(), operation });
  });
  return () => {
    const schemas: Record<string, DocumentedSchema> = { ErrorResponse: ERROR };
    const refer: Refer = (name, schema) => {
      const same = Object.keys(schemas).find((other) => isDeepStrictEqual(schemas[other], schema));
      if (same === undefined) schemas[name] = schema;
      return { $ref: `#/components/schemas/${same ?? name}` };
    };
    return {
      openapi: '3.1.0',
      info: { title: 'Kashbox API', version: '2', description: INTRODUCTION },
      servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
      tags: Object.values(TAGS),
      paths: pathsOf(found, refer),
      webhooks: documentedWebhooks(refer),
      components: { schemas, securitySchemes: SECURITY_SCHEMES },
    };
  };
}

interface FoundRoute {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Sorts the paths by part; `…ByQuery` and `…ByPost` come after the operation that they are variants of. */
function pathsOf(found: readonly FoundRoute[], refer: Refer): ReferenceDocument['paths'] {
  const tags = Object.keys(TAGS);
  const rank = ({ operation: { tag, operationId } }: FoundRoute) =>
    tags.indexOf(tag) + (/By(Query|Post)$/.test(operationId) ? 0.5 : 0);
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const { path, method, operation } of found.toSorted((a, b) => rank(a) - rank(b))) {
    paths[path] = { ...paths[path], [method]: documented(operation, refer) };
  }
  return paths;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function documented(operation: Operation, refer: Refer): DocumentedOperation {
  const { operationId, tag, summary, description, access, body, takes, answers } = operation;
  const typeName = operationId.replace(/^./, (letter) => letter.toUpperCase());
  const parameters = [
    ...parametersOf('path', operation.params),
    ...parametersOf('query', operation.querystring),
  ];
  return {
    operationId,
    tags: [TAGS[tag].name],
    summary,
    description,
    security: ACCESS[access].keys.map((name) => ({ [name]: [] })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: { required: true, content: contentOf(body, takes, refer(`${typeName}Request`, body)) },
        }),
    responses: {
      ...mapValues(answers, ({ mediaTypes = [JSON_TYPE], schema, examples, ...answer }) => ({
        ...answer,
        content: Object.fromEntries(
          mediaTypes.map((mediaType) => [
            mediaType,
            {
              schema: schema === undefined ? { type: 'string' } : refer(`${typeName}Response`, schema),
              ...(examples === undefined ? {} : { examples: mapValues(examples, (value) => ({ value })) }),
            },
          ]),
        ),
      })),
      ...refused(refusalsOf(operation)),
    },
  };
}

/** Uses the same schema for each content type, with an example of its own. */
function contentOf(body: TSchema, takes: readonly string[] = [JSON_TYPE], schema: DocumentedSchema) {
  const examples: readonly unknown[] = body.examples ?? [firstExample(body)];
  const example = (type: string) => examples.at(type === JSON_TYPE ? 0 : -1);
  return Object.fromEntries(takes.map((type) => [type, { schema, example: example(type) }]));
}

/** Parameters of a path or a query, which can contain objects only as texts. */
function parametersOf(place: 'path' | 'query', schema: TObject | undefined): readonly Parameter[] {
  const shown: Readonly<Record<string, string>> = schema?.examples?.at(-1) ?? {};
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = '', 'x-aliases': aliases } = property as TSchema;
    const { default: initial, format, pattern, enum: values, maxLength } = property;
    const text = { type: 'string', default: initial, format, pattern, enum: values, maxLength };
    const example = shown[name] ?? property.examples?.[0];
    return {
      name,
      in: place,
      required: schema?.required?.includes(name) === true,
      description,
      schema: Object.fromEntries(Object.entries(text).filter(([, value]) => value !== undefined)),
      ...(example === undefined ? {} : { example }),
      ...(aliases === undefined ? {} : { 'x-aliases': aliases }),
    };
  });
}

/** Refusals of the operation, then of its kind of key, of its body and of authenticated callers. */
function refusalsOf({ access, body, takes, refusals = [] }: Operation): readonly Refusal[] {
  const { keys, refusals: ofTheKey } = ACCESS[access];
  const ofTheBody: Refusal[] = body === undefined ? [] : ['body_too_large'];
  // A bank's body may be anything.
  if (body !== undefined && access !== 'acquirer') ofTheBody.push('invalid_json', typeRefusal(takes));
  const ofTheCaller: readonly Refusal[] = keys.length === 0 ? [] : ['too_many_requests', ...OF_THE_STORE];
  return [...refusals, ...ofTheKey, ...ofTheBody, ...ofTheCaller];
}

function typeRefusal(takes: Operation['takes']): Refusal {
  const types = `${ALL_CONTENT_TYPES.slice(0, -1).join(', ')} or ${ALL_CONTENT_TYPES.at(-1)}`;
  return takes === undefined
    ? 'unsupported_media_type'
    : ['unsupported_media_type', `Content-Type must be ${types}`];
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

/** Refusals by status, each with its message and hint. */
function refused(refusals: readonly Refusal[]): Readonly<Record<string, DocumentedAnswer>> {
  const byStatus: Record<string, Record<string, { summary: string; value: unknown }>> = {};
  for (const refusal of refusals) {
    const [code, message] = typeof refusal === 'string' ? [refusal, ERRORS[refusal].message] : refusal;
    const { status, hint } = ERRORS[code];
    byStatus[status] = { ...byStatus[status], [code]: { summary: hint, value: { status: false, message } } };
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, examples]) => [
      status,
      {
        description: Object.keys(examples).join(', '),
        ...(status === '429' || status === '503' ? { headers: RETRY_AFTER } : {}),
        content: { [JSON_TYPE]: { schema: { $ref: ERROR_REF }, examples } },
      },
    ]),
  );
}
