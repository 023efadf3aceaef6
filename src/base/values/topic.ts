/**
 * Notifications inside one process: "this has changed, read again". The store holds the state; a missed
 * notification only causes a delay.
 */

export interface Topic {
  /**
   * Notifies all listeners of `id` at once. Call it only after the change is durable.
   * @param isOwn whether this process has made the change; it has unless said otherwise.
   */
  tell(id: string, isOwn?: boolean): void;
  /** @returns a function that ends the listening; calling it twice does no harm. */
  listen(id: string, listener: () => void): () => void;
  /** Like `listen`, for all ids. @param listener called with true if this process made the change. */
  listenAll(listener: (isOwn: boolean) => void): () => void;
}

export function createTopic(): Topic {
  const listeners = new Map<string, Set<() => void>>();
  const toAll = new Set<(isOwn: boolean) => void>();
  return {
    tell(id, isOwn = true) {
      for (const listener of [...(listeners.get(id) ?? []), ...toAll]) listener(isOwn);
    },
    listenAll(listener) {
      const own = (isOwn: boolean) => listener(isOwn);
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
