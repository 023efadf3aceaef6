/** What follows when the event stream ends: when to try again, and how to hear of news meanwhile. Pure. */
import { backoffMs, MIN_WAIT_MS } from './backoff.js';
import type { StreamEnd } from './ports.js';

/** After so many in a row that brought nothing, streams do not work here. */
const FAILURES = 3;
/** A server, or a proxy before it, that knows no streams may learn it with its next version. */
const NO_STREAMS_MS = 300_000;
/** Anything at or below counts as "comes back"; a fixed least wait keeps a stream that ends at once slow. */
const LEAST_MS = MIN_WAIT_MS;

export type AfterStream =
  /** Try again after this; until then, and until it has opened, `longPoll` says how to hear of news. */
  | { readonly kind: 'again'; readonly waitMs: number; readonly failures: number; readonly longPoll: boolean }
  /** The key is not taken: not before the phone is paired anew. */
  | { readonly kind: 'barred' };

/** `heard` is whether the stream brought a single byte; `failures` counts those before it that did not. */
export function afterStream(end: StreamEnd, heard: boolean, failures: number, random: number): AfterStream {
  const isRefused = end.kind === 'refused';
  if (isRefused && (end.status === 401 || end.status === 403)) return { kind: 'barred' };
  const count = heard ? 0 : failures + 1;
  if (isRefused && (end.status === 404 || end.status === 503))
    return { kind: 'again', waitMs: NO_STREAMS_MS, failures: count, longPoll: true };
  const waitMs = Math.max(LEAST_MS, backoffMs(Math.max(1, count), random));
  return { kind: 'again', waitMs, failures: count, longPoll: count >= FAILURES };
}
