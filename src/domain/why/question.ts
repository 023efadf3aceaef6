/** Possible meanings of the words after `kashbox why`. Pure. */
import { type Paisa, parseTaka, ungrouped } from '../../base/values/money.js';
import { asciiDigits } from '../../base/values/text.js';
import { mobileNumber } from '../accounts/channels.js';
import { idInPasted } from '../matching/reference.js';

/** One text can be several of these: `5000` is an amount, and a bank may have a reference of four digits. */
export interface Question {
  /** Id in the pasted text; otherwise the text as typed, trimmed and with ASCII digits. */
  readonly text: string;
  /** Null if it is not an amount, or has too many digits for one. */
  readonly paisa: Paisa | null;
  /** Mobile number in 11 digits; null if it is not valid. */
  readonly phone: string | null;
  /** Upper case, as stored; null if it contains a space or another character references lack. */
  readonly reference: string | null;
}

const REFERENCE = /^[\x21-\x7e]{3,128}$/;
/** A longer number is a transaction id: no payment is that large. */
const MAX_AMOUNT_DIGITS = 7;

export function parseQuestion(typed: string): Question {
  const whole = asciiDigits(typed).trim();
  const text = idInPasted(whole) ?? whole;
  const bare = ungrouped(text.replace(/^(?:BDT|Tk\.?|৳)\s*/i, ''));
  const parsed = parseTaka(bare);
  const isAmount = parsed.ok && parsed.paisa > 0 && (bare.split('.')[0] ?? '').length <= MAX_AMOUNT_DIGITS;
  return {
    text,
    paisa: isAmount && parsed.ok ? parsed.paisa : null,
    phone: mobileNumber(text),
    reference: REFERENCE.test(text) ? text.toUpperCase() : null,
  };
}
