/**
 * Fair scheduling of deliveries, so that a slow or flooded endpoint delays no other. It works on lanes (brand
 * and endpoint), because one host may serve many shops. Pure.
 */
import { toEndpoint } from './address.js';
import type { AttemptResult } from './notification.js';

/** Attempts under way at once, in all. */
export const MAX_UNDER_WAY = 128;
/** Maximum attempts in progress in lanes not answered well last, so that other lanes never wait. */
const MAX_DOUBTFUL = 64;
/** And of these of one brand, which may have as many endpoints that hang as it likes. */
const MAX_DOUBTFUL_OF_BRAND = 8;
/**
 * Maximum concurrent attempts in a lane that is answered well; any other gets one. Low, so that a quarter of
 * a hundred good lanes can hang at once and capacity is left for the others.
 */
const MAX_PER_LANE = 4;

/** Slower endpoints count as doubtful whatever they answer: a few of them would take every slot. */
const PROMPT_MS = 2_000;

/** True if an endpoint with this result may get several concurrent attempts. */
export function answersWell({ outcome, ms }: Pick<AttemptResult, 'outcome' | 'ms'>): boolean {
  return outcome === 'delivered' && ms <= PROMPT_MS;
}

/** Destination of a notification, as stored in its row. */
export interface Destination {
  readonly url: string;
  readonly endpoint: string;
  readonly lane: string;
}

export function toDestination(brandId: string, url: string): Destination {
  const endpoint = toEndpoint(url);
  return { url, endpoint, lane: `${brandId} ${endpoint}` };
}

function brandOf(lane: string): string {
  return lane.slice(0, lane.indexOf(' '));
}

export interface EndpointQueue {
  readonly lane: string;
  /** Time at which its first notification is due, milliseconds since the epoch. */
  readonly next_at: number;
}

/** State of the lanes, and number of attempts in progress in each. */
export interface Traffic {
  /** Lanes with attempts under way, and how many. */
  readonly underWay: ReadonlyMap<string, number>;
  /** Returns true if its last attempt was answered well; false if there was none. */
  isGood(lane: string): boolean;
  /** Returns the sequence number of its last attempt, counted over all lanes; 0 if there was none. */
  lastAsked(lane: string): number;
}

export interface EndpointCapacity {
  readonly lane: string;
  /** Number of further attempts that may start in it now, at least 1. */
  readonly room: number;
}

/**
 * @returns lanes with a notification that is due and may be sent, each with its fair share. The lane that was
 * served last comes last: sorted by age only, a backlog of slow or hanging lanes would delay new ones.
 */
export function allocateCapacity(
  lanes: readonly EndpointQueue[],
  now: number,
  traffic: Traffic,
): EndpointCapacity[] {
  const taken = slotsInUse(traffic);
  let free = MAX_UNDER_WAY - taken.total;
  const rooms: { lane: string; room: number; most: number }[] = [];
  const due = lanes
    .filter(({ next_at }) => next_at <= now)
    .map(({ lane, next_at }) => ({ lane, next_at, asked: traffic.lastAsked(lane) }))
    .sort((a, b) => a.asked - b.asked || a.next_at - b.next_at);
  for (const { lane } of due) {
    const isGood = traffic.isGood(lane);
    const most = (isGood ? MAX_PER_LANE : 1) - (traffic.underWay.get(lane) ?? 0);
    if (most < 1 || free < 1 || (!isGood && !takeDoubtful(taken, lane))) continue;
    rooms.push({ lane, room: 1, most });
    free -= 1;
  }
  // One for each first, then more for those that take more.
  for (let given = true; given; ) {
    given = false;
    for (const place of rooms) {
      if (free < 1 || place.room >= place.most) continue;
      place.room += 1;
      free -= 1;
      given = true;
    }
  }
  return rooms.map(({ lane, room }) => ({ lane, room }));
}

interface SlotsInUse {
  total: number;
  doubtful: number;
  /** Doubtful ones by brand. */
  readonly ofBrand: Map<string, number>;
}

function slotsInUse({ underWay, isGood }: Traffic): SlotsInUse {
  const taken: SlotsInUse = { total: 0, doubtful: 0, ofBrand: new Map() };
  for (const [lane, count] of underWay) {
    taken.total += count;
    if (isGood(lane)) continue;
    taken.doubtful += count;
    const brand = brandOf(lane);
    taken.ofBrand.set(brand, (taken.ofBrand.get(brand) ?? 0) + count);
  }
  return taken;
}

/** @returns false where no place for doubtful lanes is left, in all or for this brand. */
function takeDoubtful(taken: SlotsInUse, lane: string): boolean {
  const brand = brandOf(lane);
  const ofBrand = taken.ofBrand.get(brand) ?? 0;
  if (taken.doubtful >= MAX_DOUBTFUL || ofBrand >= MAX_DOUBTFUL_OF_BRAND) return false;
  taken.doubtful += 1;
  taken.ofBrand.set(brand, ofBrand + 1);
  return true;
}
