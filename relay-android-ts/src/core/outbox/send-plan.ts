/** Decides which SMS is sent next, and when. Pure: a function of the outbox and the time. */

import type { Dispatch, SendLimits } from '../ports.js';
import { type Entry, isWaiting } from './outbox-state.js';

/** Android asks its owner in a dialog from 30 on; fewer keep clear of it. */
export const PARTS_A_MINUTE = 24;
const MINUTE_MS = 60_000;
/** How soon a SIM that can send nothing is asked again. */
const ASK_AGAIN_MS = 1_000;

export type NextStep =
  | { readonly kind: 'send'; readonly dispatch: Dispatch }
  | { readonly kind: 'expire'; readonly id: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'nothing' };

/**
 * Higher priority first, then first come first. If the next SMS does not fit into this minute, all wait:
 * otherwise long texts would never be sent. A SIM that can send nothing holds up its own SMS only.
 */
export function nextStep(entries: Iterable<Entry>, now: number, limits: SendLimits = {}): NextStep {
  const all = [...entries];
  const waiting = all.filter(isWaiting);
  const late = waiting.find(({ dispatch }) => dispatch.expiresAt <= now);
  if (late !== undefined) return { kind: 'expire', id: late.dispatch.id };
  if (waiting.length === 0) return { kind: 'nothing' };
  const firstEnd = Math.min(...waiting.map(({ dispatch }) => dispatch.expiresAt));
  const sendable = waiting.filter(({ dispatch }) => limits.canSend?.(dispatch.simSlot) ?? true);
  const [first, ...others] = sendable;
  if (first === undefined) return { kind: 'wait', ms: Math.min(ASK_AGAIN_MS, firstEnd - now) };
  const next = others.reduce((best, one) => (goesBefore(one, best) ? one : best), first);
  const freeAt = roomFrom(all, next.dispatch.parts, now, limits.partsPerMinute ?? PARTS_A_MINUTE);
  if (freeAt <= now) return { kind: 'send', dispatch: next.dispatch };
  return { kind: 'wait', ms: Math.min(freeAt, firstEnd) - now };
}

function goesBefore(one: Entry, other: Entry): boolean {
  return one.dispatch.priority > other.dispatch.priority;
}

/** From when on `parts` more are within the limit of any minute. A text longer than that goes alone. */
function roomFrom(entries: readonly Entry[], parts: number, now: number, partsPerMinute: number): number {
  const spent = entries
    .flatMap(({ sendingAt, dispatch }) =>
      sendingAt === null ? [] : [{ at: sendingAt, parts: dispatch.parts }],
    )
    // Times in the future come from a clock that was set back; they are ignored after a minute.
    .filter(({ at }) => Math.abs(now - at) < MINUTE_MS)
    .sort((one, other) => one.at - other.at);
  let used = spent.reduce((sum, one) => sum + one.parts, 0);
  let freeAt = now;
  for (const one of spent) {
    if (used + parts <= partsPerMinute) break;
    used -= one.parts;
    freeAt = one.at + MINUTE_MS;
  }
  return freeAt;
}
