/** Finds nodes and exchanges that have failed for minutes, and those that answer again, and raises alerts. */
import { dhakaIso } from '../../base/values/clock.js';
import type { AlertDetails } from '../../domain/alerts/alert.js';
import type { Db } from '../../store/schema/index.js';
import { openAlertsOfKind } from '../../store/tables/alerts.js';
import { failingSources, findSourceHealth } from '../../store/tables/nodes.js';
import { endAlert, raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

/** A node that fails once is passed over, and the next question finds it well. */
const DOWN_MS = 3 * 60_000;

type FailingSource = Awaited<ReturnType<typeof failingSources>>[number];

/** True if calls failed for at least `DOWN_MS` up to the last failure; time without calls proves nothing. */
const isDown = ({ failing_since: since, last_failure_at: last }: FailingSource) =>
  (last ?? since) - since >= DOWN_MS;

const incidentOf = ({ source_id: id, failing_since: since }: FailingSource) => `node.down:${id}:${since}`;

/** @returns how many alerts were raised. */
export async function watchSources(core: Core): Promise<number> {
  const found = await core.store.read(async (db) => ({
    failing: await failingSources(db),
    told: await openAlertsOfKind(db, 'node.down'),
  }));
  const open = found.told.map(({ incident }) => incident);
  const down = found.failing.filter((source) => isDown(source) && source.active !== 0);
  const news = down.filter((source) => !open.includes(incidentOf(source)));
  const stillFailing = found.failing.map(incidentOf);
  const over = found.told.filter(({ incident }) => !stillFailing.includes(incident));
  if (news.length + over.length === 0) return 0;
  return core.store.write(async (db) => {
    let raised = 0;
    for (const source of news) raised += await tellDown(core, db, source);
    for (const alert of over) raised += await tellOver(core, db, alert);
    return raised;
  });
}

async function tellDown(core: Core, db: Db, source: FailingSource): Promise<number> {
  const { failing_since: since, last_failure_kind: failure, merchant_id: merchantId } = source;
  const raised = await raiseAlert(core, db, {
    kind: 'node.down',
    detail: { source: nameOf(source), failing_since: dhakaIso(since), failure: failure ?? 'unknown' },
    merchantId,
    incident: incidentOf(source),
  });
  return Number(raised === 'raised');
}

function nameOf({ origin, brand, channel }: FailingSource): string {
  return origin === null
    ? `The account of ${brand ?? 'a brand'} (${channel ?? 'exchange'})`
    : `The node ${origin}`;
}

/** A source that was removed is over too, and no good news. */
async function tellOver(
  core: Core,
  db: Db,
  { incident, detail }: { readonly incident: string; readonly detail: string },
): Promise<number> {
  if ((await endAlert(core, db, incident)) === 'not_open') return 0;
  const [, id = ''] = incident.split(':');
  if ((await findSourceHealth(db, id))?.last_ok_at == null) return 0;
  const { source, failing_since } = JSON.parse(detail) as AlertDetails['node.down'];
  const back = { kind: 'node.recovered', detail: { source, failing_since }, merchantId: null } as const;
  await raiseAlert(core, db, { ...back, incident: incident.replace('down', 'recovered') });
  return 1;
}
