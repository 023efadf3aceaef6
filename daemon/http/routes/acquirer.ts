/** The route for banks' pushes about payments to a QR code. */
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AcquirerCall,
  authenticateAcquirer,
} from '../../../src/actions/access/authenticate-acquirer.js';
import { type TakenPush, takePush } from '../../../src/actions/pushes/take-push.js';
import type { RouteContext } from '../context.js';
import { admit, headerOf } from '../gates/auth.js';
import { bytesOf, takeRawBodies } from '../input/raw-bodies.js';
import { type PushAnswer, takePush as taking } from '../schemas/acquirer.js';

/** Answers to a bank; in all four cases it need not send again. */
const ANSWER = {
  stored: { code: 200, message: 'Stored', state: 'stored' },
  duplicate: { code: 200, message: 'Was stored before', state: 'duplicate' },
  contradiction: { code: 200, message: 'Was stored before with other contents', state: 'duplicate' },
  kept: { code: 202, message: 'Kept, but it could not be read', state: 'kept' },
} as const satisfies Record<TakenPush['state'], object>;

/** @param scope one of its own: it takes bodies of every type as they are, since their bytes are signed. */
export function acquirerRoutes(scope: FastifyInstance, { core, limits, log }: RouteContext): void {
  takeRawBodies(scope);

  scope.post<{ Reply: Static<typeof PushAnswer> }>(
    '/api/v2/acquirer/push',
    taking,
    async (request, reply) => {
      const bytes = bytesOf(request);
      const asked = authenticateAcquirer(core, callOf(request, bytes));
      const acquirer = await admit(limits, request, asked, ({ acquirerId }) => acquirerId);
      const contentType = request.headers['content-type'] ?? '';
      const taken = await takePush(core, { acquirer, contentType, bytes });
      if (taken.state === 'kept' || taken.state === 'contradiction') {
        log.warn({ acquirer: acquirer.acquirerId, push: taken.id, state: taken.state }, 'push needs a look');
      }
      const { code, message, state } = ANSWER[taken.state];
      return reply.code(code).send({ status: true, message, data: { id: taken.id, state } });
    },
  );
}

function callOf(request: FastifyRequest, body: Buffer): AcquirerCall {
  const header = (name: string) => headerOf(request, name);
  const { key } = request.query as { readonly key?: unknown };
  return {
    headerKey: header('acquirer-key'),
    basic: basicOf(header('authorization') ?? ''),
    queryKey: typeof key === 'string' ? key : undefined,
    ip: request.ip,
    body,
    header,
  };
}

/** RFC 7617. */
function basicOf(authorization: string): AcquirerCall['basic'] {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization.trim()) ?? [];
  if (encoded === undefined) return undefined;
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return { user, password };
}
