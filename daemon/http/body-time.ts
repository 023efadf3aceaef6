/** How long a request's body may take, and what becomes of one that nobody waits for. Knows no endpoint. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long the headers of a request may take, and how long the whole of it, each from its beginning. */
export const REQUEST_MS = 10_000;

/**
 * For an answer that is sent while the body is still arriving. Closing then would send a reset before the
 * answer, and the client would see a broken pipe instead of our 413. So the body is read and discarded,
 * within the request's deadline; Node closes the connection afterwards if the client asked for it.
 */
export function readOn(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.shouldKeepAlive) return;
  response.shouldKeepAlive = true;
  const closeWhenBothAreDone = () => {
    if (request.complete && response.writableFinished) request.socket.destroySoon();
  };
  request.once('end', closeWhenBothAreDone);
  response.once('finish', closeWhenBothAreDone);
}

/** What a body that was given time must keep to. */
export interface BodyTime {
  /** It may take so long in all, in milliseconds from when the time was given. */
  readonly mostMs: number;
  /** In each `partMs` it must bring `partBytes` or more: who is slow gets through, who stalls is cut. */
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

/** By the connection, which carries one request at a time. */
const timeGiven = new WeakMap<Socket, TimedBody>();

/** Lets one request's body take longer than `REQUEST_MS`, for as long as it keeps arriving. */
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
 * Node asks once for each request that has taken too long.
 * @param cut ends the connection; called later if the time given is over too and the body still incomplete.
 * @returns false where there is no more time.
 */
export function discardBody(socket: Socket, cut: () => void): boolean {
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
