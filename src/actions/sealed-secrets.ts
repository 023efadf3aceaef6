/** What stands sealed in the store, and whether a key opens it. What is opened never leaves this file. */
import { isKashboxError } from '../base/errors.js';
import type { SecretBox } from '../base/secret.js';
import type { Sealed } from '../store/tables/sealed.js';
import { acquirerPurpose } from './acquirer-rules.js';
import { targetPurpose } from './deliver-alerts.js';
import { pairingPurpose } from './device-keys.js';
import { exchangePurpose, nodePurpose } from './look-outside.js';
import { secretPurpose } from './webhook-secrets.js';

function purposeOf({ kind, id }: Sealed): string {
  switch (kind) {
    case 'webhook':
      return secretPurpose(id);
    case 'exchange':
      return exchangePurpose(id);
    case 'node':
      return nodePurpose(id);
    case 'acquirer':
      return acquirerPurpose(id);
    case 'alert':
      return targetPurpose(id);
    case 'pairing':
      return pairingPurpose(id);
    default:
      return kind satisfies never;
  }
}

export function opens(secrets: SecretBox, sealed: Sealed): boolean {
  try {
    secrets.open(sealed.text, purposeOf(sealed));
    return true;
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return false;
    throw error;
  }
}
