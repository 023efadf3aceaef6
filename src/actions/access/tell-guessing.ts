/** Raises an alert about an address from which keys are tried that nobody has. */
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

const HOUR_MS = 3_600_000;

/** At most one an hour for each address, of several daemons together. @param limit failures in a minute */
export async function tellGuessing(core: Core, address: string, limit: number): Promise<void> {
  const hour = Math.floor(core.clock.now() / HOUR_MS);
  await core.store.write((db) =>
    raiseAlert(core, db, {
      kind: 'credentials.guessing',
      detail: { address, limit },
      merchantId: null,
      incident: `credentials.guessing:${address}:${hour}`,
    }),
  );
}
