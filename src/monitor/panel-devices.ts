/** The panel of the relay phones: those in trouble first. Pure. */
import { deviceState } from '../domain/device-state.js';
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

/** Trouble first; what nobody waits for last. */
const STATES: readonly (readonly [State, Tone])[] = [
  ['OFFLINE', 'bad'],
  ['LATE', 'warn'],
  ['UNKNOWN', 'warn'],
  ['ONLINE', 'good'],
  ['REVOKED', 'dim'],
];
const TONES = new Map(STATES);
const ORDER = new Map(STATES.map(([state], at) => [state, at]));

/** @param now milliseconds since the epoch: the phones grow older between two readings. */
export function devicesPanel(phones: readonly Phone[], now: number): Panel {
  const known = phones
    .map((phone) => ({ phone, state: stateNow(phone, now) }))
    .sort((a, b) => orderOf(a.state) - orderOf(b.state) || byName.compare(a.phone.name, b.phone.name));
  return {
    id: 'devices',
    title: 'Devices',
    summary: STATES.flatMap(([state, tone]): Cell[] => {
      const count = known.filter((one) => one.state === state).length;
      return count === 0 ? [] : [{ text: `${count} ${state}`, tone }];
    }),
    sparks: [],
    columns: COLUMNS,
    rows: known.map(({ phone, state }) => rowOf(phone, state, now)),
    empty: 'There are no phones here. Make one known with: kashbox devices enroll',
  };
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

const orderOf = (state: State) => ORDER.get(state) ?? 0;

function rowOf(phone: Phone, state: State, now: number): Row {
  const sims = (phone.sims ?? []).map(({ slot, number }) => `${slot}=${number}`).join(' ');
  return {
    key: phone.id,
    cells: [
      { text: phone.name },
      { text: state, tone: TONES.get(state) ?? 'plain' },
      battery(phone),
      { text: phone.network ?? '', tone: phone.network === 'none' ? 'warn' : 'plain' },
      { text: seenText(phone.last_seen_at, now) },
      waiting(phone.pending_sms),
      waiting(phone.pending_dispatches),
      { text: phone.merchant ?? '' },
      { text: sims },
      { text: phone.agent ?? '' },
      { text: phone.downtime, tone: 'warn' },
      { text: phone.app_version ?? '' },
    ],
    thing: { ...phone, state },
  };
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
