/** The QR code of a payment link as a file: flags, and how it is written. */
import { boolean } from '@oclif/core/flags';
import type { Core } from '../../actions/core/core.js';
import { boundAddress, isLoopback } from '../input/daemon-address.js';
import { text } from './flags.js';

export const codeFlags = {
  'qr-png': text('FILE', 'Save the QR code as a PNG file.'),
  force: boolean({ description: 'Overwrite an existing file.', dependsOn: ['qr-png'] }),
};

/** @param url what the code says. @throws KashboxError `already_exists`, `invalid_input`, `store_full` */
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

/** @returns https address of the daemon with its base path, without a slash at its end. */
export function linkBase(core: Core): string {
  const { publicUrl, basePath } = core.settings;
  return publicUrl === '' ? boundAddress(core) : `${publicUrl}${basePath}`;
}

/** @returns what the operator should know before a link is sent to customers, or null. */
export function linkAdvice(core: Core, id: string): string | null {
  if (core.settings.publicUrl !== '') return null;
  const cannot = isLoopback(linkBase(core)) ? 'cannot' : 'may be unable to';
  return (
    `Customers ${cannot} open this address. Set KASHBOX_PUBLIC_URL to the https address by which they find this ` +
    `daemon, then make the link and its QR code again: kashbox links show ${id} --qr-png FILE --force`
  );
}
