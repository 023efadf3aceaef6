/**
 * Learns the routes of SMS: a forged text mostly arrives over another SMS centre than the wallet's. A GSM
 * modem reports centre and type of the sender's address; routes are counted for each SIM and each wallet or
 * source. Once there are enough, an SMS over another route needs manual review; an approval makes that route
 * known.
 */
import type { Db, SmsTable } from '../../store/schema/index.js';
import { countRoute, knownRoutes, smsOfProof } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';

/** Minimum number of SMS before routes count as known: an operator may use several centres in turn. */
export const MIN_SAMPLES = 20;

type RoutedSms = Pick<
  SmsTable,
  | ('merchant_id' | 'device_id' | 'sim_slot' | 'recipient' | 'channel' | 'source_name')
  | ('smsc' | 'sender_type')
>;

/** @returns null if no modem has reported the centre, or if it is nobody's text. */
function routeOf(sms: RoutedSms) {
  const { merchant_id, device_id, sim_slot, recipient, smsc, sender_type } = sms;
  const channel = sms.source_name ?? sms.channel;
  if (smsc === null || channel === null || device_id === null) return null;
  const sim = recipient ?? `${device_id} ${sim_slot ?? 0}`;
  return { merchant_id, sim, channel, route: `${smsc} ${sender_type ?? ''}`.trim() };
}

/** True if the route of an SMS is known and its SIM has not received this wallet's SMS over it before. */
export async function isStrangeRoute(core: Core, db: Db, row: RoutedSms): Promise<boolean> {
  const found = routeOf(row);
  if (found === null || core.settings.smsCentre === 'ignore') return false;
  const { merchant_id: merchant, sim, channel, route } = found;
  const known = await knownRoutes.all(db, { merchant, sim, channel });
  const seen = known.reduce((sum, one) => sum + one.seen, 0);
  return seen >= MIN_SAMPLES && !known.some((one) => one.route === route);
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

/** Counts the route of an SMS whose proof an operator has credited, which shows that it was no forgery. */
export async function learnApproved(core: Core, db: Db, proof: string): Promise<void> {
  const sms = await smsOfProof.first(db, { proof });
  const found = sms === undefined ? null : routeOf(sms);
  if (found !== null) await countRoute(db, { ...found, first_at: core.clock.now() });
}
