/** Flags and arguments that several commands share, so that each means the same everywhere. */
import { custom as customArgument } from '@oclif/core/args';
import { boolean, string } from '@oclif/core/flags';

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

export const brandFlag = string({ helpValue: 'BRAND', description: 'Identifier or name of the brand.' });
export const merchantFlag = string({
  helpValue: 'MERCHANT',
  description: 'Identifier or name of the merchant.',
});

/** What can be said of a brand, and of a merchant's first one. */
export const profileFlags = {
  mobile: string({ helpValue: 'NUMBER', description: 'Mobile number that customers see.' }),
  whatsapp: string({ helpValue: 'NUMBER', description: 'WhatsApp number that customers see.' }),
  email: string({ helpValue: 'ADDRESS', description: 'E-mail address that customers see.' }),
  'webhook-url': string({
    helpValue: 'URL',
    description: "Address on the shop's server that hears of payments.",
  }),
};

/** oclif would otherwise fill an absent argument from whatever is piped in. */
export const oneId = (description: string) =>
  customArgument({ parse: async (text) => text })({ description, required: true, ignoreStdin: true });

/** One or many; `-` stands for one a line on stdin. */
export const manyIds = (noun: string) =>
  customArgument({ parse: async (text) => text })({
    description: `Identifiers or names of ${noun}; "-" reads them from stdin, one a line.`,
    required: true,
    multiple: true,
    ignoreStdin: true,
  });
