/** Health endpoints for load balancers and watchdogs. */
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { createWriteProof } from '../../../src/actions/upkeep/prove-writes.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { isReady, isUp } from '../schemas/service.js';

/** @param isDraining true once the process is about to end. */
export function healthRoutes(app: FastifyInstance, core: Core, isDraining: () => boolean): void {
  const proof = createWriteProof(core);
  app.get('/healthz', isUp, async () => ({ status: true, message: 'up' }));

  app.get('/readyz', isReady, async () => {
    if (isDraining()) throw new KashboxError('daemon_draining');
    await proof.check();
    return { status: true, message: 'ready' };
  });
}
