/** Answers that are the same for everybody: made once, and packed once for the clients that take gzip. */
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from './input/accept-encoding.js';

export interface Packed {
  readonly plain: string | Buffer;
  readonly gzip: Buffer;
}

export function pack(plain: string | Buffer): Packed {
  return { plain, gzip: gzipSync(plain, { level: 9 }) };
}

export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, gzip }: Packed,
): FastifyReply {
  reply.header('vary', 'accept-encoding');
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzip);
}

/** Runs once for all callers; after a failure the next caller tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
