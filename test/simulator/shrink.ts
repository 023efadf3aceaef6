/** Makes a history short that shows a fault: leaves out what is not needed for it. */
import type { Item } from './plan.js';

/** Runs of a history that are tried; each takes as long as the first one, or less. */
const MOST_RUNS = 300;

/**
 * @param shows whether this list of items still shows the fault.
 * @returns a list from which nothing more could be left out within the number of tries.
 */
export async function shrink(
  items: readonly Item[],
  shows: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items;
  let left = MOST_RUNS;
  for (let part = Math.ceil(kept.length / 2); part >= 1 && left > 0; ) {
    let isShorter = false;
    for (let from = 0; from < kept.length && left > 0; ) {
      const without = [...kept.slice(0, from), ...kept.slice(from + part)];
      left -= 1;
      if (without.length < kept.length && (await shows(without))) {
        kept = without;
        isShorter = true;
      } else from += part;
    }
    if (!isShorter || part > 1) part = part === 1 ? 0 : Math.floor(part / 2);
  }
  return kept;
}

/** @returns an item as one line for people. */
export function itemText(item: Item): string {
  const at = `${(item.at / 1_000).toFixed(1).padStart(7)} s`;
  switch (item.kind) {
    case 'order':
      return `${at}  a customer comes (${item.way})`;
    case 'problem':
      return `${at}  ${item.what} for ${item.ms} ms`;
    case 'forgery':
    case 'guesses':
    case 'dispatch':
    case 'parts':
    case 'refund':
    case 'forged_transfer':
    case 'operator':
      return `${at}  ${item.kind}`;
    default:
      return item satisfies never;
  }
}
