/**
 * The API's own reference, for programs and for people. Both texts are made once and are the same for
 * everybody: they hold no key, no shop and no payment.
 */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from '../input/accept-encoding.js';
import type { ReferenceDocument } from '../reference/openapi.js';
import { readDocument, readReference } from '../schemas/service.js';

/** Not longer: after an update of the daemon the reference must be that of the new one. */
const MAX_AGE_S = 300;

/** A text that never changes, as it goes over the wire. */
interface Packed {
  readonly plain: string;
  readonly gzip: Buffer;
}

/** @param makeDocument called at the first request: most daemons are never asked, and hold none of it. */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => Promise<ReferenceDocument>): void {
  const document = once(makeDocument);
  const json = once(async () => pack(JSON.stringify(await document())));
  const page = once(async () => {
    const { REFERENCE_POLICY: policy, renderReference } = await import('../reference/page.js');
    return { policy, text: pack(renderReference(await document())) };
  });

  app.get('/openapi.json', readDocument, async (request, reply) => {
    reply.type('application/json; charset=utf-8');
    return send(request, reply, await json());
  });

  app.get('/docs', readReference, async (request, reply) => {
    const { policy, text } = await page();
    reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    return send(request, reply, text);
  });
}

/** Runs once for all callers; after a failure the next caller tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function pack(plain: string): Packed {
  return { plain, gzip: gzipSync(plain, { level: 9 }) };
}

function send(request: FastifyRequest, reply: FastifyReply, { plain, gzip }: Packed): FastifyReply {
  reply.header('cache-control', `public, max-age=${MAX_AGE_S}`).header('vary', 'accept-encoding');
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzip);
}
