/**
 * The chain of a wallet's balances: where did money move without an SMS? Of all orders of the SMS of each
 * minute the one with the fewest gaps counts, to avoid false alarms. Pure; knows no wallet's texts and no
 * store.
 */
import type { ChainLink } from './balance-link.js';
import { type Minute, minuteOf, type Way, walk, waysFrom } from './balance-trails.js';

/** Between two SMS something moved. */
export interface ChainGap {
  /** The SMS whose balance does not follow, and the one before it. */
  readonly id: string;
  readonly beforeId: string;
  /** What moved in between: paisa, negative where money went out. Never 0. */
  readonly missingPaisa: number;
}

/** A way through all minutes up to one. Of several each ends at another balance; the best comes first. */
interface Reached {
  readonly end: number | null;
  readonly breaks: number;
  /** How it came here; null where nothing is known of what was before. */
  readonly last: { readonly from: Reached; readonly minute: Minute; readonly way: Way } | null;
}

const ANYWHERE: Reached = { end: null, breaks: 0, last: null };
/** Nonsense branches without end; so many are followed, those with the fewest gaps first. */
const MOST_WAYS = 64;
/** The work for a minute grows with the square of its SMS; no wallet gets nearly so many in one. */
const FULLEST_MINUTE = 60;

/** SMS of successive minutes, in the order of the fewest gaps. */
export interface Stretch {
  readonly minutes: readonly (readonly ChainLink[])[];
  /** False for a minute too full, or in which one tells nothing of its balances: it has no order. */
  readonly isJudged: boolean;
}

/**
 * @param links of one wallet, in any order.
 * @param start the balance before the first of them; null where nobody knows it.
 * @returns all of them in the order of time.
 */
export function stretchesOf(links: readonly ChainLink[], start: number | null): Stretch[] {
  const stretches: Stretch[] = [];
  let reached: readonly Reached[] = [{ ...ANYWHERE, end: start }];
  const endStretch = () => {
    const minutes = minutesUpTo(reached[0]);
    if (minutes.length > 0) stretches.push({ minutes, isJudged: true });
    reached = [ANYWHERE];
  };
  for (const minute of minutesOf(links)) {
    if (minute.length > FULLEST_MINUTE || minute.some(({ after }) => after === null)) {
      endStretch();
      stretches.push({ minutes: [minute], isJudged: false });
    } else reached = onwards(reached, minuteOf(minute));
  }
  endStretch();
  return stretches;
}

/**
 * @param links of one wallet, in any order.
 * @returns the gaps in the order of time. The first SMS has nothing before it, and one that tells nothing of
 * its balances makes a fresh start, as does a minute too full to be judged: what is missing around it cannot
 * be told.
 */
export function gapsOf(links: readonly ChainLink[]): ChainGap[] {
  return stretchesOf(links, null).flatMap(({ minutes, isJudged }) => (isJudged ? gapsIn(minutes) : []));
}

function minutesOf(links: readonly ChainLink[]): (readonly ChainLink[])[] {
  return [...Map.groupBy(links, ({ minute }) => minute)]
    .sort(([one], [other]) => one - other)
    .map(([, ofMinute]) => ofMinute);
}

function onwards(reached: readonly Reached[], minute: Minute): Reached[] {
  const found = new Map<number, Reached>();
  for (const from of reached) {
    for (const way of waysFrom(minute, from.end)) {
      const breaks = from.breaks + way.breaks;
      if (breaks >= (found.get(way.end)?.breaks ?? Number.POSITIVE_INFINITY)) continue;
      found.set(way.end, { end: way.end, breaks, last: { from, minute, way } });
    }
  }
  return [...found.values()].sort((one, other) => one.breaks - other.breaks).slice(0, MOST_WAYS);
}

function minutesUpTo(end: Reached = ANYWHERE): ChainLink[][] {
  const minutes: ChainLink[][] = [];
  for (let at = end; at.last !== null; at = at.last.from) {
    minutes.unshift(walk(at.last.minute, at.last.way));
  }
  return minutes;
}

function gapsIn(minutes: Stretch['minutes']): ChainGap[] {
  const gaps: ChainGap[] = [];
  let before: ChainLink | undefined;
  for (const minute of minutes) {
    for (const link of minute) {
      const gap = before === undefined ? null : gapBetween(before, link);
      if (gap !== null && !isExplainedByFee(link, gap.missingPaisa, minute.length)) gaps.push(gap);
      before = link;
    }
  }
  return gaps;
}

function gapBetween(before: ChainLink, link: ChainLink): ChainGap | null {
  if (before.after === null || link.before === null || before.after === link.before) return null;
  return { id: link.id, beforeId: before.id, missingPaisa: link.before - before.after };
}

/**
 * Could a fee or a commission of this SMS be all that is missing?
 * @param minuteSize SMS in its minute: with others it may stand in another place.
 */
function isExplainedByFee(link: ChainLink, missingPaisa: number, minuteSize: number): boolean {
  const { feeUpTo, commissionUpTo } = link;
  if (minuteSize > 1) return feeUpTo > 0 || commissionUpTo > 0;
  return missingPaisa >= -feeUpTo && missingPaisa <= commissionUpTo;
}
