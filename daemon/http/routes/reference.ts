/**
 * The API's own reference, for programs and for people. Both texts are made once and are the same for
 * everybody: they hold no key, no shop and no payment.
 */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from '../gzip.js';
import type { ReferenceDocument } from '../reference/document.js';
import { REFERENCE_POLICY, renderReference } from '../reference/page.js';

/** Not longer: after an update of the daemon the reference must be that of the new one. */
const MAX_AGE_S = 300;

const PAGE_HEADERS = {
  'content-security-policy': REFERENCE_POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** A text that never changes, as it goes over the wire. */
interface Packed {
  readonly plain: string;
  readonly gzip: Buffer;
}

/** @param makeDocument called once, at the first request: most daemons are never asked. */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => ReferenceDocument): void {
  const document = once(makeDocument);
  const json = once(() => pack(JSON.stringify(document())));
  const page = once(() => pack(renderReference(document())));

  app.get('/openapi.json', async (request, reply) => {
    reply.type('application/json; charset=utf-8');
    return send(request, reply, json());
  });

  app.get('/docs', async (request, reply) => {
    reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS);
    return send(request, reply, page());
  });
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
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
