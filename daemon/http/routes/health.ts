/** For load balancers and watchdogs: is the process up, and can it serve. */
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { createWriteProof } from '../../../src/actions/upkeep/prove-writes.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { Message } from '../schemas/payments.js';

const schema = { response: { 200: Message, '5xx': Message } };

/** @param isDraining true once the process is about to end. */
export function healthRoutes(app: FastifyInstance, core: Core, isDraining: () => boolean): void {
  const proof = createWriteProof(core);
  app.get('/healthz', { schema }, async () => ({ status: true, message: 'up' }));

  app.get('/readyz', { schema }, async () => {
    if (isDraining()) throw new KashboxError('daemon_draining');
    await proof.check();
    return { status: true, message: 'ready' };
  });
}
