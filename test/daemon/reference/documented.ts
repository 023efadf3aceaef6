/** The document of a running app, and a judge that holds real answers against it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ExecutionContext } from 'ava';
import type { LightMyRequestResponse } from 'fastify';
import type {
  DocumentedOperation,
  DocumentedSchema,
  ReferenceDocument,
} from '../../../daemon/http/reference/openapi.js';

import type { Api } from '../api.js';

export async function getOpenApi({ callBare }: Api, path = '/openapi.json'): Promise<ReferenceDocument> {
  const response = await callBare(path, { method: 'GET' });
  return response.json() as ReferenceDocument;
}

/** Every operation with where it stands, in the document's order. */
export function operationsOf({ paths }: ReferenceDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** @param name such as `POST /api/payment/create`. */
export function operationNamed(document: ReferenceDocument, name: string): DocumentedOperation {
  const found = operationsOf(document).find((item) => item.name === name);
  if (found === undefined) throw new TypeError(`${name} is not in the document`);
  return found.operation;
}

export interface Judge {
  /** What is wrong with a value; empty if it is as the schema says. */
  faults(schema: DocumentedSchema | undefined, value: unknown): string;
  /** Fails the test unless the document has this answer of this operation, in this shape. */
  holds(t: ExecutionContext<unknown>, name: string, response: LightMyRequestResponse): void;
}

const FORMATS = {
  uri: (text: string) => URL.canParse(text),
  'date-time': (text: string) => new Date(text).toISOString() === text,
};

/** The same, but whatever it does not name is a fault: an answer must have no field that is told nowhere. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isShape = 'properties' in schema && Object.keys(schema.properties as object).length > 0;
  return isShape && !('additionalProperties' in schema) ? { ...inside, additionalProperties: false } : inside;
}

/** JSON Schema is what OpenAPI 3.1 says it is: the dialect of 2020. */
export function judgeOf(document: ReferenceDocument): Judge {
  const ajv = new Ajv2020({ strict: false, formats: FORMATS });
  const components = closed(document.components);
  ajv.addSchema({ ...document, components, $id: 'document' });
  const faults = (schema: DocumentedSchema | undefined, value: unknown): string => {
    if (schema === undefined) return 'there is no schema';
    const { $ref } = schema;
    const whole = typeof $ref === 'string' ? { $ref: `document${$ref}` } : { ...schema };
    return ajv.validate(whole, value) ? '' : ajv.errorsText();
  };
  return {
    faults,
    holds(t, name, response) {
      const status = String(response.statusCode);
      const answer = operationNamed(document, name).responses[status];
      const [type = ''] = String(response.headers['content-type']).split(';');
      const media = answer?.content?.[type];
      t.not(media, undefined, `${name} has no ${type} for ${status}`);
      const value: unknown = type === 'application/json' ? response.json() : response.body;
      t.is(faults(media?.schema, value), '', `${name} ${status}`);
    },
  };
}
