/**
 * The figures in the form that Prometheus reads, by prom-client. Loaded with the first scrape: most
 * installations are never asked. No label holds a key, a shop or an address.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Figures } from '../src/actions/upkeep/read-figures.js';
import type { AttemptOutcome } from '../src/domain/notifications/notification.js';
import type { JobRecord } from './loops/job-records.js';

/** Figures of this process. */
export interface ProcessFigures {
  jobs(): readonly JobRecord[];
  /** Delivery attempts since the start, by outcome. */
  attempts(): Readonly<Partial<Record<AttemptOutcome, number>>>;
  /** Log lines that were dropped. */
  lostLogLines(): number;
}

const MS = 1_000;

export type Metrics = ReturnType<typeof openMetrics>;

export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const make = makerIn(registry);
  const setJobs = jobMetrics(make);
  const lostLines = make.counter(
    'log_lines_lost_total',
    'Lines that the log of this process could not write and gave up.',
  );
  const setStore = storeMetrics(make);
  const setSources = sourceMetrics(make);
  return {
    contentType: registry.contentType,
    /** @returns the text of one scrape. */
    text: (figures: Figures, { jobs, attempts, lostLogLines }: ProcessFigures): Promise<string> => {
      // All in one turn of the event loop, so that no other scrape sees half of it.
      setJobs(jobs(), attempts());
      lostLines.reset();
      lostLines.inc(lostLogLines());
      setStore(figures);
      setSources(figures);
      return registry.metrics();
    },
  };
}

type Make = ReturnType<typeof makerIn>;

function makerIn(registry: Registry) {
  const options = (name: string, help: string, labelNames: readonly string[]) => {
    return { name: `kashbox_${name}`, help, labelNames, registers: [registry] };
  };
  return {
    counter: (name: string, help: string, ...labels: string[]) => new Counter(options(name, help, labels)),
    gauge: (name: string, help: string, ...labels: string[]) => new Gauge(options(name, help, labels)),
  };
}

function jobMetrics(make: Make) {
  const runs = make.counter('job_runs_total', 'Runs of a job in this process.', 'job');
  const errors = make.counter('job_errors_total', 'Runs of a job in this process that failed.', 'job');
  const lastRun = make.gauge(
    'job_last_run_timestamp_seconds',
    'When the last run of a job in this process began.',
    'job',
  );
  const lastDuration = make.gauge(
    'job_last_duration_seconds',
    'How long the last run of a job in this process took.',
    'job',
  );
  const attempted = make.counter(
    'notification_attempts_total',
    'Attempts of this process to notify shops, by what became of them.',
    'outcome',
  );
  return (jobs: readonly JobRecord[], attempts: Readonly<Partial<Record<AttemptOutcome, number>>>): void => {
    for (const metric of [runs, errors, lastRun, lastDuration, attempted]) metric.reset();
    for (const { name: job, last, ...counted } of jobs) {
      runs.inc({ job }, counted.runs);
      errors.inc({ job }, counted.errors);
      if (last === null) continue;
      lastRun.set({ job }, last.at / MS);
      lastDuration.set({ job }, last.ms / MS);
    }
    for (const [outcome, count] of Object.entries(attempts)) attempted.inc({ outcome }, count);
  };
}

function storeMetrics(make: Make) {
  const sessions = make.gauge('sessions_open', 'Payment sessions that are neither completed nor failed.');
  const notifications = make.gauge(
    'notifications',
    'Notifications that are to be sent (DUE) or were given up (DEAD).',
    'state',
  );
  const overdue = make.gauge(
    'notifications_oldest_due_seconds',
    'How long the notification that was due first has been waiting for its next attempt.',
  );
  const devices = make.gauge('devices', 'Relay phones by state.', 'state');
  const silent = make.gauge(
    'job_silent',
    '1 for a job that no daemon has run for three of its periods, or whose last run lies in the future.',
    'job',
  );
  return (figures: Figures): void => {
    sessions.set(figures.openSessions);
    notifications.set({ state: 'DUE' }, figures.dueNotifications);
    notifications.set({ state: 'DEAD' }, figures.deadNotifications);
    overdue.set(figures.overdueMs / MS);
    for (const [state, count] of Object.entries(figures.devices)) devices.set({ state }, count);
    silent.reset();
    for (const { name: job, isSilent } of figures.jobs) silent.set({ job }, isSilent ? 1 : 0);
  };
}

/** As all daemons and commands on this store have counted them. */
function sourceMetrics(make: Make) {
  const asked = make.gauge(
    'claims_asked_outside',
    'Claims whose payments are asked for on chain and exchanges until they are there and final.',
  );
  const calls = make.counter(
    'source_calls_total',
    'Calls to a node or to the exchange of an account, by the id that lists show.',
    'source',
  );
  const failures = make.counter('source_failures_total', 'Calls that failed, by kind.', 'source', 'kind');
  return ({ askedClaims, sources }: Figures): void => {
    asked.set(askedClaims);
    calls.reset();
    failures.reset();
    for (const { source, ...counted } of sources) {
      calls.inc({ source }, counted.calls);
      for (const [kind, count] of Object.entries(counted.failures)) failures.inc({ source, kind }, count);
    }
  };
}
