/** An open event stream (text/event-stream) on the bare connection. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The end of an event stream that is open towards a client. */
export interface Stream {
  /** Sends complete lines of text/event-stream. */
  write(text: string): unknown;
  /** Sends the rest, if any, and ends the stream. */
  end(text: string): unknown;
}

export interface OpenStream extends Stream {
  /** @param listener called once the connection is closed, by either side. */
  onClose(listener: () => void): void;
}

/** The stream ends with its connection, so that it needs no framing and nothing that would do it. */
const HEAD = [
  'HTTP/1.1 200 OK',
  'content-type: text/event-stream; charset=utf-8',
  'cache-control: no-store',
  'x-content-type-options: nosniff',
  // Prevents buffering by proxies.
  'x-accel-buffering: no',
  'connection: close',
  '\r\n',
].join('\r\n');

/** Limit of unread bytes; a stream normally sends far less. */
const MAX_UNREAD_BYTES = 64 * 1024;

/**
 * Takes the connection from the framework and answers with the head and the first lines.
 * @returns null for a closed connection, which would not emit another close event.
 */
export function beginStream(
  request: FastifyRequest,
  reply: FastifyReply,
  firstLines: string,
): OpenStream | null {
  const response = reply.hijack().raw;
  response.removeAllListeners();
  const socket = bareSocket(request);
  if (socket.destroyed || socket.closed) return null;
  socket.write(HEAD + firstLines);
  return {
    write(text) {
      if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
      else socket.write(text);
    },
    end(text) {
      socket.end(text);
      // Also when the client does not close it.
      socket.destroySoon();
    },
    onClose: (listener) => void socket.once('close', listener),
  };
}

/**
 * A client may wait for an hour: what a request and its answer hold, headers above all, is a fifth of the
 * heap that each of thousands would cost.
 */
function bareSocket({ raw }: FastifyRequest): Socket {
  raw.headers = {};
  raw.rawHeaders = [];
  return raw.socket;
}
