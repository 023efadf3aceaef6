/**
 * Everybody who wants to know at once when there is something for a phone: its event stream, its request that
 * waits. This process's own actions call by name; one query every half second asks for all what others have
 * put into the store, and only while somebody listens. What wakes is always what stands there. Knows no HTTP.
 */
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import {
  type PhoneCalls,
  reasonsToWake,
  TOLD_NOTHING,
  type Told,
  type WakeReason,
} from '../../src/domain/devices/waking.js';
import { callsFor } from '../../src/store/tables/calls.js';
import { createLoop } from '../loops/loop.js';
import { openSeats } from '../streams/seats.js';

export interface PhoneListener {
  /** There is something for the phone. `revoked` is the last word, and there is nothing to leave any more. */
  wake(reason: WakeReason): void;
  /** Nothing was said for some seconds. */
  breathe(): void;
  /** Nothing will be said any more: the phone listens elsewhere by now, or the daemon stops. */
  end(): void;
}

export interface ListeningPhone {
  readonly deviceId: string;
  /** Of the key that it came with. */
  readonly keyHash: string;
}

export interface PhoneRoom {
  /** False when nobody more may listen, or after the end; phones then ask now and again. */
  hasRoom(): boolean;
  /**
   * From now on the listener hears of what is there for the phone, at once of what is there already.
   * @returns a function to be called when it has gone.
   */
  enter(phone: ListeningPhone, listener: PhoneListener): () => void;
  /** Lets everybody go, and nobody in any more. */
  endAll(): void;
}

export interface PhoneRoomOptions {
  readonly maxListeners: number;
  readonly breathMs?: number;
  readonly lookMs?: number;
}

/** Mobile networks forget what is silent for longer than a few of these. */
const BREATH_MS = 15_000;
/** How long another process's call stays unheard at most. */
const LOOK_MS = 500;
/** Phones in one query. */
const CHUNK = 1_024;
/** A phone that lost its connection comes back before the daemon notices; what is older is dead. */
const LISTENERS_PER_PHONE = 2;

interface Seat extends ListeningPhone {
  readonly listener: PhoneListener;
  /** Heartbeat slot; spreads heartbeats so that they do not block requests. */
  readonly turn: number;
  told: Told;
}

export function openPhoneRoom(
  core: Pick<Core, 'store' | 'called'>,
  log: Log,
  options: PhoneRoomOptions,
): PhoneRoom {
  const { maxListeners, breathMs = BREATH_MS, lookMs = LOOK_MS } = options;
  const turns = Math.ceil(breathMs / lookMs);
  const seats = openSeats<Seat>();
  let isOver = false;
  let turn = 0;

  function leave(seat: Seat): void {
    if (!seats.leave(seat.deviceId, seat) || seats.taken() > 0) return;
    void ticking.stop();
  }

  function end(seat: Seat): void {
    leave(seat);
    seat.listener.end();
  }

  const look = lookerAt(core, log, (id, calls) => {
    for (const seat of seats.of(id)) tell(seat, calls);
  });

  function tell(seat: Seat, calls: PhoneCalls | null): void {
    const reasons = reasonsToWake(seat.keyHash, seat.told, calls);
    if (calls !== null) seat.told = calls;
    if (reasons[0] === 'revoked') leave(seat);
    for (const reason of reasons) seat.listener.wake(reason);
  }

  function tick(): void {
    turn = (turn + 1) % turns;
    for (const seat of seats.all()) if (seat.turn === turn) seat.listener.breathe();
    look(seats.ids());
  }

  const ticking = createLoop({ run: tick, pauseMs: lookMs, isBackground: true });

  return {
    hasRoom: () => !isOver && seats.taken() < maxListeners,
    enter({ deviceId, keyHash }, listener) {
      const seat: Seat = { deviceId, keyHash, listener, turn, told: TOLD_NOTHING };
      seats.take(deviceId, seat, () => core.called.listen(deviceId, () => look([deviceId])));
      ticking.start();
      const [oldest, ...others] = seats.of(deviceId);
      if (oldest !== undefined && others.length >= LISTENERS_PER_PHONE) end(oldest);
      look([deviceId]);
      return () => leave(seat);
    },
    endAll() {
      isOver = true;
      for (const seat of seats.all()) end(seat);
    },
  };
}

/**
 * @param found called for each phone with what is in the store for it; null if the phone is not there.
 * @returns looks for these phones: at once, or, while a look is under way, in the next one.
 */
function lookerAt(
  core: Pick<Core, 'store'>,
  log: Log,
  found: (id: string, calls: PhoneCalls | null) => void,
): (ids: readonly string[]) => void {
  const due = new Set<string>();

  async function look(): Promise<void> {
    while (due.size > 0) {
      const ids = [...due].slice(0, CHUNK);
      for (const id of ids) due.delete(id);
      const calls = await core.store.read((db) => callsFor(db, ids));
      for (const id of ids) found(id, calls.get(id) ?? null);
    }
  }

  const looking = createLoop({
    run: look,
    pauseMs: Number.POSITIVE_INFINITY,
    // The next look may succeed; phones ask by themselves, too.
    failed: (error) => log.debug({ err: error }, 'looking for what phones wait for failed'),
  });
  looking.start();
  return (ids) => {
    for (const id of ids) due.add(id);
    looking.wake();
  };
}
