/**
 * A shop at a busy hour, with some of everything that a dashboard shows: phones that are well and phones that
 * are not, payments, reviews, notifications, dispatches, nodes, jobs and alerts. Names are Bangla, too.
 */

import { raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { writeJobRuns } from '../../../src/actions/upkeep/job-runs.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { AlertEvent } from '../../../src/domain/alerts/alert.js';
import { expectedJobs } from '../../../src/domain/upkeep/jobs.js';
import type { Db } from '../../../src/store/schema/index.js';
import { insertDispatch } from '../../../src/store/tables/dispatches.js';
import { insertNode, putHealth } from '../../../src/store/tables/nodes.js';
import type { TestClock } from '../stores/engines.js';
import { bkashId, bkashText, openShop, type Shop } from './shop.js';

const MINUTE = 60_000;
const SLOTS = 30;
/** Taka that came in and that nobody has claimed. */
const UNCLAIMED = [410, 75, 1_200];

export const SHOP_NAME = 'Amar Dokan';
export const BANGLA_PHONE = 'আলো স্টোর ফোন';

/**
 * @param clock stands an hour before the moment at which the shop is looked at, and is moved there.
 * @param phones at least 4.
 */
export async function busyShop(core: Core, clock: TestClock, phones: number): Promise<Shop> {
  const shop = await openShop(core, SHOP_NAME);
  const ids = [shop.deviceId];
  for (let n = 2; n <= phones; n += 1) {
    const name = n === 2 ? BANGLA_PHONE : `Counter ${String(n).padStart(2, '0')}`;
    const sims = [`1=0171${String(1_000_000 + n)}`, `2=0181${String(1_000_000 + n)}`];
    const made = await enrollDevice(core, { merchant: SHOP_NAME, name, sims, who: 'test' });
    ids.push(made.device.id);
  }
  await anHourOfPayments(core, clock, shop);
  for (const [n, taka] of UNCLAIMED.entries()) {
    const trxId = bkashId(clock.now(), 900 + n);
    await shop.receive(bkashText({ taka: `${taka}.00`, trxId, at: clock.now() }));
  }
  await core.store.write(async (db) => {
    for (const [n, id] of ids.entries()) await seen(db, id, n, clock.now());
    await notifications(db, shop, clock.now());
    await dispatches(db, shop, ids, clock.now());
    await nodes(db, clock.now());
    await alerts(core, db, clock, shop, ids);
  });
  for (const [n, name] of expectedJobs({ domain: '' }).entries()) {
    const isFailed = name === 'recheck-claims';
    await writeJobRuns(core, {
      name,
      runs: 1_440 - n,
      errors: isFailed ? 3 : 0,
      lastAt: clock.now() - 5_000 - n * 1_000,
      lastMs: 4 + n,
      lastDone: isFailed ? null : n,
      lastError: isFailed ? 'no node answered in time' : null,
    });
  }
  return shop;
}

/** More towards the end; some are paid, some too much, the last not yet. */
async function anHourOfPayments(core: Core, clock: TestClock, shop: Shop): Promise<void> {
  let serial = 0;
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const opened = slot % 7 === 3 ? 0 : 1 + (slot % 5);
    for (let n = 0; n < opened; n += 1) {
      serial += 1;
      const session = await shop.order(50_000 + serial * 100);
      if (slot === SLOTS - 1 || serial % 6 === 0) continue;
      const taka = `${500 + serial + (serial % 25 === 0 ? 400 : 0)}.00`;
      const reference = bkashId(clock.now(), serial);
      await shop.receive(bkashText({ taka, trxId: reference, at: clock.now() }));
      await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference });
    }
    clock.advance(2 * MINUTE);
  }
}

/** The fourth has long been silent, the third a while; their batteries are low, too. */
async function seen(db: Db, id: string, n: number, now: number): Promise<void> {
  const silent = n === 3 ? 130 * MINUTE : n === 2 ? 7 * MINUTE : (n % 50) * 1_000;
  const battery = n === 3 ? 4 : n === 2 ? 17 : 100 - ((n * 7) % 60);
  const change = {
    last_seen_at: now - silent,
    battery,
    charging: n % 3 === 0 && n !== 3 ? 1 : 0,
    network: n % 4 === 1 ? 'mobile' : 'wifi',
    queued: n === 3 ? 12 : 0,
    app_version: '0.1.0',
    agent: 'relay' as const,
  };
  await db.query.updateTable('devices').set(change).where('id', '=', id).execute();
}

async function notifications(db: Db, shop: Shop, now: number): Promise<void> {
  const states = ['FAILED', 'FAILED', 'PENDING', 'PENDING', 'PENDING'] as const;
  for (const [n, state] of states.entries()) {
    const endpoint = `https://${n < 3 ? 'old' : 'shop'}.example.com`;
    const row = {
      id: `ntf_${n}`,
      brand_id: shop.brand.brandId,
      session_id: null,
      event: 'payment.completed',
      sequence: 1,
      url: `${endpoint}/hook`,
      endpoint,
      lane: `${shop.brand.brandId} ${endpoint}`,
      format: 'json',
      content: '{"event":"payment.completed"}',
      state,
      tries: state === 'FAILED' ? 9 : n - 1,
      next_at: now + n * 40_000,
      lease: null,
      created_at: now - (10 - n) * MINUTE,
      closed_at: state === 'FAILED' ? now - n * MINUTE : null,
    } as const;
    await db.query.insertInto('notifications').values(row).execute();
  }
}

async function dispatches(db: Db, shop: Shop, ids: readonly string[], now: number): Promise<void> {
  const states = ['DELIVERED', 'SENT', 'FAILED', 'LEASED', 'QUEUED', 'QUEUED'] as const;
  for (const [n, state] of states.entries()) {
    const at = now - (states.length - n) * 20_000;
    await insertDispatch(db, {
      id: `sms_out_${n}`,
      device_id: ids[n % 2] ?? shop.deviceId,
      merchant_id: shop.merchantId,
      idempotency_key: null,
      number: `+88017000000${10 + n}`,
      message: 'আপনার অর্ডার পাঠানো হয়েছে।',
      encoding: 'UCS-2',
      parts: 1,
      sim_slot: null,
      priority: 0,
      state,
      part_states: state === 'DELIVERED' ? 'D' : state === 'SENT' ? 'S' : '-',
      error: state === 'FAILED' ? 'no credit left' : null,
      created_at: at,
      expires_at: now + 20 * MINUTE,
      leased_at: state === 'QUEUED' ? null : at + 1_000,
      leased_to: null,
      lease_ends_at: state === 'LEASED' ? now + 9 * MINUTE : null,
      sent_at: null,
      delivered_at: null,
      ended_at: null,
    });
  }
}

async function nodes(db: Db, now: number): Promise<void> {
  for (const [n, host] of ['first', 'second', 'third'].entries()) {
    const id = `node_${n}`;
    await insertNode(db, {
      id,
      chain_id: 56,
      origin: `https://${host}.node.example`,
      url: 'sealed',
      url_hash: host,
      priority: n,
      batches: 1,
      created_at: now,
    });
    const isFailing = n === 1;
    await putHealth(db, {
      source_id: id,
      calls: 4_200 - n * 1_000,
      failures: JSON.stringify(isFailing ? { timeout: 12, stale: 3 } : {}),
      last_ok_at: now - (isFailing ? 20 * MINUTE : 4_000),
      last_failure_at: isFailing ? now - 9_000 : null,
      last_failure_kind: isFailing ? 'timeout' : null,
      last_failure_detail: isFailing ? 'no answer within 3 s' : null,
    });
  }
}

/** One after the other, so that which is newer is no matter of luck. */
async function alerts(core: Core, db: Db, clock: TestClock, shop: Shop, ids: readonly string[]) {
  const [first, , late, lost] = ids;
  const raise = async (news: AlertEvent, deviceId: string | undefined, incident: string) => {
    clock.advance(1);
    await raiseAlert(core, db, {
      ...news,
      merchantId: shop.merchantId,
      deviceId: deviceId ?? null,
      incident,
    });
  };
  await raise({ kind: 'device.battery_low', detail: { battery: 17 } }, late, 'low');
  const lastSeen = {
    last_seen_at: dhakaIso(clock.now() - 130 * MINUTE),
    battery: 4,
    charging: false,
    network: 'wifi',
    pending_sms: 12,
  };
  await raise({ kind: 'device.offline', detail: lastSeen }, lost, 'lost');
  const back = { offline_since: dhakaIso(clock.now() - 40 * MINUTE), downtime: '25 minutes' };
  await raise({ kind: 'device.recovered', detail: back }, first, 'back');
}
