/** Lists parted by a key, each part in the order of the list. */

/** @param keyOf null for what belongs to no part. @returns the parts in the order in which they begin. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | null,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(item);
  }
  return groups;
}
