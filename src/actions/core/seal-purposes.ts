/**
 * What each secret in the store is sealed for (base/io/secret): a text that is sealed for one row opens for
 * no other. They stand in stores that are in use, so none ever changes.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import type { SecretBox } from '../../base/io/secret.js';
import type { Sealed } from '../../store/tables/sealed.js';

const PURPOSES: Readonly<Record<Sealed['kind'], (id: string) => string>> = {
  webhook: (id) => `brand:${id}:webhook`,
  exchange: (id) => `account:${id}:exchange`,
  node: (id) => `node:${id}`,
  acquirer: (id) => `acquirer:${id}`,
  alert: (id) => `alert-target:${id}`,
  pairing: (id) => `pairing:${id}`,
};

/** @param id of the row that the secret belongs to. */
export function sealPurpose(kind: Sealed['kind'], id: string): string {
  return PURPOSES[kind](id);
}

/** Whether a key opens what is sealed. What is opened never leaves this file. */
export function opens(secrets: SecretBox, sealed: Sealed): boolean {
  return ifReadable(() => secrets.open(sealed.text, sealPurpose(sealed.kind, sealed.id))) !== null;
}

/** @returns null where something that `open` opens was sealed under another key file. */
export function ifReadable<Value>(open: () => Value): Value | null {
  try {
    return open();
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return null;
    throw error;
  }
}
