/**
 * A text with a forged sender mostly comes over another SMS centre than the wallet's own. A GSM modem tells
 * the centre and the type of the sender's address; for each SIM and wallet it is learnt over which routes SMS
 * come. Once enough have come, one over another route goes to a person, whose approval makes it known.
 */
import type { Db, SmsTable } from '../../store/schema/index.js';
import { countRoute, knownRoutes, smsOfProof } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';

/** With fewer SMS than these nothing is known yet: an operator may use several centres in turn. */
export const LEARNT_FROM = 20;

type RoutedSms = Pick<
  SmsTable,
  'merchant_id' | 'device_id' | 'sim_slot' | 'recipient' | 'channel' | 'smsc' | 'sender_type'
>;

/** @returns null where no modem has told the centre, or it is no text of a wallet. */
function routeOf({ merchant_id, device_id, sim_slot, recipient, channel, smsc, sender_type }: RoutedSms) {
  if (smsc === null || channel === null || device_id === null) return null;
  const sim = recipient ?? `${device_id} ${sim_slot ?? 0}`;
  return { merchant_id, sim, channel, route: `${smsc} ${sender_type ?? ''}`.trim() };
}

/** Whether an SMS whose route is told came over one that its SIM does not know from this wallet. */
export async function isStrangeRoute(core: Core, db: Db, row: RoutedSms): Promise<boolean> {
  const found = routeOf(row);
  if (found === null || core.settings.smsCentre === 'ignore') return false;
  const { merchant_id: merchant, sim, channel, route } = found;
  const known = await knownRoutes.all(db, { merchant, sim, channel });
  const seen = known.reduce((sum, one) => sum + one.seen, 0);
  return seen >= LEARNT_FROM && !known.some((one) => one.route === route);
}

/** Counts the routes of SMS that are money by rule. */
export async function learnRoutes(
  core: Core,
  db: Db,
  arrived: readonly { readonly row: SmsTable }[],
): Promise<void> {
  for (const { row } of arrived) {
    const found = row.settle === 'auto' ? routeOf(row) : null;
    if (found !== null) await countRoute(db, { ...found, first_at: core.clock.now() });
  }
}

/** A person has credited this proof, so its SMS was no forgery. */
export async function learnApproved(core: Core, db: Db, proof: string): Promise<void> {
  const sms = await smsOfProof.first(db, { proof });
  const found = sms === undefined ? null : routeOf(sms);
  if (found !== null) await countRoute(db, { ...found, first_at: core.clock.now() });
}
