/** Flags and arguments that several commands share, so that each means the same everywhere. */
import { custom as customArgument } from '@oclif/core/args';
import { CLIError } from '@oclif/core/errors';
import { integer as asciiInteger, boolean, string } from '@oclif/core/flags';
import type { OptionFlag } from '@oclif/core/interfaces';
import { asciiDigits, echoed } from '../../base/values/text.js';

export const jsonFlag = boolean({ description: 'Print JSON.' });

export const contextFlag = string({
  helpValue: 'NAME',
  description: 'Use this context (see "kashbox contexts").',
  helpGroup: 'GLOBAL',
});

export const ndjsonFlag = boolean({
  description: 'Print one JSON object per line.',
  exclusive: ['json', 'csv'],
});

/** Output flags of all list commands. */
export const listFlags = {
  ndjson: ndjsonFlag,
  csv: boolean({ description: 'Print CSV.', exclusive: ['json', 'ndjson'] }),
};

/**
 * Kind of a value that is not plain text. `digits`: contains a number, which may have Bangla digits. `id`,
 * `payment`: identifies one object; a prefix is enough. `channel`: begins with a channel, given by id or
 * name. `fee`: begins with a channel and contains a number.
 */
type ValueKind = 'digits' | 'id' | 'payment' | 'channel' | 'fee';

/** Returns the kind of a flag or argument of this file. */
export const getValueKind = (flag: object | undefined): ValueKind | undefined =>
  flag !== undefined && 'kind' in flag ? (flag.kind as ValueKind) : undefined;

const inDigits = async (typed: string) => asciiDigits(typed);

/** The options of oclif for a value of that kind; it keeps those that it does not know. */
const ofKind = (kind: ValueKind | undefined) => ({
  ...(kind === undefined ? {} : { kind }),
  ...(kind === 'digits' || kind === 'fee' ? { parse: inDigits } : {}),
});

/** Options for the value of a flag and its relation to other flags. */
interface FlagOptions {
  readonly kind?: ValueKind;
  readonly dependsOn?: string[];
  readonly exclusive?: string[];
  readonly exactlyOne?: string[];
  /** Other spellings, without dashes. */
  readonly aliases?: string[];
}

/** A flag that takes a text. */
export const text = (helpValue: string, description: string, { kind, ...tied }: FlagOptions = {}) =>
  string({ helpValue, description, ...ofKind(kind), ...tied });
export const needed = (helpValue: string, description: string, kind?: ValueKind) =>
  string({ helpValue, description, required: true, ...ofKind(kind) });
/** Defines a flag that can be repeated. */
export const repeated = (helpValue: string, description: string, { kind, ...tied }: FlagOptions = {}) =>
  string({ helpValue, description, multiple: true, multipleNonGreedy: true, ...ofKind(kind), ...tied });

interface WholeNumber<D> {
  readonly description: string;
  readonly helpValue?: string;
  readonly min?: number;
  readonly max?: number;
  readonly default?: D;
}

/** Creates the error for an invalid flag value. */
const wrongValue = ({ name }: { readonly name: string }, what: string) => new CLIError(`--${name} ${what}`);

/** Defines an integer flag that also accepts Bangla digits. */
export function integer<D extends number | undefined = undefined>(about: WholeNumber<D>) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = about;
  const flag = asciiInteger(about as WholeNumber<undefined>) as OptionFlag<number | D>;
  const parse = async (typed: string, _context: unknown, own: { readonly name: string }) => {
    const digits = asciiDigits(typed).trim();
    const number = Number(digits);
    if (!/^-?\d+$/.test(digits)) throw wrongValue(own, `must be a whole number, not "${echoed(typed)}"`);
    if (number < min) throw wrongValue(own, `must be at least ${min}`);
    if (number > max) throw wrongValue(own, `must be at most ${max}`);
    return number;
  };
  return { ...flag, parse };
}

/** Limit of lists without a fixed end. No oclif default: JSON and CSV contain all rows unless it is set. */
export const limitFlag = integer({
  helpValue: 'COUNT',
  description: 'Maximum number of rows (default: 50 in tables, all in JSON and CSV).',
  min: 1,
  max: 1_000_000,
});

/** Time filters of lists that are sorted newest first. */
export const spanFlags = {
  since: text('WHEN', 'Only newer than this: 2h, 7d, today, 2026-08-21.'),
  until: text('WHEN', 'Only older than this: today, 2026-08-21, "2026-08-21 12:35".'),
};

/** Reason of a manual decision; must not be blank. */
export const noteFlag = string({
  helpValue: 'TEXT',
  description: 'Reason, kept with the decision.',
  required: true,
  // Before what it is about is looked for: what is typed wrong is wrong whatever that is.
  parse: async (typed, _context, own) => {
    if (typed.trim() !== '') return typed;
    throw wrongValue(own, 'must say why, in a sentence');
  },
});

export const brandFlag = text('BRAND', 'Brand ID or name.', { kind: 'id' });
export const neededBrand = needed('BRAND', 'Brand ID or name.', 'id');
export const linkFlag = text('LINK', 'Only this payment link (ID or URL).');
export const merchantFlag = text('MERCHANT', 'Merchant ID or name.', { kind: 'id' });
export const neededMerchant = needed('MERCHANT', 'Merchant ID or name.', 'id');

export const chainFlag = integer({
  helpValue: 'ID',
  description: 'Only this chain: 56 (BNB Smart Chain) or 97 (testnet).',
});

const argument = customArgument({ parse: async (typed) => typed });

interface OfArgument {
  readonly kind?: ValueKind;
  readonly options?: string[];
}

/** oclif would fill an absent argument from whatever is piped in. */
const described = (description: string, { kind, ...others }: OfArgument) => ({
  description,
  ignoreStdin: true,
  ...ofKind(kind),
  ...others,
});

export const oneWord = (description: string, about: OfArgument = {}) =>
  argument({ ...described(description, about), required: true });
export const optionalWord = (description: string, about: OfArgument = {}) =>
  argument(described(description, about));
export const optionalWords = (description: string) =>
  argument({ ...described(description, {}), multiple: true });

/** One thing, by the beginning of its identifier too. */
export const oneId = (description: string) => oneWord(description, { kind: 'id' });

/** Short help for `-`; `kashbox help ids` has the details. */
const STDIN = '"-" reads from stdin (see "kashbox help ids")';

/** One or many things. @param what they are, and by what each is named. */
export const many = (what: string) =>
  argument({ ...described(`${what}; ${STDIN}`, {}), required: true, multiple: true });

/** Links need the full id or URL; prefixes are not accepted. */
export const manyLinks = argument({
  ...described(`IDs or URLs of payment links; ${STDIN}`, {}),
  required: true,
  multiple: true,
});

/** Ids of verifications. A payment number, which customers quote, selects its open verification. */
export const verificationIds = many('IDs of verifications or numbers of their payments');

const NOTIFICATIONS = 'IDs of notifications, or IDs or numbers of payments';
/** Ids of notifications. A payment number selects all notifications of the payment. */
export const notificationIds = many(NOTIFICATIONS);
/** Ids for a command that can also select items by flags. */
export const optionalNotificationIds = optionalWords(`${NOTIFICATIONS}; ${STDIN}`);
