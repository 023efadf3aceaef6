/** Flags that say how an acquirer writes its pushes, for a new one and for one that is there. */
import { option } from '@oclif/core/flags';
import { text } from './flags.js';

export const pushFlags = {
  'field-map': text('FILE', 'JSON file with the names of its fields; - reads stdin.'),
  'signature-header': text('NAME', 'Header with the signature; of a new one X-Signature unless told.'),
  'signature-encoding': option({
    options: ['hex', 'base64'] as const,
    description: 'How the signature is written; of a new one hex unless told.',
  })(),
  'signature-prefix': text('TEXT', 'What stands before the signature, such as sha256= with some banks.'),
};
