/** Small makers of the fields that schemas have in common: a description, an example, and rules. */
import {
  type IntegerOptions,
  type NumberOptions,
  type SchemaOptions,
  type StringOptions,
  type TObject,
  type TSchema,
  Type,
} from '@sinclair/typebox';

const annotations = (description: string, example?: unknown) =>
  example === undefined ? { description } : { description, examples: [example] };

export const text = (description: string, example?: string | null, rules: StringOptions = {}) =>
  Type.String({ ...rules, ...annotations(description, example) });
export const integer = (description: string, example?: number | null, rules: IntegerOptions = {}) =>
  Type.Integer({ ...rules, ...annotations(description, example) });
export const flag = (description: string) => Type.Boolean(annotations(description, true));

/** One of some texts; the first is the example. */
export const StringEnum = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: values, description });

/** Allows null, too; description and examples apply to both. */
export function Nullable<Schema extends TSchema>({ description, examples, ...schema }: Schema) {
  const options: SchemaOptions = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  return Type.Union([schema as unknown as Schema, Type.Null()], options);
}

/**
 * An amount of taka as requests may have it: a number, or a text without exponent and grouping.
 * @param isSigned true if it may be negative.
 */
export function takaField(limits: NumberOptions, description: string, isSigned = false): TSchema {
  const forms = [Type.Number(limits), Type.String()];
  const pattern = `^\\s*${isSigned ? '-?' : ''}\\d{1,7}(\\.\\d{1,2})?\\s*$`;
  return Type.Union(forms, { description, pattern });
}

/** First field of every answer that is not a refusal. */
export const status = flag('Always true; an error has false.');

/** A refusal, and the answer of the health endpoints. */
export const Message = Type.Object({
  status: Type.Boolean({ description: 'False for an error, otherwise true.' }),
  message: text('The error in words, for people who read your log.'),
});

/** The words that name a field's other names, for readers of generated code. */
export const aliasWords = (names: readonly string[]): string =>
  ` Other names: ${names.map((name) => `\`${name}\``).join(', ')}.`;

/**
 * Lists the other names of a field in its description. As fields of their own, generators would give
 * `transaction_id` and `transactionId` the same name, and the generated code would not compile.
 * @param names all names, the field itself first.
 */
export function withAliases<Fields extends TObject>(schema: Fields, names: readonly string[]): Fields {
  const [first = '', ...others] = names;
  const field = schema.properties[first] as TSchema;
  const description = `${field.description ?? ''}${aliasWords(others)}`;
  const named = { ...field, description, 'x-aliases': others };
  return { ...schema, properties: { ...schema.properties, [first]: named } };
}

/** @returns an object with the first example of each field; an optional one without its own is left out. */
export function buildExample({ properties, required = [] }: TObject): Readonly<Record<string, unknown>> {
  const values = Object.entries(properties)
    .filter(([name, field]) => required.includes(name) || field.examples !== undefined)
    .map(([name, field]) => [name, firstExample(field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** @returns the first example of a schema, or one built from its parts; undefined if there is none. */
export function firstExample(schema: TSchema): unknown {
  const { examples, enum: values, anyOf, items, properties } = schema;
  if (examples !== undefined || values !== undefined) return (examples ?? values)[0];
  if (properties !== undefined) return buildExample(schema as TObject);
  if (items !== undefined) return [firstExample(items)];
  return anyOf === undefined ? undefined : firstExample(anyOf[0]);
}
