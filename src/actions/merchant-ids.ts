/** The ids by which a bank may name who was paid by a QR code: whichever merchant account of it was used. */
import { merchantIdsIn } from '../channels/qr-interbank/emv.js';
import type { AccountDetails } from '../domain/account-details.js';
import { QR } from '../domain/channels.js';

interface PaidAccount {
  readonly channel: string;
  readonly number: string;
  readonly details: AccountDetails;
}

/** @returns none for an account of another channel, of which no bank tells. */
export function merchantIdsOf({ channel, number, details }: PaidAccount): readonly string[] {
  return channel === QR ? [...new Set([number, ...merchantIdsIn(details.qr ?? '')])] : [];
}
