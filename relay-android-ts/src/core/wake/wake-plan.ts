/** What follows when the event stream ends: when to try again, and how to hear of news meanwhile. Pure. */

import type { StreamEnd } from '../ports.js';
import { backoffMs, MIN_WAIT_MS } from '../time/backoff.js';

/** After so many in a row that brought nothing, streams do not work here. */
const FAILURES = 3;
/** A server, or a proxy before it, that lets nobody listen may do so later: a sync tells what is wrong. */
const NO_STREAMS_MS = 300_000;
const NO_STREAMS: readonly number[] = [401, 403, 404, 503];
/** Anything at or below counts as "comes back"; a fixed least wait keeps a stream that ends at once slow. */
const LEAST_MS = MIN_WAIT_MS;

/** Try again after `waitMs`; until then, and until it has opened, `longPoll` says how to hear of news. */
export interface AfterStream {
  readonly waitMs: number;
  readonly failures: number;
  readonly longPoll: boolean;
}

/** `heard` is whether the stream brought a single byte; `failures` counts those before it that did not. */
export function afterStream(end: StreamEnd, heard: boolean, failures: number, random: number): AfterStream {
  const count = heard ? 0 : failures + 1;
  if (end.kind === 'refused' && NO_STREAMS.includes(end.status))
    return { waitMs: NO_STREAMS_MS, failures: count, longPoll: true };
  const waitMs = Math.max(LEAST_MS, backoffMs(Math.max(1, count), random));
  return { waitMs, failures: count, longPoll: count >= FAILURES };
}
