/** Builds all panels of a snapshot; defines all of them except the panel of devices. Pure. */
import type {
  BoardAlert,
  BoardJob,
  BoardNotification,
  DashboardData,
} from '../actions/upkeep/load-dashboard.js';
import { CHANNEL } from '../domain/accounts/channels.js';
import { type AlertKind, kindFacts } from '../domain/alerts/alert.js';
import type { DispatchState } from '../domain/dispatches/dispatch.js';
import type { Offer } from './dialog.js';
import type { Cell, Tone } from './frame.js';
import {
  ageText,
  buildPanel,
  clockText,
  counted,
  getId,
  minuteText,
  type Panel,
  type PanelField,
  parseTimeMs,
} from './panel.js';
import { devicesPanel } from './panel-devices.js';
import type { Snapshot } from './snapshot.js';

/** @param now milliseconds since the epoch. @returns in the order in which Tab goes through them. */
export function buildPanels({ phones, shop }: Snapshot, now: number): readonly Panel[] {
  const devices = devicesPanel(phones, shop?.alerts.latest ?? [], now);
  if (shop === null) return [devices];
  return [
    devices,
    paymentsPanel(shop, now),
    reviewsPanel(shop.reviews, now),
    unclaimedPanel(shop.unclaimed, now),
    notificationsPanel(shop.notifications, now),
    alertsPanel(shop.alerts, now),
    dispatchesPanel(shop.dispatches, now),
    nodesPanel(shop.nodes, now),
    jobsPanel(shop.jobs, now),
  ];
}

type BoardPayment = DashboardData['payments']['latest'][number];

const STATUS_TONES: Readonly<Record<BoardPayment['status'], Tone>> = {
  COMPLETED: 'good',
  PENDING: 'info',
  FAILED: 'dim',
};

const PAYMENT_FIELDS: readonly PanelField<BoardPayment>[] = [
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

function paymentsPanel(
  { payments, refunds }: Pick<DashboardData, 'payments' | 'refunds'>,
  now: number,
): Panel {
  const { today, yesterday, last_hour: hour, latest } = payments;
  const some = (count: number, word: string, tone: Tone) => (count === 0 ? [] : [counted(count, word, tone)]);
  const completed = counted(hour.completed, 'COMPLETED', 'good');
  const [firstOfHour = completed, ...restOfHour] = [
    ...some(hour.pending, 'PENDING', 'info'),
    completed,
    ...some(hour.failed, 'FAILED', 'dim'),
  ];
  return buildPanel(
    {
      id: 'payments',
      summary: [
        { text: `today ${today.completed}: BDT ${today.paid}`, tone: 'good' },
        ...(refunds.pending === 0
          ? []
          : [{ text: `${refunds.pending} to refund: BDT ${refunds.sum}`, tone: 'warn' as const }]),
        ...(today.refunded === '0.00' ? [] : [{ text: `refunded BDT ${today.refunded}` }]),
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
      keyOf: getId,
      empty: 'No payment yet.',
    },
    now,
  );
}

type Review = DashboardData['reviews']['oldest'][number];

const REVIEW_FIELDS: readonly PanelField<Review>[] = [
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

function reviewsPanel({ waiting, oldest }: DashboardData['reviews'], now: number): Panel {
  const summary =
    waiting === 0 ? { text: 'none', tone: 'dim' as const } : counted(waiting, 'waiting', 'warn');
  const [fields, empty] = [REVIEW_FIELDS, 'None waits for you.'];
  const offersOf = (review: Review): Offer[] => [
    { key: 'a', does: 'approve', subject: { act: 'approve', review } },
    { key: 'x', does: 'reject', subject: { act: 'reject', review } },
  ];
  return buildPanel(
    { id: 'reviews', summary: [summary], fields, things: oldest, keyOf: getId, offersOf, empty },
    now,
  );
}

type Node = DashboardData['nodes'][number];

const failuresOf = ({ failures }: Node) => Object.values(failures).reduce((sum, count) => sum + count, 0);

/** States, those with problems first. An unused node is not `ok`, because its health is unknown. */
const NODE_STATES = {
  failing: { text: 'failing', tone: 'bad' },
  never_asked: { text: 'unused', tone: 'warn' },
  ok: { text: 'ok', tone: 'good' },
} as const;

const NODE_FIELDS: readonly PanelField<Node>[] = [
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

function nodesPanel(nodes: DashboardData['nodes'], now: number): Panel {
  const states = (Object.keys(NODE_STATES) as Node['state'][])
    .map((state) => ({ ...NODE_STATES[state], found: nodes.filter((node) => node.state === state) }))
    .filter(({ found }) => found.length > 0);
  const counts = states.map(({ text, tone, found }) => counted(found.length, text, tone));
  const summary = counts.length === 0 ? [counted(0, 'ok', 'dim')] : counts;
  const things = states.flatMap(({ found }) => found);
  const [fields, empty] = [NODE_FIELDS, 'No node: no USDT.'];
  return buildPanel({ id: 'nodes', summary, fields, things, keyOf: getId, empty }, now);
}

/** Tones of states, those with problems first. */
const JOB_TONES = { failed: 'bad', silent: 'warn', ok: 'good' } as const;

const JOB_FIELDS: readonly PanelField<BoardJob>[] = [
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

export function jobsPanel(jobs: DashboardData['jobs'], now: number): Panel {
  const states = (Object.keys(JOB_TONES) as (keyof typeof JOB_TONES)[])
    .map((state) => ({ state, found: jobs.filter((job) => job.state === state) }))
    .filter(({ found }) => found.length > 0);
  return buildPanel(
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

const NOTIFICATION_FIELDS: readonly PanelField<BoardNotification>[] = [
  [
    { head: 'STATE', width: 7, rank: 0 },
    ({ state }) => ({ text: state, tone: state === 'FAILED' ? 'bad' : 'info' }),
  ],
  [
    { head: 'TRIES', width: 5, align: 'right', rank: 0 },
    ({ tries }) => ({ text: String(tries), tone: tries > 0 ? 'warn' : 'dim' }),
  ],
  [
    { head: 'ENDPOINT', width: 24, least: 12, upTo: 40, rank: 0 },
    (one) => one.endpoint.replace('https://', ''),
  ],
  [{ head: 'NEXT', width: 5, align: 'right', rank: 1 }, (one, now) => untilText(one.next_at, now)],
  [{ head: 'BRAND', width: 10, upTo: 18, rank: 2 }, (one) => one.brand],
  [{ head: 'EVENT', width: 17, rank: 3 }, (one) => one.event],
];

function notificationsPanel(
  { pending, failed, failing }: DashboardData['notifications'],
  now: number,
): Panel {
  const summary = [counted(pending, 'pending', 'info', 'dim'), counted(failed, 'failed', 'bad', 'dim')];
  const [fields, empty] = [NOTIFICATION_FIELDS, 'All notifications are delivered.'];
  // A test is sent once.
  const offersOf = (notification: BoardNotification): Offer[] =>
    notification.event === 'ping'
      ? []
      : [{ key: 's', does: 'send again', subject: { act: 'replay', notification } }];
  return buildPanel(
    { id: 'notifications', summary, fields, things: failing, keyOf: getId, offersOf, empty },
    now,
  );
}

/** `now` or how long yet: `40s`, `12m`, `3h`; empty for never. */
function untilText(iso: string | null, now: number): string {
  const at = parseTimeMs(iso);
  if (at === null) return '';
  const seconds = Math.ceil((at - now) / 1000);
  if (seconds <= 0) return 'now';
  if (seconds < 60) return `${seconds}s`;
  return seconds < 3_600 ? `${Math.ceil(seconds / 60)}m` : `${Math.ceil(seconds / 3_600)}h`;
}

const DISPATCH_TONES: Readonly<Record<DispatchState, Tone>> = {
  QUEUED: 'info',
  LEASED: 'info',
  SENT: 'good',
  DELIVERED: 'good',
  FAILED: 'bad',
  EXPIRED: 'warn',
  UNKNOWN: 'warn',
  CANCELLED: 'dim',
};

const DISPATCH_FIELDS: readonly PanelField<DashboardData['dispatches']['latest'][number]>[] = [
  [{ head: 'STATE', width: 9, rank: 0 }, ({ state }) => ({ text: state, tone: DISPATCH_TONES[state] })],
  [{ head: 'NUMBER', width: 14, upTo: 16, rank: 0 }, (one) => one.number],
  [{ head: 'AGO', width: 4, align: 'right', rank: 1 }, (one, now) => ageText(one.queued_at, now)],
  [{ head: 'DEVICE', width: 16, upTo: 24, rank: 2 }, (one) => one.device],
  [{ head: 'PARTS', width: 5, align: 'right', rank: 3 }, (one) => String(one.parts)],
];

function dispatchesPanel({ queued, leased, latest }: DashboardData['dispatches'], now: number): Panel {
  const waiting = counted(queued, 'queued', 'info', 'dim');
  const summary = leased === 0 ? [waiting] : [waiting, counted(leased, 'leased', 'info')];
  const [fields, empty] = [DISPATCH_FIELDS, 'No SMS has gone out.'];
  return buildPanel({ id: 'dispatches', summary, fields, things: latest, keyOf: getId, empty }, now);
}

const isOver = ({ ended_at }: BoardAlert) => ended_at !== null;

const ALERT_FIELDS: readonly PanelField<BoardAlert>[] = [
  [
    { head: '', width: 1, rank: 0 },
    (one) => (isOver(one) ? { text: '✓', tone: 'dim' } : { text: '!', tone: 'bad' }),
  ],
  [
    { head: 'AGO', width: 4, align: 'right', rank: 0 },
    (one, now) => ({ text: ageText(one.at, now), tone: isOver(one) ? 'dim' : 'plain' }),
  ],
  [{ head: 'ALERT', width: 7, rank: 0 }, aboutCell],
  [
    { head: 'DEVICE', width: 18, least: 9, upTo: 24, rank: 0 },
    (one) => ({
      text: 'recipient' in one.detail ? '' : (one.device ?? ''),
      tone: isOver(one) && !('recipient' in one.detail) ? 'dim' : 'plain',
    }),
  ],
  [
    { head: 'STATE', width: 5, rank: 1 },
    (one) => (isOver(one) ? { text: 'over', tone: 'dim' } : { text: 'open', tone: 'bad' }),
  ],
  [{ head: 'WHAT', width: 16, upTo: 90, rank: 2 }, (one) => ({ text: whatText(one), tone: 'dim' })],
];

function alertsPanel({ open, latest }: DashboardData['alerts'], now: number): Panel {
  const summary = open === 0 ? { text: 'none open', tone: 'dim' as const } : counted(open, 'open', 'bad');
  const [fields, empty] = [ALERT_FIELDS, 'No alert so far.'];
  const offersOf = (alert: BoardAlert): Offer[] =>
    alert.gaps.length === 0 ? [] : [{ key: 'c', does: 'close gap', subject: { act: 'close_gap', alert } }];
  return buildPanel(
    { id: 'alerts', summary: [summary], fields, things: latest, keyOf: getId, offersOf, empty },
    now,
  );
}

/** Kind of the alert; for a gap also the amount and the wallet, because a phone may have many wallets. */
function aboutCell({ kind, detail, device, ended_at }: BoardAlert): Cell {
  const tone = alertTone(kind, ended_at !== null);
  // Where no phone stands beside it.
  const spans = device === null ? 2 : 1;
  if (!('recipient' in detail)) return { text: kindFacts(kind).word, spans, tone };
  const { direction, missing, recipient } = detail;
  const amount = `${direction === 'in' ? '+' : '-'}${missing}`;
  // Wallets of a shop often begin alike.
  const ends = Array.from({ length: recipient.length }, (_, at) => `…${recipient.slice(at + 1)}`);
  const wallets = [recipient, ...ends.slice(0, -LEAST_DIGITS)];
  const text = `${kindFacts(kind).word} ${amount} ${recipient}`;
  const shorter = [...wallets.map((wallet) => `gap ${amount} ${wallet}`), `gap ${amount}`];
  return { text, shorter, spans: 2, tone };
}

/** Minimum number of digits shown of a wallet's number; fewer do not identify it. */
const LEAST_DIGITS = 2;

/** Facts that the previous columns do not show; the details have the complete message. */
function whatText({ device, detail, message }: BoardAlert): string {
  if (!('recipient' in detail)) return message.replace(`The phone "${device}" `, '');
  const where = `${minuteText(detail.from)} to ${minuteText(detail.until)}, ${detail.channel}`;
  return device === null ? where : `${device}, ${where}`;
}

function alertTone(kind: AlertKind, isOver: boolean): Tone {
  const { good, lasts } = kindFacts(kind);
  if (good) return 'good';
  return isOver && lasts ? 'dim' : 'bad';
}

type UnclaimedMoney = DashboardData['unclaimed']['latest'][number];

/** Number of last digits shown if a number does not fit; customers are asked for these digits. */
const LAST_DIGITS = 4;

function numberCell(number: string | null): Cell {
  if (number === null) return { text: '' };
  return { text: number, shorter: [`…${number.slice(-LAST_DIGITS)}`] };
}

/** Payer, marked if they have paid the same amount for a payment: probably twice. */
function payerCell({ payer, paid_before: before }: UnclaimedMoney): Cell {
  if (before === null || payer === null) return numberCell(payer);
  return {
    text: `${payer} twice?`,
    shorter: [`…${payer.slice(-LAST_DIGITS)} twice`, 'twice'],
    tone: 'warn',
  };
}

/** Amount, marked with `?` if the money needs manual review. */
function amountCell({ amount, settle }: UnclaimedMoney): Cell {
  if (amount === null) return { text: 'unread', tone: 'warn' };
  return settle === 'review' ? { text: `?${amount}`, tone: 'warn' } : { text: amount };
}

const FIELDS: readonly PanelField<UnclaimedMoney>[] = [
  [{ head: 'AGO', width: 4, align: 'right', rank: 0 }, (one, now) => ageText(one.came_at, now)],
  [{ head: 'BDT', width: 9, upTo: 10, align: 'right', rank: 0 }, amountCell],
  [{ head: 'WALLET', width: 6, upTo: 9, rank: 0 }, (one) => CHANNEL[one.channel].name.en],
  [{ head: 'ID', width: 10, upTo: 16, rank: 0 }, (one) => one.reference],
  [{ head: 'FROM', width: 11, least: 5, upTo: 18, rank: 0 }, payerCell],
  [{ head: 'TO', width: 11, rank: 1 }, (one) => numberCell(one.recipient)],
  [{ head: 'TOLD BY', width: 12, upTo: 24, rank: 2 }, (one) => one.told_by ?? ''],
];

export function unclaimedPanel({ count, sum, latest }: DashboardData['unclaimed'], now: number): Panel {
  const summary =
    count === 0
      ? [{ text: 'none', tone: 'dim' as const }]
      : [{ text: String(count), tone: 'warn' as const }, { text: `BDT ${sum}` }];
  const [fields, empty] = [FIELDS, 'All that came in is claimed.'];
  return buildPanel({ id: 'unclaimed', summary, fields, things: latest, keyOf: getId, empty }, now);
}
