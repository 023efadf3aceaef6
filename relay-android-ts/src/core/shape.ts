/** Validates external values by tables of their fields, from which the types are inferred. */

type Guard<T> = (value: unknown) => value is T;
/** Type that a guard checks for. */
export type Infer<C> = C extends Guard<infer T> ? T : never;
type Guards = Readonly<Record<string, Guard<unknown>>>;
/** Fields that may be missing are optional. */
type Shape<F extends Guards> = {
  readonly [Name in keyof F as undefined extends Infer<F[Name]> ? never : Name]: Infer<F[Name]>;
} & { readonly [Name in keyof F as undefined extends Infer<F[Name]> ? Name : never]?: Infer<F[Name]> };

export const isUnknown = (_value: unknown): _value is unknown => true;
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => Number.isFinite(value);
/** True for an integer of at least 1. */
export const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function oneOf<const T extends readonly unknown[]>(...values: T): Guard<T[number]> {
  return (value): value is T[number] => values.includes(value);
}

export function orNull<T>(check: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** Accepts undefined too, for a field that earlier versions do not write. */
export function orMissing<T>(check: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function arrayOf<T>(check: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every((one) => check(one));
}

export function either<C extends readonly Guard<unknown>[]>(...checks: C): Guard<Infer<C[number]>> {
  return (value): value is Infer<C[number]> => checks.some((check) => check(value));
}

/** An object that has at least these fields. */
export function shape<F extends Guards>(fields: F): Guard<Shape<F>> {
  const checks = Object.entries(fields);
  return (value): value is Shape<F> => isObject(value) && checks.every(([name, check]) => check(value[name]));
}

/** The fields of an object, none of anything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value if it passes, else undefined: a record of a journal may be one of a later version. */
export function createParser<T>(check: Guard<T>): (value: unknown) => T | undefined {
  return (value) => (check(value) ? value : undefined);
}
