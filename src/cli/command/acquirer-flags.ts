/** Flags that say how an acquirer writes its pushes, for a new one and for one that is there. */
import { option } from '@oclif/core/flags';
import { text } from './flags.js';

export const pushFlags = {
  map: text('FILE', 'JSON file with the names of its fields; - reads stdin.'),
  'signature-header': text('NAME', 'Header with the signature; of a new one X-Signature unless told.'),
  'signature-encoding': option({
    options: ['hex', 'base64'] as const,
    description: 'How the signature is written; of a new one hex unless told.',
  })(),
  'signature-prefix': text('TEXT', 'What stands before the signature, such as sha256= with some banks.'),
};

interface GivenFlags {
  readonly map?: string | undefined;
  readonly 'signature-header'?: string | undefined;
  readonly 'signature-encoding'?: 'hex' | 'base64' | undefined;
  readonly 'signature-prefix'?: string | undefined;
}

/** What an action wants of these flags. @throws KashboxError `invalid_input` */
export async function pushRulesOf(flags: GivenFlags) {
  return {
    map: flags.map === undefined ? undefined : await mapOf(flags.map),
    signatureHeader: flags['signature-header'],
    signatureEncoding: flags['signature-encoding'],
    signaturePrefix: flags['signature-prefix'],
  };
}

async function mapOf(file: string): Promise<unknown> {
  const { readMapFile } = await import('../input/map-file.js');
  return readMapFile(file, process.stdin);
}
