/**
 * Metrics in the format of Prometheus, by prom-client. Loaded with the first scrape: most installations are
 * never scraped. No label contains a key, a shop or an address.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Activity, FAILURE_REASONS } from '../src/actions/upkeep/count-activity.js';
import type { Figures } from '../src/actions/upkeep/load-figures.js';
import { PAY_CHANNELS } from '../src/domain/accounts/channels.js';
import type { AttemptOutcome } from '../src/domain/notifications/notification.js';
import { SMS_KINDS } from '../src/domain/wallets/format.js';
import type { JobRecord } from './loops/job-records.js';
import { formatHistogram, type RequestTimes } from './request-times.js';

/** Figures of this process, as its log and its jobs know them. */
export interface JobFigures {
  jobs(): readonly JobRecord[];
  /** Delivery attempts since the start, by outcome. */
  attempts(): Readonly<Partial<Record<AttemptOutcome, number>>>;
  /** Log lines that were dropped. */
  lostLogLines(): number;
}

export interface ProcessFigures extends JobFigures {
  readonly requests: RequestTimes['all'];
}

interface StoreFigures extends Figures {
  readonly activity: Activity;
}

const MS = 1_000;

const REQUESTS = [
  'kashbox_http_request_duration_seconds',
  'How long requests took until they were answered.',
] as const;

/** Metrics in the order of the output: the help text of each, then its labels. Counters end in `_total`. */
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
  payments_opened_total: ['Payments that were opened since this process began, by flow.', 'flow'],
  payments_completed_total: [
    'Payments that were completed since this process began, by the channel of the money.',
    'channel',
  ],
  payments_completed_paisa_total: [
    'Paisa that were credited to payments since this process began, fees included.',
    'channel',
  ],
  refunds_completed_total: [
    'Refunds that were completed since this process began, by the channel of the money.',
    'channel',
  ],
  refunds_completed_paisa_total: ['Paisa that were refunded since this process began.', 'channel'],
  payments_failed_total: ['Payments that failed since this process began, by reason.', 'reason'],
  sms_received_total: ['SMS that were stored since this process began, by what they were read as.', 'kind'],
  reviews_open: ['Verifications that wait for a person.'],
  refunds_pending: ['Refunds that the shop has not sent yet.'],
  sms_gaps_open: ['Places at which the balances of a wallet show an SMS that never came.'],
  store_takes_writes: ['1 while the last write of this process worked, 0 after one that the store refused.'],
  backup_last_timestamp_seconds: ['When the last backup was made; 0 before the first.'],
  sessions_open: ['Payment sessions that are neither completed nor failed.'],
  notifications: ['Notifications that are to be sent (PENDING) or failed permanently (FAILED).', 'state'],
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
    text: async (figures: StoreFigures, ownFigures: ProcessFigures): Promise<string> => {
      // All in one turn of the event loop, so that no other scrape sees half of it.
      for (const metric of metrics.values()) metric.reset();
      for (const [name, value, labels = {}] of [
        ...samplesOfProcess(ownFigures),
        ...samplesOfStore(figures),
      ]) {
        metrics.get(name)?.inc(labels, value);
      }
      const requests = formatHistogram(...REQUESTS, ownFigures.requests());
      return (await registry.metrics()) + requests;
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

/** Counts of all daemons and commands on this store. */
function* samplesOfStore(figures: StoreFigures): Generator<Sample> {
  yield* samplesOfActivity(figures.activity);
  yield ['reviews_open', figures.openReviews];
  yield ['refunds_pending', figures.pendingRefunds];
  yield ['sms_gaps_open', figures.openGaps];
  yield ['store_takes_writes', figures.takesWrites ? 1 : 0];
  yield ['backup_last_timestamp_seconds', (figures.backupAt ?? 0) / MS];
  yield ['sessions_open', figures.openSessions];
  yield ['notifications', figures.dueNotifications, { state: 'PENDING' }];
  yield ['notifications', figures.deadNotifications, { state: 'FAILED' }];
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

/** Reports 0 for what has not happened yet, if its name is known: a rate needs a starting value. */
function* samplesOfActivity(activity: Activity): Generator<Sample> {
  const { opened, completed, paisa, refunds, refundedPaisa, failed, sms } = activity;
  for (const flow of ['hosted', 'headless']) yield ['payments_opened_total', opened[flow] ?? 0, { flow }];
  for (const channel of PAY_CHANNELS) {
    yield ['payments_completed_total', completed[channel] ?? 0, { channel }];
    yield ['payments_completed_paisa_total', paisa[channel] ?? 0, { channel }];
    yield ['refunds_completed_total', refunds[channel] ?? 0, { channel }];
    yield ['refunds_completed_paisa_total', refundedPaisa[channel] ?? 0, { channel }];
  }
  for (const reason of FAILURE_REASONS) yield ['payments_failed_total', failed[reason] ?? 0, { reason }];
  for (const kind of SMS_KINDS) yield ['sms_received_total', sms[kind] ?? 0, { kind }];
}
