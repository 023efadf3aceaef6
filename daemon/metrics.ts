/**
 * The figures in the form that Prometheus reads, by prom-client. Loaded with the first scrape: most
 * installations are never asked. No label holds a key, a shop or an address.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Figures } from '../src/actions/upkeep/read-figures.js';
import type { AttemptOutcome } from '../src/domain/notifications/notification.js';
import type { JobRecord } from './loops/job-records.js';

/** What this process knows of itself. */
export interface ProcessFigures {
  jobs(): readonly JobRecord[];
  /** Attempts to notify since the start, by what became of them. */
  attempts(): Readonly<Partial<Record<AttemptOutcome, number>>>;
  /** Lines that the log could not write and gave up. */
  lostLogLines(): number;
}

export interface Metrics {
  readonly contentType: string;
  /** @returns the text of one scrape. */
  text(figures: Figures, ownFigures: ProcessFigures): Promise<string>;
}

const MS = 1_000;

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const setJobs = jobMetrics(registry);
  const lostLines = new Counter({
    name: 'kashbox_log_lines_lost_total',
    help: 'Lines that the log of this process could not write and gave up.',
    registers: [registry],
  });
  const setStore = storeMetrics(registry);
  const setSources = sourceMetrics(registry);
  return {
    contentType: registry.contentType,
    text: (figures, { jobs, attempts, lostLogLines }) => {
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

function jobMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['job'];
  const runs = new Counter({
    name: 'kashbox_job_runs_total',
    help: 'Runs of a job in this process.',
    labelNames,
    registers,
  });
  const errors = new Counter({
    name: 'kashbox_job_errors_total',
    help: 'Runs of a job in this process that failed.',
    labelNames,
    registers,
  });
  const lastRun = new Gauge({
    name: 'kashbox_job_last_run_timestamp_seconds',
    help: 'When the last run of a job in this process began.',
    labelNames,
    registers,
  });
  const lastDuration = new Gauge({
    name: 'kashbox_job_last_duration_seconds',
    help: 'How long the last run of a job in this process took.',
    labelNames,
    registers,
  });
  const attempted = new Counter({
    name: 'kashbox_notification_attempts_total',
    help: 'Attempts of this process to notify shops, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
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

function storeMetrics(registry: Registry) {
  const registers = [registry];
  const sessions = new Gauge({
    name: 'kashbox_sessions_open',
    help: 'Payment sessions that are neither completed nor failed.',
    registers,
  });
  const notifications = new Gauge({
    name: 'kashbox_notifications',
    help: 'Notifications that are to be sent (DUE) or were given up (DEAD).',
    labelNames: ['state'],
    registers,
  });
  const overdue = new Gauge({
    name: 'kashbox_notifications_oldest_due_seconds',
    help: 'How long the notification that was due first has been waiting for its next attempt.',
    registers,
  });
  const devices = new Gauge({
    name: 'kashbox_devices',
    help: 'Relay phones by state.',
    labelNames: ['state'],
    registers,
  });
  const silent = new Gauge({
    name: 'kashbox_job_silent',
    help: '1 for a job that no daemon has run for three of its periods, or whose last run lies in the future.',
    labelNames: ['job'],
    registers,
  });
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
function sourceMetrics(registry: Registry) {
  const registers = [registry];
  const asked = new Gauge({
    name: 'kashbox_claims_asked_outside',
    help: 'Claims whose payments are asked for on chain and exchanges until they are there and final.',
    registers,
  });
  const calls = new Counter({
    name: 'kashbox_source_calls_total',
    help: 'Calls to a node or to the exchange of an account, by the id that lists show.',
    labelNames: ['source'],
    registers,
  });
  const failures = new Counter({
    name: 'kashbox_source_failures_total',
    help: 'Calls that failed, by kind.',
    labelNames: ['source', 'kind'],
    registers,
  });
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
