/**
 * Finds missing SMS: scans wallets with new SMS, requests phones to send their SMS again, and raises alerts
 * about SMS that stay missing. Due work is stored in rows, so several daemons may do this.
 */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { ASK_EVERY_MS, nextGapStep } from '../../domain/balance-gaps/gap-steps.js';
import type { Db, SmsGapTable } from '../../store/schema/index.js';
import {
  advanceScanCursor,
  changeGap,
  dueGaps,
  findGap,
  lastResendRequest,
  listOpenGaps,
  listWalletPhones,
  lookedAt,
  requestResend,
  storedBehind,
  type WalletRef,
} from '../../store/tables/gaps.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { loadSmsTimes, scanWallet, timeOfSms } from './scan-wallet.js';

/**
 * Age at which stored SMS are scanned: by then all database transactions that began before them have ended,
 * and most SMS that arrived out of order have been stored.
 */
const SETTLED_MS = 15_000;
/** The first scan goes back this far. */
const FIRST_SCAN_MS = 86_400_000;
const PAGE = 500;
/** Pages per round; the rest waits for the next round. */
const PAGES = 2;

/** @returns the number of steps of all kinds, and the gaps for which an alert was raised. */
export async function findGaps(core: Core) {
  let done = await scanNewSms(core);
  const told: SmsGapTable[] = [];
  const due = await core.store.read((db) => dueGaps(db, core.clock.now(), PAGE));
  for (const gap of due) {
    const times = await core.store.read((db) => loadSmsTimes(db, [gap.sms_id]));
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
    await core.store.write((db) => advanceScanCursor(db, { stored_at: last.stored_at, sms_id: last.id }));
    if (rows.length < PAGE) return done;
  }
  return done;
}

/** The wallets of SMS, each once, with the times of its SMS. */
function walletsOf(rows: Awaited<ReturnType<typeof storedBehind>>) {
  const wallets = new Map<string, { wallet: WalletRef; moments: number[] }>();
  for (const row of rows) {
    const { merchant_id, recipient, channel } = row;
    if (recipient === null || channel === null) continue;
    const name = JSON.stringify([merchant_id, recipient, channel]);
    const known = wallets.get(name) ?? { wallet: { merchant_id, recipient, channel }, moments: [] };
    known.moments.push(timeOfSms(row));
    wallets.set(name, known);
  }
  return [...wallets.values()];
}

/** Forwarder apps and scripts keep no SMS. `app` resends its inbox, but never reports the end. */
const SEND_AGAIN: readonly string[] = ['relay', 'app'];

/**
 * @param found the due gap; it is read again inside the database transaction.
 * @returns the number of steps taken, and whether an alert was raised.
 */
async function followGap(core: Core, found: SmsGapTable) {
  const called = new Set<string>();
  const followed = await core.store.write(async (db) => {
    await lockMerchant(db, found.merchant_id);
    called.clear();
    let isTold = false;
    for (let steps = 0; ; steps += 1) {
      const due = await whatNext(core, db, found.id);
      if (due === null) return { steps, isTold };
      const { gap, phones, next } = due;
      switch (next.step) {
        case 'ask':
          for (const phone of phones) {
            await requestResend(db, phone, gap.since);
            called.add(phone);
          }
          await changeGap(db, gap.id, { asked_at: core.clock.now(), device_id: phones[0] ?? gap.device_id });
          break;
        case 'tell':
          isTold = (await tell(core, db, gap)) === 'raised';
          break;
        case 'wait':
          await changeGap(db, gap.id, { look_at: next.lookAt });
          return { steps, isTold };
        default:
          return next satisfies never;
      }
    }
  });
  for (const phone of called) core.called.tell(phone);
  return followed;
}

/**
 * @returns with the phones that can send again what they have, its own first; null for a gap that is closed.
 */
async function whatNext(core: Core, db: Db, id: string) {
  const gap = await findGap(db, id);
  if (gap === undefined || gap.closed_at !== null) return null;
  const able = (await listWalletPhones(db, gap)).filter(({ agent }) => SEND_AGAIN.includes(agent));
  const isOwn = ({ id }: { readonly id: string }) => Number(id === gap.device_id);
  const phones = able.sort((one, other) => isOwn(other) - isOwn(one));
  const [first] = phones;
  const now = core.clock.now();
  const state = {
    foundAt: gap.found_at,
    since: gap.since,
    askedAt: gap.asked_at,
    answeredAt: gap.answered_at,
    isTold: gap.alert !== null,
  };
  const asked = {
    canAnswer: first !== undefined,
    isSending: first !== undefined && first.resend_since !== null,
    lastAsk: first === undefined ? null : await lastResendRequest(db, first.id, now - ASK_EVERY_MS),
  };
  return { gap, phones: phones.map(({ id }) => id), next: nextGapStep(state, asked, now) };
}

/** Raises an alert. Open gaps of one wallet share it: they are resolved with the same statement. */
async function tell(core: Core, db: Db, gap: SmsGapTable): Promise<'raised' | 'known'> {
  const shared = (await listOpenGaps(db, gap)).find(({ alert }) => alert !== null)?.alert ?? null;
  const incident = shared ?? `sms.gap:${gap.id}:${gap.found_at}`;
  await changeGap(db, gap.id, { alert: incident });
  if (shared !== null) return 'known';
  const moments = await loadSmsTimes(db, [gap.before_id, gap.sms_id]);
  return raiseAlert(core, db, {
    kind: 'sms.gap',
    merchantId: gap.merchant_id,
    deviceId: gap.device_id,
    incident,
    detail: {
      channel: gap.channel,
      recipient: gap.recipient,
      missing: formatTaka(Math.abs(gap.missing_paisa)),
      direction: gap.missing_paisa > 0 ? 'in' : 'out',
      from: dhakaIso(moments.get(gap.before_id) ?? gap.since),
      until: dhakaIso(moments.get(gap.sms_id) ?? gap.found_at),
    },
  });
}
