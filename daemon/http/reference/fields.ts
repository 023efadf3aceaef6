/**
 * The fields of a body or an answer as rows, made from the document and from nothing else: for its page, and
 * for the tables of docs/.
 */
import { aliasWords } from '../schemas/fields.js';
import type { DocumentedSchema, MediaType, ReferenceDocument } from './openapi.js';

export interface FieldRow {
  /** `data.amount` of an object inside, `methods[].name` of the objects of a list. */
  readonly name: string;
  readonly isNeeded: boolean;
  readonly isDeprecated: boolean;
  /** Type, such as `number or string`; empty if any type is allowed. */
  readonly type: string;
  /** All that it may be, where those are few; else empty. */
  readonly values: readonly string[];
  /** Plain text, with `code` between backticks. */
  readonly text: string;
  readonly otherNames: readonly string[];
  /** Default and maximum length, in sentences. */
  readonly rules: string;
}

interface ObjectShape {
  readonly properties: Readonly<Record<string, DocumentedSchema>>;
  readonly required?: readonly string[];
}

/** @returns each object that is allowed as this content; empty if none is. */
export function listObjectSchemas(
  document: ReferenceDocument,
  { schema }: MediaType,
): readonly DocumentedSchema[] {
  const named = String(schema.$ref).split('/').at(-1) ?? '';
  const whole = document.components.schemas[named] ?? schema;
  const shapes = alternatives(whole);
  return shapes.filter(isObject);
}

/** @returns the fields of that object alone; aliases are listed with their field. */
export function listFields(shape: DocumentedSchema): readonly FieldRow[] {
  if (!isObject(shape)) return [];
  return Object.entries(shape.properties).map(([name, schema]) =>
    fieldRow(name, schema, (shape.required ?? []).includes(name)),
  );
}

/** @returns the fields of the object and of all objects in it, each after the field that contains it. */
export function listAllFields(shape: DocumentedSchema): readonly FieldRow[] {
  if (!isObject(shape)) return [];
  return listFields(shape).flatMap((row) => {
    const schema = shape.properties[row.name] ?? {};
    const inside = alternatives(schema).flatMap((one) => [
      ...within(`${row.name}.`, one),
      ...within(`${row.name}[].`, (one.items ?? {}) as DocumentedSchema),
    ]);
    return [row, ...inside];
  });
}

function within(prefix: string, shape: DocumentedSchema): FieldRow[] {
  return listAllFields(shape).map((row) => ({ ...row, name: `${prefix}${row.name}` }));
}

function isObject(schema: DocumentedSchema): schema is DocumentedSchema & ObjectShape {
  return Object.keys((schema.properties ?? {}) as object).length > 0;
}

function alternatives(schema: DocumentedSchema): readonly DocumentedSchema[] {
  const { anyOf, type } = schema as { readonly anyOf?: readonly DocumentedSchema[]; readonly type?: string };
  return anyOf !== undefined && type === undefined ? anyOf : [schema];
}

/** @param schema schema of a field, or of a parameter outside of an object. */
export function fieldRow(name: string, schema: DocumentedSchema, isNeeded: boolean): FieldRow {
  const { description = '', default: initial, maxLength } = schema;
  const otherNames = (schema['x-aliases'] ?? []) as readonly string[];
  const values = alternatives(schema).flatMap((one) => (one.enum ?? []) as readonly string[]);
  const rules = [
    initial === undefined ? '' : `Without it: \`${String(initial)}\`.`,
    maxLength === undefined ? '' : `At most ${Number(maxLength).toLocaleString('en')} characters.`,
  ];
  return {
    name,
    isNeeded,
    isDeprecated: schema.deprecated === true,
    type: alternatives(schema).map(typeOf).join(' or '),
    values,
    // Where they have a place of their own, the words need not name them.
    text: String(description).replace(aliasWords(otherNames), ''),
    otherNames,
    rules: rules.filter((sentence) => sentence !== '').join(' '),
  };
}

function typeOf({ type, items }: DocumentedSchema): string {
  if (type !== 'array') return typeof type === 'string' ? type : '';
  const [one] = alternatives((items ?? {}) as DocumentedSchema);
  return one?.type === 'object' ? 'array of objects' : 'array';
}
