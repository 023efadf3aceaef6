/**
 * The API as an OpenAPI document: shapes from the schemas of the routes, by @fastify/swagger, and the rest
 * from the tables of operations beside this file. What no table names is in no document. Changes nothing of
 * how a request is read or answered.
 */
import { isDeepStrictEqual } from 'node:util';
import swagger, { type SwaggerTransform } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { ERRORS } from '../../../src/base/errors/errors.js';
import type { Settings } from '../../../src/config/settings.js';
import { Message } from '../schemas/payments.js';
import { BANK_OPERATIONS } from './banks.js';
import { DEVICE_OPERATIONS } from './device.js';
import { FORWARD_OPERATIONS } from './forward.js';
import { GATEWAY_OPERATIONS } from './gateway.js';
import { HEADLESS_OPERATIONS } from './headless.js';
import { HOSTED_OPERATIONS } from './hosted.js';
import { documentedWebhooks } from './notifications.js';
import {
  type Answer,
  type DocumentedAnswer,
  type DocumentedOperation,
  type MediaType,
  type Operation,
  type Refusal,
  type Schema,
  TAGS,
} from './operation.js';
import { RELAY_OPERATIONS, SERVICE_OPERATIONS } from './relay.js';

const OPERATIONS: readonly Operation[] = [
  ...HOSTED_OPERATIONS,
  ...HEADLESS_OPERATIONS,
  ...RELAY_OPERATIONS,
  ...FORWARD_OPERATIONS,
  ...DEVICE_OPERATIONS,
  ...GATEWAY_OPERATIONS,
  ...BANK_OPERATIONS,
  ...SERVICE_OPERATIONS,
];

const header = (name: string, description: string) => ({
  [name]: { type: 'apiKey', in: 'header', name, description },
});

/** Spec 5.1, in its order, the key of a phone, and those of a bank. */
const SECURITY_SCHEMES = {
  ...header('BRAND-KEY', 'The Brand Key in a header. Recommended.'),
  Bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer` and the Brand Key.' },
  ...header('API-KEY', 'Another name of `BRAND-KEY`.'),
  ...header('SECRET-KEY', 'Another name of `BRAND-KEY`, for old clients.'),
  ...header('X-API-KEY', 'Another name of `BRAND-KEY`, for clients of other gateways.'),
  ...header('SOHOJPAY-API-KEY', 'Another name of `BRAND-KEY`, for clients of other gateways.'),
  api_key: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'The Brand Key as a parameter of the query or a field of the body. Deprecated, because addresses are ' +
      'logged; the answer has the header `Deprecation`.',
    'x-deprecated': true,
  },
  ...header('DEVICE-KEY', 'The key of a relay phone in a header.'),
  ...header('DEVICE-KEYS', 'Keys of relay phones in a header, with commas between them.'),
  ...header('GATEWAY-KEY', 'The Gateway Key of a relay phone in a header; the name `key` is taken, too.'),
  ...header('ACQUIRER-KEY', 'The key of an acquirer in a header, beside its signature.'),
  Basic: { type: 'http', scheme: 'basic', description: 'Key and secret of an acquirer that does not sign.' },
};

const ACCESS: Readonly<Record<Operation['access'], readonly Schema[]>> = {
  brand: ['BRAND-KEY', 'Bearer', 'API-KEY', 'SECRET-KEY', 'X-API-KEY', 'SOHOJPAY-API-KEY', 'api_key'].map(
    (name) => ({ [name]: [] }),
  ),
  device: [{ 'DEVICE-KEY': [] }],
  devices: [{ 'DEVICE-KEYS': [] }],
  gateway: [{ 'GATEWAY-KEY': [] }],
  acquirer: [{ 'ACQUIRER-KEY': [] }, { Basic: [] }],
  open: [],
};

/** Where every refusal's shape stands. */
export const REFUSAL_REF = '#/components/schemas/Refusal';

/** Spec 7. */
const REFUSAL: Schema = {
  ...Message,
  properties: { ...Message.properties, status: { ...Message.properties.status, const: false } },
};

const INTRODUCTION =
  'Kashbox tells a shop which orders have been paid to its own wallets. Call it over HTTPS from the shop’s ' +
  'server, never from a browser or an app, because the Brand Key would be in it; plain HTTP is answered 403.\n\n' +
  'Every answer has `status`, true or false; a refusal has `message`. Of several keys the first, in the order ' +
  'below, that names an active brand is used.';

/** The document, as far as its page reads it. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  /** What is sent to shops, by the name of its kind. */
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: {
    /** Shapes of bodies and answers by name. */
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** What the plugin has made of one route. */
interface Generated {
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

/**
 * Watches the routes that are registered from now on.
 * @returns makes the document; to be called once the app is ready.
 */
export async function watchRoutes(
  app: FastifyInstance,
  { basePath, publicUrl }: Settings,
): Promise<() => ReferenceDocument> {
  const urls = new Map<Operation, string>();
  const transform: SwaggerTransform = ({ schema, url, route }) => {
    const here = OPERATIONS.filter(
      (operation) =>
        [route.method].flat().includes(operation.method.toUpperCase()) &&
        (url === operation.route || url === `${basePath}${operation.route}`),
    );
    const [first] = here;
    if (first === undefined) return { schema: { hide: true }, url };
    const shown = url.slice(0, url.length - first.route.length) + (first.path ?? first.route);
    for (const operation of here) urls.set(operation, shown);
    return { schema: shapes(schema, here), url: shown };
  };
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Kashbox API', version: '2', description: INTRODUCTION },
      servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
      tags: Object.values(TAGS),
    },
    stripBasePath: false,
    transform,
  });
  return () => {
    const { paths, ...rest } = app.swagger() as unknown as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Generated>>>>;
    } & Omit<ReferenceDocument, 'paths'>;
    const schemas: Record<string, Schema> = { Refusal: REFUSAL };
    const named: Refer = (name, schema) => refer(schemas, name, schema);
    return {
      ...rest,
      paths: finished(paths, urls, named),
      webhooks: documentedWebhooks(named),
      components: { schemas, securitySchemes: SECURITY_SCHEMES },
    };
  };
}

/** Gives a shape a name, under which generated clients have it as a type. */
type Refer = (name: string, schema: Schema) => Schema;

/** @returns a reference to the shape; one that is there already is not told twice. */
function refer(schemas: Record<string, Schema>, name: string, schema: Schema): Schema {
  const same = Object.keys(schemas).find((known) => isDeepStrictEqual(schemas[known], schema));
  if (same === undefined) schemas[name] = schema;
  return { $ref: `#/components/schemas/${same ?? name}` };
}

/** What the plugin is to read of a route: its own shapes, or those of the table where it has none. */
function shapes(schema: FastifySchema | undefined, operations: readonly Operation[]): FastifySchema {
  const described = operations.find(({ body }) => body !== undefined)?.body;
  const body = described?.schema ?? schema?.body;
  const answers = Object.entries((schema?.response ?? {}) as Readonly<Record<string, unknown>>);
  return {
    ...(body === undefined ? {} : { body, consumes: Object.keys(described?.examples ?? {}) }),
    response: Object.fromEntries(answers.filter(([status]) => /^2\d\d$/.test(status))),
  };
}

function finished(
  paths: Readonly<Record<string, Readonly<Record<string, Generated>>>>,
  urls: ReadonlyMap<Operation, string>,
  refer: Refer,
): ReferenceDocument['paths'] {
  const all: Record<string, Record<string, DocumentedOperation>> = {};
  for (const operation of OPERATIONS) {
    const url = urls.get(operation) ?? '';
    const generated = paths[url]?.[operation.method];
    if (generated === undefined) throw new TypeError(`no route does what ${operation.operationId} tells`);
    all[url] = { ...all[url], [operation.method]: finish(operation, generated, refer) };
  }
  return all;
}

function finish(operation: Operation, generated: Generated, refer: Refer): DocumentedOperation {
  const { operationId, tag, summary, description, access, parameters, body } = operation;
  const typeName = operationId.replace(/^./, (letter) => letter.toUpperCase());
  const contents = Object.entries(body?.examples ?? {}).map(([type, example]) => {
    const schema = generated.requestBody?.content[type]?.schema ?? {};
    return [type, { schema: refer(`${typeName}Body`, schema), example }] as const;
  });
  return {
    operationId,
    tags: [TAGS[tag].name],
    summary,
    description,
    security: ACCESS[access],
    ...(parameters === undefined ? {} : { parameters }),
    ...(contents.length === 0
      ? {}
      : { requestBody: { required: true, content: Object.fromEntries(contents) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [
          status,
          answered(answer, generated.responses[status], (schema) => refer(`${typeName}Answer`, schema)),
        ]),
      ),
      ...refused(operation.refusals),
    },
  };
}

function answered(
  { description, mediaType = 'application/json', schema, examples = {} }: Answer,
  generated: DocumentedAnswer | undefined,
  named: (schema: Schema) => Schema,
): DocumentedAnswer {
  const shape = schema ?? generated?.content?.[mediaType]?.schema;
  const values = Object.entries(examples).map(([name, value]) => [name, { value }] as const);
  return {
    description,
    content: {
      [mediaType]: {
        schema: shape === undefined ? { type: 'string' } : named(shape),
        ...(values.length === 0 ? {} : { examples: Object.fromEntries(values) }),
      },
    },
  };
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

/** Refusals by their status, each with what it says and what to do about it. */
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
        content: {
          'application/json': { schema: { $ref: REFUSAL_REF }, examples },
        },
      },
    ]),
  );
}
