/** Flags for the format of an acquirer's pushes, shared by commands that create and update acquirers. */
import { option } from '@oclif/core/flags';
import { text } from './flags.js';

export const pushFlags = {
  'field-map': text('FILE', 'JSON file with the names of its fields; - reads stdin.'),
  'signature-header': text('NAME', 'Signature header (default: X-Signature).'),
  'signature-encoding': option({
    options: ['hex', 'base64'] as const,
    description: 'Signature encoding (default: hex).',
  })(),
  'signature-prefix': text('TEXT', 'What stands before the signature, such as sha256= with some banks.'),
};
