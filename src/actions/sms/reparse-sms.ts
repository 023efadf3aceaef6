/**
 * Parses stored SMS again with the current formats. After a format was added, an SMS that could not be parsed
 * may turn out to be money. An SMS that became a proof stays a proof of the same money; while nobody has
 * decided about it, it may become weak money, or need manual review again.
 */
import { parseSms } from '../../channels/mfs/index.js';
import type { Db, PlainProof, SmsTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { storeReadings } from '../../store/tables/sms.js';
import { freeProof, hasProof, regradeProof, reparsedSms } from '../../store/tables/sms-sources.js';
import type { Core } from '../core/core.js';
import { idPages } from '../input/pages.js';
import { notifyListeners } from '../settlement/settle-claim.js';
import { judgeSms } from './judge-sms.js';
import { asRead, type SmsAsRead } from './prepare-sms.js';
import { settleStored } from './take-sms.js';

interface ReparsedSms {
  /** SMS looked at. */
  readonly read: number;
  /** SMS that are read differently now. */
  readonly changed: number;
  /** Sessions completed by it. */
  readonly settled: readonly string[];
}

/** Number of SMS per page; small, so that a daemon on the same store never waits long. */
const PAGE = 200;

export async function reparseSms(core: Core, input: { readonly who: string }): Promise<ReparsedSms> {
  let read = 0;
  let changed = 0;
  const settled: string[] = [];
  const pageAfter = (after: string) => core.store.read((db) => reparsedSms(db, after, PAGE));
  for await (const page of idPages(pageAfter)) {
    for (const row of page) {
      const outcome = await reparseOne(core, row);
      if (outcome === null) continue;
      changed += 1;
      settled.push(...outcome);
    }
    read += page.length;
  }
  const result = { read, changed, settled };
  await core.store.write((db) => audit(core, db, input.who, 'sms.reparse', 'sms', { after: result }));
  return result;
}

/** @returns the sessions that the new reading settled, or null if the text reads as before. */
async function reparseOne(core: Core, row: SmsTable): Promise<string[] | null> {
  const { sender, body, received_at: receivedAtMs, stored_at: arrivedAtMs, reasons } = row;
  const known = JSON.parse(reasons) as string[];
  // Its text is none that came, so a person decides about it for good.
  if (known.includes('parts_joined')) return null;
  const wasUntimed = known.includes('time_impossible');
  const reading = parseSms(await core.smsEngine(), {
    ...{ sender, body, receivedAtMs, arrivedAtMs },
    ...(wasUntimed ? { untimed: 'impossible' } : {}),
  });
  const again = asRead(core, row, reading);
  const same = Object.entries(again.row).every(([name, value]) => row[name as keyof SmsTable] === value);
  if (same && again.proofs.length === 0) return null;
  const result = await core.store.write(async (db) => {
    await lockMerchant(db, row.merchant_id);
    // A phone may have told the receiving number since the row was read.
    const stored = await db.query.selectFrom('sms').where('id', '=', row.id).selectAll().executeTakeFirst();
    if (stored === undefined) return null;
    const read = [asRead(core, stored, reading)];
    const arrived = row.source === 'played' ? read : await judgeSms(core, db, read);
    const { merchant_id: merchantId } = row;
    const known = await freeProof(db, row.id);
    if (known !== undefined) {
      const regraded = await regrade(db, stored, arrived[0], known);
      if (regraded === null) return null;
      return settleStored(core, db, { merchantId, arrived: [], newProofs: new Set(), completed: [regraded] });
    }
    if (again.proofs.length > 0 && (await hasProof(db, row.id))) return null;
    const newProofs = await storeReadings(db, arrived);
    return settleStored(core, db, { merchantId, arrived, newProofs, completed: [] });
  });
  if (result === null) return null;
  notifyListeners(core, result);
  return [...result.settled];
}

/** Doubts that were found when the SMS arrived, and that its text alone does not show. */
const OF_ARRIVAL: readonly string[] = ['other_route', 'played_here'];

/**
 * Money that is a proof stays the same money: only how much the text is worth may change, from manual review
 * to weak or back. @returns null if it does not change.
 */
async function regrade(
  db: Db,
  stored: SmsTable,
  again: SmsAsRead | undefined,
  known: NonNullable<Awaited<ReturnType<typeof freeProof>>>,
): Promise<PlainProof | null> {
  const [proof] = again?.proofs ?? [];
  if (again === undefined || proof?.settle === 'auto') return null;
  const { id } = known;
  const isSame =
    proof !== undefined &&
    proof.channel === known.channel &&
    proof.reference === known.reference &&
    proof.amount_paisa === known.amount_paisa;
  if (!isSame) {
    // The format or the source that read it is gone.
    if (known.settle !== 'weak') return null;
    const { recipient } = known;
    const { reasons } = stored;
    await regradeProof(db, { id, sms: stored.id, settle: 'review', recipient, reasons });
    return null;
  }
  const doubts = JSON.parse(stored.reasons) as string[];
  if (doubts.some((reason) => OF_ARRIVAL.includes(reason))) return null;
  const { settle, recipient } = proof;
  if (settle === known.settle && recipient === known.recipient) return null;
  await regradeProof(db, { id, sms: stored.id, settle, recipient, reasons: again.row.reasons });
  return { ...proof, id };
}
