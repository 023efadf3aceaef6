/** Where banks tell of payments to a QR code (design.md section 5, "qr_interbank"). */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AcquirerCall,
  authenticateAcquirer,
} from '../../../src/actions/access/authenticate-acquirer.js';
import type { Core } from '../../../src/actions/core/core.js';
import { type TakenPush, takePush } from '../../../src/actions/pushes/take-push.js';
import type { Log } from '../../../src/base/io/log.js';
import type { Limits } from '../gates/limits.js';
import { bytesOf, takeRawBodies } from '../input/raw-bodies.js';
import { OneOf } from '../schemas/fields.js';
import { Message } from '../schemas/payments.js';

const PushAnswer = Type.Object({
  status: Type.Boolean({ description: 'Always true; a refusal has false.' }),
  message: Type.String({ description: 'The state in words.' }),
  data: Type.Object(
    {
      id: Type.String({ description: 'Under which `kashbox pushes list` shows it.' }),
      state: OneOf(
        ['stored', 'duplicate', 'kept'],
        '`stored`: on the disk. `duplicate`: it was there before. `kept`: on the disk, but it could not be read.',
      ),
    },
    { description: 'What became of the push.' },
  ),
});

const refusals = { '4xx': Message, '5xx': Message };

/** What a bank is told; it has done its part in all four cases and need not send again. */
const ANSWER = {
  stored: { code: 200, message: 'Stored', state: 'stored' },
  duplicate: { code: 200, message: 'Was stored before', state: 'duplicate' },
  contradiction: { code: 200, message: 'Was stored before with other contents', state: 'duplicate' },
  kept: { code: 202, message: 'Kept, but it could not be read', state: 'kept' },
} as const satisfies Record<TakenPush['state'], object>;

/** @param scope one of its own: it takes bodies of every type as they are, since their bytes are signed. */
export function acquirerRoutes(scope: FastifyInstance, core: Core, limits: Limits, log: Log): void {
  takeRawBodies(scope);

  scope.post<{ Reply: Static<typeof PushAnswer> }>(
    '/api/v2/acquirer/push',
    { schema: { response: { 200: PushAnswer, 202: PushAnswer, ...refusals } } },
    async (request, reply) => {
      const bytes = bytesOf(request);
      const acquirer = await authenticateAcquirer(core, callOf(request, bytes)).catch(
        async (error: unknown) => {
          throw await limits.afterFailure(request, error);
        },
      );
      request.caller = acquirer.acquirerId;
      await limits.countRequest(request);
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
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
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
