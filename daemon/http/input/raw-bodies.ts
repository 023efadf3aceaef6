/** Raw bodies, byte for byte: signed ones, and those in a bank's own format. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * RFC 9110, 8.3.1. Fastify refuses any other text, but some clients send `json` or an empty header; both
 * count as absent.
 */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Lets `scope` take bodies of every type as they are. */
export function takeRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addHook('onRequest', async ({ headers }) => {
    if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type'];
  });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** @returns no bytes for a request that has no body. */
export function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
