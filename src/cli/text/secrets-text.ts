/** Keys and secrets as lines, on the one occasion on which they are shown. */
import type { CreatedBrand } from '../../actions/brands/change-brand.js';
import { type Speak, say, spoken } from '../../base/values/say.js';
import { sheet } from './table.js';

/** @param about lines about the created objects, above the secrets. @param made secrets, shown only once. */
export function brandSecretsSheet(
  about: readonly (readonly [string, string])[],
  made: Pick<CreatedBrand, 'brand_key' | 'webhook_secret'>,
  speak: Speak = spoken,
): string[] {
  return [
    ...sheet([
      ...about,
      [speak(say`Brand Key`), made.brand_key],
      [speak(say`Webhook secret`), made.webhook_secret],
    ]),
    '',
    speak(say`Key and secret are shown only once. Keep them on the shop's server, never in an app or page.`),
  ];
}

/** Formats a rotated key or secret. @param then line about the validity of the old one. */
export function rotatedSheet(brand: string, word: string, secret: string, then: string): string[] {
  return [
    ...sheet([
      ['Brand', brand],
      [word, secret],
    ]),
    '',
    "It is shown only now. Keep it on the shop's server, never in an app or a page.",
    then,
  ];
}
