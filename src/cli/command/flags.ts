/** Flags and arguments that several commands share, so that each means the same everywhere. */
import { custom as customArgument } from '@oclif/core/args';
import { CLIError } from '@oclif/core/errors';
import { integer as asciiInteger, boolean, string } from '@oclif/core/flags';
import type { OptionFlag } from '@oclif/core/interfaces';
import { asciiDigits, echoed } from '../../base/values/text.js';

export const jsonFlag = boolean({ description: 'Print one JSON value, for scripts.' });

/** On every command. */
export const contextFlag = string({
  helpValue: 'NAME',
  description: 'Work on the installation of that name: see "kashbox contexts".',
  helpGroup: 'GLOBAL',
});

export const ndjsonFlag = boolean({
  description: 'Print one JSON object a line, for pipes.',
  exclusive: ['json', 'csv'],
});

/** For every command that lists. */
export const listFlags = {
  ndjson: ndjsonFlag,
  csv: boolean({ description: 'Print CSV, for spreadsheets.', exclusive: ['json', 'ndjson'] }),
};

interface WholeNumber<D> {
  readonly description: string;
  readonly helpValue?: string;
  readonly min?: number;
  readonly max?: number;
  readonly default?: D;
  readonly dependsOn?: string[];
}

/** What a flag says of others. */
interface Tied {
  readonly dependsOn?: string[];
  readonly exclusive?: string[];
  readonly exactlyOne?: string[];
}

/** What holds a number is called by one of these, and may be typed in Bangla digits. Texts keep theirs. */
const WITH_DIGITS = ['CHANNEL=FEE', 'DIGITS', 'ID', 'NUMBER', 'SLOT', 'SLOT=NUMBER', 'TAKA'];

const readingOf = (helpValue: string) => ({
  parse: async (typed: string) => (WITH_DIGITS.includes(helpValue) ? asciiDigits(typed) : typed),
});

/** A flag that takes a text. */
export const text = (helpValue: string, description: string, tied: Tied = {}) =>
  string({ helpValue, description, ...readingOf(helpValue), ...tied });
export const needed = (helpValue: string, description: string) =>
  string({ helpValue, description, required: true, ...readingOf(helpValue) });
/** May be given several times. */
export const repeated = (helpValue: string, description: string, tied: Tied = {}) =>
  string({
    helpValue,
    description,
    multiple: true,
    multipleNonGreedy: true,
    ...readingOf(helpValue),
    ...tied,
  });

/** A flag that takes a whole number. */
export function integer<D extends number | undefined = undefined>(about: WholeNumber<D>) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = about;
  const flag = asciiInteger(about as WholeNumber<undefined>) as OptionFlag<number | D>;
  // The name of the flag comes before it (failure.ts).
  const parse = async (typed: string) => {
    const digits = asciiDigits(typed).trim();
    const number = Number(digits);
    if (!/^-?\d+$/.test(digits)) throw new CLIError(`must be a whole number, not "${echoed(typed)}"`);
    if (number < min) throw new CLIError(`must be at least ${min}`);
    if (number > max) throw new CLIError(`must be at most ${max}`);
    return number;
  };
  return { ...flag, parse };
}

/** For lists that never end. No default of oclif's: what is for programs is whole unless it is given. */
export const limitFlag = integer({
  helpValue: 'COUNT',
  description: 'At most so many. Without it a table shows 50; --json, --ndjson and --csv hold all.',
  min: 1,
  max: 1_000_000,
});

/** For lists that have the newest first. */
export const spanFlags = {
  since: text('WHEN', 'Only newer ones: 2h, 7d, today, yesterday, 2026-08-21.'),
  until: text(
    'WHEN',
    'Only older ones; a day stands for its beginning: today, 2026-08-21, "2026-08-21 12:35".',
  ),
};

/** For lists in which one thing is looked for. */
export const searchFlag = (what: string) => text('TEXT', `Only those with this ${what}.`);

/** For decisions of a person. */
export const noteFlag = string({
  helpValue: 'TEXT',
  description: 'Why, in a sentence: it is kept with the decision.',
  required: true,
  // Before what it is about is looked for: what is typed wrong is wrong whatever that is.
  parse: async (typed) => {
    if (typed.trim() !== '') return typed;
    throw new CLIError('must say why, in a sentence');
  },
});

export const brandFlag = text('BRAND', 'Identifier or name of the brand.');
export const neededBrand = needed('BRAND', 'Identifier or name of the brand.');
export const linkFlag = text('LINK', 'Only those of this payment link: its id or its address.');
export const merchantFlag = text('MERCHANT', 'Identifier or name of the merchant.');
export const neededMerchant = needed('MERCHANT', 'Identifier or name of the merchant.');

export const chainFlag = integer({
  helpValue: 'ID',
  description: 'Only those of this chain: 56 is BNB Smart Chain, 97 its test chain.',
});

/** An argument. With `ignoreStdin`, because oclif would fill an absent one from whatever is piped in. */
const words = customArgument({ parse: async (text) => text });

/** A number that may be typed in Bangla digits. */
export const oneNumber = (description: string) =>
  customArgument({ parse: async (typed) => asciiDigits(typed) })({
    description,
    required: true,
    ignoreStdin: true,
  });
export const oneId = (description: string) => words({ description, required: true, ignoreStdin: true });
export const optionalWords = (description: string) => words({ description, ignoreStdin: true });
export const optionalManyWords = (description: string) =>
  words({ description, multiple: true, ignoreStdin: true });

const BEGINNING = 'the beginning of an id is enough where no other begins so.';
const STDIN = '"-" reads them from stdin, one a line or as lists print them with --json or --ndjson.';

/** One or many; `-` stands for what is on stdin. */
export const manyIds = (noun: string) => manyNamed(`Identifiers or names of ${noun}`);

export const manyDispatches = () => manyNamed('Ids of outbound SMS');

/** Of a node people see where its address begins. */
export const manyNodes = () => manyNamed('Identifiers of nodes, or where their addresses begin');

export const manyLinks = () =>
  words({
    description: `Ids or addresses of payment links; ${STDIN}`,
    required: true,
    multiple: true,
    ignoreStdin: true,
  });

export const manyGaps = () => manyNamed('Identifiers of gaps');

export const manySms = () => manyNamed('Ids of SMS');

export const manyTargets = () => manyNamed('Identifiers of targets');

/** A payment's number stands for its open verification, because that is what customers quote. */
export const verificationIds = () =>
  manyNamed('Identifiers of verifications, or numbers of payments that have one open');

/** Of a decided one the payment's number says nothing: it may have several. */
export const manyVerifications = () => manyNamed('Identifiers of verifications');

const NOTIFICATIONS = 'Ids of notifications, or ids or references of payments';

/** Of a payment all notifications are meant. */
export const notificationIds = () => manyNamed(NOTIFICATIONS);

/** For a command that also chooses by flags what to work on. */
export const optionalNotificationIds = () =>
  words({ description: `${NOTIFICATIONS}; ${BEGINNING} ${STDIN}`, multiple: true, ignoreStdin: true });

const manyNamed = (what: string) =>
  words({ description: `${what}; ${BEGINNING} ${STDIN}`, required: true, multiple: true, ignoreStdin: true });
