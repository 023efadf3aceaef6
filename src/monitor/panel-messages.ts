/** The panels of what goes out: notifications to shops, SMS through phones, alerts to operators. Pure. */
import type { Board, BoardAlert } from '../actions/upkeep/read-dashboard.js';
import { type AlertKind, kindFacts } from '../domain/alerts/alert.js';
import type { DispatchState } from '../domain/dispatches/dispatch.js';
import { ageText, minuteText, msOf } from './age.js';
import type { Offer } from './ask.js';
import type { Cell, Tone } from './frame.js';
import { counted, type Field, idOf, type Panel, panelOf } from './panel.js';

type Notification = Board['notifications']['troubled'][number];

const NOTIFICATION_FIELDS: readonly Field<Notification>[] = [
  [
    { head: 'STATE', width: 5, rank: 0 },
    ({ state }) => ({ text: state, tone: state === 'DEAD' ? 'bad' : 'info' }),
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

export function notificationsPanel({ due, dead, troubled }: Board['notifications'], now: number): Panel {
  const summary = [counted(due, 'due', 'info', 'dim'), counted(dead, 'dead', 'bad', 'dim')];
  const [fields, empty] = [NOTIFICATION_FIELDS, 'Shops have heard of all.'];
  // A test is sent once.
  const offersOf = (notification: Notification): Offer[] =>
    notification.event === 'ping'
      ? []
      : [{ key: 's', does: 'send again', subject: { act: 'replay', notification } }];
  return panelOf(
    { id: 'notifications', summary, fields, things: troubled, keyOf: idOf, offersOf, empty },
    now,
  );
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

const DISPATCH_FIELDS: readonly Field<Board['dispatches']['latest'][number]>[] = [
  [{ head: 'STATE', width: 9, rank: 0 }, ({ state }) => ({ text: state, tone: DISPATCH_TONES[state] })],
  [{ head: 'NUMBER', width: 14, upTo: 16, rank: 0 }, (one) => one.number],
  [{ head: 'AGO', width: 4, align: 'right', rank: 1 }, (one, now) => ageText(one.queued_at, now)],
  [{ head: 'DEVICE', width: 16, upTo: 24, rank: 2 }, (one) => one.device],
  [{ head: 'PARTS', width: 5, align: 'right', rank: 3 }, (one) => String(one.parts)],
];

export function dispatchesPanel({ queued, leased, latest }: Board['dispatches'], now: number): Panel {
  const waiting = counted(queued, 'queued', 'info', 'dim');
  const summary = leased === 0 ? [waiting] : [waiting, counted(leased, 'leased', 'info')];
  const [fields, empty] = [DISPATCH_FIELDS, 'No SMS has gone out.'];
  return panelOf({ id: 'dispatches', summary, fields, things: latest, keyOf: idOf, empty }, now);
}

const isOver = ({ ended_at }: BoardAlert) => ended_at !== null;

const ALERT_FIELDS: readonly Field<BoardAlert>[] = [
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

export function alertsPanel({ open, latest }: Board['alerts'], now: number): Panel {
  const summary = open === 0 ? { text: 'none open', tone: 'dim' as const } : counted(open, 'open', 'bad');
  const [fields, empty] = [ALERT_FIELDS, 'No alert so far.'];
  const offersOf = (alert: BoardAlert): Offer[] =>
    alert.gaps.length === 0 ? [] : [{ key: 'c', does: 'close gap', subject: { act: 'close_gap', alert } }];
  return panelOf(
    { id: 'alerts', summary: [summary], fields, things: latest, keyOf: idOf, offersOf, empty },
    now,
  );
}

/** Which alert; of a gap how much and which wallet, as one phone may have many. */
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

/** Of a wallet's number; fewer tell nothing. */
const LEAST_DIGITS = 2;

/** What does not stand in the columns before it; the details have the whole sentence. */
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
