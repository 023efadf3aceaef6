/** The QR code of a payment link as a file: flags, and how it is written. */
import { boolean } from '@oclif/core/flags';
import type { Core } from '../../actions/core/core.js';
import { text } from './flags.js';

export const codeFlags = {
  png: text('FILE', 'Write the QR code into this file, as a PNG picture to print or to send.'),
  force: boolean({ description: 'Replace the file if it is there.', dependsOn: ['png'] }),
};

/**
 * @param url what the code says.
 * @throws KashboxError `already_exists`, `invalid_input`, `store_full`
 */
export async function savePng(core: Core, url: string, file: string, isOverwriting: boolean): Promise<void> {
  const [{ qrPng }, { writeNewFile }] = await Promise.all([
    import('../text/qr.js'),
    import('../../base/io/new-file.js'),
  ]);
  const picture = await qrPng(url);
  const chunks = async function* () {
    yield picture;
  };
  await writeNewFile({ file, isOverwriting, random: core.random }, chunks());
}
