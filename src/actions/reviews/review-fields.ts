/** The reference under which an operator has found the money that decides a verification. */
import { KashboxError } from '../../base/errors/errors.js';
import { STATEMENT_HINT } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import { CHANNEL, type Channel, type PayChannel } from '../../domain/accounts/channels.js';
import { readBankReference } from '../../domain/matching/reference.js';

/**
 * Of a claim by number an operator says which push it is; of all others but banks the proof says it.
 * @param given null where the operator has named none.
 * @throws KashboxError `invalid_input`
 */
export function referenceField(
  { channel }: { readonly channel: PayChannel },
  given: string | null,
): string | null {
  if (given === null) return null;
  const { kind } = CHANNEL[channel];
  if (kind === 'push' || kind === 'manual') return moneyReference(channel, given);
  throw new KashboxError('invalid_input', {
    message: 'reference can be given for bank transfers and bank QR only',
    hint: 'Approve without it: the reference is the one of the proof.',
  });
}

/**
 * @param text under which money stands in the account of that channel: where customers of bank QR give their
 *   number, it is the bank's reference.
 * @returns in the one form in which it is kept.
 * @throws KashboxError `invalid_input`
 */
export function moneyReference(channel: PayChannel, text: string): string {
  const row = CHANNEL[channel];
  const reference = row.kind === 'manual' ? readBankReference(text) : readReference(row.channel, text);
  if (reference !== null) return reference;
  throw new KashboxError('invalid_input', {
    message: `"${text}" is no reference`,
    hint: row.kind === 'manual' ? STATEMENT_HINT : channelModule(row.channel).approveHint,
  });
}

function readReference(channel: Channel, text: string): string | null {
  const { readReference, approveReference } = channelModule(channel);
  if (approveReference !== undefined) return approveReference(text);
  const read = readReference(text);
  return read.outcome === 'id' ? read.reference : null;
}
