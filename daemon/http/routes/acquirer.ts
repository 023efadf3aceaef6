/** The route for banks' pushes about payments to a QR code. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AcquirerCall,
  authenticateAcquirer,
} from '../../../src/actions/access/authenticate-acquirer.js';
import { receivePush, type TakenPush } from '../../../src/actions/pushes/take-push.js';
import type { RouteContext } from '../context.js';
import { authenticate, findHeader } from '../gates/auth.js';
import { getBodyBytes, takeRawBodies } from '../input/forms.js';
import { StringEnum, status, text } from '../schemas/fields.js';
import { answer, JSON_OR_FORM, operation } from '../schemas/operation.js';

const Push = Type.Object(
  {
    reference: text('The bank’s own id of the payment; required.', 'RRN602612345678', { maxLength: 64 }),
    amount: text('Taka with at most two decimals; a JSON number is also read exactly.', '1250.50'),
    status: text('`SUCCESS`: the payment was made. Any other value: it failed or is pending.', 'SUCCESS'),
    payer: Type.Optional(
      text('The mobile number that paid, in full or partly hidden: `017****5678`.', '017****5678'),
    ),
    bill: Type.Optional(
      text(
        'The reference label of the QR code (object 62.05): it settles the payment automatically.',
        'K7PM2XQ4ABCD',
      ),
    ),
    merchant: Type.Optional(text('The merchant id that was paid (object 26.03).')),
    paid_at: Type.Optional(text('ISO 8601; without offset: Bangladesh time.', '2026-11-21T11:40:05+06:00')),
    currency: Type.Optional(text('BDT or 050.')),
  },
  {
    description:
      'The default field names; an acquirer can have its own map: `kashbox acquirers create --field-map`.',
  },
);

const PushAnswer = Type.Object({
  status,
  message: text('The state in words.'),
  data: Type.Object(
    {
      id: text('Id of the push in `kashbox pushes list`.'),
      state: StringEnum(
        ['stored', 'duplicate', 'kept'],
        '`stored`: on disk. `duplicate`: it was stored before. `kept`: on disk, but it could not be read.',
      ),
    },
    { description: 'Result of the push.' },
  ),
});

const pushExample = (message: string, state: string) => ({
  [state]: { status: true, message, data: { id: 'psh_0123456789abcdef01234567', state } },
});

const pushOperation = operation({
  operationId: 'receivePush',
  tag: 'banks',
  access: 'acquirer',
  summary: 'Report a payment to a QR code',
  description:
    'The signature is HMAC-SHA256 of the body as it is sent, with the secret of `kashbox acquirers ' +
    'create`, in hex, in `X-Signature`; header and encoding are configurable. After a 2xx answer the ' +
    'push is on disk. A reference that is sent again changes nothing, except that a pending payment can ' +
    'become a success.',
  body: Push,
  takes: JSON_OR_FORM,
  answers: {
    200: answer('The push is stored, by this request or an earlier one.', PushAnswer, {
      ...pushExample('Stored', 'stored'),
      ...pushExample('Was stored before', 'duplicate'),
    }),
    202: answer(
      'The push could not be read and is kept for manual review. Do not send it again.',
      PushAnswer,
      pushExample('Kept, but it could not be read', 'kept'),
    ),
  },
  refusals: ['store_full'],
});

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
    pushOperation,
    async (request, reply) => {
      const bytes = getBodyBytes(request);
      const asked = authenticateAcquirer(core, callOf(request, bytes));
      const acquirer = await authenticate(limits, request, asked, ({ acquirerId }) => acquirerId);
      const contentType = request.headers['content-type'] ?? '';
      const taken = await receivePush(core, { acquirer, contentType, bytes });
      if (taken.state === 'kept' || taken.state === 'contradiction') {
        log.warn({ acquirer: acquirer.acquirerId, push: taken.id, state: taken.state }, 'push needs review');
      }
      const { code, message, state } = ANSWER[taken.state];
      return reply.code(code).send({ status: true, message, data: { id: taken.id, state } });
    },
  );
}

function callOf(request: FastifyRequest, body: Buffer): AcquirerCall {
  const header = (name: string) => findHeader(request, name);
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
