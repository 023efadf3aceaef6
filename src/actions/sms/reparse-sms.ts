/**
 * Parses the stored SMS that are not a proof yet again with the current formats. After a format was added, an
 * SMS that could not be parsed may turn out to be money. An SMS that became a proof stays a proof.
 */
import { parseSms } from '../../channels/mfs/index.js';
import type { SmsTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { storeReadings } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';
import { idPages } from '../input/pages.js';
import { notifyListeners } from '../settlement/settle-claim.js';
import { judgeSms } from './judge-sms.js';
import { asRead } from './prepare-sms.js';
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
  const pageAfter = (after: string) =>
    core.store.read((db) =>
      db.query
        .selectFrom('sms as s')
        .leftJoin('proofs as p', 'p.source_id', 's.id')
        .where('s.id', '>', after)
        .where('p.id', 'is', null)
        .orderBy('s.id')
        .limit(PAGE)
        .selectAll('s')
        .execute(),
    );
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
    const newProofs = await storeReadings(db, arrived);
    return settleStored(core, db, { merchantId: row.merchant_id, arrived, newProofs, completed: [] });
  });
  if (result === null) return [];
  notifyListeners(core, result);
  return [...result.settled];
}
