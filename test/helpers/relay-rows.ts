/** Rows of what relay phones do beside bringing SMS: of each kind one that is over and one that is not. */
import type { Core } from '../../src/actions/core.js';
import { insertMany } from '../../src/store/hot.js';
import type {
  AlertMessageTable,
  AlertTable,
  AlertTargetTable,
  DispatchTable,
  SmsGapTable,
} from '../../src/store/schema.js';
import type { Shop } from './shop.js';

/** @param at when those that are over came to their end, milliseconds since the epoch. */
export async function putRelayRows(core: Core, shop: Shop, at: number): Promise<void> {
  const { merchantId: merchant_id, deviceId: device_id } = shop;
  const dispatch = (id: string, ended: boolean): DispatchTable => ({
    id,
    device_id,
    merchant_id,
    idempotency_key: null,
    number: '+8801700000009',
    message: 'Paid',
    encoding: 'GSM-7',
    parts: 1,
    sim_slot: null,
    priority: 0,
    state: ended ? 'SENT' : 'QUEUED',
    part_states: '.',
    receipts: null,
    error: null,
    created_at: at,
    expires_at: at + 1_000,
    leased_at: null,
    leased_to: null,
    lease_ends_at: null,
    sent_at: null,
    delivered_at: null,
    ended_at: ended ? at : null,
  });
  const alert = (id: string, ended: boolean): AlertTable => ({
    id,
    kind: 'device.offline',
    merchant_id,
    device_id,
    incident: id,
    detail: '{}',
    at,
    ended_at: ended ? at : null,
  });
  const message = (alert_id: string): AlertMessageTable => ({
    id: `of_${alert_id}`,
    alert_id,
    target_id: 'tgt_1',
    state: 'DELIVERED',
    tries: 1,
    next_at: null,
    error: null,
  });
  const target: AlertTargetTable = {
    id: 'tgt_1',
    kind: 'command',
    secret: 'sealed',
    hint: 'a command',
    created_at: at,
    removed_at: null,
  };
  const gap = (id: string, closed: boolean): SmsGapTable => ({
    id,
    merchant_id,
    device_id,
    channel: 'mfs_a',
    recipient: '01700000001',
    sms_id: `after_${id}`,
    before_id: `before_${id}`,
    missing_paisa: 100,
    since: at,
    found_at: at,
    asked_at: null,
    answered_at: null,
    alert: null,
    look_at: null,
    closed_at: closed ? at : null,
    closed_by: closed ? 'sms' : null,
  });
  await core.store.write(async (db) => {
    await insertMany(db, 'dispatches', [dispatch('dsp_over', true), dispatch('dsp_waits', false)], 'id');
    await insertMany(db, 'alerts', [alert('alr_over', true), alert('alr_lasts', false)], 'id');
    await insertMany(db, 'alert_targets', [target], 'id');
    await insertMany(db, 'alert_messages', [message('alr_over'), message('alr_lasts')], 'id');
    await insertMany(db, 'sms_gaps', [gap('gap_closed', true), gap('gap_open', false)], 'id');
    await db.query
      .insertInto('gap_looks')
      .values({ id: 1, stored_at: at, sms_id: '' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
