/**
 * The readers of pulled channels, each loaded when it is first needed: got takes memory that most
 * installations can do without. Which sources failed they only remember.
 */
import type { Clock } from '../../base/values/clock.js';
import type { RandomSource } from '../../base/values/ids.js';
import type { ChainReader } from '../../channels/bep20/reader.js';
import type { ExchangeReader } from '../../channels/exchange-pay/reader.js';
import type { SourceTally } from '../../channels/sources.js';
import type { Settings } from '../../config/settings.js';
import type { Db } from '../../store/schema/index.js';
import type { Store } from '../../store/store.js';
import { findSourceHealth, putHealth } from '../../store/tables/nodes.js';

export interface ExternalSources {
  chain(): Promise<ChainReader>;
  exchange(): Promise<ExchangeReader>;
  /** Call counts of each source since the last call of this function. */
  tallies(): readonly SourceTally[];
}

export function createExternalSources(
  settings: Settings,
  clock: Clock,
  random: RandomSource,
): ExternalSources {
  let chain: Promise<ChainReader> | undefined;
  let exchange: Promise<ExchangeReader> | undefined;
  const loaded = new Set<{ tallies(): readonly SourceTally[] }>();
  const now = () => clock.now();
  const loadChain = async () => {
    const { createChainReader } = await import('../../channels/bep20/reader.js');
    const { chainConfirmations: confirmations, agreeingNodes: agreeing } = settings;
    const reader = createChainReader({ now, confirmations, agreeing });
    loaded.add(reader);
    return reader;
  };
  const loadExchange = async () => {
    const { createExchangeReader } = await import('../../channels/exchange-pay/reader.js');
    const reader = createExchangeReader({ now, random });
    loaded.add(reader);
    return reader;
  };
  return {
    chain: () => {
      chain ??= loadChain();
      return chain;
    },
    exchange: () => {
      exchange ??= loadExchange();
      return exchange;
    },
    tallies: () => [...loaded].flatMap((reader) => reader.tallies()),
  };
}

/** Writes down what this process has counted since it last did, in one row a source. */
export async function recordSourceHealth(core: { readonly store: Store; readonly outside: ExternalSources }) {
  const { store, outside } = core;
  const tallies = outside.tallies().filter(({ calls }) => calls > 0);
  if (tallies.length === 0) return;
  await store.write(async (db) => {
    for (const tally of tallies) await add(db, tally);
  });
}

async function add(db: Db, tally: SourceTally): Promise<void> {
  const known = await findSourceHealth(db, tally.source);
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
    failing_since: failingSince(tally, known?.failing_since ?? null),
  });
}

/** @param before since when it had failed. @returns since when it has failed now, null where it has not. */
function failingSince({ lastOkAt, lastFailure }: SourceTally, before: number | null): number | null {
  const isOk = lastOkAt !== null && (lastFailure === null || lastOkAt >= lastFailure.at);
  if (isOk) return null;
  return (lastOkAt === null ? before : null) ?? lastFailure?.at ?? null;
}
