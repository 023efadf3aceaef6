/** Flags of payment links, and the QR code of one as a file. */
import { boolean } from '@oclif/core/flags';
import type { Core } from '../../actions/core/core.js';
import { MAX_QUANTITY } from '../../domain/links/quantity.js';
import { boundAddress, isLoopback } from '../input/daemon-address.js';
import { pictureFile } from '../input/whole-input.js';
import { integer, text } from './flags.js';

/** What a link shows and offers, when it is created and later. */
export const detailFlags = {
  image: text('FILE', 'Picture: PNG, JPEG or WebP, 200 to 2400 pixels a side, at most 300 KB.'),
  description: text('TEXT', 'Text below the title, at most 1,000 characters.'),
  quantity: integer({
    helpValue: 'MAX',
    description: 'Let the customer pay for 1 to MAX pieces; --amount is the price of one.',
    min: 1,
    max: MAX_QUANTITY,
  }),
  suggest: text(
    'AMOUNTS',
    'Amounts to choose from, such as 100,500,1000, if the customer chooses; up to 6.',
    {
      kind: 'digits',
    },
  ),
};

/** @returns the details with the picture's bytes. */
export async function loadDetails<D extends { readonly image?: string | undefined }>(details: D) {
  return { ...details, image: await pictureFile('image', details.image) };
}

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
