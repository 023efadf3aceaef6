/** All panels of a reading, and those of money and of the machinery. Pure. */
import type { Board } from '../actions/upkeep/read-dashboard.js';
import { ageText, clockText } from './age.js';
import type { Offer } from './ask.js';
import type { Tone } from './frame.js';
import { counted, type Field, idOf, type Panel, panelOf } from './panel.js';
import { devicesPanel } from './panel-devices.js';
import { alertsPanel, dispatchesPanel, notificationsPanel } from './panel-messages.js';
import { unclaimedPanel } from './panel-unclaimed.js';
import type { Snapshot } from './snapshot.js';

/** @param now milliseconds since the epoch. @returns in the order in which Tab goes through them. */
export function panelsOf({ phones, shop }: Snapshot, now: number): readonly Panel[] {
  const devices = devicesPanel(phones, shop?.alerts.latest ?? [], now);
  if (shop === null) return [devices];
  return [
    devices,
    paymentsPanel(shop.payments, now),
    reviewsPanel(shop.reviews, now),
    unclaimedPanel(shop.unclaimed, now),
    notificationsPanel(shop.notifications, now),
    alertsPanel(shop.alerts, now),
    dispatchesPanel(shop.dispatches, now),
    nodesPanel(shop.nodes, now),
    jobsPanel(shop.jobs, now),
  ];
}

type Payment = Board['payments']['latest'][number];

const STATUS_TONES: Readonly<Record<Payment['status'], Tone>> = {
  COMPLETED: 'good',
  PENDING: 'info',
  FAILED: 'dim',
};

const PAYMENT_FIELDS: readonly Field<Payment>[] = [
  [
    { head: 'TIME', width: 8, rank: 0 },
    (one, now) => ({ text: clockText(one.created_at, now), tone: 'dim' }),
  ],
  [{ head: 'PAYMENT', width: 12, rank: 0 }, (one) => one.gateway_reference],
  [{ head: 'BDT', width: 10, align: 'right', rank: 0 }, (one) => one.paid ?? one.amount],
  [{ head: 'STATUS', width: 9, rank: 0 }, ({ status }) => ({ text: status, tone: STATUS_TONES[status] })],
  [{ head: 'CHANNEL', width: 12, rank: 1 }, (one) => one.channel ?? ''],
  [{ head: 'BRAND', width: 11, upTo: 20, rank: 3 }, (one) => one.brand],
  [{ head: 'CUSTOMER', width: 11, upTo: 22, rank: 2 }, (one) => one.cus_name],
  [{ head: 'TRANSACTION', width: 12, upTo: 16, rank: 4 }, (one) => one.transaction_id ?? ''],
  [
    { head: 'REASON', width: 10, rank: 5 },
    ({ reason }) => ({ text: reason, tone: reason === 'review' ? 'warn' : 'dim' }),
  ],
];

function paymentsPanel(payments: Board['payments'], now: number): Panel {
  const { today, yesterday, last_hour: hour, latest } = payments;
  const some = (count: number, word: string, tone: Tone) => (count === 0 ? [] : [counted(count, word, tone)]);
  const completed = counted(hour.completed, 'COMPLETED', 'good');
  const [firstOfHour = completed, ...restOfHour] = [
    ...some(hour.pending, 'PENDING', 'info'),
    completed,
    ...some(hour.failed, 'FAILED', 'dim'),
  ];
  return panelOf(
    {
      id: 'payments',
      summary: [
        { text: `today ${today.completed}: BDT ${today.paid}`, tone: 'good' },
        { text: `yesterday ${yesterday.completed}: BDT ${yesterday.paid}`, tone: 'dim' },
        { ...firstOfHour, text: `last hour ${firstOfHour.text}` },
        ...restOfHour,
      ],
      sparks: [
        { word: 'opened', values: hour.slots.map(({ opened }) => opened), tone: 'info' },
        { word: 'paid', values: hour.slots.map(({ completed }) => completed), tone: 'good' },
      ],
      fields: PAYMENT_FIELDS,
      things: latest,
      keyOf: idOf,
      empty: 'No payment yet.',
    },
    now,
  );
}

type Review = Board['reviews']['oldest'][number];

const REVIEW_FIELDS: readonly Field<Review>[] = [
  [{ head: 'WAIT', width: 4, align: 'right', rank: 0 }, (one, now) => ageText(one.created_at, now)],
  [{ head: 'BDT', width: 9, upTo: 10, align: 'right', rank: 0 }, (one) => one.amount],
  [
    { head: 'WHY', width: 13, least: 8, upTo: 18, rank: 0 },
    (one) => ({ text: one.reason.replaceAll('_', ' '), tone: 'warn' }),
  ],
  [{ head: 'CUSTOMER', width: 10, upTo: 18, rank: 1 }, (one) => one.cus_name],
  [{ head: 'CHANNEL', width: 12, rank: 2 }, (one) => one.channel],
  [{ head: 'BRAND', width: 10, upTo: 18, rank: 3 }, (one) => one.brand],
  [{ head: 'REFERENCE', width: 12, upTo: 20, rank: 4 }, (one) => one.reference],
];

function reviewsPanel({ waiting, oldest }: Board['reviews'], now: number): Panel {
  const summary =
    waiting === 0 ? { text: 'none', tone: 'dim' as const } : counted(waiting, 'waiting', 'warn');
  const [fields, empty] = [REVIEW_FIELDS, 'None waits for you.'];
  const offersOf = (review: Review): Offer[] => [
    { key: 'a', does: 'approve', subject: { act: 'approve', review } },
    { key: 'x', does: 'reject', subject: { act: 'reject', review } },
  ];
  return panelOf(
    { id: 'reviews', summary: [summary], fields, things: oldest, keyOf: idOf, offersOf, empty },
    now,
  );
}

type Node = Board['nodes'][number];

const failuresOf = ({ failures }: Node) => Object.values(failures).reduce((sum, count) => sum + count, 0);

/** Those with problems first; a node that nobody has asked is not well, nobody knows. */
const NODE_STATES = {
  failing: { text: 'failing', tone: 'bad' },
  never_asked: { text: 'unused', tone: 'warn' },
  ok: { text: 'ok', tone: 'good' },
} as const;

const NODE_FIELDS: readonly Field<Node>[] = [
  [{ head: 'STATE', width: 7, rank: 0 }, ({ state }) => NODE_STATES[state]],
  [{ head: 'NODE', width: 26, least: 9, upTo: 40, rank: 0 }, (one) => one.origin.replace('https://', '')],
  [
    { head: 'OK', width: 5, align: 'right', rank: 1 },
    (one, now) => (one.last_ok_at === null ? { text: 'never', tone: 'dim' } : ageText(one.last_ok_at, now)),
  ],
  [{ head: 'CALLS', width: 8, align: 'right', rank: 3 }, (one) => String(one.calls)],
  [{ head: 'FAILED', width: 7, align: 'right', rank: 2 }, (one) => String(failuresOf(one))],
  [
    { head: 'LAST FAILURE', width: 14, upTo: 30, rank: 4 },
    (one) => ({ text: one.last_failure?.kind.replaceAll('_', ' ') ?? '', tone: 'dim' }),
  ],
];

function nodesPanel(nodes: Board['nodes'], now: number): Panel {
  const states = (Object.keys(NODE_STATES) as Node['state'][])
    .map((state) => ({ ...NODE_STATES[state], found: nodes.filter((node) => node.state === state) }))
    .filter(({ found }) => found.length > 0);
  const counts = states.map(({ text, tone, found }) => counted(found.length, text, tone));
  const summary = counts.length === 0 ? [counted(0, 'ok', 'dim')] : counts;
  const things = states.flatMap(({ found }) => found);
  const [fields, empty] = [NODE_FIELDS, 'No node: no USDT.'];
  return panelOf({ id: 'nodes', summary, fields, things, keyOf: idOf, empty }, now);
}

type Job = Board['jobs'][number];

/** Those with problems first. */
const JOB_TONES = { failed: 'bad', silent: 'warn', ok: 'good' } as const;

const JOB_FIELDS: readonly Field<Job>[] = [
  [{ head: 'STATE', width: 6, rank: 0 }, ({ state }) => ({ text: state, tone: JOB_TONES[state] })],
  [{ head: 'JOB', width: 21, least: 12, rank: 0 }, (one) => one.name],
  [
    { head: 'LAST', width: 4, align: 'right', rank: 1 },
    (one, now) => (one.continuous && one.state !== 'silent' ? 'live' : ageText(one.last_at, now)),
  ],
  [{ head: 'MS', width: 6, align: 'right', rank: 2 }, (one) => String(one.last_ms ?? '')],
  [{ head: 'RUNS', width: 8, align: 'right', rank: 3 }, (one) => String(one.runs)],
  [
    { head: 'ERRORS', width: 6, align: 'right', rank: 4 },
    ({ errors }) => ({ text: String(errors), tone: errors > 0 ? 'warn' : 'dim' }),
  ],
  [
    { head: 'LAST ERROR', width: 14, upTo: 40, rank: 5 },
    (one) => ({ text: one.last_error ?? '', tone: 'dim' }),
  ],
];

export function jobsPanel(jobs: Board['jobs'], now: number): Panel {
  const states = (Object.keys(JOB_TONES) as (keyof typeof JOB_TONES)[])
    .map((state) => ({ state, found: jobs.filter((job) => job.state === state) }))
    .filter(({ found }) => found.length > 0);
  return panelOf(
    {
      id: 'jobs',
      summary: states.map(({ state, found }) => counted(found.length, state, JOB_TONES[state])),
      fields: JOB_FIELDS,
      things: states.flatMap(({ found }) => found),
      keyOf: ({ name }) => name,
      empty: 'No daemon ran yet.',
    },
    now,
  );
}
