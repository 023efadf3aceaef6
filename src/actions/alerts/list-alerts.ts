/** What operators were told of, and whether it reached them. */
import { dhakaIso } from '../../base/values/clock.js';
import { type AlertKind, type AlertNews, alertText } from '../../domain/alerts/alert.js';
import type { AlertMessageTable, AlertTargetTable, Db } from '../../store/schema/index.js';
import { messagesOf } from '../../store/tables/alert-messages.js';
import { type AlertFilter, listedAlerts } from '../../store/tables/alerts.js';
import type { Page } from '../../store/tables/place.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireDevice } from '../input/require-row.js';

export interface TellingView {
  readonly target: string;
  readonly kind: AlertTargetTable['kind'];
  readonly hint: string;
  readonly state: AlertMessageTable['state'];
  readonly tries: number;
  /** When it is tried again; null where it is not. */
  readonly next_at: string | null;
  /** Why it failed last; null where it did not. */
  readonly error: string | null;
}

export interface AlertView {
  readonly id: string;
  readonly event: AlertKind;
  /** `open` while the trouble lasts. */
  readonly state: 'open' | 'over';
  readonly merchant_id: string | null;
  readonly merchant: string | null;
  readonly device_id: string | null;
  readonly device: string | null;
  readonly message: string;
  readonly detail: AlertNews['detail'];
  readonly at: string;
  readonly ended_at: string | null;
  readonly told: readonly TellingView[];
}

export interface ListAlerts {
  readonly open: boolean;
  /** Identifier or name; undefined for all. */
  readonly device?: string | undefined;
  /** Milliseconds since the epoch; undefined for all. */
  readonly sinceMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/** The newest first, in pages. @throws KashboxError `not_found` */
export async function* alertPages(core: Core, input: ListAlerts): AsyncGenerator<AlertView[]> {
  const { open: isOpen, sinceMs: since = 0 } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const device = input.device === undefined ? null : await requireDevice(db, input.device);
      return placedAlerts(db, { isOpen, deviceId: device?.id ?? null, since, ...page });
    });
  for await (const rows of pagesOf(input.limit, read, ({ at, view: { id } }) => ({ at, id }))) {
    yield rows.map(({ view }) => view);
  }
}

/** The same as one list. */
export function listAlerts(core: Core, input: ListAlerts): Promise<AlertView[]> {
  return wholeList(alertPages(core, input));
}

export async function readAlerts(db: Db, filter: AlertFilter): Promise<AlertView[]> {
  return (await placedAlerts(db, filter)).map(({ view }) => view);
}

async function placedAlerts(db: Db, filter: AlertFilter) {
  const rows = await listedAlerts(db, filter);
  const ids = rows.map(({ id }) => id);
  const messages = await messagesOf(db, ids);
  return rows.map((row) => {
    const detail = JSON.parse(row.detail) as AlertNews['detail'];
    const view: AlertView = {
      id: row.id,
      event: row.kind,
      state: row.ended_at === null ? 'open' : 'over',
      merchant_id: row.merchant_id,
      merchant: row.merchant,
      device_id: row.device_id,
      device: row.device,
      message: alertText({ kind: row.kind, detail } as AlertNews, row.device),
      detail,
      at: dhakaIso(row.at),
      ended_at: row.ended_at === null ? null : dhakaIso(row.ended_at),
      told: messages.filter(({ alert_id }) => alert_id === row.id).map(tellingView),
    };
    return { at: row.at, view };
  });
}

function tellingView(message: Awaited<ReturnType<typeof messagesOf>>[number]): TellingView {
  const { target_id: target, kind, hint, state, tries, next_at: nextAt, error } = message;
  return { target, kind, hint, state, tries, next_at: nextAt === null ? null : dhakaIso(nextAt), error };
}
