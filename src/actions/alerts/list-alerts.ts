/** Lists alerts and their deliveries. */
import { type AlertEvent, alertText } from '../../domain/alerts/alert.js';
import type { Db } from '../../store/schema/index.js';
import { listAlertMessages } from '../../store/tables/alert-messages.js';
import { type AlertFilter, listedAlerts } from '../../store/tables/alerts.js';
import type { Page } from '../../store/tables/list-position.js';
import type { Core } from '../core/core.js';
import { collectAll, type PagedInput, paginate } from '../input/pages.js';
import { idOfDevice } from '../input/require-row.js';
import { defineView } from '../input/view.js';

type MessageRow = Awaited<ReturnType<typeof listAlertMessages>>[number];
type AlertRow = Awaited<ReturnType<typeof listedAlerts>>[number];

export type AlertDeliveryView = ReturnType<typeof alertDeliveryView>;
export type AlertView = ReturnType<typeof alertView>;

const alertDeliveryView = defineView<MessageRow>()(({ same, times }) => ({
  target: (row) => row.target_id,
  ...same('kind', 'hint', 'state', 'tries'),
  /** Time of the next attempt; null if there is none. */
  ...times('next_at'),
  /** Error of the last attempt; null if it did not fail. */
  ...same('error'),
}));

const detailOf = (row: AlertRow) => JSON.parse(row.detail) as AlertEvent['detail'];

/** View of an alert. The second argument contains the delivery messages of this and other alerts. */
export const alertView = defineView<AlertRow, readonly MessageRow[]>()(({ same, times }) => ({
  ...same('id'),
  event: (row) => row.kind,
  /** `open` while the problem lasts. */
  state: (row) => (row.ended_at === null ? ('open' as const) : ('over' as const)),
  ...same('merchant_id', 'merchant', 'device_id', 'device'),
  message: (row) => alertText({ kind: row.kind, detail: detailOf(row) } as AlertEvent, row.device),
  detail: detailOf,
  ...times('at', 'ended_at'),
  told: (row, messages): readonly AlertDeliveryView[] =>
    messages.filter(({ alert_id }) => alert_id === row.id).map((message) => alertDeliveryView(message)),
}));

interface ListAlerts extends PagedInput {
  readonly open: boolean;
  /** Identifier or name; undefined for all. */
  readonly device?: string | undefined;
}

/** Pages of alerts, newest first. @throws KashboxError `not_found` */
export function alertPages(core: Core, input: ListAlerts): AsyncGenerator<AlertView[]> {
  const { open: isOpen, sinceMs: since = 0 } = input;
  const read = (page: Page) =>
    core.store.read(async (db) =>
      placedAlerts(db, { isOpen, deviceId: await idOfDevice(db, input.device), since, ...page }),
    );
  return paginate(
    input,
    read,
    ({ at, view: { id } }) => ({ at, id }),
    ({ view }) => view,
  );
}

export const listAlerts = collectAll(alertPages);

export async function loadAlerts(db: Db, filter: AlertFilter): Promise<AlertView[]> {
  return (await placedAlerts(db, filter)).map(({ view }) => view);
}

async function placedAlerts(db: Db, filter: AlertFilter) {
  const rows = await listedAlerts(db, filter);
  const messages = await listAlertMessages(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ at: row.at, view: alertView(row, messages) }));
}
