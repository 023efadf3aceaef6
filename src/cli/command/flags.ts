/** Flags and arguments that several commands share, so that each means the same everywhere. */
import { custom as customArgument } from '@oclif/core/args';
import { boolean, integer, string } from '@oclif/core/flags';

export const jsonFlag = boolean({ description: 'Print one JSON value, for scripts.' });

export const ndjsonFlag = boolean({
  description: 'Print one JSON object a line, for pipes.',
  exclusive: ['json', 'csv'],
});

/** For every command that lists. */
export const listFlags = {
  ndjson: ndjsonFlag,
  csv: boolean({ description: 'Print CSV, for spreadsheets.', exclusive: ['json', 'ndjson'] }),
};

/** For lists that never end. No default of oclif's: what is for programs is whole unless it is given. */
export const limitFlag = integer({
  helpValue: 'COUNT',
  description: 'At most so many. Without it a table shows 50; --json, --ndjson and --csv hold all.',
  min: 1,
  max: 1_000_000,
});

/** What a flag says of others. */
interface Tied {
  readonly dependsOn?: string[];
  readonly exclusive?: string[];
  readonly exactlyOne?: string[];
}

/** A flag that takes a text. */
export const text = (helpValue: string, description: string, tied: Tied = {}) =>
  string({ helpValue, description, ...tied });
export const needed = (helpValue: string, description: string) =>
  string({ helpValue, description, required: true });
/** May be given several times. */
export const repeated = (helpValue: string, description: string, tied: Tied = {}) =>
  string({ helpValue, description, multiple: true, multipleNonGreedy: true, ...tied });

/** For lists that have the newest first. */
export const since = text('WHEN', 'Only newer ones: 2h, 7d, 2026-08-21.');

/** For lists in which one thing is looked for. */
export const searchFlag = (what: string) => text('TEXT', `Only those with this ${what}.`);

/** For decisions of a person. */
export const noteFlag = needed('TEXT', 'Why, in a sentence: it is kept with the decision.');

export const brandFlag = text('BRAND', 'Identifier or name of the brand.');
export const neededBrand = needed('BRAND', 'Identifier or name of the brand.');
export const merchantFlag = text('MERCHANT', 'Identifier or name of the merchant.');
export const neededMerchant = needed('MERCHANT', 'Identifier or name of the merchant.');

export const chainFlag = integer({
  helpValue: 'ID',
  description: 'Only those of this chain: 56 is BNB Smart Chain, 97 its test chain.',
});

/** An argument. With `ignoreStdin`, because oclif would fill an absent one from whatever is piped in. */
const words = customArgument({ parse: async (text) => text });

export const oneId = (description: string) => words({ description, required: true, ignoreStdin: true });
export const optionalWords = (description: string) => words({ description, ignoreStdin: true });
export const optionalManyWords = (description: string) =>
  words({ description, multiple: true, ignoreStdin: true });

const STDIN = '"-" reads them from stdin, one a line or as lists print them with --json or --ndjson.';

/** One or many; `-` stands for what is on stdin. */
export const manyIds = (noun: string) => manyNamed(`Identifiers or names of ${noun}`);

export const manyDispatches = () => manyNamed('Ids of outbound SMS');

/** Of a node people see where its address begins. */
export const manyNodes = () => manyNamed('Identifiers of nodes, or where their addresses begin');

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
  words({ description: `${NOTIFICATIONS}; ${STDIN}`, multiple: true, ignoreStdin: true });

const manyNamed = (what: string) =>
  words({ description: `${what}; ${STDIN}`, required: true, multiple: true, ignoreStdin: true });
