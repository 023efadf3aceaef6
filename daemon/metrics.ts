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

/** In the order in which they are told: the help text of each, then its labels. Counters end in `_total`. */
const METRICS = {
  job_runs_total: ['Runs of a job in this process.', 'job'],
  job_errors_total: ['Runs of a job in this process that failed.', 'job'],
  job_last_run_timestamp_seconds: ['When the last run of a job in this process began.', 'job'],
  job_last_duration_seconds: ['How long the last run of a job in this process took.', 'job'],
  notification_attempts_total: [
    'Attempts of this process to notify shops, by what became of them.',
    'outcome',
  ],
  log_lines_lost_total: ['Lines that the log of this process could not write and gave up.'],
  sessions_open: ['Payment sessions that are neither completed nor failed.'],
  notifications: ['Notifications that are to be sent (DUE) or were given up (DEAD).', 'state'],
  notifications_oldest_due_seconds: [
    'How long the notification that was due first has been waiting for its next attempt.',
  ],
  devices: ['Relay phones by state.', 'state'],
  job_silent: [
    '1 for a job that no daemon has run for three of its periods, or whose last run lies in the future.',
    'job',
  ],
  claims_asked_outside: [
    'Claims whose payments are asked for on chain and exchanges until they are there and final.',
  ],
  source_calls_total: [
    'Calls to a node or to the exchange of an account, by the id that lists show.',
    'source',
  ],
  source_failures_total: ['Calls that failed, by kind.', 'source', 'kind'],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

type Sample = readonly [name: keyof typeof METRICS, value: number, labels?: Readonly<Record<string, string>>];

export type Metrics = ReturnType<typeof openMetrics>;

export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = new Map(
    Object.entries(METRICS).map(([name, [help, ...labelNames]]) => {
      const options = { name: `kashbox_${name}`, help, labelNames, registers: [registry] };
      return [name, name.endsWith('_total') ? new Counter(options) : new Gauge(options)] as const;
    }),
  );
  return {
    contentType: registry.contentType,
    /** @returns the text of one scrape. */
    text: (figures: Figures, ownFigures: ProcessFigures): Promise<string> => {
      // All in one turn of the event loop, so that no other scrape sees half of it.
      for (const metric of metrics.values()) metric.reset();
      for (const [name, value, labels = {}] of [
        ...samplesOfProcess(ownFigures),
        ...samplesOfStore(figures),
      ]) {
        metrics.get(name)?.inc(labels, value);
      }
      return registry.metrics();
    },
  };
}

function* samplesOfProcess({ jobs, attempts, lostLogLines }: ProcessFigures): Generator<Sample> {
  for (const { name: job, runs, errors, last } of jobs()) {
    yield ['job_runs_total', runs, { job }];
    yield ['job_errors_total', errors, { job }];
    if (last === null) continue;
    yield ['job_last_run_timestamp_seconds', last.at / MS, { job }];
    yield ['job_last_duration_seconds', last.ms / MS, { job }];
  }
  for (const [outcome, count] of Object.entries(attempts())) {
    yield ['notification_attempts_total', count, { outcome }];
  }
  yield ['log_lines_lost_total', lostLogLines()];
}

/** As all daemons and commands on this store have counted them. */
function* samplesOfStore(figures: Figures): Generator<Sample> {
  yield ['sessions_open', figures.openSessions];
  yield ['notifications', figures.dueNotifications, { state: 'DUE' }];
  yield ['notifications', figures.deadNotifications, { state: 'DEAD' }];
  yield ['notifications_oldest_due_seconds', figures.overdueMs / MS];
  for (const [state, count] of Object.entries(figures.devices)) yield ['devices', count, { state }];
  for (const { name: job, isSilent } of figures.jobs) yield ['job_silent', isSilent ? 1 : 0, { job }];
  yield ['claims_asked_outside', figures.askedClaims];
  for (const { source, calls, failures } of figures.sources) {
    yield ['source_calls_total', calls, { source }];
    for (const [kind, count] of Object.entries(failures)) {
      yield ['source_failures_total', count, { source, kind }];
    }
  }
}
