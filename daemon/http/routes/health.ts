/** Health endpoints for load balancers and watchdogs. */
import type { FastifyInstance } from 'fastify';
import { createWriteProof } from '../../../src/actions/upkeep/prove-writes.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { RouteContext } from '../context.js';
import { isReady, isUp } from '../schemas/service.js';

export function healthRoutes(app: FastifyInstance, { core, draining }: RouteContext): void {
  const proof = createWriteProof(core);
  app.get('/healthz', isUp, async () => ({ status: true, message: 'up' }));

  app.get('/readyz', isReady, async () => {
    if (draining.aborted) throw new KashboxError('daemon_draining');
    await proof.check();
    return { status: true, message: 'ready' };
  });
}
