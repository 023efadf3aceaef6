/** Whether a claim names what a session was credited with, and what is told of it. */
import { isMfsChannel, QR } from '../../domain/accounts/channels.js';
import { payerFits } from '../../domain/matching/payer.js';
import { creditedName, readShopNumber } from '../../domain/matching/reference.js';
import type { Db } from '../../store/schema/index.js';
import { creditedProof, holdersOfReference } from '../../store/tables/proofs.js';

/** What was credited, as the transaction record tells it (spec 2.5). */
export interface Credited {
  /** The channel's own reference, whatever the customer typed. */
  readonly reference: string;
  /** USDT in base units, as digits; null where taka were paid. */
  readonly units: string | null;
  /** The account that received USDT. */
  readonly receiver: string | null;
}

export interface CreditedSession {
  readonly id: string;
  readonly credited_channel: string | null;
  readonly credited_reference: string | null;
}

/** @returns null where the session was credited for something else. */
export async function creditedBy(
  db: Db,
  session: CreditedSession,
  channel: string,
  reference: string | null,
): Promise<Credited | null> {
  const { credited_reference: credited } = session;
  if (reference === null || credited === null || session.credited_channel !== channel) return null;
  if (isMfsChannel(channel)) {
    return credited === reference ? { reference, units: null, receiver: null } : null;
  }
  const proof = await creditedProof.first(db, { session: session.id });
  if (proof === undefined) return null;
  const aliases = JSON.parse(proof.aliases) as string[];
  const names = [credited, ...aliases.map((alias) => readShopNumber(alias)?.number ?? alias)];
  // A scan of the session's own code pays this session, whatever the bank shows of the payer's number.
  const isOwn = channel === QR && names.includes(proof.gateway_reference);
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
  channel: string,
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
