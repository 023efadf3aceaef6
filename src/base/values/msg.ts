/**
 * Sentences that can be translated. The code contains them in English, once; the table of a language has the
 * same sentences with placeholders `{1}`, `{2}`. Knows no language.
 */

/** A sentence with values in it, which may be sentences themselves. */
export interface TranslatableText {
  readonly parts: readonly string[];
  readonly values: readonly (string | number | TranslatableText)[];
}

/** Text for people; a plain string is the same in every language: a name, a number, a command. */
export type Text = string | TranslatableText;

/** Translates a text into one language. */
export type Translate = (text: Text) => string;

/** Sentences of a language by their English: `'{1} MiB free'`. */
export type Translations = Readonly<Record<string, string>>;

/** ``msg`${free} MiB free` `` */
export function msg(
  parts: TemplateStringsArray,
  ...values: TranslatableText['values'][number][]
): TranslatableText {
  return { parts, values };
}

/** Several with commas between them. */
export function listed([first = '', ...others]: readonly Text[]): Text {
  return others.reduce((all: Text, one) => msg`${all}, ${one}`, first);
}

/** @returns key of a sentence in the tables: its English text, with `{1}`, `{2}` for the values. */
export function translationKey(parts: readonly string[]): string {
  return parts.reduce((text, part, at) => `${text}{${at}}${part}`);
}

/** @param translations absent for English, which is also the fallback if the table has no such sentence. */
export function translate(text: Text, translations: Translations = {}): string {
  if (typeof text === 'string') return text;
  const key = translationKey(text.parts);
  const wanted = Object.hasOwn(translations, key) ? (translations[key] ?? key) : key;
  return wanted.replace(/\{(\d+)\}/g, (_, place: string) => {
    const value = text.values[Number(place) - 1] ?? '';
    return typeof value === 'object' ? translate(value, translations) : String(value);
  });
}
