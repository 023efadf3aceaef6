/** Answers that are the same for everybody: made once, and packed once for the clients that take that. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingFor } from './input/accept-encoding.js';

export interface Packed {
  readonly plain: string | Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

/** The highest quality, 11, takes seconds for a large file. */
const BR = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

export async function pack(plain: string | Buffer): Promise<Packed> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, BR),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  return { plain, gzip: gzipped, br };
}

export function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Packed): FastifyReply {
  reply.header('vary', 'accept-encoding');
  const coding = codingFor(request.headers['accept-encoding']);
  if (coding === null) return reply.send(packed.plain);
  return reply.header('content-encoding', coding).send(packed[coding]);
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
