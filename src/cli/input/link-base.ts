/** What addresses of payment links begin with, as far as a command can know. */
import type { Core } from '../../actions/core/core.js';
import { boundAddress } from './daemon-address.js';

/** @returns https address of the daemon with its base path, without a slash at its end. */
export function linkBase(core: Core): string {
  const { publicUrl, basePath } = core.settings;
  return publicUrl === '' ? boundAddress(core) : `${publicUrl}${basePath}`;
}

/** @returns what the operator should know before a link is sent to customers, or null. */
export function linkAdvice({ settings }: Core): string | null {
  if (settings.publicUrl !== '') return null;
  return (
    'Customers may not reach that address. Set KASHBOX_PUBLIC_URL to the https address by which they find ' +
    'this daemon; the link and its code are made with it then.'
  );
}
