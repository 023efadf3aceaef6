/**
 * Notifications inside one process: "this has changed, read again". The store holds the state; a missed
 * notification only causes a delay.
 */

export interface Topic {
  /** Notifies all listeners of `id` at once. Call it only after the change is durable. */
  tell(id: string): void;
  /** @returns a function that ends the listening; calling it twice does no harm. */
  listen(id: string, listener: () => void): () => void;
  /** As `listen`, to whatever is told. */
  listenAll(listener: () => void): () => void;
}

export function createTopic(): Topic {
  const listeners = new Map<string, Set<() => void>>();
  const toAll = new Set<() => void>();
  return {
    tell(id) {
      for (const listener of [...(listeners.get(id) ?? []), ...toAll]) listener();
    },
    listenAll(listener) {
      const own = () => listener();
      toAll.add(own);
      return () => void toAll.delete(own);
    },
    listen(id, listener) {
      const present = listeners.get(id) ?? new Set();
      // A wrapper of its own, so that the same function may listen twice.
      const own = () => listener();
      listeners.set(id, present.add(own));
      return () => {
        present.delete(own);
        if (present.size === 0 && listeners.get(id) === present) listeners.delete(id);
      };
    },
  };
}
