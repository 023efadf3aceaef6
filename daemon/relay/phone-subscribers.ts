/**
 * Subscribers that are woken when there is work for a phone: event streams and long polls. Actions of this
 * process notify directly; one query every half second finds the work of other processes, only while there
 * are subscribers. The store alone decides what wakes a phone. Knows no HTTP.
 */
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import {
  type LastReported,
  NOTHING_REPORTED,
  type PhoneCalls,
  type WakeReason,
  wakeReasons,
} from '../../src/domain/devices/waking.js';
import { callsFor } from '../../src/store/tables/devices.js';
import { createLoop } from '../loops/loop.js';
import { openSubscribers } from '../streams/subscribers.js';

export interface PhoneListener {
  /** There is work for the phone. After `revoked` the subscription has ended. */
  wake(reason: WakeReason): void;
  /** Sent after some seconds without an event. */
  heartbeat(): void;
  /** The subscription has ended: the phone listens elsewhere, or the daemon stops. */
  end(): void;
}

export interface ListeningPhone {
  readonly deviceId: string;
  /** Hash of the key with which the phone connected. */
  readonly keyHash: string;
}

export type PhoneSubscribers = ReturnType<typeof openPhoneSubscribers>;

export interface PhoneSubscriberOptions {
  readonly maxListeners: number;
  readonly heartbeatMs?: number;
  readonly pollMs?: number;
}

/** Mobile networks drop connections that are silent for longer than a few of these. */
const HEARTBEAT_MS = 15_000;
/** Longest delay until another process's work is found. */
const POLL_MS = 500;
/** Phones in one query. */
const CHUNK = 1_024;
/** Maximum connections per phone. It returns before the daemon notices a loss; older ones are broken. */
const LISTENERS_PER_PHONE = 2;

interface PhoneSubscriber {
  /** Id of the phone. */
  readonly id: string;
  readonly keyHash: string;
  readonly listener: PhoneListener;
  /** Heartbeat slot; spreads heartbeats so that they do not block requests. */
  readonly heartbeatSlot: number;
  lastReported: LastReported;
}

export function openPhoneSubscribers(
  core: Pick<Core, 'store' | 'called'>,
  log: Log,
  options: PhoneSubscriberOptions,
) {
  const { maxListeners, heartbeatMs = HEARTBEAT_MS, pollMs = POLL_MS } = options;
  const heartbeatSlots = Math.ceil(heartbeatMs / pollMs);
  let isOver = false;
  let heartbeatSlot = 0;

  const poll = phoneLookup(core, log, (id, calls) => {
    for (const subscriber of subscribers.of(id)) wakeSubscriber(subscriber, calls);
  });

  function wakeSubscriber(subscriber: PhoneSubscriber, calls: PhoneCalls | null): void {
    const reasons = wakeReasons(subscriber.keyHash, subscriber.lastReported, calls);
    if (calls !== null) subscriber.lastReported = calls;
    if (reasons[0] === 'revoked') subscribers.leave(subscriber);
    for (const reason of reasons) subscriber.listener.wake(reason);
  }

  function tick(): void {
    heartbeatSlot = (heartbeatSlot + 1) % heartbeatSlots;
    for (const subscriber of subscribers.all())
      if (subscriber.heartbeatSlot === heartbeatSlot) subscriber.listener.heartbeat();
    poll(subscribers.ids());
  }

  const subscribers = openSubscribers<PhoneSubscriber>({
    max: maxListeners,
    maxOfId: LISTENERS_PER_PHONE,
    loops: [createLoop({ run: tick, pauseMs: pollMs, isBackground: true })],
    listen: (id) => core.called.listen(id, () => poll([id])),
    end: ({ listener }) => listener.end(),
  });

  return {
    /** False at the limit, or after the end; phones then poll. */
    hasRoom: () => !isOver && subscribers.hasRoom(),
    /**
     * Subscribes the listener to the phone's work; work that is already there wakes it at once.
     * @returns a function to be called when it has gone.
     */
    subscribe({ deviceId: id, keyHash }: ListeningPhone, listener: PhoneListener): () => void {
      const leave = subscribers.add({ id, keyHash, listener, heartbeatSlot, lastReported: NOTHING_REPORTED });
      poll([id]);
      return leave;
    },
    /** Ends all subscriptions, and accepts no new ones. */
    endAll(): void {
      isOver = true;
      subscribers.endAll();
    },
  };
}

/**
 * @param found called for each phone with its data in the store; null if the phone is not in it.
 * @returns a function that looks these phones up: at once, or after the look-up in progress.
 */
function phoneLookup(
  core: Pick<Core, 'store'>,
  log: Log,
  found: (id: string, calls: PhoneCalls | null) => void,
): (ids: readonly string[]) => void {
  const due = new Set<string>();

  async function poll(): Promise<void> {
    while (due.size > 0) {
      const ids = [...due].slice(0, CHUNK);
      for (const id of ids) due.delete(id);
      const calls = await core.store.read((db) => callsFor(db, ids));
      for (const id of ids) found(id, calls.get(id) ?? null);
    }
  }

  const looking = createLoop({
    run: poll,
    pauseMs: Number.POSITIVE_INFINITY,
    // The next look-up may succeed; phones also poll.
    failed: (error) => log.debug({ err: error }, 'looking for what phones wait for failed'),
  });
  looking.start();
  return (ids) => {
    for (const id of ids) due.add(id);
    looking.wake();
  };
}
