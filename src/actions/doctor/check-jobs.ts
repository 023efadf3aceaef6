/** Checks the jobs of daemons, and the delivery of notifications and of alerts. */
import { dhakaText } from '../../base/values/clock.js';
import { listed, msg, type Text } from '../../base/values/msg.js';
import { isChosen } from '../../domain/alerts/alert.js';
import { expectedJobs, isJobSilent } from '../../domain/upkeep/jobs.js';
import type { JobRunTable } from '../../store/schema/index.js';
import { deadMessages, overdueMessages } from '../../store/tables/alert-messages.js';
import { activeTargets } from '../../store/tables/alert-targets.js';
import {
  deadEndpoints,
  endpointsGone,
  lastDeadAttempt,
  overdueNotifications,
} from '../../store/tables/figures.js';
import type { Core } from '../core/core.js';
import { listJobRuns } from '../upkeep/job-runs.js';
import { type Finding, ok, warn } from './check.js';

const MINUTE_MS = 60_000;
const DEAD_DAYS = 7;
/** Lines about endpoints; more than this nobody reads. */
const MAX_ENDPOINTS = 20;

export async function checkJobs(core: Core): Promise<Finding[]> {
  const rows = await listJobRuns(core);
  const overdue = await overdueChecks(core);
  const dead = await endpointChecks(core);
  if (rows.length === 0) return [ok('jobs', msg`no daemon has run yet`), ...overdue, ...dead];
  const jobs = [...silentChecks(rows, core), ...failedChecks(rows)];
  return [...(jobs.length > 0 ? jobs : [ok('jobs', wellText(rows))]), ...overdue, ...dead];
}

function wellText(rows: readonly JobRunTable[]): Text {
  const newest = Math.max(...rows.map((row) => row.last_at));
  return msg`all ${rows.length} run, last at ${dhakaText(newest)}`;
}

/** One line for all: where the daemon does not run, none of them does. */
function silentChecks(rows: readonly JobRunTable[], { clock, settings }: Core): Finding[] {
  const now = clock.now();
  const lastAt = new Map(rows.map((row) => [row.name, row.last_at]));
  const silent = expectedJobs(settings).filter((name) => isJobSilent(name, lastAt.get(name) ?? null, now));
  if (silent.length === 0) return [];
  const told = silent.map((name) => {
    const at = lastAt.get(name);
    return at === undefined ? msg`${name} has never run` : msg`${name} last ran at ${dhakaText(at)}`;
  });
  const isAhead = silent.some((name) => (lastAt.get(name) ?? 0) > now);
  return isAhead
    ? [warn('jobs', msg`${listed(told)}: that is in the future, so the clock was set back`, AHEAD_REMEDY)]
    : [warn('jobs', listed(told), SILENT_REMEDY)];
}

const SILENT_REMEDY = msg`Is the daemon running? Start it with kashbox daemon; if it runs, its log says why.`;
const AHEAD_REMEDY = msg`Enable NTP: timedatectl set-ntp true. A running daemon repeats the jobs within a minute.`;

function failedChecks(rows: readonly JobRunTable[]): Finding[] {
  return rows.flatMap((row) =>
    row.last_error === null
      ? []
      : [
          warn(
            `job ${row.name}`,
            msg`last run failed at ${dhakaText(row.last_at)}: ${oneLine(row.last_error)}`,
            msg`The daemon retries automatically; see its log for details.`,
          ),
        ],
  );
}

async function overdueChecks(core: Core): Promise<Finding[]> {
  const overdue = await core.store.read((db) => overdueNotifications(db, core.clock.now() - MINUTE_MS));
  if (overdue === 0) return [];
  const message = msg`${overdue} overdue by more than a minute`;
  return [
    warn(
      'notifications',
      message,
      msg`Is the daemon running? Start it with kashbox daemon; if it runs: kashbox webhooks list --status PENDING.`,
    ),
  ];
}

async function endpointChecks(core: Core): Promise<Finding[]> {
  const since = core.clock.now() - DEAD_DAYS * 1_440 * MINUTE_MS;
  return core.store.read(async (db) => {
    const gone = await endpointsGone(db, MAX_ENDPOINTS);
    const checks = gone.map((endpoint) =>
      warn(
        `notifications to ${endpoint}`,
        msg`it answers 410 Gone; Kashbox still makes all retries`,
        msg`Ask the shop for its new address: kashbox brands update --webhook-url.`,
      ),
    );
    for (const { endpoint, count } of await deadEndpoints(db, since, MAX_ENDPOINTS)) {
      const last = await lastDeadAttempt(db, endpoint);
      const detail: Text = last === undefined ? '' : msg`; last error: ${oneLine(last.detail)}`;
      const message = msg`${count} failed permanently in ${DEAD_DAYS} days${detail}`;
      checks.push(warn(`notifications to ${endpoint}`, message, remedyOf(last?.outcome === 'blocked')));
    }
    return checks;
  });
}

function remedyOf(isBlocked: boolean): Text {
  const remedy = isBlocked
    ? msg`Kashbox never calls such an address: set a public https one (kashbox brands update --webhook-url).`
    : msg`See kashbox webhooks list --status FAILED, then correct the address or the shop.`;
  return msg`${remedy} Then: kashbox webhooks replay --failed --since ${DEAD_DAYS}d`;
}

/** Parts of it may have come from the other side. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

export async function checkAlerts(core: Core): Promise<Finding[]> {
  const now = core.clock.now();
  return core.store.read(async (db) => {
    const targets = await activeTargets(db);
    if (targets.length === 0) {
      return [ok('alerts', msg`no alert target is set; add one: kashbox alert-targets create`)];
    }
    const overdue = await overdueMessages(db, now - MINUTE_MS);
    const dead = await deadMessages(db, now - DEAD_DAYS * 1_440 * MINUTE_MS);
    const failed = targets.flatMap(({ id, hint }) => {
      const own = dead.filter((message) => message.id === id);
      if (own.length === 0) return [];
      const message = msg`${own.length} failed permanently in ${DEAD_DAYS} days; last error: ${own[0]?.error ?? ''}`;
      return [warn(`alerts to ${hint}`, message, msg`Correct it, then: kashbox alert-targets test ${id}`)];
    });
    if (overdue > 0) {
      const message = msg`${overdue} overdue by more than a minute`;
      failed.push(warn('alerts', message, msg`Is the daemon running? Start it with kashbox daemon.`));
    }
    if (!targets.some(({ events }) => isChosen(events, 'review.waiting'))) {
      const remedy = msg`Subscribe a target: kashbox alert-targets update ${targets[0]?.id ?? 'ID'} --events default`;
      failed.push(warn('alerts', msg`no target receives payments that need manual review`, remedy));
    }
    const places = targets.length === 1 ? msg`one target` : msg`${targets.length} targets`;
    return failed.length > 0 ? failed : [ok('alerts', msg`sent to ${places}`)];
  });
}
