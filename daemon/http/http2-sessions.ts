/**
 * Limits in time on sessions of HTTP/2, which Node has none of: what is slow, silent or never read is cut as
 * on HTTP/1. One timer looks at all sessions. Knows no request but by its stream.
 */
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ERRORS } from '../../src/base/errors/errors.js';
import { isStreamOver, REQUEST_MS } from './body-time.js';

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants;

export const LIMITS = {
  sweepMs: 500,
  /** Until the first request is there, until the headers of any are whole, and for a body. */
  requestMs: REQUEST_MS,
  /** Without any request; as keep-alive of HTTP/1. */
  idleMs: 65_000,
  /** For an answer that is written, until the client has taken it: a page on the slowest network. */
  unreadMs: 90_000,
  /** For the client to take our last words, before its connection is closed. */
  lingerMs: 1_000,
  /**
   * Requests that were given up before their answer, by either side: so many at once, and so many more a
   * second. Who leaves a page gives up a stream or two; Node's own limits are 1,000 and 33, where it has any.
   */
  givenUp: 200,
  givenUpPerS: 20,
};

export type SessionLimits = typeof LIMITS;

interface OpenStream {
  readonly since: number;
  /** When its answer was written whole. */
  writtenAt: number | null;
  /** When it was told that it is too late. */
  lateAt: number | null;
}

interface Watched {
  readonly session: ServerHttp2Session;
  readonly socket: TLSSocket;
  readonly since: number;
  readonly streams: Map<ServerHttp2Stream, OpenStream>;
  /** When the last stream has closed. */
  quietSince: number;
  hadRequest: boolean;
  /** Stream of the newest request. */
  newest: number;
  /** Headers that have begun and are not whole. */
  partial: { readonly stream: number; readonly since: number } | null;
  /** Requests that may still be given up, and when that was counted. */
  mayGiveUp: number;
  countedAt: number;
  endedAt: number | null;
}

export function watchSessions(limits: SessionLimits) {
  const all = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const sweep = () => {
    const now = performance.now();
    for (const watched of all) judge(watched, limits, now);
  };
  return {
    /** Watches a session until its connection is closed. */
    add(session: ServerHttp2Session, socket: TLSSocket): void {
      const watched = watch(session, socket, limits);
      all.add(watched);
      timer ??= setInterval(sweep, limits.sweepMs).unref();
      // Node takes its own listener away with the session; a reset after that would end the process.
      socket.on('error', ignore);
      socket.once('close', () => {
        all.delete(watched);
        if (all.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
    /** Takes no more requests: each session ends with what is under way. */
    end(): void {
      for (const { session } of all) if (!session.closed && !session.destroyed) session.close();
      sweep();
    },
    /** Ends everything now. */
    cut(): void {
      for (const { session, socket } of all) {
        session.destroy();
        socket.destroy();
      }
    },
  };
}

const ignore = (): void => {};

function watch(session: ServerHttp2Session, socket: TLSSocket, limits: SessionLimits): Watched {
  const now = performance.now();
  const watched: Watched = {
    session,
    socket,
    since: now,
    streams: new Map(),
    quietSince: now,
    hadRequest: false,
    newest: 0,
    partial: null,
    mayGiveUp: limits.givenUp,
    countedAt: now,
    endedAt: null,
  };
  session.on('stream', (stream) => {
    watched.hadRequest = true;
    watched.newest = Math.max(watched.newest, stream.id ?? 0);
    watched.streams.set(stream, { since: performance.now(), writtenAt: null, lateAt: null });
    stream.once('close', () => {
      watched.streams.delete(stream);
      watched.quietSince = performance.now();
      const isWhole = stream.headersSent && stream.writableFinished;
      if (!isWhole || stream.rstCode !== NGHTTP2_NO_ERROR) giveUp(watched, limits);
    });
  });
  return watched;
}

/** Counts a request whose answer nobody gets: it has cost us its work, and made room for the next one. */
function giveUp(watched: Watched, limits: SessionLimits): void {
  const now = performance.now();
  const regained = ((now - watched.countedAt) / 1_000) * limits.givenUpPerS;
  watched.mayGiveUp = Math.min(limits.givenUp, watched.mayGiveUp + regained) - 1;
  watched.countedAt = now;
  if (watched.mayGiveUp < 0) destroy(watched);
}

function destroy({ session }: Watched): void {
  if (!session.destroyed) session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
}

function judge(watched: Watched, limits: SessionLimits, now: number): void {
  const { session, streams } = watched;
  if (session.destroyed) {
    linger(watched, limits, now);
    return;
  }
  if (session.pendingSettingsAck && now - watched.since > limits.requestMs) destroy(watched);
  else if (isStuckInHeaders(watched, limits, now)) destroy(watched);
  else if (streams.size > 0) {
    for (const [stream, open] of streams) judgeStream(watched, stream, open, limits, now);
  } else if (now - watched.quietSince > (watched.hadRequest ? limits.idleMs : limits.requestMs)) {
    session.close();
  }
}

/** Node closes the connection of a session that has ended once the client does. */
function linger(watched: Watched, limits: SessionLimits, now: number): void {
  watched.endedAt ??= now;
  const { socket, endedAt } = watched;
  // What is not yet in the hands of the system gets as long as a request.
  if (now - endedAt > (socket.writableFinished ? limits.lingerMs : limits.requestMs)) socket.destroy();
}

/**
 * Node says nothing of headers before they are whole, but counts their stream. A stream that it refuses by
 * itself is counted as well, and is never heard of: then a newer one, or none at all, has to follow.
 */
function isStuckInHeaders(watched: Watched, limits: SessionLimits, now: number): boolean {
  const { lastProcStreamID: stream = 0 } = watched.session.state;
  if (stream <= watched.newest) watched.partial = null;
  else if (watched.partial?.stream !== stream) watched.partial = { stream, since: now };
  return watched.partial !== null && now - watched.partial.since > limits.requestMs;
}

function judgeStream(
  watched: Watched,
  stream: ServerHttp2Stream,
  open: OpenStream,
  limits: SessionLimits,
  now: number,
): void {
  if (stream.writableEnded) open.writtenAt ??= now;
  const isUnread = open.writtenAt !== null && now - open.writtenAt > limits.unreadMs;
  const isRefused = open.lateAt !== null && now - open.lateAt > limits.requestMs;
  if (isUnread || isRefused) {
    // Reset a second ago or more, and still there: Node is held up by what the client does not read.
    if (stream.closed && stream.rstCode !== NGHTTP2_NO_ERROR) destroy(watched);
    else stream.close(NGHTTP2_CANCEL);
    return;
  }
  if (open.lateAt !== null || stream.state.remoteClose === 1) return;
  if (!(isStreamOver(stream, now) ?? now - open.since > limits.requestMs)) return;
  open.lateAt = now;
  refuseLate(stream);
}

/** Says that the request was too slow, where nothing was said yet, and takes no more of it. */
function refuseLate(stream: ServerHttp2Stream): void {
  if (stream.closed) return;
  if (stream.headersSent) {
    stream.close(stream.writableEnded ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
    return;
  }
  const { status, message } = ERRORS.request_timeout;
  const body = JSON.stringify({ status: false, message });
  stream.respond({
    ':status': status,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  stream.end(body);
  stream.close(NGHTTP2_NO_ERROR);
}
