/** A wallet channel as an entry of create's `methods` (spec 2.3). */
import { MFS_ACCOUNT_TYPES, type MfsChannel } from '../../domain/channels.js';
import type { ChannelModule } from '../channel.js';

/** Every account type is named; the number of an inactive one is the empty string (spec 2.3). */
export function mfsChannel(name: MfsChannel): ChannelModule {
  const types = MFS_ACCOUNT_TYPES[name];
  return {
    name,
    proofs: 'pushed',
    describe(accounts) {
      const numbers = types.map(
        (type) => [type, accounts.find((account) => account.type === type)?.number ?? ''] as const,
      );
      return {
        name,
        active_payments: Object.fromEntries(numbers.map(([type, number]) => [type, number !== ''])),
        ...Object.fromEntries(numbers),
      };
    },
  };
}
