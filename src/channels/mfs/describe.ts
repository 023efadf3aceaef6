/** A wallet channel as the rest of Kashbox sees it: its entry of `methods`, and its ids. */
import { MFS_ACCOUNT_TYPES, type MfsChannel } from '../../domain/accounts/channels.js';
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
    readReference: (text) =>
      resolvePastedReference(parseWalletReference(text), findWalletReference(name, text)),
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
