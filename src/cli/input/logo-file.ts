/** The file that `--logo` names. */
import { wholeFile } from './whole-input.js';

/** As the reader of logos has it (domain/brands/logo); that is not loaded for commands without a logo. */
const MAX_BYTES = 32 * 1024;

/**
 * @param path empty where the logo shall go.
 * @returns the bytes; null for none, undefined where nothing was said.
 * @throws KashboxError `invalid_input`
 */
export async function logoFile(path: string | undefined): Promise<Buffer | null | undefined> {
  if (path === undefined) return undefined;
  if (path.trim() === '') return null;
  return wholeFile('logo', path, {
    maxBytes: MAX_BYTES,
    message: 'logo is larger than 32 KiB',
    hint: 'Save it smaller: 256 pixels, or as WebP.',
  });
}
