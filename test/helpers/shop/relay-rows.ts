/** Rows of what relay phones do beside bringing SMS: of each kind one that is over and one that is not. */
import type { Core } from '../../../src/actions/core/core.js';
import { insertMany } from '../../../src/store/compiled-rows.js';
import type {
  AlertMessageTable,
  AlertTable,
  AlertTargetTable,
  ButtonPressTable,
  DispatchTable,
  SmsGapTable,
} from '../../../src/store/schema/index.js';
import type { Shop } from './shop.js';

type Owners = Pick<DispatchTable, 'merchant_id' | 'device_id'>;

/** @param at when those that are over came to their end, milliseconds since the epoch. */
export async function putRelayRows(core: Core, shop: Shop, at: number): Promise<void> {
  const of: Owners = { merchant_id: shop.merchantId, device_id: shop.deviceId };
  const dispatches = [dispatch(of, 'dsp_over', at, at), dispatch(of, 'dsp_waits', at, null)];
  const alerts = [alert(of, 'alr_over', at, at), alert(of, 'alr_lasts', at, null)];
  const gaps = [gap(of, 'gap_closed', at, at), gap(of, 'gap_open', at, null)];
  await core.store.write(async (db) => {
    await insertMany(db, 'dispatches', dispatches, 'id');
    await insertMany(db, 'alerts', alerts, 'id');
    await insertMany(db, 'alert_targets', [target(at)], 'id');
    await insertMany(db, 'alert_messages', [message('alr_over'), message('alr_lasts')], 'id');
    await insertMany(db, 'button_presses', [press('alr_over', at), press('alr_lasts', at)], 'message_id');
    await insertMany(db, 'bot_polls', [{ bot: 'b1', holder: 'p1', until: at, next_update: 1 }], 'bot');
    await insertMany(db, 'sms_gaps', gaps, 'id');
    await db.query
      .insertInto('gap_looks')
      .values({ id: 1, stored_at: at, sms_id: '' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

function dispatch(of: Owners, id: string, at: number, ended_at: number | null): DispatchTable {
  return {
    id,
    ...of,
    idempotency_key: null,
    number: '+8801700000009',
    message: 'Paid',
    encoding: 'GSM-7',
    parts: 1,
    sim_slot: null,
    priority: 0,
    state: ended_at === null ? 'QUEUED' : 'SENT',
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
    ended_at,
  };
}

function alert(of: Owners, id: string, at: number, ended_at: number | null): AlertTable {
  return { id, kind: 'device.battery_low', ...of, incident: id, detail: '{"battery":7}', at, ended_at };
}

function message(alert_id: string): AlertMessageTable {
  return {
    id: `of_${alert_id}`,
    alert_id,
    target_id: 'tgt_1',
    state: 'DELIVERED',
    tries: 1,
    next_at: null,
    error: null,
    urgent: 0,
    held_for: null,
  };
}

function press(alert_id: string, at: number): ButtonPressTable {
  return { message_id: `of_${alert_id}`, action: 'approve', facts: '', at, who: 'telegram:7' };
}

function target(created_at: number): AlertTargetTable {
  return {
    id: 'tgt_1',
    kind: 'command',
    secret: 'sealed',
    hint: 'a command',
    fingerprint: 'f1',
    created_at,
    removed_at: null,
    events: 'default',
    tells_payments: 0,
    quiet_from: null,
    quiet_until: null,
    quiet_all: 0,
    daily_at: null,
    daily_due: null,
    buttons: 0,
    approvers: '',
    paused_until: null,
  };
}

function gap(of: Owners, id: string, at: number, closed_at: number | null): SmsGapTable {
  return {
    id,
    ...of,
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
    closed_at,
    closed_by: closed_at === null ? null : 'sms',
  };
}
