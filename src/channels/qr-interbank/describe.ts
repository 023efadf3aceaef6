/** `qr_interbank` as the rest of Kashbox sees it: its entry of `methods`, and what payers type. */
import { parseTypedPayer } from '../../domain/matching/payer.js';
import { isPushReference } from '../../domain/matching/reference.js';
import { type ChannelModule, STATEMENT_HINT } from '../channel.js';

const INVALID = {
  outcome: 'invalid',
  fault: 'transaction_id must be the mobile number that paid, or its last 4 digits',
} as const;

export const qrInterbankChannel: ChannelModule = {
  name: 'qr_interbank',
  /** Returns null without a QR code: there is no other way to pay. */
  describe(_accounts, { code }) {
    if (code === undefined) return null;
    return { name: 'qr_interbank', active_payments: { qr: true }, qr_image: code.image };
  },
  readReference(text) {
    const reference = parseTypedPayer(text);
    return reference === null ? INVALID : { outcome: 'id', reference };
  },
  findReference(text) {
    const reference = parseTypedPayer(text);
    return reference === null ? { outcome: 'none' } : { outcome: 'id', reference };
  },
  /** The bank's word for the payment, where customers give their number. */
  approveReference: (text) => (isPushReference(text.trim()) ? text.trim() : null),
  approveHint: STATEMENT_HINT,
};
