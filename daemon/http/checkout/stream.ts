/** The event stream by which a page learns at once that its payment has moved (text/event-stream). */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KashboxError } from '../../../src/base/errors.js';
import { HELLO, MOVED, type Stream } from '../../checkout/waiting.js';
import { checkoutOf, type Desk, sessionOf } from './desk.js';

/** After a session's time is over: the job that closes it comes by once a minute. */
const GRACE_MS = 90_000;

/** The stream ends with its connection, so that it needs no framing and nothing that would do it. */
const HEAD = [
  'HTTP/1.1 200 OK',
  'content-type: text/event-stream; charset=utf-8',
  'cache-control: no-store',
  'x-content-type-options: nosniff',
  // A proxy that collects what comes before it sends it on would keep it all.
  'x-accel-buffering: no',
  'connection: close',
  '\r\n',
].join('\r\n');

export function eventRoute(scope: FastifyInstance, desk: Desk, draining: AbortSignal): void {
  const { core, limits, room } = desk;
  scope.get('/:ref/events', { exposeHeadRoute: false }, async (request, reply) => {
    await limits.countUse(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!room.hasRoom()) throw new KashboxError('streams_full');
    let hasMoved = false;
    // From before the reading on, so that nothing can happen between the two unseen.
    const deaf = core.moved.listen(sessionOf(request) ?? '', () => {
      hasMoved = true;
    });
    const checkout = await checkoutOf(desk, request).finally(deaf);
    const socket = bareSocket(request, reply);
    // Who has gone by now will not say so again, and would keep his place until the payment runs out.
    if (socket.destroyed) return;
    const stream = streamOver(socket);
    stream.write(HEAD + HELLO);
    if (hasMoved || (checkout.state !== 'open' && checkout.state !== 'waiting')) {
      stream.end(MOVED);
      return;
    }
    socket.once('close', room.enter(checkout.id, checkout.expiresAt + GRACE_MS, stream));
  });
}

/** Its end closes the connection: a browser that never hangs up in its turn would hold it for ever. */
function streamOver(socket: Socket): Stream {
  return {
    write: (text) => socket.write(text),
    end(text) {
      socket.end(text);
      socket.destroySoon();
    },
  };
}

/**
 * Takes the connection from the framework. A page may wait for an hour: what a request and its answer hold,
 * headers above all, is a fifth of the heap that each of thousands would cost.
 */
function bareSocket(request: FastifyRequest, reply: FastifyReply): Socket {
  const { raw } = reply.hijack();
  raw.removeAllListeners();
  request.raw.headers = {};
  request.raw.rawHeaders = [];
  return request.raw.socket;
}
