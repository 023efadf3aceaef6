/** GET /metrics: access control for the figures of this installation. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openActivity } from '../../../src/actions/upkeep/count-activity.js';
import { loadFigures } from '../../../src/actions/upkeep/load-figures.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { isIpAllowed } from '../../../src/domain/accounts/access.js';
import type { Metrics, ProcessFigures } from '../../metrics.js';
import type { RouteContext } from '../context.js';
import { findBearerToken } from '../gates/auth.js';

const LOOPBACK = ['127.0.0.0/8', '::1'];
/** A request with one of these headers came through a proxy, although the settings name none. */
const PROXY_HEADERS = [
  ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'],
];

export function metricsRoutes(
  app: FastifyInstance,
  { core, limits }: RouteContext,
  ownFigures: ProcessFigures,
): void {
  const { metricsToken, trustProxy } = core.settings;
  const countActivity = openActivity(core);
  let metrics: Promise<Metrics> | undefined;

  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (isFromHere(request, trustProxy)) return;
    if (metricsToken === '') throw new KashboxError('metrics_private');
    if (isSame(findBearerToken(request) ?? '', metricsToken)) return;
    throw await limits.afterFailure(request, new KashboxError('metrics_token_invalid'));
  };

  app.get('/metrics', { onRequest }, async (_request, reply) => {
    metrics ??= import('../../metrics.js').then(({ openMetrics }) => openMetrics());
    const { contentType, text } = await metrics;
    reply.type(contentType);
    return text({ ...(await loadFigures(core)), activity: await countActivity() }, ownFigures);
  });
}

/**
 * True for a direct call from this machine. It checks the socket's address, because a proxy on this machine
 * may send no forwarding header.
 */
function isFromHere(request: FastifyRequest, trustProxy: readonly string[]): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isProxy = trustProxy.length > 0 && isIpAllowed(address, trustProxy);
  const isPassedOn = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
  return isIpAllowed(address, LOOPBACK) && !isProxy && !isPassedOn;
}

/** Compares digests, so that the time does not depend on the length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
