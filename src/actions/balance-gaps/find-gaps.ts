/**
 * Finds missing SMS: scans wallets with new SMS, asks phones to send their SMS again, and alerts people about
 * what stays missing. Due work is in rows, so several daemons may do this.
 */
import type { SmsGapTable } from '../../store/schema/index.js';
import { dueGaps, lookedAt, moveLookedAt, storedBehind, type Wallet } from '../../store/tables/gaps.js';
import type { Core } from '../core/core.js';
import { followGap } from './follow-gap.js';
import { momentOf } from './read-text.js';
import { momentsOf, scanWallet } from './scan-wallet.js';

/**
 * SMS are looked at when they have been stored for so long: by then all units of work that began before them
 * have ended, and those that come in another order than they were sent are mostly there.
 */
const SETTLED_MS = 15_000;
/** The first scan goes back this far. */
const FIRST_SCAN_MS = 86_400_000;
const PAGE = 500;
/** Pages per round; the rest waits for the next round. */
const PAGES = 2;

/** @returns how much was done about gaps, steps of all kinds; and of which people were told. */
export async function findGaps(core: Core) {
  let done = await scanNewSms(core);
  const told: SmsGapTable[] = [];
  const due = await core.store.read((db) => dueGaps(db, core.clock.now(), PAGE));
  for (const gap of due) {
    const times = await core.store.read((db) => momentsOf(db, [gap.sms_id]));
    const moment = times.get(gap.sms_id);
    if (moment !== undefined) done += await scanWallet(core, gap, [moment]);
    const followed = await followGap(core, gap);
    done += followed.steps;
    if (followed.isTold) told.push(gap);
  }
  return { done, told };
}

async function scanNewSms(core: Core): Promise<number> {
  let done = 0;
  for (let page = 0; page < PAGES; page += 1) {
    const now = core.clock.now();
    const from = (await core.store.read(lookedAt)) ?? { stored_at: now - FIRST_SCAN_MS, sms_id: '' };
    const rows = await core.store.read((db) => storedBehind(db, from, now - SETTLED_MS, PAGE));
    const last = rows.at(-1);
    if (last === undefined) return done;
    for (const { wallet, moments } of walletsOf(rows)) done += await scanWallet(core, wallet, moments);
    await core.store.write((db) => moveLookedAt(db, { stored_at: last.stored_at, sms_id: last.id }));
    if (rows.length < PAGE) return done;
  }
  return done;
}

/** The wallets of SMS, each once, with the times of its SMS. */
function walletsOf(rows: Awaited<ReturnType<typeof storedBehind>>) {
  const wallets = new Map<string, { wallet: Wallet; moments: number[] }>();
  for (const row of rows) {
    const { merchant_id, recipient, channel } = row;
    if (recipient === null || channel === null) continue;
    const name = JSON.stringify([merchant_id, recipient, channel]);
    const known = wallets.get(name) ?? { wallet: { merchant_id, recipient, channel }, moments: [] };
    known.moments.push(momentOf(row));
    wallets.set(name, known);
  }
  return [...wallets.values()];
}
