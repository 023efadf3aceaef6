/** Time limits of request bodies, and discarding of bodies that are not needed. Knows no endpoint. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Time limits of headers and of the complete request, in ms, both from the start of the request. */
export const REQUEST_MS = 10_000;

/**
 * Reads and discards the rest of a body if the answer is sent while the body is still arriving. Closing the
 * connection would send a reset before the answer, and the client would see a broken pipe instead of our 413.
 * The request's time limit still applies; afterwards the connection is closed if the client asked for it.
 */
export function drainBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.shouldKeepAlive) return;
  response.shouldKeepAlive = true;
  const closeWhenBothAreDone = () => {
    if (request.complete && response.writableFinished) request.socket.destroySoon();
  };
  request.once('end', closeWhenBothAreDone);
  response.once('finish', closeWhenBothAreDone);
}

/** Limits for a body that was granted more time. */
export interface BodyTime {
  /** Maximum total time, in ms from when it was granted. */
  readonly mostMs: number;
  /** Period in ms in which `partBytes` must arrive: slow clients pass, stalled ones are disconnected. */
  readonly partMs: number;
  readonly partBytes: number;
}

interface TimedBody {
  readonly request: IncomingMessage;
  readonly time: BodyTime;
  readonly since: number;
  partSince: number;
  partBytes: number;
}

/** Bodies by connection, which carries one request at a time. */
const timeGiven = new WeakMap<Socket, TimedBody>();

/** Lets the body of one request take longer than `REQUEST_MS`, as long as it keeps arriving. */
export function giveTime(request: IncomingMessage, time: BodyTime): void {
  const since = performance.now();
  timeGiven.set(request.socket, { request, time, since, partSince: since, partBytes: 0 });
}

/** Counts what has arrived of a body that was given time. @param now milliseconds of the monotonic clock. */
export function countBody(request: IncomingMessage, bytes: number, now = performance.now()): void {
  const given = timeGiven.get(request.socket);
  if (given === undefined) return;
  given.partBytes += bytes;
  if (given.partBytes < given.time.partBytes) return;
  given.partBytes = 0;
  given.partSince = now;
}

const isOver = ({ time, since, partSince }: TimedBody, now: number) =>
  now - since > time.mostMs || now - partSince > time.partMs;

const LOOK_MS = 1_000;

/**
 * Lets a late body with granted time continue. Node reports each slow request only once.
 * @param cut closes the connection; called later if that time is over and the body still incomplete.
 * @returns false if there is no time left.
 */
export function extendBodyTime(socket: Socket, cut: () => void): boolean {
  const given = timeGiven.get(socket);
  if (given === undefined || given.request.complete || isOver(given, performance.now())) {
    timeGiven.delete(socket);
    return false;
  }
  const timer = setInterval(() => {
    const isWhole = given.request.complete;
    if (!isWhole && !isOver(given, performance.now())) return;
    clearInterval(timer);
    if (timeGiven.get(socket) === given) timeGiven.delete(socket);
    if (!isWhole) cut();
  }, LOOK_MS);
  socket.once('close', () => clearInterval(timer));
  return true;
}
