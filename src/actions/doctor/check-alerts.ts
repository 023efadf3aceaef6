/** Whether alerts reach operators: the targets, and what could not be delivered. */
import { say } from '../../base/values/say.js';
import { isChosen } from '../../domain/alerts/alert-choice.js';
import { deadMessages, overdueMessages } from '../../store/tables/alert-messages.js';
import { activeTargets } from '../../store/tables/alert-targets.js';
import type { Core } from '../core/core.js';
import { type Finding, ok, warn } from './check.js';

const MINUTE_MS = 60_000;
const DEAD_DAYS = 7;

export async function checkAlerts(core: Core): Promise<Finding[]> {
  const now = core.clock.now();
  return core.store.read(async (db) => {
    const targets = await activeTargets(db);
    if (targets.length === 0) {
      return [ok('alerts', say`no alert target is set; add one: kashbox alerts add`)];
    }
    const overdue = await overdueMessages(db, now - MINUTE_MS);
    const dead = await deadMessages(db, now - DEAD_DAYS * 1_440 * MINUTE_MS);
    const failed = targets.flatMap(({ id, hint }) => {
      const own = dead.filter((message) => message.id === id);
      if (own.length === 0) return [];
      const message = say`${own.length} given up in ${DEAD_DAYS} days; at last: ${own[0]?.error ?? ''}`;
      return [warn(`alerts to ${hint}`, message, say`Mend it, then: kashbox alerts test ${id}`)];
    });
    if (overdue > 0) {
      const message = say`${overdue} due for more than a minute and not told`;
      failed.push(warn('alerts', message, say`Is the daemon running? Start it with kashbox daemon.`));
    }
    if (!targets.some(({ events }) => isChosen(events, 'review.waiting'))) {
      const remedy = say`Tell it somewhere: kashbox alerts update ${targets[0]?.id ?? 'ID'} --events default`;
      failed.push(warn('alerts', say`nobody is told of payments that wait for a person`, remedy));
    }
    const places = targets.length === 1 ? say`at one place` : say`at ${targets.length} places`;
    return failed.length > 0 ? failed : [ok('alerts', say`told ${places}`)];
  });
}
