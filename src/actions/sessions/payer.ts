/** By what a browser is known as that of a payment's payer. Knows no cookies. */
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { readShopNumber } from '../../domain/matching/reference.js';
import type { Db } from '../../store/schema/index.js';
import { creditedProof } from '../../store/tables/proofs.js';

/** What somebody knows of a payment who has made it. */
export interface Given {
  /**
   * `payment_reference` of that of the payment itself, which its payer wrote into the wallet; `seen` of what
   * a browser was shown.
   */
  readonly channel: PayChannel | 'payment_reference' | 'seen';
  readonly reference: string;
}

interface Row {
  readonly id: string;
  readonly payment_reference: string | null;
  readonly paid_channel: PayChannel | null;
  readonly paid_reference: string | null;
  readonly paid_named: string | null;
}

type Claim = Given & { readonly channel: PayChannel; readonly named: string | null };

/**
 * A payment of an exchange has several ids, and what was typed may not be the one that was credited. The
 * number that a shop gave to its order is not among them, because strangers can guess it. Elsewhere the claim
 * counts as well: an operator may credit a transfer under the reference of the bank's statement, not the
 * customer's.
 */
export async function payerGave(db: Db, row: Row, claim: Claim | undefined): Promise<readonly Given[]> {
  const { paid_channel: channel, paid_reference: reference } = row;
  const claimed: Given[] =
    claim === undefined ? [] : [{ channel: claim.channel, reference: claim.reference }];
  const named = row.paid_named ?? claim?.named ?? null;
  // Money that a bank reports, and nobody has claimed, was sent by the code that the open page shows.
  const isByCode = channel !== null && CHANNEL[channel].kind === 'push' && claim === undefined;
  const shown = row.payment_reference;
  if (shown !== null && (isByCode || named?.split(' ').includes(shown))) {
    claimed.push({ channel: 'payment_reference', reference: shown });
  }
  if (channel === null || reference === null) return claimed;
  if (!CHANNEL[channel].hasManyIds) return [{ channel, reference }, ...claimed];
  const proof = await creditedProof.first(db, { session: row.id });
  const aliases = JSON.parse(proof?.aliases ?? '[]') as string[];
  const ids = [reference, ...aliases.filter((alias) => readShopNumber(alias) === null)];
  return ids.map((id) => ({ channel, reference: id }));
}
