/** The panels of what goes out: notifications to shops, SMS through phones, alerts to operators. Pure. */
import type { Board, BoardAlert } from '../actions/upkeep/read-dashboard.js';
import { type AlertKind, lasts } from '../domain/alerts/alert.js';
import type { DispatchState } from '../domain/dispatches/dispatch.js';
import { ageText, minuteText, msOf } from './age.js';
import type { Cell, Tone } from './frame.js';
import type { Column, Panel } from './panel.js';

const NOTIFICATION_COLUMNS: readonly Column[] = [
  { head: 'STATE', width: 5, rank: 0 },
  { head: 'TRIES', width: 5, align: 'right', rank: 0 },
  { head: 'ENDPOINT', width: 24, least: 12, upTo: 40, rank: 0 },
  { head: 'NEXT', width: 5, align: 'right', rank: 1 },
  { head: 'BRAND', width: 10, upTo: 18, rank: 2 },
  { head: 'EVENT', width: 17, rank: 3 },
];

export function notificationsPanel(told: Board['notifications'], now: number): Panel {
  return {
    id: 'notifications',
    title: 'Notifications',
    summary: [
      { text: `${told.due} due`, tone: told.due === 0 ? 'dim' : 'info' },
      { text: `${told.dead} dead`, tone: told.dead === 0 ? 'dim' : 'bad' },
    ],
    sparks: [],
    columns: NOTIFICATION_COLUMNS,
    rows: told.troubled.map((one) => ({
      key: one.id,
      cells: [
        { text: one.state, tone: one.state === 'DEAD' ? 'bad' : 'info' },
        { text: String(one.tries), tone: one.tries > 0 ? 'warn' : 'dim' },
        { text: one.endpoint.replace('https://', '') },
        { text: untilText(one.next_at, now) },
        { text: one.brand },
        { text: one.event },
      ],
      thing: one,
    })),
    empty: 'Shops have heard of all.',
  };
}

/** `now` or how long yet: `40s`, `12m`, `3h`; empty for never. */
function untilText(iso: string | null, now: number): string {
  const at = msOf(iso);
  if (at === null) return '';
  const seconds = Math.ceil((at - now) / 1000);
  if (seconds <= 0) return 'now';
  if (seconds < 60) return `${seconds}s`;
  return seconds < 3_600 ? `${Math.ceil(seconds / 60)}m` : `${Math.ceil(seconds / 3_600)}h`;
}

const DISPATCH_COLUMNS: readonly Column[] = [
  { head: 'STATE', width: 9, rank: 0 },
  { head: 'NUMBER', width: 14, upTo: 16, rank: 0 },
  { head: 'AGO', width: 4, align: 'right', rank: 1 },
  { head: 'DEVICE', width: 16, upTo: 24, rank: 2 },
  { head: 'PARTS', width: 5, align: 'right', rank: 3 },
];

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

export function dispatchesPanel({ queued, leased, latest }: Board['dispatches'], now: number): Panel {
  return {
    id: 'dispatches',
    title: 'Dispatches',
    summary: [
      { text: `${queued} queued`, tone: queued === 0 ? 'dim' : 'info' },
      ...(leased === 0 ? [] : [{ text: `${leased} leased`, tone: 'info' } as const]),
    ],
    sparks: [],
    columns: DISPATCH_COLUMNS,
    rows: latest.map((one) => ({
      key: one.id,
      cells: [
        { text: one.state, tone: DISPATCH_TONES[one.state] },
        { text: one.number },
        { text: ageText(one.queued_at, now) },
        { text: one.device },
        { text: String(one.parts) },
      ],
      thing: one,
    })),
    empty: 'No SMS has gone out.',
  };
}

const ALERT_COLUMNS: readonly Column[] = [
  { head: '', width: 1, rank: 0 },
  { head: 'AGO', width: 4, align: 'right', rank: 0 },
  { head: 'ALERT', width: 7, rank: 0 },
  { head: 'DEVICE', width: 18, least: 9, upTo: 24, rank: 0 },
  { head: 'STATE', width: 5, rank: 1 },
  { head: 'WHAT', width: 16, upTo: 90, rank: 2 },
];

export function alertsPanel({ open, latest }: Board['alerts'], now: number): Panel {
  return {
    id: 'alerts',
    title: 'Alerts',
    summary: [open === 0 ? { text: 'none open', tone: 'dim' } : { text: `${open} open`, tone: 'bad' }],
    sparks: [],
    columns: ALERT_COLUMNS,
    rows: latest.map((alert) => {
      const isOver = alert.ended_at !== null;
      return {
        key: alert.id,
        cells: [
          isOver ? { text: '✓', tone: 'dim' } : { text: '!', tone: 'bad' },
          { text: ageText(alert.at, now), tone: isOver ? 'dim' : 'plain' },
          ...aboutCells(alert),
          { text: isOver ? 'over' : 'open', tone: isOver ? 'dim' : 'bad' },
          { text: whatText(alert), tone: 'dim' },
        ],
        thing: alert,
      };
    }),
    empty: 'No alert so far.',
  };
}

/** Which alert and of which phone; of a gap how much and which wallet, as one phone may have many. */
function aboutCells({ kind, device, detail, ended_at }: BoardAlert): readonly [Cell, Cell] {
  const tone = alertTone(kind, ended_at !== null);
  if (!('recipient' in detail)) {
    return [
      { text: ALERT_WORDS[kind], tone },
      { text: device ?? '', tone: ended_at === null ? 'plain' : 'dim' },
    ];
  }
  const { direction, missing, recipient } = detail;
  const amount = `${direction === 'in' ? '+' : '-'}${missing}`;
  // Wallets of a shop often begin alike.
  const ends = Array.from({ length: recipient.length }, (_, at) => `…${recipient.slice(at + 1)}`);
  const wallets = [recipient, ...ends.slice(0, -LEAST_DIGITS)];
  const text = `${ALERT_WORDS[kind]} ${amount} ${recipient}`;
  const shorter = [...wallets.map((wallet) => `gap ${amount} ${wallet}`), `gap ${amount}`];
  return [{ text, shorter, spans: 2, tone }, { text: '' }];
}

/** Of a wallet's number; fewer tell nothing. */
const LEAST_DIGITS = 2;

/** What does not stand in the columns before it; the details have the whole sentence. */
function whatText({ device, detail, message }: BoardAlert): string {
  if (!('recipient' in detail)) return message.replace(`The phone "${device}" `, '');
  const where = `${minuteText(detail.from)} to ${minuteText(detail.until)}, ${detail.channel}`;
  return device === null ? where : `${device}, ${where}`;
}

const ALERT_WORDS: Readonly<Record<AlertKind, string>> = {
  'device.offline': 'offline',
  'device.battery_low': 'battery',
  'device.trouble': 'trouble',
  'device.recovered': 'back',
  'payment.guessing': 'IDs guessed',
  'payment.disputed': 'money went back?',
  'payment.other_merchant': 'two merchants',
  'sms.gap': 'sms gap',
  'slips.full': 'slips',
};

function alertTone(kind: AlertKind, isOver: boolean): Tone {
  if (kind === 'device.recovered') return 'good';
  return isOver && lasts(kind) ? 'dim' : 'bad';
}
