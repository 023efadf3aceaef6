/** What a phone or a modem has brought to a daemon's store, read from the file itself. */
import { join } from 'node:path';
import { openCore } from '../../../src/actions/core/core.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { SqliteFile } from '../../../src/store/sqlite-driver.js';
import { openShop } from './shop.js';

export interface Enrolled {
  readonly code: string;
  readonly gatewayKey: string;
}

/** Makes a merchant with a device in this home, before any daemon runs there. `sims` is such as `1=017…`. */
export async function enrollIn(home: string, name: string, sims: readonly string[]): Promise<Enrolled> {
  const core = await openCore({ folder: home, env: {} });
  try {
    const { merchantId: merchant } = await openShop(core);
    const made = await enrollDevice(core, { merchant, name, sims: [...sims], who: 'test' });
    return { code: made.pairing_code, gatewayKey: made.gateway_key };
  } finally {
    await core.close();
  }
}

export interface StoredSms {
  readonly body: string;
  /** Milliseconds since the Unix epoch. */
  readonly stored_at: number;
  readonly smsc: string | null;
}

/** All SMS of a home on SQLite; also while its daemon runs, or is dead. */
export function storedSms(home: string): StoredSms[] {
  const store = new SqliteFile(join(home, 'kashbox.db'), { timeout: 5_000, readOnly: true });
  try {
    return store.prepare('SELECT body, stored_at, smsc FROM sms').all() as unknown as StoredSms[];
  } finally {
    store.close();
  }
}

/** @returns for people: how long SMS took from `came` (by their text) to the store. */
export function delaysOf(stored: readonly StoredSms[], came: ReadonlyMap<string, number>): string {
  const sorted = stored
    .map(({ body, stored_at }) => stored_at - (came.get(body) ?? Number.NaN))
    .sort((one, other) => one - other);
  const at = (part: number) => `${Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)} of ${sorted.length}`;
}
