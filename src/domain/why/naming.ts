/** Does the text of an SMS name an id, although nothing was read from it under that id? Pure. */
import { mobileNumber } from '../accounts/channels.js';
import { plainText } from '../matching/reference.js';

/** No id of a wallet is without a digit. */
const WORD = /^(?=.*[0-9])[0-9A-Z]{6,32}$/;

/** Whether it is looked for in texts: telephone numbers and amounts stand in too many of them. */
export function canBeNamed(reference: string): boolean {
  const id = reference.toUpperCase();
  return WORD.test(id) && mobileNumber(id) === null && !/^[0-9]{1,7}$/.test(id);
}

/**
 * @param id letters and digits alone, see `canBeNamed`.
 * @returns true where it stands there as a word of its own, in whatever case and whichever digits; wallets
 *   write no space before it, and after it only words that begin the next line.
 */
export function namesId(text: string, id: string): boolean {
  const behind = '(?=$|[^0-9A-Z]|(?:date|balance|comm)\\s?:)';
  return new RegExp(`(?:(?<![0-9A-Z])|(?<=id))${id}${behind}`, 'i').test(plainText(text));
}
