/** How long a request's body may take, and what becomes of one that nobody waits for. Knows no endpoint. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { streamOf } from '../streams/http2-stream.js';

/** How long the headers of a request may take, and how long the whole of it, each from its beginning. */
export const REQUEST_MS = 10_000;

/**
 * For an answer that is sent while the body is still arriving. Closing then would send a reset before the
 * answer, and the client would see a broken pipe instead of our 413. So the body is read and discarded,
 * within the request's deadline; Node closes a connection of HTTP/1 afterwards if the client asked for it.
 */
export function readOn(request: IncomingMessage, response: ServerResponse): void {
  if (streamOf(request) !== undefined) {
    request.resume();
    return;
  }
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

interface Given {
  readonly request: IncomingMessage;
  readonly time: BodyTime;
  readonly since: number;
  partSince: number;
  partBytes: number;
}

/** By what carries one request at a time: a connection of HTTP/1, a stream of HTTP/2. */
const timeGiven = new WeakMap<object, Given>();

const carrierOf = (request: IncomingMessage) => streamOf(request) ?? request.socket;

/** Lets one request's body take longer than `REQUEST_MS`, for as long as it keeps arriving. */
export function giveTime(request: IncomingMessage, time: BodyTime): void {
  const since = performance.now();
  timeGiven.set(carrierOf(request), { request, time, since, partSince: since, partBytes: 0 });
}

/** Counts what has arrived of a body that was given time. @param now milliseconds of the monotonic clock. */
export function countBody(request: IncomingMessage, bytes: number, now = performance.now()): void {
  const given = timeGiven.get(carrierOf(request));
  if (given === undefined) return;
  given.partBytes += bytes;
  if (given.partBytes < given.time.partBytes) return;
  given.partBytes = 0;
  given.partSince = now;
}

const isOver = ({ time, since, partSince }: Given, now: number) =>
  now - since > time.mostMs || now - partSince > time.partMs;

/** @returns whether a body on a stream of HTTP/2 has used up its time; null where it was given none. */
export function isStreamOver(stream: ServerHttp2Stream, now: number): boolean | null {
  const given = timeGiven.get(stream);
  return given === undefined ? null : isOver(given, now);
}

const LOOK_MS = 1_000;

/**
 * Node asks once for each request of HTTP/1 that has taken too long.
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
