/** What addresses of payment links begin with, as far as a command can know. */
import type { Core } from '../../actions/core/core.js';
import { boundAddress, isLoopback } from './daemon-address.js';

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
    `daemon, then make the link and its QR code again: kashbox links show ${id} --png FILE --force`
  );
}
