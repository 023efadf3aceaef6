/** How nodes and exchanges have answered: what every process has counted, in one row a source. */
import type { SourceTally } from '../../channels/channel.js';
import type { Db } from '../../store/schema/index.js';
import type { Store } from '../../store/store.js';
import { healthOf, putHealth } from '../../store/tables/nodes.js';
import type { Outside } from './sources.js';

/** Writes down what this process has counted since it last did. */
export async function recordSourceHealth({
  store,
  outside,
}: {
  readonly store: Store;
  readonly outside: Outside;
}): Promise<void> {
  const tallies = outside.tallies().filter(({ calls }) => calls > 0);
  if (tallies.length === 0) return;
  await store.write(async (db) => {
    for (const tally of tallies) await add(db, tally);
  });
}

async function add(db: Db, tally: SourceTally): Promise<void> {
  const known = await healthOf(db, tally.source);
  const failures = JSON.parse(known?.failures ?? '{}') as Record<string, number>;
  for (const [kind, count] of Object.entries(tally.failures)) failures[kind] = (failures[kind] ?? 0) + count;
  const last = tally.lastFailure;
  await putHealth(db, {
    source_id: tally.source,
    calls: (known?.calls ?? 0) + tally.calls,
    failures: JSON.stringify(failures),
    last_ok_at: tally.lastOkAt ?? known?.last_ok_at ?? null,
    last_failure_at: last?.at ?? known?.last_failure_at ?? null,
    last_failure_kind: last?.kind ?? known?.last_failure_kind ?? null,
    last_failure_detail: last?.detail ?? known?.last_failure_detail ?? null,
  });
}
