/** Exchange payments as the rest of Kashbox sees them: the entry of `methods`, and their ids. */
import { formatSteps, toBaseUnits } from '../../base/values/usdt.js';
import {
  type FoundReference,
  onlyOne,
  pastedText,
  type ReadReference,
  resolvePastedReference,
} from '../../domain/matching/reference.js';
import type { PulledModule } from '../channel.js';
import { findExchange } from './exchanges.js';

const INVALID: ReadReference = {
  outcome: 'invalid',
  fault:
    'transaction_id must be the order id or the transaction id that the exchange shows, or the number of an ' +
    'order of a merchant account: letters, digits, dashes and underscores, without spaces',
};

/**
 * Accepts any payment id, also with `-` and `_`. Keeps the spelling: an exchange treats the shop's own
 * numbers as case-sensitive; the credited id has one (domain/matching/reference, `creditedName`).
 */
function parsePaymentId(text: string): ReadReference {
  const bare = text.trim();
  if (/^[A-Za-z0-9_-]{6,64}$/.test(bare)) return { outcome: 'id', reference: bare };
  return /^[!-~]{1,128}$/.test(bare) ? { outcome: 'no_id' } : INVALID;
}

/** Exchanges round away as much as 0.0005 USDT; of a small amount that would be a discount, or all of it. */
const MAX_SHORT = toBaseUnits(5);
/** A thousandth, which is more than one of the eight decimals of an exchange even of 0.0001 USDT. */
const SHORT_PART = 1_000n;

const LABELLED = /(order|transaction)\s*(?:id|no|number)\.?[\s:#]{0,4}([A-Za-z0-9_-]{6,64})(?![\w-])/gi;
/** Ids of this length with digits enough; dates, amounts, user ids and words are shorter or have fewer. */
const SHAPED = /(?<![\w-])[A-Za-z0-9_-]{12,64}(?![\w-])/g;
const MIN_DIGITS = 6;
const DATE = /^\d{4}-\d\d-\d\d/;

/**
 * The id in what a customer pasted: alone, with spaces in it, or on the exchange's receipt, which may show
 * both ids of one payment.
 */
function findReference(text: string): FoundReference {
  const plain = pastedText(text);
  const whole = parsePaymentId(plain);
  if (whole.outcome === 'id') return whole;
  if (/^[\d ]{12,64}$/.test(plain)) return { outcome: 'id', reference: plain.replace(/ /g, '') };
  const labelled = [...plain.matchAll(LABELLED)];
  for (const label of ['order', 'transaction']) {
    const ids = labelled.filter(([, word = '']) => word.toLowerCase() === label).map(([, , id = '']) => id);
    if (ids.length > 0) return onlyOne(ids);
  }
  const shaped = plain.match(SHAPED) ?? [];
  return onlyOne(shaped.filter((id) => id.replace(/\D/g, '').length >= MIN_DIGITS && !DATE.test(id)));
}

export const exchangePayChannel: PulledModule = {
  name: 'exchange_pay',
  readReference: (text) => resolvePastedReference(parsePaymentId(text), findReference(text)),
  findReference,
  approveHint: 'Write the order id that stands in the history of the exchange.',
  // Asked for payments of the session's time only (assess.ts).
  earlierMs: null,
  shortUnits: (quoted) => (quoted / SHORT_PART < MAX_SHORT ? quoted / SHORT_PART : MAX_SHORT),
  isPublic: false,
  scopeOf: ({ driver }) => findExchange(driver)?.scope ?? '',
  describe(accounts, { usdt }) {
    if (usdt === undefined) return null;
    const numberOf = (type: string) => accounts.find((account) => account.type === type)?.number ?? '';
    return {
      name: 'exchange_pay',
      active_payments: { personal: numberOf('personal') !== '', merchant: numberOf('merchant') !== '' },
      personal: numberOf('personal'),
      currency: 'USDT',
      dollar_rate: Number(formatSteps(usdt.rate)),
      amount_usdt: Number(formatSteps(usdt.amount)),
    };
  },
};
