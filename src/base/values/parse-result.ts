/** Result of parsing text that a person typed: the values, or what is wrong with it. */

/** `fault` is a sentence, the end of one that begins with the name of the field, or a named fault. */
export type ParseResult<Fields, Fault extends string = string> =
  | ({ readonly ok: true } & Readonly<Fields>)
  | { readonly ok: false; readonly fault: Fault };
