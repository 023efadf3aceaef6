/**
 * Limits of outbound SMS: the number of parts of a text, and normalized phone numbers. Loads two packages, so
 * modules that every command loads at startup must not import it.
 */

import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { SegmentedMessage } from 'sms-segments-calculator';
import { asciiDigits } from '../../base/values/text.js';
import { MAX_PARTS, type SmsEncoding } from './dispatch.js';

interface MeasuredText {
  readonly encoding: SmsEncoding;
  readonly parts: number;
}

/** Septets in one of several parts: nothing longer than that many of them can fit. */
const LONGEST = MAX_PARTS * 153;

/**
 * Counted as phones do (3GPP TS 23.038): one part holds 160 characters of the GSM alphabet or 70 others,
 * several hold 153 or 67 each. `€ ^ { } [ ] ~ | \\` and the form feed count as two of the GSM alphabet, an
 * emoji as two or more of the others, and neither they nor a Bangla conjunct are cut apart.
 * @returns null for more than `MAX_PARTS`.
 */
export function measureText(text: string): MeasuredText | null {
  if (text.length > LONGEST) return null;
  // The library takes CR LF for one character of its own, which the GSM alphabet has not.
  const counted = new SegmentedMessage(text.replaceAll('\r\n', '\n\n'));
  const parts = counted.segmentsCount;
  return parts > MAX_PARTS ? null : { encoding: counted.getEncodingName() as SmsEncoding, parts };
}

type TextFault = 'empty' | 'unsendable';

/**
 * `unsendable` are halves of characters and NUL, which no phone sends and no database keeps.
 * @returns null for a text that can be sent as it is.
 */
export function textFault(text: string): TextFault | null {
  if (/^[\p{Cc}\p{Cf}\p{Z}]*$/u.test(text)) return 'empty';
  return text.includes('\0') || !text.isWellFormed() ? 'unsendable' : null;
}

/** Maximum length of a phone number, including separators. */
const LONGEST_NUMBER = 40;

/**
 * @param text with country code, or as dialled in Bangladesh; Bangla digits, spaces and dashes are fine.
 * @returns E.164, or null. Of Bangladesh only mobile numbers; elsewhere whatever has a possible length, since
 *   countries open new ranges faster than tables of them are renewed.
 */
export function dispatchNumber(text: string): string | null {
  if (text.length > LONGEST_NUMBER) return null;
  const number = parsePhoneNumberFromString(asciiDigits(text.trim()), {
    defaultCountry: 'BD',
    extract: false,
  });
  if (number === undefined || number.ext !== undefined) return null;
  const fits = number.countryCallingCode === '880' ? number.isValid() : number.isPossible();
  return fits ? number.number : null;
}
