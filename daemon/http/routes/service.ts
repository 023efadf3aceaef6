/**
 * Health endpoints for load balancers and watchdogs, and the API's own reference, for programs and for
 * people: its texts are made once and are the same for everybody, since they hold no key, no shop and no
 * payment.
 */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { answerChallenge } from '../../../src/actions/installation/public-certificate.js';
import { createWriteProof } from '../../../src/actions/upkeep/prove-writes.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { once, pack, sendPacked } from '../compressed-content.js';
import type { RouteContext } from '../context.js';
import type { ReferenceDocument } from '../reference/openapi.js';
import { Message } from '../schemas/fields.js';
import { answer, content, operation } from '../schemas/operation.js';
import { CHALLENGE_PATH } from '../server.js';

const service = { tag: 'service', access: 'open' } as const;

const isUp = operation({
  ...service,
  operationId: 'getHealth',
  summary: 'Liveness: the process is up',
  description: 'Not below the base path.',
  answers: {
    200: answer('It is.', Message, { up: { status: true, message: 'up' } }),
  },
});

const isReady = operation({
  ...service,
  operationId: 'getReadiness',
  summary: 'Readiness: the daemon can serve requests',
  description:
    '200 while the store accepts writes. An error while its disk is full, it is read-only or ' +
    'unreachable, a newer Kashbox has changed its tables, or the daemon is stopping. Not below the base ' +
    'path.',
  answers: {
    200: answer('The daemon can serve requests.', Message, { ready: { status: true, message: 'ready' } }),
  },
  refusals: [
    'daemon_draining',
    'store_unreachable',
    'store_busy',
    'store_read_only',
    'store_full',
    'store_damaged',
    'store_newer',
  ],
});

const getOpenApi = operation({
  ...service,
  operationId: 'getOpenApi',
  summary: 'Get this reference as an OpenAPI document',
  description: 'OpenAPI 3.1; client libraries can be generated from it.',
  answers: { 200: { description: 'The document.', schema: Type.Unsafe({ type: 'object' }) } },
});

const getDocs = operation({
  ...service,
  operationId: 'getDocs',
  summary: 'Get this reference as a page',
  description: 'One page, generated from the document; complete without its script. `GET /` redirects to it.',
  answers: { 200: content('The page.', 'text/html') },
});

const getChallenge = operation({
  ...service,
  operationId: 'getAcmeChallenge',
  summary: 'Answer a certificate authority',
  description:
    'Proof for a certificate authority that the setting `domain` leads to this daemon (RFC 8555, HTTP-01). ' +
    'Also on the plain HTTP port. Not below the base path.',
  params: Type.Object({ token: Type.String({ description: 'Token of the challenge' }) }),
  answers: { 200: content('The key authorization.', 'text/plain') },
  refusals: ['route_not_found'],
});

export function challengeRoute(app: FastifyInstance, { core }: RouteContext): void {
  app.get<{ Params: { token: string } }>(`${CHALLENGE_PATH}:token`, getChallenge, async (request, reply) => {
    const text = await answerChallenge(core, request.params.token);
    if (text === null) throw new KashboxError('route_not_found');
    return reply.type('text/plain; charset=utf-8').send(text);
  });
}

export function healthRoutes(app: FastifyInstance, { core, draining }: RouteContext): void {
  const proof = createWriteProof(core);
  app.get('/healthz', isUp, async () => ({ status: true, message: 'up' }));

  app.get('/readyz', isReady, async () => {
    if (draining.aborted) throw new KashboxError('daemon_draining');
    await proof.check();
    return { status: true, message: 'ready' };
  });
}

/** Short, because after an update of the daemon the new reference must be served. */
const CACHE_CONTROL = 'public, max-age=300';

const FAVICON_CACHE = 'public, max-age=86400';

/** Redirects the address alone, which people type into a browser. */
export function leadToReference(app: FastifyInstance, basePath: string): void {
  app.get('/', (_request, reply) => reply.redirect(`${basePath}/docs`, 302));
}

/** @param makeDocument called at the first request: most daemons never serve it, and save its memory. */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => Promise<ReferenceDocument>): void {
  const document = once(makeDocument);
  const json = once(async () => pack(JSON.stringify(await document())));
  const page = once(async () => {
    const { REFERENCE_POLICY: policy, renderReference } = await import('../reference/page.js');
    return { policy, text: await pack(renderReference(await document())) };
  });

  app.get('/openapi.json', getOpenApi, async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', CACHE_CONTROL);
    return sendPacked(request, reply, await json());
  });

  leadToReference(app, app.prefix);
  app.get('/favicon.ico', (_request, reply) => reply.header('cache-control', FAVICON_CACHE).code(204).send());

  app.get('/docs', getDocs, async (request, reply) => {
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
