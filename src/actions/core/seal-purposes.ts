/**
 * What each secret in the store is sealed for (base/io/secret): a text that is sealed for one row opens for
 * no other. They stand in stores that are in use, so none ever changes.
 */
import type { Sealed } from '../../store/tables/sealed.js';

/** @param id of the row that the secret belongs to. */
export function sealPurpose(kind: Sealed['kind'], id: string): string {
  switch (kind) {
    case 'webhook':
      return `brand:${id}:webhook`;
    case 'exchange':
      return `account:${id}:exchange`;
    case 'node':
      return `node:${id}`;
    case 'acquirer':
      return `acquirer:${id}`;
    case 'alert':
      return `alert-target:${id}`;
    case 'pairing':
      return `pairing:${id}`;
    default:
      return kind satisfies never;
  }
}
