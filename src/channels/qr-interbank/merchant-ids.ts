/** The ids by which a bank may name who was paid by a QR code: whichever merchant account of it was used. */

import type { AccountDetails } from '../../domain/accounts/account-details.js';
import { type PayChannel, QR } from '../../domain/accounts/channels.js';
import { merchantIdsIn } from './emv.js';

interface PaidAccount {
  readonly channel: PayChannel;
  readonly number: string;
  readonly details: AccountDetails;
}

/** @returns none for an account of another channel, of which no bank tells. */
export function merchantIdsOf({ channel, number, details }: PaidAccount): readonly string[] {
  return channel === QR ? [...new Set([number, ...merchantIdsIn(details.qr ?? '')])] : [];
}
