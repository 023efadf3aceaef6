/** Flags for the format of an acquirer's pushes, shared by commands that create and update acquirers. */
import { option } from '@oclif/core/flags';
import { text } from './flags.js';

export const pushFlags = {
  'field-map': text('FILE', 'JSON file with its field names; - reads stdin.'),
  'signature-header': text('NAME', 'Signature header (default: X-Signature).'),
  'signature-encoding': option({
    options: ['hex', 'base64'] as const,
    description: 'Signature encoding (default: hex).',
  })(),
  'signature-prefix': text('TEXT', 'Prefix of the signature, such as sha256= for some banks.'),
};
