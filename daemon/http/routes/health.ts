/** For load balancers and watchdogs: is the process up, and can it serve. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core.js';
import { KashboxError } from '../../../src/base/errors.js';
import { Message } from '../schemas.js';

/** A store that takes longer to answer a question about nothing is not one to send payments to. */
const STORE_DEADLINE_MS = 2_000;

const schema = { response: { 200: Message, '5xx': Message } };

/** @param isDraining true once the process is about to end. */
export function healthRoutes(app: FastifyInstance, core: Core, isDraining: () => boolean): void {
  app.get('/healthz', { schema }, async () => ({ status: true, message: 'up' }));

  app.get('/readyz', { schema }, async () => {
    if (isDraining()) throw new KashboxError('daemon_draining');
    await askStore(core);
    return { status: true, message: 'ready' };
  });
}

async function askStore(core: Core): Promise<void> {
  const deadline = new AbortController();
  const late = sleep(STORE_DEADLINE_MS, undefined, { signal: deadline.signal, ref: false }).then(() => {
    throw new KashboxError('store_unreachable');
  });
  try {
    await Promise.race([core.store.read((db) => db.execute('SELECT 1 AS one', [])), late]);
  } finally {
    late.catch(() => {});
    deadline.abort();
  }
}
