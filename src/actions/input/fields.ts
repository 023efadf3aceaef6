/**
 * Checks input of operators and shops. Each function returns the form that is kept, or throws a KashboxError
 * (`invalid_input` where nothing else is said) that names the field and says what to write instead. Knows no
 * store.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa, parseFloatTaka, parseRoundedTaka } from '../../base/values/money.js';
import { asciiDigits, echoed, storableText } from '../../base/values/text.js';
import { isIpRange } from '../../domain/accounts/access.js';
import { mobileNumber } from '../../domain/accounts/channels.js';
import { isLoopbackAddress, isLoopbackHook, webhookFault } from '../../domain/notifications/address.js';
import { itemsTotal, type OrderItem, parseItems } from '../../domain/sessions/order-items.js';
import { parseMetaData } from '../../domain/sessions/payment-record.js';
import { RETURN_METHODS, type ReturnMethod } from '../../domain/sessions/redirect.js';
import { MIN_SESSION_PAISA } from '../../domain/sessions/session.js';

export const MAX_NAME = 200;
export const MAX_EMAIL = 254;
export const MAX_URL = 2_048;
const MAX_IP_RANGES = 100;

function refuse(field: string, fault: string, hint: string): never {
  throw new KashboxError('invalid_input', { message: `${field} ${fault}`, hint });
}

function refuseLength(field: string, max: number): never {
  refuse(field, `may be at most ${max} characters long`, 'Give a shorter text.');
}

/**
 * The one form of a name: composed Unicode without spaces around it, so that the same Bangla name typed
 * on two keyboards is the same name.
 */
export function tidyName(text: string): string {
  return text.trim().normalize('NFC');
}

/** 1 to 200 characters, none of them invisible; never what would be read as an identifier or as `-`. */
export function nameField(field: string, text: string): string {
  const name = tidyName(text);
  const length = [...name].length;
  if (length === 0 || length > MAX_NAME) {
    const hint = 'Give a shorter or a longer name.';
    refuse(field, `must have 1 to ${MAX_NAME} characters, this has ${length}`, hint);
  }
  // Joiners (U+200C, U+200D) are part of Bangla spelling; the other invisible signs only make look-alikes.
  if (/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(name)) {
    refuse(field, 'has a line break or an invisible character', 'Type the name again on one line.');
  }
  if (name.startsWith('-') || /^[a-z]{3}_[0-9a-f]{24}$/.test(name)) {
    const hint = 'Choose a name that people would say aloud.';
    refuse(field, 'may not start with "-" or look like an identifier', hint);
  }
  return name;
}

export const MAX_IDEMPOTENCY_KEY = 255;

/** True if the key has visible ASCII characters only, because it is looked up and shown. */
export function isIdempotencyKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key) && key.length <= MAX_IDEMPOTENCY_KEY;
}

/** A shop's own name for a payment that it opens. */
export function idempotencyKeyField(field: string, key: string): string {
  const form = `must be 1 to ${MAX_IDEMPOTENCY_KEY} English letters, digits or signs, without spaces`;
  return isIdempotencyKey(key) ? key : refuse(field, form, 'Give another key, such as a UUID.');
}

/** Validates the customer's name or e-mail address given by a shop: any text of one line, kept unchanged. */
export function customerField(field: 'cus_name' | 'cus_email', text: string): string {
  const max = field === 'cus_name' ? MAX_NAME : MAX_EMAIL;
  if ([...text].length > max) refuseLength(field, max);
  if (/\p{Cc}/u.test(text)) {
    // Names are shown in terminals, where some of these are commands.
    refuse(field, 'has a line break or another control character', 'Type it again on one line.');
  }
  return text;
}

/**
 * A Bangladeshi mobile number in 11 digits, also Bengali ones, or a foreign one with `+` and country code;
 * empty clears it.
 */
export function phoneField(field: string, text: string): string {
  const bare = asciiDigits(text.trim());
  if (bare === '') return '';
  const foreign = bare.replace(/[\s()-]/g, '');
  const number = mobileNumber(bare) ?? (/^\+(?!880)[1-9]\d{7,14}$/.test(foreign) ? foreign : null);
  const hint = 'Use the form 01712345678, or + and the country code.';
  return number ?? refuse(field, `"${bare}" is not a phone number`, hint);
}

/** A Bangladeshi mobile number in 11 digits, also Bengali ones. */
export function mobileField(field: string, text: string): string {
  const number = mobileNumber(asciiDigits(text.trim()));
  const hint = 'Use 11 digits such as 01712345678.';
  return number ?? refuse(field, `"${text.trim()}" is not a mobile number of Bangladesh`, hint);
}

/** Anything that has one @ between two parts without spaces; empty clears it. */
export function emailField(field: string, text: string): string {
  const bare = text.trim();
  if (bare === '') return '';
  if (bare.length > MAX_EMAIL || !/^[^\s@<>"]+@[^\s@<>"]+$/.test(bare)) {
    refuse(field, `"${bare}" is not an e-mail address`, 'Write it as shop@example.com.');
  }
  return bare;
}

const HTTPS = /^https:\/\/[^/?#@]+(?:[/?#]|$)/i;
const HTTP_OR_HTTPS = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;

/**
 * Returns the normalized URL, null if not valid. Checks the text as typed, because a URL parser repairs
 * `https:\\evil`, `https:///evil` and line breaks, and the host is after an `@`, not before it.
 */
function webAddress(field: string, text: string, form: RegExp): string | null {
  if (text.length > MAX_URL) refuseLength(field, MAX_URL);
  const isPlain = form.test(text) && !/[\s\\\p{Cc}]/u.test(text);
  return isPlain && URL.canParse(text) ? new URL(text).href : null;
}

/**
 * Validates a webhook URL; empty clears it. Resolved addresses are checked again at every delivery attempt.
 * @param allowed addresses in addition to public ones (config/settings, `privateWebhooks`).
 */
export function webhookUrlField(field: string, text: string, allowed: boolean | 'loopback'): string | null {
  const bare = text.trim();
  if (bare === '') return null;
  const hint =
    'Use the full public address: https://shop.example.com/hook. For development, a test brand ' +
    'takes http://localhost:3000/hook, and KASHBOX_ALLOW_PRIVATE_WEBHOOKS=true takes others.';
  const url = webAddress(field, bare, allowed === false ? HTTPS : HTTP_OR_HTTPS);
  if (url === null) return refuse(field, 'must be an absolute HTTPS URL without a user name', hint);
  const address = new URL(url);
  const fault = webhookFault(
    address,
    allowed === true || (allowed === 'loopback' && isLoopbackHook(address)),
  );
  return fault === null ? url : refuse(field, fault, hint);
}

/**
 * Validates the customer's return URL. It is inserted into a page, so only https is allowed.
 * @param isTest true for a test brand: its shop is developed on localhost, where http is allowed.
 */
export function returnUrlField(field: string, text: string, isTest: boolean): string {
  const url = webAddress(field, text, isTest ? HTTP_OR_HTTPS : HTTPS);
  if (url !== null && (url.startsWith('https:') || isLoopbackAddress(new URL(url)))) return url;
  const fault = `must be an absolute HTTPS URL${isTest ? ', or HTTP on localhost' : ''}`;
  return refuse(field, fault, 'Write it in full: https://shop.example.com/paid');
}

/** @returns JSON list of IP addresses and CIDR ranges, each once. */
export function ipRangesField(field: string, texts: readonly string[]): string {
  const ranges = [...new Set(texts.map((text) => text.trim()))];
  const wrong = ranges.find((range) => !isIpRange(range));
  if (wrong !== undefined) {
    refuse(
      field,
      `"${wrong}" is not an IP address or range`,
      'Write one such as 203.0.113.7 or 203.0.113.0/24.',
    );
  }
  if (ranges.length > MAX_IP_RANGES) {
    refuse(field, `contains more than ${MAX_IP_RANGES} entries`, 'Combine adjacent addresses into a range.');
  }
  return JSON.stringify(ranges);
}

/** Validates an integer between two inclusive limits. */
export function validateInteger(field: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    refuse(field, `must be a whole number from ${min} to ${max}`, 'Give a number within these limits.');
  }
  return value;
}

const NO_NUMBER =
  'The amount is not a number: write plain digits, such as 500 or 500.50, without commas and currency signs';

/**
 * Parses decimal text of taka; the caller checks the allowed range.
 * @param sent anything but a text is refused: of a JSON number it is the exact text (input/json.ts).
 * @param isRounded true to round half up to whole paisa, for a program that does not round.
 * @throws KashboxError `amount_out_of_range`, `amount_decimals`
 */
export function amountField(sent: unknown, isRounded = false): Paisa {
  const text = typeof sent === 'string' ? sent : '';
  const amount = isRounded ? parseRoundedTaka(text) : parseFloatTaka(text);
  if (amount.ok) return amount.paisa;
  switch (amount.reason) {
    case 'too_many_decimals':
      throw new KashboxError('amount_decimals');
    case 'too_large':
      throw new KashboxError('amount_out_of_range');
    case 'not_a_decimal':
      // A number in another form may still be one that is too small.
      throw new KashboxError(
        'amount_out_of_range',
        /^\s*-\d+(\.\d+)?\s*$/.test(text) ? {} : { message: NO_NUMBER },
      );
    default:
      return amount.reason satisfies never;
  }
}

/** Parses typed taka. A text that is not a number has another message than a number out of range. */
export function takaField(typed: string): Paisa {
  const text = typed.trim();
  if (/^\d*\.?\d*$/.test(text) && text !== '') return amountField(text);
  throw new KashboxError('amount_out_of_range', {
    message: `"${echoed(text)}" is not a valid amount`,
    hint: 'Use plain digits without commas or Tk: 1000 or 1000.50.',
  });
}

/**
 * Divides an order into what is paid now and what is due on delivery.
 * @param advance typed taka, less than the order; undefined if all is paid now.
 */
export function advanceField(orderPaisa: Paisa, advance: string | undefined) {
  if (advance === undefined) return { amountPaisa: orderPaisa, deliveryPaisa: 0 };
  const amountPaisa = takaField(advance);
  if (amountPaisa >= MIN_SESSION_PAISA.hosted && amountPaisa < orderPaisa) {
    return { amountPaisa, deliveryPaisa: orderPaisa - amountPaisa };
  }
  const fault = `must be at least 1 taka, and less than the amount, ${formatTaka(orderPaisa)} taka`;
  return refuse('advance', fault, 'Give what is paid now: --amount 1000 --advance 200.');
}

/** `GET` or `POST`, in any case. */
export function returnTypeField(field: string, text: string): ReturnMethod {
  const wanted = text.trim().toUpperCase();
  const method = RETURN_METHODS.find((known) => known === wanted);
  const hint = 'Leave it out, or name one of the two.';
  return method ?? refuse(field, `must be ${RETURN_METHODS.join(' or ')}`, hint);
}

/** @returns the JSON text of the merchant's object (domain/sessions/payment-record); null for none. */
export function metaDataField(value: unknown): string | null {
  const meta = parseMetaData(value);
  if (!meta.ok) throw new KashboxError('invalid_input', { message: meta.fault });
  return meta.json;
}

/**
 * Validates the order lines that a shop sends (domain/sessions/order-items).
 * @param deliveryPaisa what is due on delivery, in addition to `amountPaisa`; the lines add up to both.
 * @returns an empty list for none. @throws KashboxError `invalid_input`, `items_total`
 */
export function itemsField(value: unknown, amountPaisa: Paisa, deliveryPaisa: Paisa): readonly OrderItem[] {
  if (value === undefined || value === null) return [];
  const parsed = parseItems(value);
  if (!parsed.ok) throw new KashboxError('invalid_input', { message: parsed.fault });
  const total = itemsTotal(parsed.items);
  const orderPaisa = amountPaisa + deliveryPaisa;
  if (parsed.items.length > 0 && total !== orderPaisa) {
    const order = deliveryPaisa === 0 ? 'the amount is' : 'amount and due_on_delivery together are';
    const sums = `The items add up to ${formatTaka(total)} taka, but ${order} ${formatTaka(orderPaisa)}`;
    const advice =
      'send delivery and fees as lines of their own, and a discount as a line with a negative price';
    throw new KashboxError('items_total', { message: `${sums}: ${advice}` });
  }
  return parsed.items;
}

/** Values of an option that switches something. */
export const ON_OFF = ['on', 'off'] as const;
export type OnOff = (typeof ON_OFF)[number];

export const MAX_DESCRIPTION = 500;

/** Validates what a shop says about a payment: text, also of several lines. @returns '' for none. */
export function descriptionField(text: string): string {
  const description = text.trim();
  if ([...description].length > MAX_DESCRIPTION) refuseLength('description', MAX_DESCRIPTION);
  if (/[^\P{Cc}\t\n\r]/u.test(description)) {
    refuse('description', 'has a control character', 'Type it again.');
  }
  return description;
}

const MAX_NOTE = 500;
/** Placeholders for the note in printed commands; none of them is a valid note. */
const PLACEHOLDERS: readonly string[] = ['WHY', '…'];

/** Validates the note of an operator's decision. @throws KashboxError `invalid_input` */
export function noteField(text: string): string {
  const note = storableText(text.trim());
  const length = [...note].length;
  if (PLACEHOLDERS.includes(note)) {
    throw new KashboxError('invalid_input', {
      message: `"${note}" in the command is a placeholder for your note`,
      hint: 'Replace it with a sentence that says why; it is saved with the decision.',
    });
  }
  if (length > 0 && length <= MAX_NOTE) return note;
  throw new KashboxError('invalid_input', {
    message: `note must have 1 to ${MAX_NOTE} characters`,
    hint: 'Say why in a sentence; it is saved with the decision.',
  });
}
