/** Answers that are the same for everybody: made once, and packed once for the clients that take that. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Coding = 'br' | 'gzip';

/** @returns the best coding that an `Accept-Encoding` header takes (RFC 9110, 12.5.3); null for none. */
export function codingFor(header: string | undefined): Coding | null {
  const wanted = new Map<string, boolean>();
  for (const entry of header?.toLowerCase().split(',') ?? []) {
    const [, coding = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(entry) ?? [];
    wanted.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight) > 0);
  }
  if (wanted.get('br') === true) return 'br';
  return (wanted.get('gzip') ?? wanted.get('*')) === true ? 'gzip' : null;
}

export interface CompressedContent {
  readonly plain: string | Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

/** The highest quality, 11, takes seconds for a large file. */
const BR = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

export async function pack(plain: string | Buffer): Promise<CompressedContent> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, BR),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  return { plain, gzip: gzipped, br };
}

export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  packed: CompressedContent,
): FastifyReply {
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
