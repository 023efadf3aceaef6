/** The panel of relay phones: those with problems first. Pure. */
import type { BoardAlert } from '../actions/upkeep/load-dashboard.js';
import { deviceState } from '../domain/devices/device-state.js';
import type { Cell, Tone } from './frame.js';
import { buildPanel, counted, type Panel, type PanelField, parseTimeMs, seenText } from './panel.js';
import type { Phone } from './snapshot.js';

const GAUGE_CELLS = 5;

type State = Phone['state'];

/** Order of states: problems first, finished last. Online phones with a problem come before `WELL`. */
const STATES: readonly (readonly [State, Tone])[] = [
  ['OFFLINE', 'bad'],
  ['STALE', 'warn'],
  ['UNKNOWN', 'warn'],
  ['ONLINE', 'good'],
  ['REVOKED', 'dim'],
];
const TONES = new Map(STATES);
const ORDER = new Map(STATES.map(([state], at) => [state, at]));
const WELL: State = 'ONLINE';
/** Enrolled and silent ever since: it is not in use yet, so it comes after phones that stopped working. */
const NEVER = { text: 'never seen', order: (ORDER.get('REVOKED') ?? 0) - 0.5 };

interface KnownPhone {
  readonly phone: Phone;
  readonly state: State;
  /** Messages of open alerts of the phone. */
  readonly alerts: readonly string[];
  readonly hasProblem: boolean;
  /** True if the phone was never seen; the API reports it as OFFLINE, too. */
  readonly isNew: boolean;
  /** The lowest comes first. */
  readonly order: number;
}

/**
 * @param alerts alerts of all phones; ended ones are ignored.
 * @param now milliseconds since the epoch; the state of a phone can change between two readings.
 */
export function devicesPanel(phones: readonly Phone[], alerts: readonly BoardAlert[], now: number): Panel {
  const open = alerts.filter(({ ended_at }) => ended_at === null);
  const known = phones
    .map((phone) => knownNow(phone, open, now))
    .sort((a, b) => a.order - b.order || byName.compare(a.phone.name, b.phone.name));
  const empty = 'No phone yet. Add one: kashbox devices enroll';
  const keyOf = ({ phone }: KnownPhone) => phone.id;
  const summary = summaryOf(known);
  return buildPanel({ id: 'devices', summary, fields: FIELDS, things: known, keyOf, shownOf, empty }, now);
}

function summaryOf(known: readonly KnownPhone[]): Cell[] {
  const some = (text: string, tone: Tone, counts: (one: KnownPhone) => boolean): Cell[] => {
    const count = known.filter(counts).length;
    return count === 0 ? [] : [counted(count, text, tone)];
  };
  return [
    ...STATES.filter(([state]) => state !== 'REVOKED' && state !== WELL).flatMap(([state, tone]) =>
      some(state, tone, (one) => one.state === state && !one.isNew),
    ),
    ...some(`${WELL}!`, 'warn', ({ state, hasProblem }) => state === WELL && hasProblem),
    ...some(WELL, 'good', ({ state, hasProblem }) => state === WELL && !hasProblem),
    ...some(NEVER.text, 'dim', ({ isNew }) => isNew),
    ...some('REVOKED', 'dim', ({ state }) => state === 'REVOKED'),
  ];
}

/** True if the phone was seen before and is offline now. @param now milliseconds since the epoch. */
export function isOffline(phone: Phone, now: number): boolean {
  return stateNow(phone, now) === 'OFFLINE' && phone.last_seen_at !== null;
}

function stateNow(phone: Phone, now: number): State {
  switch (phone.state) {
    case 'ONLINE':
    case 'STALE':
    case 'OFFLINE':
      return deviceState(false, parseTimeMs(phone.last_seen_at), now);
    case 'REVOKED':
    case 'UNKNOWN':
      return phone.state;
    default:
      return phone.state satisfies never;
  }
}

/** Collator, created once because creating it is the slow part of `localeCompare`. */
const byName = new Intl.Collator(undefined, { numeric: true });

function knownNow(phone: Phone, open: readonly BoardAlert[], now: number): KnownPhone {
  const own = open.filter(({ device_id }) => device_id === phone.id);
  const state = stateNow(phone, now);
  const isLow = phone.battery !== null && batteryTone(phone.battery, phone.charging === true) === 'bad';
  const isNew = state === 'OFFLINE' && phone.last_seen_at === null;
  const hasProblem = isLow || own.length > 0 || phone.problem !== null;
  return {
    phone,
    state,
    alerts: own.map(({ message }) => message),
    hasProblem,
    isNew,
    order: isNew ? NEVER.order : orderOf(phone, state, hasProblem),
  };
}

/** A phone that says itself that it cannot work comes before those that are only silent. */
function orderOf({ problem }: Phone, state: State, hasProblem: boolean): number {
  if (problem !== null && state !== 'REVOKED') return -1;
  const order = ORDER.get(state) ?? 0;
  return state === WELL && hasProblem ? order - 0.5 : order;
}

const shownOf = ({ phone, state, isNew, alerts }: KnownPhone) => ({
  ...phone,
  state,
  ...(isNew ? { last_active: 'never', downtime: NEVER.text } : {}),
  ...(alerts.length === 0 ? {} : { alerts }),
});

const FIELDS: readonly PanelField<KnownPhone>[] = [
  [{ head: 'NAME', width: 20, least: 12, upTo: 30, rank: 0 }, ({ phone }) => phone.name],
  [{ head: 'STATE', width: 7, rank: 0 }, stateCell],
  [{ head: 'BATTERY', width: GAUGE_CELLS + 6, rank: 0 }, ({ phone }) => battery(phone)],
  [
    { head: 'NETWORK', width: 8, rank: 1 },
    ({ phone: { network } }) => ({ text: network ?? '', tone: network === 'none' ? 'warn' : 'plain' }),
  ],
  [
    { head: 'ACTIVE', width: 7, align: 'right', rank: 0 },
    ({ phone, isNew }, now) =>
      isNew ? { text: 'never', tone: 'dim' } : { text: seenText(phone.last_seen_at, now) },
  ],
  [{ head: 'QUEUE', width: 5, align: 'right', rank: 0 }, ({ phone }) => waiting(phone.pending_sms)],
  [{ head: 'OUT', width: 4, align: 'right', rank: 2 }, ({ phone }) => waiting(phone.pending_dispatches)],
  [{ head: 'MERCHANT', width: 12, upTo: 20, rank: 3 }, ({ phone }) => phone.merchant ?? ''],
  [
    { head: 'SIMS', width: 27, rank: 5 },
    ({ phone }) => (phone.sims ?? []).map(({ slot, number }) => `${slot}=${number}`).join(' '),
  ],
  [{ head: 'AGENT', width: 9, rank: 4 }, ({ phone }) => phone.agent ?? ''],
  [
    { head: 'DOWNTIME', width: 18, upTo: 22, rank: 6 },
    ({ phone, isNew }) =>
      isNew ? { text: NEVER.text, tone: 'dim' } : { text: phone.downtime, tone: 'warn' },
  ],
  [{ head: 'VERSION', width: 8, rank: 7 }, ({ phone }) => phone.app_version ?? ''],
];

function stateCell({ state, hasProblem, isNew }: KnownPhone): Cell {
  if (state === WELL && hasProblem) return { text: `${state}!`, tone: 'warn' };
  return { text: state, tone: isNew ? 'dim' : (TONES.get(state) ?? 'plain') };
}

/** A `+` means charging, as in `devices list`. */
function battery({ battery: percent, charging }: Phone): Cell {
  if (percent === null) return { text: '' };
  const text = `${gauge(percent, GAUGE_CELLS)} ${`${percent}%`.padStart(4)}${charging === true ? '+' : ''}`;
  return { text, tone: batteryTone(percent, charging === true) };
}

function waiting(count: number | null): Cell {
  return { text: count === null ? '' : String(count), tone: (count ?? 0) > 0 ? 'info' : 'dim' };
}

const LEVELS = '▁▂▃▄▅▆▇█';
const EIGHTHS = ' ▏▎▍▌▋▊▉';
const FULL = '█';
const EMPTY = '░';
/** Character for zero, which must not look like a small value. */
const NONE = '·';

/** Battery threshold, the same as for `device.battery_low`. */
const LOW_PERCENT = 20;
const MIDDLE_PERCENT = 40;

/** @param percent 0 to 100. @returns a bar of `width` cells. */
export function gauge(percent: number, width: number): string {
  const eighths = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 8);
  const full = Math.floor(eighths / 8);
  const part = eighths % 8 === 0 ? '' : (EIGHTHS[eighths % 8] ?? '');
  return `${FULL.repeat(full)}${part}`.padEnd(width, EMPTY);
}

function batteryTone(percent: number, isCharging: boolean): Tone {
  if (percent <= LOW_PERCENT) return isCharging ? 'warn' : 'bad';
  return percent <= MIDDLE_PERCENT && !isCharging ? 'warn' : 'good';
}

/** @param top what fills a cell to its top; at least 1. @returns one cell a value. */
export function sparkline(values: readonly number[], top: number): string {
  return values
    .map((value) => {
      if (value <= 0) return NONE;
      const level = Math.ceil((Math.min(value, top) / top) * LEVELS.length);
      return LEVELS[Math.max(1, level) - 1] ?? FULL;
    })
    .join('');
}
