/** Checks whether a claim names the credited reference, and returns the credited record. */
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { payerFits } from '../../domain/matching/payer.js';
import { creditedName, readShopNumber } from '../../domain/matching/reference.js';
import type { Db } from '../../store/schema/index.js';
import { creditedProof, holdersOfReference } from '../../store/tables/proofs.js';
import type { ClaimedProof } from './credit-proof.js';

/** What was credited, as the transaction record tells it. */
export interface Credited {
  /** The channel's own reference, whatever the customer typed. */
  readonly reference: string;
  /** USDT in base units, as digits; null where taka were paid. */
  readonly units: string | null;
  /** The account that received USDT. */
  readonly receiver: string | null;
}

/** @param proof what has just been credited. */
export function creditOf({ reference, units = null, recipient = null }: ClaimedProof): Credited {
  return { reference, units, receiver: units === null ? null : recipient };
}

export interface CreditedSession {
  readonly id: string;
  readonly credited_channel: PayChannel | null;
  readonly credited_reference: string | null;
}

/** @returns null where the session was credited for something else. */
export async function creditedBy(
  db: Db,
  session: CreditedSession,
  channel: PayChannel,
  reference: string | null,
): Promise<Credited | null> {
  const { credited_reference: credited } = session;
  if (reference === null || credited === null || session.credited_channel !== channel) return null;
  const { kind } = CHANNEL[channel];
  if (kind === 'sms') {
    return credited === reference ? { reference, units: null, receiver: null } : null;
  }
  const proof = await creditedProof.first(db, { session: session.id });
  if (proof === undefined) return null;
  const aliases = JSON.parse(proof.aliases) as string[];
  const names = [credited, ...aliases.map((alias) => readShopNumber(alias)?.number ?? alias)];
  // A scan of the session's own code pays this session, whatever the bank shows of the payer's number.
  const isOwn = kind === 'push' && names.includes(proof.gateway_reference);
  const isNamed =
    names.includes(creditedName(channel, reference)) ||
    (proof.payer !== null && payerFits(reference, proof.payer));
  const receiver = proof.units === null ? null : proof.recipient;
  return isOwn || isNamed ? { reference: credited, units: proof.units, receiver } : null;
}

/** Of a session that is paid by another reference: the one that came now may be spent elsewhere besides. */
export async function refuseOther(
  db: Db,
  session: CreditedSession & { readonly merchant: string },
  channel: PayChannel,
  reference: string | null,
): Promise<'already_credited' | 'session_completed'> {
  if (reference === null) return 'session_completed';
  const holders = await holdersOfReference.all(db, {
    merchant: session.merchant,
    channel,
    reference: creditedName(channel, reference),
  });
  return holders.some(({ session_id }) => session_id !== session.id)
    ? 'already_credited'
    : 'session_completed';
}
