/**
 * Whose notifications are sent next, so that an endpoint which hangs or is flooded delays no other. Pure.
 */

import type { AttemptResult } from './notification.js';

/** Attempts under way at once, in all. */
export const MAX_UNDER_WAY = 128;
/** Of these to endpoints that did not answer well when last asked: the others are never kept waiting. */
const MAX_DOUBTFUL = 64;
/**
 * Attempts under way at once to an endpoint that answers well; to any other it is one. Few, so that of a
 * hundred good ones a quarter may begin to hang at the same moment and leave room for the others.
 */
const MAX_PER_ENDPOINT = 4;

/** Who takes longer may answer as he likes: a few such would hold all the room. */
const PROMPT_MS = 2_000;

/** Whether an endpoint that did this may be sent several at once. */
export function answersWell({ outcome, ms }: Pick<AttemptResult, 'outcome' | 'ms'>): boolean {
  return outcome === 'delivered' && ms <= PROMPT_MS;
}

export interface Endpoint {
  readonly endpoint: string;
  /** When the first of its notifications is due, milliseconds since the epoch. */
  readonly next_at: number;
}

/** What is under way now. */
export interface Traffic {
  underWay(endpoint: string): number;
  /** Whether it answered well when last asked; false for one that has not been asked. */
  isGood(endpoint: string): boolean;
  /** Grows with every attempt, to whomever; 0 for an endpoint that has not been asked. */
  lastAsked(endpoint: string): number;
  /** All that are under way, and those of them to endpoints that are not good. */
  readonly total: number;
  readonly doubtful: number;
}

export interface Room {
  readonly endpoint: string;
  /** How many more may be sent to it now, at least 1. */
  readonly room: number;
}

/**
 * @returns where something is due and may be sent, each with its fair share. Who was asked last comes last:
 * by age alone a backlog of endpoints that hang or are slow would go before whoever has just come.
 */
export function shareOut(endpoints: readonly Endpoint[], now: number, traffic: Traffic): Room[] {
  let free = MAX_UNDER_WAY - traffic.total;
  let freeDoubtful = Math.min(free, MAX_DOUBTFUL - traffic.doubtful);
  const rooms: { endpoint: string; room: number; most: number }[] = [];
  const due = endpoints
    .filter(({ next_at }) => next_at <= now)
    .map(({ endpoint, next_at }) => ({ endpoint, next_at, asked: traffic.lastAsked(endpoint) }))
    .sort((a, b) => a.asked - b.asked || a.next_at - b.next_at);
  for (const { endpoint } of due) {
    const isGood = traffic.isGood(endpoint);
    const most = (isGood ? MAX_PER_ENDPOINT : 1) - traffic.underWay(endpoint);
    if (most < 1 || free < 1 || (!isGood && freeDoubtful < 1)) continue;
    rooms.push({ endpoint, room: 1, most });
    free -= 1;
    if (!isGood) freeDoubtful -= 1;
  }
  // One for each first, then more for those that take more.
  for (let given = true; given && free > 0; ) {
    given = false;
    for (const place of rooms) {
      if (free < 1 || place.room >= place.most) continue;
      place.room += 1;
      free -= 1;
      given = true;
    }
  }
  return rooms.map(({ endpoint, room }) => ({ endpoint, room }));
}
