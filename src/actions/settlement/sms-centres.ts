/**
 * A text with a forged sender mostly comes over another SMS centre than the wallet's own. A GSM modem tells
 * the centre and the type of the sender's address; for each SIM and wallet it is learnt over which routes SMS
 * come. Once enough have come, one over another route goes to a person, whose approval makes it known.
 */
import type { Db, PlainProof, SmsTable } from '../../store/schema/index.js';
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
async function isStrange(core: Core, db: Db, row: RoutedSms): Promise<boolean> {
  const found = routeOf(row);
  if (found === null || core.settings.smsCentre === 'ignore') return false;
  const { merchant_id: merchant, sim, channel, route } = found;
  const known = await knownRoutes.all(db, { merchant, sim, channel });
  const seen = known.reduce((sum, one) => sum + one.seen, 0);
  return seen >= LEARNT_FROM && !known.some((one) => one.route === route);
}

/** @returns the proofs of an SMS, those over a strange route for a person to look at. */
export async function doubtRoute(
  core: Core,
  db: Db,
  row: RoutedSms,
  proofs: readonly PlainProof[],
): Promise<readonly PlainProof[]> {
  const decides = proofs.some(({ settle }) => settle === 'auto');
  if (!decides || !(await isStrange(core, db, row))) return proofs;
  return proofs.map((proof) => ({ ...proof, settle: 'review' }));
}

/** The same of messages as they are stored. */
export function doubtRoutes<
  Prepared extends { readonly row: SmsTable; readonly proofs: readonly PlainProof[] },
>(core: Core, db: Db, prepared: readonly Prepared[]): Promise<readonly Prepared[]> {
  return Promise.all(
    prepared.map(async (item): Promise<Prepared> => {
      const proofs = await doubtRoute(core, db, item.row, item.proofs);
      if (proofs === item.proofs) return item;
      const reasons = [...(JSON.parse(item.row.reasons) as string[]), 'other_route'];
      return { ...item, row: { ...item.row, settle: 'review', reasons: JSON.stringify(reasons) }, proofs };
    }),
  );
}

/** Counts the routes of SMS that are money by rule. */
export async function learnRoutes(core: Core, db: Db, rows: readonly SmsTable[]): Promise<void> {
  for (const row of rows) {
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
