/**
 * The SMS of one minute as a trail: in which order does each begin with the balance at which the one before
 * it ended, with as few jumps as can be? Pure; knows neither time nor gaps. Each SMS is an edge from the
 * balance before it to the balance after it. An order without a jump is a trail that uses every edge once,
 * and by Euler's rule there is one if all is connected and every balance but first and last is left as often
 * as it is come to. What is left too often must be jumped to, and so must every part that is not connected.
 */
import type { ChainLink } from './balance-link.js';

/** A balance; or the unknown one before an SMS that does not tell it, which is like no other. */
type BalanceNode = string;

/** How much more often places are left than come to. */
type Imbalance = ReadonlyMap<BalanceNode, number>;

export interface Minute {
  readonly links: readonly ChainLink[];
  /** Places that are connected by links. */
  readonly parts: readonly (readonly BalanceNode[])[];
  readonly imbalance: Imbalance;
}

/** From where to where a minute can be gone through, and how many of its SMS follow nothing then. */
export interface Way {
  readonly start: BalanceNode;
  readonly end: number;
  readonly breaks: number;
}

const beforeOf = (link: ChainLink): BalanceNode =>
  link.before === null ? `?${link.id}` : String(link.before);
const afterOf = (link: ChainLink): BalanceNode => String(link.after);
const isKnown = (place: BalanceNode): boolean => !place.startsWith('?');

/** @param links at least one; all tell the balance after them. */
export function minuteOf(links: readonly ChainLink[]): Minute {
  const imbalance = new Map<BalanceNode, number>();
  let parts: BalanceNode[][] = [];
  for (const link of links) {
    const [before, after] = [beforeOf(link), afterOf(link)];
    imbalance.set(before, (imbalance.get(before) ?? 0) + 1);
    imbalance.set(after, (imbalance.get(after) ?? 0) - 1);
    const met = parts.filter((part) => part.includes(before) || part.includes(after));
    parts = [...parts.filter((part) => !met.includes(part)), [...new Set([...met.flat(), before, after])]];
  }
  return { links, parts, imbalance };
}

/**
 * Every balance at which the minute can end without a jump for that end's sake.
 * @param from the balance before it; null if nobody knows it.
 */
export function waysFrom(minute: Minute, from: number | null): Way[] {
  const starts = from === null ? minute.parts.flat() : [String(from)];
  return starts.flatMap((start) => waysBetween(minute, start));
}

function waysBetween(minute: Minute, start: BalanceNode): Way[] {
  const { own, others, imbalance } = begunAt(minute, start);
  const over = (place: BalanceNode) => imbalance.get(place) ?? 0;
  const isEven = (part: readonly BalanceNode[]) => part.every((place) => over(place) === 0);
  const jumps = [...imbalance].reduce((sum, [place, by]) => sum + (isKnown(place) ? Math.max(0, by) : 0), 0);
  const breaks = jumps + others.filter(isEven).length;
  // Who ends in the part begun in, of which nothing else is left, has been elsewhere by one jump more.
  const isDone = others.length > 0 && own.filter((place) => over(place) !== 0).length === 1;
  return [...(isDone ? [] : [own]), ...others].flatMap((part) =>
    part
      .filter((place) => over(place) < 0 || isEven(part))
      .map((end) => ({ start, end: Number(end), breaks })),
  );
}

/** A minute of which somebody stands at one place: that place's part, and what is left to be balanced. */
interface Begun {
  readonly own: readonly BalanceNode[];
  readonly others: readonly (readonly BalanceNode[])[];
  readonly imbalance: Imbalance;
}

/** @param start may be a place of no SMS. */
function begunAt({ parts, imbalance }: Minute, start: BalanceNode): Begun {
  const own = parts.find((part) => part.includes(start)) ?? [start];
  const others = parts.filter((part) => part !== own);
  return { own, others, imbalance: new Map(imbalance).set(start, (imbalance.get(start) ?? 0) - 1) };
}

/** The SMS in an order that makes this way. */
export function walk(minute: Minute, way: Way): ChainLink[] {
  const end = String(way.end);
  const { own, others: parts, imbalance } = begunAt(minute, way.start);
  const balanced = new Map(imbalance).set(end, (imbalance.get(end) ?? 0) + 1);
  const first = visitOf(own, balanced);
  const others = parts
    .toSorted((one, other) => Number(one.includes(end)) - Number(other.includes(end)))
    .map((part) => visitOf(part, balanced));
  // Each part is reached from one before it, that of the end the last; and the first one again from others.
  const left = [first, ...others].flatMap(({ ends }) => ends);
  const reached = [...others, first].flatMap(({ starts }) => starts);
  return trail(minute.links, way.start, left, reached);
}

/** Where a part is jumped to and where it is jumped away from; a circle is entered and left at one place. */
function visitOf(part: readonly BalanceNode[], imbalance: Imbalance) {
  const repeated = (sign: number) =>
    part.flatMap((place) => Array<BalanceNode>(Math.max(0, sign * (imbalance.get(place) ?? 0))).fill(place));
  const [starts, ends] = [repeated(1), repeated(-1)];
  return starts.length + ends.length > 0
    ? { starts, ends }
    : { starts: part.slice(0, 1), ends: part.slice(0, 1) };
}

/**
 * Hierholzer's: walks on until it is stuck, and on the way back takes in what it has passed by.
 * @param left places that are jumped away from, each to the one of `reached` at the same index.
 */
function trail(
  links: readonly ChainLink[],
  start: BalanceNode,
  left: readonly BalanceNode[],
  reached: readonly BalanceNode[],
): ChainLink[] {
  const waiting = new Map<BalanceNode, { to: BalanceNode; link: ChainLink | null }[]>();
  const add = (from: BalanceNode, to: BalanceNode, link: ChainLink | null) =>
    waiting.set(from, [{ to, link }, ...(waiting.get(from) ?? [])]);
  for (const link of links) add(beforeOf(link), afterOf(link), link);
  for (const [index, from] of left.entries()) add(from, reached[index] ?? from, null);
  const path: { at: BalanceNode; by: ChainLink | null }[] = [{ at: start, by: null }];
  const order: ChainLink[] = [];
  for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
    const next = waiting.get(here.at)?.pop();
    if (next !== undefined) path.push({ at: next.to, by: next.link });
    else {
      path.pop();
      if (here.by !== null) order.unshift(here.by);
    }
  }
  return order;
}
