/** The panel of the relay phones: those in trouble first. Pure. */
import type { BoardAlert } from '../actions/upkeep/read-dashboard.js';
import { deviceState } from '../domain/devices/device-state.js';
import { msOf, seenText } from './age.js';
import { batteryTone, gauge } from './bars.js';
import type { Cell, Tone } from './frame.js';
import type { Column, Panel, Row } from './panel.js';
import type { Phone } from './snapshot.js';

const GAUGE_CELLS = 5;

const COLUMNS: readonly Column[] = [
  { head: 'NAME', width: 20, least: 12, upTo: 30, rank: 0 },
  { head: 'STATE', width: 7, rank: 0 },
  { head: 'BATTERY', width: GAUGE_CELLS + 6, rank: 0 },
  { head: 'NETWORK', width: 8, rank: 1 },
  { head: 'ACTIVE', width: 7, align: 'right', rank: 0 },
  { head: 'QUEUE', width: 5, align: 'right', rank: 0 },
  { head: 'OUT', width: 4, align: 'right', rank: 2 },
  { head: 'MERCHANT', width: 12, upTo: 20, rank: 3 },
  { head: 'SIMS', width: 27, rank: 5 },
  { head: 'AGENT', width: 9, rank: 4 },
  { head: 'DOWNTIME', width: 18, upTo: 22, rank: 6 },
  { head: 'VERSION', width: 8, rank: 7 },
];

type State = Phone['state'];

/** Trouble first; what nobody waits for last. Those that are there and yet in trouble come before `WELL`. */
const STATES: readonly (readonly [State, Tone])[] = [
  ['OFFLINE', 'bad'],
  ['LATE', 'warn'],
  ['UNKNOWN', 'warn'],
  ['ONLINE', 'good'],
  ['REVOKED', 'dim'],
];
const TONES = new Map(STATES);
const ORDER = new Map(STATES.map(([state], at) => [state, at]));
const WELL: State = 'ONLINE';
/** Enrolled and silent ever since: nobody misses it yet, so it hides no phone that has died. */
const NEVER = { text: 'never seen', order: (ORDER.get('REVOKED') ?? 0) - 0.5 };

interface Known {
  readonly phone: Phone;
  readonly state: State;
  /** What is wrong beyond its silence, in sentences. */
  readonly alerts: readonly string[];
  readonly isTroubled: boolean;
  /** Nothing has ever come from it. The API calls it OFFLINE, too. */
  readonly isNew: boolean;
  /** The lowest comes first. */
  readonly order: number;
}

/**
 * @param alerts those of them all; those that are over count for nothing.
 * @param now milliseconds since the epoch: the phones grow older between two readings.
 */
export function devicesPanel(phones: readonly Phone[], alerts: readonly BoardAlert[], now: number): Panel {
  const open = alerts.filter(({ ended_at }) => ended_at === null);
  const known = phones
    .map((phone) => knownNow(phone, open, now))
    .sort((a, b) => a.order - b.order || byName.compare(a.phone.name, b.phone.name));
  return {
    id: 'devices',
    title: 'Devices',
    summary: summaryOf(known),
    sparks: [],
    columns: COLUMNS,
    rows: known.map((one) => rowOf(one, now)),
    empty: 'No phone yet. Add one: kashbox devices enroll',
  };
}

function summaryOf(known: readonly Known[]): Cell[] {
  const counted = (text: string, tone: Tone, counts: (one: Known) => boolean): Cell[] => {
    const count = known.filter(counts).length;
    return count === 0 ? [] : [{ text: `${count} ${text}`, tone }];
  };
  return [
    ...STATES.filter(([state]) => state !== 'REVOKED').flatMap(([state, tone]) =>
      counted(state, tone, (one) => one.state === state && !one.isNew),
    ),
    ...counted(NEVER.text, 'dim', ({ isNew }) => isNew),
    ...counted('REVOKED', 'dim', ({ state }) => state === 'REVOKED'),
  ];
}

function stateNow(phone: Phone, now: number): State {
  switch (phone.state) {
    case 'ONLINE':
    case 'LATE':
    case 'OFFLINE':
      return deviceState(false, msOf(phone.last_seen_at), now);
    case 'REVOKED':
    case 'UNKNOWN':
      return phone.state;
    default:
      return phone.state satisfies never;
  }
}

/** Made once: to make one is what `localeCompare` spends its time on. */
const byName = new Intl.Collator();

function knownNow(phone: Phone, open: readonly BoardAlert[], now: number): Known {
  const own = open.filter(({ device_id }) => device_id === phone.id);
  const state = stateNow(phone, now);
  const isLow = phone.battery !== null && batteryTone(phone.battery, phone.charging === true) === 'bad';
  const isNew = state === 'OFFLINE' && phone.last_seen_at === null;
  const isTroubled = isLow || own.length > 0 || phone.trouble !== null;
  return {
    phone,
    state,
    alerts: own.map(({ message }) => message),
    isTroubled,
    isNew,
    order: isNew ? NEVER.order : orderOf(phone, state, isTroubled),
  };
}

/** A phone that says itself that it cannot work comes before those that are only silent. */
function orderOf({ trouble }: Phone, state: State, isTroubled: boolean): number {
  if (trouble !== null && state !== 'REVOKED') return -1;
  const order = ORDER.get(state) ?? 0;
  return state === WELL && isTroubled ? order - 0.5 : order;
}

function rowOf(known: Known, now: number): Row {
  const { phone, state, alerts, isNew } = known;
  const sims = (phone.sims ?? []).map(({ slot, number }) => `${slot}=${number}`).join(' ');
  return {
    key: phone.id,
    cells: [
      { text: phone.name },
      stateCell(known),
      battery(phone),
      { text: phone.network ?? '', tone: phone.network === 'none' ? 'warn' : 'plain' },
      isNew ? { text: 'never', tone: 'dim' } : { text: seenText(phone.last_seen_at, now) },
      waiting(phone.pending_sms),
      waiting(phone.pending_dispatches),
      { text: phone.merchant ?? '' },
      { text: sims },
      { text: phone.agent ?? '' },
      isNew ? { text: NEVER.text, tone: 'dim' } : { text: phone.downtime, tone: 'warn' },
      { text: phone.app_version ?? '' },
    ],
    thing: {
      ...phone,
      state,
      ...(isNew ? { last_active: 'never', downtime: NEVER.text } : {}),
      ...(alerts.length === 0 ? {} : { alerts }),
    },
  };
}

function stateCell({ state, isTroubled, isNew }: Known): Cell {
  if (state === WELL && isTroubled) return { text: `${state}!`, tone: 'warn' };
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
