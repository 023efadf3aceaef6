/**
 * The chain of a wallet's balances: where did money move without an SMS? Of all orders of the SMS of each
 * minute the one with the fewest gaps counts, to avoid false alarms. Pure; knows no wallet's texts and no
 * store.
 */
import type { ChainLink } from './balance-link.js';

/** Change of the balance between two SMS that no SMS reports. */
export interface ChainGap {
  /** The SMS whose balance does not follow, and the one before it. */
  readonly id: string;
  readonly beforeId: string;
  /** Amount that moved in between, in paisa; negative if money left the wallet. Never 0. */
  readonly missingPaisa: number;
}

/** A way through all minutes up to one. Of several each ends at another balance; the best comes first. */
interface PartialTrail {
  readonly end: number | null;
  readonly breaks: number;
  /** Last step of this path; null if nothing before it is known. */
  readonly last: { readonly from: PartialTrail; readonly minute: Minute; readonly way: Trail } | null;
}

const ANYWHERE: PartialTrail = { end: null, breaks: 0, last: null };
/** Maximum number of paths followed, fewest gaps first. Inconsistent balances would branch endlessly. */
const MOST_WAYS = 64;
/** Maximum SMS of a minute to put in order. Work grows with their square; real wallets get far fewer. */
const FULLEST_MINUTE = 60;

/** SMS of successive minutes, in the order of the fewest gaps. */
export interface BalanceRun {
  readonly minutes: readonly (readonly ChainLink[])[];
  /** False if the minute has too many SMS, or one of them has no balance: their order is unknown. */
  readonly isJudged: boolean;
}

/**
 * @param links of one wallet, in any order.
 * @param start the balance before the first of them; null where nobody knows it.
 * @returns all of them in the order of time.
 */
export function splitIntoRuns(links: readonly ChainLink[], start: number | null): BalanceRun[] {
  const stretches: BalanceRun[] = [];
  let reached: readonly PartialTrail[] = [{ ...ANYWHERE, end: start }];
  const endStretch = () => {
    const minutes = minutesUpTo(reached[0]);
    if (minutes.length > 0) stretches.push({ minutes, isJudged: true });
    reached = [ANYWHERE];
  };
  for (const minute of minutesOf(links)) {
    if (minute.length > FULLEST_MINUTE || minute.some(({ after }) => after === null)) {
      endStretch();
      stretches.push({ minutes: [minute], isJudged: false });
    } else reached = onwards(reached, buildMinute(minute));
  }
  endStretch();
  return stretches;
}

/**
 * @param links of one wallet, in any order.
 * @returns the gaps in chronological order. The first SMS has no predecessor. An SMS without a balance, or a
 * minute with too many SMS, begins a new chain: missing money next to it cannot be detected.
 */
export function findBalanceGaps(links: readonly ChainLink[]): ChainGap[] {
  return splitIntoRuns(links, null).flatMap(({ minutes, isJudged }) => (isJudged ? gapsIn(minutes) : []));
}

function minutesOf(links: readonly ChainLink[]): (readonly ChainLink[])[] {
  return [...Map.groupBy(links, ({ minute }) => minute)]
    .sort(([one], [other]) => one - other)
    .map(([, ofMinute]) => ofMinute);
}

function onwards(reached: readonly PartialTrail[], minute: Minute): PartialTrail[] {
  const found = new Map<number, PartialTrail>();
  for (const from of reached) {
    for (const way of possibleTrails(minute, from.end)) {
      const breaks = from.breaks + way.breaks;
      if (breaks >= (found.get(way.end)?.breaks ?? Number.POSITIVE_INFINITY)) continue;
      found.set(way.end, { end: way.end, breaks, last: { from, minute, way } });
    }
  }
  return [...found.values()].sort((one, other) => one.breaks - other.breaks).slice(0, MOST_WAYS);
}

function minutesUpTo(end: PartialTrail = ANYWHERE): ChainLink[][] {
  const minutes: ChainLink[][] = [];
  for (let at = end; at.last !== null; at = at.last.from) {
    minutes.unshift(orderAlongTrail(at.last.minute, at.last.way));
  }
  return minutes;
}

function gapsIn(minutes: BalanceRun['minutes']): ChainGap[] {
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
 * True if a fee or a commission of this SMS may explain the missing amount.
 * @param minuteSize number of SMS in its minute; if there are several, its position is not certain.
 */
function isExplainedByFee(link: ChainLink, missingPaisa: number, minuteSize: number): boolean {
  const { feeUpTo, commissionUpTo } = link;
  if (minuteSize > 1) return feeUpTo > 0 || commissionUpTo > 0;
  return missingPaisa >= -feeUpTo && missingPaisa <= commissionUpTo;
}

/** Balance; or the unknown balance before an SMS that does not report it, which is equal to no other. */
type BalanceNode = string;

/** Number of SMS that start from a balance, minus the number of SMS that lead to it. */
type Imbalance = ReadonlyMap<BalanceNode, number>;

interface Minute {
  readonly links: readonly ChainLink[];
  /** Places that are connected by links. */
  readonly parts: readonly (readonly BalanceNode[])[];
  readonly imbalance: Imbalance;
}

/** First and last balance in a minute, and the number of SMS that do not continue from the previous. */
interface Trail {
  readonly start: BalanceNode;
  readonly end: number;
  readonly breaks: number;
}

const beforeOf = (link: ChainLink): BalanceNode =>
  link.before === null ? `?${link.id}` : String(link.before);
const afterOf = (link: ChainLink): BalanceNode => String(link.after);
const isKnown = (place: BalanceNode): boolean => !place.startsWith('?');

/** @param links at least one; all of them have the balance after them. */
export function buildMinute(links: readonly ChainLink[]): Minute {
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
export function possibleTrails(minute: Minute, from: number | null): Trail[] {
  const starts = from === null ? minute.parts.flat() : [String(from)];
  return starts.flatMap((start) => waysBetween(minute, start));
}

function waysBetween(minute: Minute, start: BalanceNode): Trail[] {
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

/** Minute with a fixed start: the part with this balance, the other parts, the imbalance left. */
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
export function orderAlongTrail(minute: Minute, way: Trail): ChainLink[] {
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

/** Balances at which a path enters and leaves a part by a gap; the same balance for a circuit. */
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
