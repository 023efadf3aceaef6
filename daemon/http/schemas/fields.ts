/** Small makers of the fields that request schemas have in common. Knows no route. */
import { type NumberOptions, type TObject, type TSchema, Type } from '@sinclair/typebox';

/** The same or null; its description is that of both. */
export function Nullable<Schema extends TSchema>({ description, ...schema }: Schema) {
  const options = description === undefined ? {} : { description };
  return Type.Union([schema as unknown as Schema, Type.Null()], options);
}

/** One of some texts. */
export const OneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: values, description });

/** An amount of taka as requests may have it: a number, or a text without sign, exponent and grouping. */
export function takaField(limits: NumberOptions, description: string): TSchema {
  const forms = [Type.Number(limits), Type.String()];
  return Type.Union(forms, { description, pattern: '^\\d{1,7}(\\.\\d{1,2})?$' });
}

/**
 * Adds the other names of a field.
 * @param names the field itself first.
 * @param need `needed`: the field must be there, under any of its names.
 */
export function withAliases(schema: TObject, names: readonly string[], need: 'needed' | 'optional'): TObject {
  const [first = '', ...others] = names;
  const { default: _initial, ...field } = schema.properties[first] as TSchema;
  const alias = { ...field, description: `Another name of ${first}.`, 'x-alias-of': first };
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(others.map((name) => [name, alias])) },
    required: (schema.required ?? []).filter((name) => name !== first),
    ...(need === 'needed' ? { anyOf: names.map((name) => ({ required: [name] })) } : {}),
  };
}
