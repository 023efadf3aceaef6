/** A wallet channel as the rest of Kashbox sees it: its entry of `methods`, and its ids. */
import { MFS_ACCOUNT_TYPES, type MfsChannel, mobileNumber } from '../../domain/accounts/channels.js';
import {
  findWalletReference,
  parseWalletReference,
  resolvePastedReference,
} from '../../domain/matching/reference.js';
import type { ChannelModule } from '../channel.js';

/** Every account type is named; the number of an inactive one is the empty string. */
export function mfsChannel(name: MfsChannel): ChannelModule {
  const types = MFS_ACCOUNT_TYPES[name];
  return {
    name,
    // A number says who paid by the QR code of the payment; without a code no money is found under it.
    readReference(text) {
      const number = mobileNumber(text);
      if (number !== null) return { outcome: 'id', reference: number };
      return resolvePastedReference(parseWalletReference(text), findWalletReference(name, text));
    },
    findReference: (text) => findWalletReference(name, text),
    approveHint: 'Write the id that stands in the SMS, as it stands there.',
    describe(accounts, { code }) {
      const numbers = types.map(
        (type) => [type, accounts.find((account) => account.type === type)?.number ?? ''] as const,
      );
      return {
        name,
        active_payments: Object.fromEntries(numbers.map(([type, number]) => [type, number !== ''])),
        ...Object.fromEntries(numbers),
        ...(code === undefined ? {} : { qr_image: code.image, qr_payload: code.payload }),
      };
    },
  };
}
