/** Typed text, read: what it says, or what is wrong with it. */

/** `fault` is a sentence, or the end of one that begins with the name of the field. */
export type Read<Fields> =
  | ({ readonly ok: true } & Readonly<Fields>)
  | { readonly ok: false; readonly fault: string };
