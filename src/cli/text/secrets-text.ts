/** Keys and secrets as lines, on the one occasion on which they are shown. */
import type { CreatedBrand } from '../../actions/brands/change-brand.js';
import { msg, type Translate, translate } from '../../base/values/msg.js';
import { formatKeyValues } from './table.js';

/** @param about lines about the created objects, above the secrets. @param made secrets, shown only once. */
export function brandSecretsSheet(
  about: readonly (readonly [string, string])[],
  made: Pick<CreatedBrand, 'brand_key' | 'webhook_secret'>,
  speak: Translate = translate,
): string[] {
  return [
    ...formatKeyValues([
      ...about,
      [speak(msg`Brand Key`), made.brand_key],
      [speak(msg`Webhook secret`), made.webhook_secret],
    ]),
    '',
    speak(msg`Key and secret are shown only once. Keep them on the shop's server, never in an app or page.`),
  ];
}

/** Formats a rotated key or secret. @param then line about the validity of the old one. */
export function rotatedSheet(brand: string, word: string, secret: string, then: string): string[] {
  return [
    ...formatKeyValues([
      ['Brand', brand],
      [word, secret],
    ]),
    '',
    "It is shown only now. Keep it on the shop's server, never in an app or a page.",
    then,
  ];
}
