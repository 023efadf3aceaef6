/** What an operator can mean by the words after `kashbox why`. Pure. */
import { type Paisa, parseTaka, ungrouped } from '../../base/values/money.js';
import { asciiDigits } from '../../base/values/text.js';
import { mobileNumber } from '../accounts/channels.js';
import { idInPasted } from '../matching/reference.js';

/** One text can be several of these: `5000` is an amount, and a bank may have a reference of four digits. */
export interface Question {
  /** The id in what was pasted; else as it was typed, without spaces around it and with digits of ASCII. */
  readonly text: string;
  /** Null where it is no amount, or a number that is too long for one. */
  readonly paisa: Paisa | null;
  /** 11 digits; null where it is no mobile number. */
  readonly phone: string | null;
  /** As references are kept, in capitals; null where it has spaces or signs that no reference has. */
  readonly reference: string | null;
}

const REFERENCE = /^[\x21-\x7e]{3,128}$/;
/** A longer number is a transaction id: no payment is that large. */
const MAX_AMOUNT_DIGITS = 7;

export function readQuestion(typed: string): Question {
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
