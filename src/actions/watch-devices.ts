/** Notes the state of every relay phone, and tells of those that fell silent or are back. */
import { type DeviceNews, type DeviceState, deviceNews, deviceState } from '../domain/device-state.js';
import { writeAudit } from '../store/tables/audit.js';
import { moveWatchedState, watchedDevices } from '../store/tables/devices.js';
import type { Core } from './core.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 100;

export interface DeviceChange {
  readonly device: string;
  readonly name: string;
  readonly news: Exclude<DeviceNews, 'none'>;
}

interface Move {
  readonly id: string;
  readonly name: string;
  readonly from: string;
  readonly to: DeviceState;
}

/**
 * The first look at a phone only notes its state. Of several processes that look at once, one gets the news.
 * @returns the phones that went offline or came back, as this process found them.
 */
export async function watchDevices(core: Core): Promise<readonly DeviceChange[]> {
  const now = core.clock.now();
  const moves = (await core.store.read(watchedDevices)).flatMap((row): Move[] => {
    const to = deviceState(row.revoked_at !== null, row.last_seen_at, now);
    return to === row.watched_state ? [] : [{ id: row.id, name: row.name, from: row.watched_state, to }];
  });
  const changes: DeviceChange[] = [];
  for (let start = 0; start < moves.length; start += BATCH) {
    changes.push(...(await noteMoves(core, moves.slice(start, start + BATCH), now)));
  }
  return changes;
}

async function noteMoves(core: Core, moves: readonly Move[], now: number): Promise<DeviceChange[]> {
  return core.store.write(async (db) => {
    const changes: DeviceChange[] = [];
    for (const { id, name, from, to } of moves) {
      const moved = await moveWatchedState.first(db, { id, from, to });
      const news = deviceNews(from, to);
      if (moved === undefined || news === 'none') continue;
      await writeAudit(db, core.random, {
        at: now,
        who: 'rule',
        action: `device.${news}`,
        subject: id,
        before: { state: from },
        after: { state: to },
      });
      changes.push({ device: id, name, news });
    }
    return changes;
  });
}
