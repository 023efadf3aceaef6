/** What stands sealed in the store, and whether a key opens it. What is opened never leaves this file. */
import { isKashboxError } from '../../base/errors/errors.js';
import type { SecretBox } from '../../base/io/secret.js';
import type { Sealed } from '../../store/tables/sealed.js';
import { sealPurpose } from './seal-purposes.js';

export function opens(secrets: SecretBox, sealed: Sealed): boolean {
  try {
    secrets.open(sealed.text, sealPurpose(sealed.kind, sealed.id));
    return true;
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return false;
    throw error;
  }
}
