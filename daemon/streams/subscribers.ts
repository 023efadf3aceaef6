/**
 * Registry of subscribers: several per id, in the order of their arrival. Loops run while there are any.
 * Knows neither streams nor what the subscribers wait for.
 */
import type { Loop } from '../loops/loop.js';

export interface SubscribersOptions<Subscriber> {
  readonly max: number;
  /** Maximum number of subscribers per id; above it the oldest one is ended. */
  readonly maxOfId: number;
  readonly loops: readonly Loop[];
  /** Called for the first one of an id; what it returns, after the last one has left. */
  listen(id: string): () => void;
  /** Called when a subscriber has left: nothing more is sent to it. */
  end(subscriber: Subscriber, lastWords?: string): void;
}

export function openSubscribers<Subscriber extends { readonly id: string }>(
  options: SubscribersOptions<Subscriber>,
) {
  const { max, maxOfId, loops } = options;
  const entries = new Map<string, { readonly subscribers: Set<Subscriber>; readonly unlisten: () => void }>();
  let count = 0;

  /** @returns false if it had left before. */
  function leave(subscriber: Subscriber): boolean {
    const entry = entries.get(subscriber.id);
    if (entry === undefined || !entry.subscribers.delete(subscriber)) return false;
    count -= 1;
    if (entry.subscribers.size === 0) {
      entry.unlisten();
      entries.delete(subscriber.id);
    }
    if (count === 0) for (const loop of loops) void loop.stop();
    return true;
  }

  function end(subscriber: Subscriber, lastWords?: string): void {
    leave(subscriber);
    options.end(subscriber, lastWords);
  }

  /** Subscribers may leave during the iteration. No copies: thousands are gone through twice a second. */
  function* all(): Generator<Subscriber> {
    for (const { subscribers } of entries.values()) yield* subscribers;
  }

  const of = (id: string): Iterable<Subscriber> => entries.get(id)?.subscribers ?? [];

  return {
    hasRoom: () => count < max,
    ids: () => [...entries.keys()],
    of,
    all,
    leave,
    end,
    /** @returns a function to be called when the subscriber has left. */
    add(subscriber: Subscriber): () => void {
      const entry = entries.get(subscriber.id) ?? {
        subscribers: new Set(),
        unlisten: options.listen(subscriber.id),
      };
      entries.set(subscriber.id, entry);
      entry.subscribers.add(subscriber);
      count += 1;
      for (const loop of loops) loop.start();
      const [oldest, ...others] = entry.subscribers;
      if (oldest !== undefined && others.length >= maxOfId) end(oldest);
      return () => void leave(subscriber);
    },
    endAll() {
      for (const subscriber of all()) end(subscriber);
    },
  };
}
