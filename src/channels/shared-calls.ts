/** Shares calls of one name that are under way at the same time. */

/** @returns a function that begins a call, or waits for the one of that name that has begun. */
export function createSharedCalls<Value>(): (name: string, begin: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<Value>>();
  return (name, begin) => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const begun = begin().finally(() => running.delete(name));
    running.set(name, begun);
    return begun;
  };
}
