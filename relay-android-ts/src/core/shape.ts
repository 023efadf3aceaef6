/** Judges values from outside by tables of their fields, from which their types follow. */

type Check<T> = (value: unknown) => value is T;
/** The type for which a check stands. */
export type Checked<C> = C extends Check<infer T> ? T : never;
type Fields = Readonly<Record<string, Check<unknown>>>;
/** Fields that may be missing are optional. */
type Shape<F extends Fields> = {
  readonly [Name in keyof F as undefined extends Checked<F[Name]> ? never : Name]: Checked<F[Name]>;
} & { readonly [Name in keyof F as undefined extends Checked<F[Name]> ? Name : never]?: Checked<F[Name]> };

export const isUnknown = (_value: unknown): _value is unknown => true;
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => Number.isFinite(value);
/** A whole number from 1. */
export const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function oneOf<const T extends readonly unknown[]>(...values: T): Check<T[number]> {
  return (value): value is T[number] => values.includes(value);
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** For a field that earlier versions do not have. */
export function orMissing<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every((one) => check(one));
}

export function either<C extends readonly Check<unknown>[]>(...checks: C): Check<Checked<C[number]>> {
  return (value): value is Checked<C[number]> => checks.some((check) => check(value));
}

/** An object that has at least these fields. */
export function shape<F extends Fields>(fields: F): Check<Shape<F>> {
  const checks = Object.entries(fields);
  return (value): value is Shape<F> => isObject(value) && checks.every(([name, check]) => check(value[name]));
}

/** The fields of an object, none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The value, or undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value if it passes, else undefined: a record of a journal may be one of a later version. */
export function knownBy<T>(check: Check<T>): (value: unknown) => T | undefined {
  return (value) => (check(value) ? value : undefined);
}
