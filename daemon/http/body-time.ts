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

/** By what carries one request at a time: a connection of HTTP/1, a stream of HTTP/2. */
const timeGiven = new WeakMap<object, { readonly request: IncomingMessage; readonly ms: number }>();

/** Lets one request's body take longer than `REQUEST_MS`, up to `ms` in all. */
export function giveTime(request: IncomingMessage, ms: number): void {
  timeGiven.set(streamOf(request) ?? request.socket, { request, ms });
}

/** @returns milliseconds that the body on a stream of HTTP/2 may take in all, if they were given. */
export function timeOfStream(stream: ServerHttp2Stream): number | undefined {
  return timeGiven.get(stream)?.ms;
}

/**
 * Node asks once for each request of HTTP/1 that has taken too long.
 * @param cut ends the connection; called later if the time given is over too and the body still incomplete.
 * @returns false where there is no more time.
 */
export function discardBody(socket: Socket, cut: () => void): boolean {
  const given = timeGiven.get(socket);
  timeGiven.delete(socket);
  if (given === undefined || given.request.complete) return false;
  const timer = setTimeout(() => {
    if (!given.request.complete) cut();
  }, given.ms - REQUEST_MS);
  socket.once('close', () => clearTimeout(timer));
  return true;
}
