/** Phone numbers that an SMS can be sent to, in their one form. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { asciiDigits } from '../../base/values/text.js';

/** Longer texts are no phone numbers, whatever signs stand between their digits. */
const LONGEST = 40;

/**
 * @param text with country code, or as dialled in Bangladesh; Bangla digits, spaces and dashes are fine.
 * @returns E.164, or null. Of Bangladesh only mobile numbers; elsewhere whatever has a possible length, since
 *   countries open new ranges faster than tables of them are renewed.
 */
export function dispatchNumber(text: string): string | null {
  if (text.length > LONGEST) return null;
  const number = parsePhoneNumberFromString(asciiDigits(text.trim()), {
    defaultCountry: 'BD',
    extract: false,
  });
  if (number === undefined || number.ext !== undefined) return null;
  const fits = number.countryCallingCode === '880' ? number.isValid() : number.isPossible();
  return fits ? number.number : null;
}
