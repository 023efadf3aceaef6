/** How a node of a chain looks from outside: of its address, which may hold a key, only where it begins. */
import { dhakaIso } from '../../base/values/clock.js';
import { networkOf } from '../../channels/bep20/networks.js';
import type { NodeTable, SourceHealthTable } from '../../store/schema/index.js';

/** Scripts rely on these names. */
export interface NodeView {
  readonly id: string;
  readonly chain_id: number;
  readonly network: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Small ones are asked first. */
  readonly priority: number;
  readonly batches: boolean;
  /** Questions that daemons and commands have put to it. */
  readonly calls: number;
  /** How often it failed, by what was wrong. */
  readonly failures: Readonly<Record<string, number>>;
  readonly last_ok_at: string | null;
  readonly last_failure: { readonly at: string; readonly kind: string; readonly detail: string } | null;
  readonly created_at: string;
}

export function nodeView(row: NodeTable, health: SourceHealthTable | undefined): NodeView {
  const at = health?.last_failure_at ?? null;
  return {
    id: row.id,
    chain_id: row.chain_id,
    network: networkOf(row.chain_id)?.name ?? '',
    origin: row.origin,
    priority: row.priority,
    batches: row.batches === 1,
    calls: health?.calls ?? 0,
    failures: JSON.parse(health?.failures ?? '{}') as Record<string, number>,
    last_ok_at: health?.last_ok_at == null ? null : dhakaIso(health.last_ok_at),
    last_failure:
      at === null
        ? null
        : {
            at: dhakaIso(at),
            kind: health?.last_failure_kind ?? '',
            detail: health?.last_failure_detail ?? '',
          },
    created_at: dhakaIso(row.created_at),
  };
}
