/** Selects the language of a command's output: English, or Bangla on request. */
import { option } from '@oclif/core/flags';
import { refuse } from '../../base/errors/refuse.js';
import { type Translate, translate } from '../../base/values/msg.js';

const LANGUAGES = ['en', 'bn'] as const;
type SpokenLanguage = (typeof LANGUAGES)[number];

/** Formats texts in the chosen language. */
export interface Localizer {
  readonly language: SpokenLanguage;
  readonly speak: Translate;
}

export const langFlag = option({
  options: LANGUAGES,
  description: 'Language: en, or bn for Bangla. KASHBOX_LANG sets it for every time.',
});

/** @param flag what `--lang` says. @throws KashboxError `invalid_input` if KASHBOX_LANG names no language */
export async function loadLocalizer(
  flag: SpokenLanguage | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Localizer> {
  const language = flag ?? languageOf(env.KASHBOX_LANG ?? '');
  if (language === 'en') return { language, speak: (text) => translate(text) };
  const { BANGLA } = await import('./bangla.js');
  return { language, speak: (text) => translate(text, BANGLA) };
}

function languageOf(typed: string): SpokenLanguage {
  const known = LANGUAGES.find((one) => one === typed.trim().toLowerCase());
  if (known !== undefined) return known;
  if (typed.trim() === '') return 'en';
  return refuse(`KASHBOX_LANG names no language: ${typed}`, `It may be ${LANGUAGES.join(' or ')}.`);
}
