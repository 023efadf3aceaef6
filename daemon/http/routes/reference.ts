/**
 * The API's own reference, for programs and for people. Both texts are made once and are the same for
 * everybody: they hold no key, no shop and no payment.
 */
import type { FastifyInstance } from 'fastify';
import { once, pack, sendPacked } from '../packed.js';
import type { ReferenceDocument } from '../reference/openapi.js';
import { readDocument, readReference } from '../schemas/service.js';

/** Not longer: after an update of the daemon the reference must be that of the new one. */
const CACHE_CONTROL = 'public, max-age=300';

const FAVICON_CACHE = 'public, max-age=86400';

/** @param makeDocument called at the first request: most daemons are never asked, and hold none of it. */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => Promise<ReferenceDocument>): void {
  const document = once(makeDocument);
  const json = once(async () => pack(JSON.stringify(await document())));
  const page = once(async () => {
    const { REFERENCE_POLICY: policy, renderReference } = await import('../reference/page.js');
    return { policy, text: await pack(renderReference(await document())) };
  });

  app.get('/openapi.json', readDocument, async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', CACHE_CONTROL);
    return sendPacked(request, reply, await json());
  });

  // What a person types into a browser.
  app.get('/', (_request, reply) => reply.redirect(`${app.prefix}/docs`, 302));
  app.get('/favicon.ico', (_request, reply) => reply.header('cache-control', FAVICON_CACHE).code(204).send());

  app.get('/docs', readReference, async (request, reply) => {
    const { policy, text } = await page();
    reply.type('text/html; charset=utf-8').headers({
      'cache-control': CACHE_CONTROL,
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    return sendPacked(request, reply, text);
  });
}
