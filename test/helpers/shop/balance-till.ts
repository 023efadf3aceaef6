/** A till whose SMS tell its balance, for tests of gaps in it. */
import type { ExecutionContext } from 'ava';
import { findGaps } from '../../../src/actions/balance-gaps/find-gaps.js';
import type { Core } from '../../../src/actions/core/core.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { formatTaka } from '../../../src/base/values/money.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openTestCore, testClock } from '../stores/engines.js';
import { bkashId, bkashReceived, bkashSent, openShop, type Shop } from './shop.js';
import { BKASH } from './sms.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const START = Date.UTC(2026, 7, 21, 6, 0);

/** Transaction id in a text. */
export const idIn = (text: string) => /TrxID (\w+)/.exec(text)?.[1] ?? '';

/** One wallet whose balance follows; `paid` makes the text of the next payment, `sent` that of a transfer. */
export async function till(
  t: ExecutionContext,
  engine: Engine,
  agent: 'relay' | 'app' | 'forwarder' = 'relay',
) {
  const clock = testClock(START + 30 * MINUTE);
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  await core.store.write((db) => db.query.updateTable('devices').set({ agent }).execute());
  let balance = 100_000;
  let count = 0;
  const next = (paisa: number, minute: number) => {
    balance += paisa;
    count += 1;
    const at = START + minute * MINUTE;
    return { balance: formatTaka(balance), at, id: bkashId(at, count) };
  };
  const paid = (paisa: number, minute: number, from = '01711000081'): string => {
    const { id, ...rest } = next(paisa, minute);
    return bkashReceived({ amount: formatTaka(paisa), from, ...rest }, id);
  };
  /** With a fee of 5 taka. */
  const sent = (paisa: number, minute: number, to: string): string => {
    const { id, ...rest } = next(-paisa - 500, minute);
    return bkashSent({ amount: formatTaka(paisa), to, ...rest }, id);
  };
  /** What the daemon does every few seconds, once what came is old enough to be looked at. */
  const look = () => {
    clock.advance(20 * SECOND);
    return findGaps(core);
  };
  return { clock, core, shop, paid, sent, look };
}

export async function alertsOf(core: Core) {
  const rows = await core.store.read((db) =>
    db.query.selectFrom('alerts').where('kind', '=', 'sms.gap').selectAll().orderBy('at').execute(),
  );
  return rows.map(({ detail, ended_at }) => ({ detail: JSON.parse(detail), isOver: ended_at !== null }));
}

export async function askedSince(core: Core, shop: Shop): Promise<number | null> {
  const row = await core.store.read((db) =>
    db.query.selectFrom('devices').where('id', '=', shop.deviceId).select('resend_since').executeTakeFirst(),
  );
  return row?.resend_since ?? null;
}

/** The phone says that it has sent again all it has since then, with these texts among it. */
export async function resend(core: Core, shop: Shop, since: number, bodies: readonly string[] = []) {
  const messages = bodies.map((body, index) => ({
    id: `r${index}`,
    sender: BKASH,
    body,
    received_at: dhakaIso(core.clock.now()),
    sim_slot: 1,
  }));
  const device = { ...shop.device, resendSince: await askedSince(core, shop) };
  return syncDevice(core, { device, messages, health: null, resentSince: since });
}
