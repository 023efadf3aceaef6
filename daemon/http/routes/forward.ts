/** The route for Android apps that forward SMS. */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forwardSms as forward, recordRefusal } from '../../../src/actions/relay/forward-sms.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { FORWARD_FORMATS, forwardFormat } from '../../../src/domain/sms/forward-formats.js';
import type { RouteContext } from '../context.js';
import { logged, sendError } from '../errors.js';
import { callerDevice, deviceGate, findBearerToken, findDeviceKey } from '../gates/auth.js';
import { acceptForwarded, getParameters } from '../input/forms.js';
import { StringEnum, status, text } from '../schemas/fields.js';
import { ALL_CONTENT_TYPES, answer, operation } from '../schemas/operation.js';

const phrase = (example?: string) =>
  Type.Optional(Type.String(example === undefined ? {} : { examples: [example] }));

const Forwarded = Type.Object(
  {
    from: phrase('bKash'),
    sender: phrase(),
    address: phrase(),
    text: phrase(
      'You have received Tk 500.00 from 01900000003. Fee Tk 0.00. Balance Tk 7,850.25. TrxID DKL7CD1EF3 at ' +
        '21/11/2026 11:45',
    ),
    message: phrase(),
    body: phrase(),
    receivedStamp: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], { examples: [1_795_239_910_000] }),
    ),
    sim: Type.Optional(text('`sim1` is the first; a bare number is ignored.', 'sim1')),
  },
  {
    description:
      'Sender and text in the fields of the format; docs/forwarders.md lists all fields that are read.',
  },
);

const forwardSms = operation({
  operationId: 'forwardSms',
  tag: 'relay',
  access: 'device',
  summary: 'Submit an SMS from a forwarder app',
  description:
    'For Android apps that post each SMS in their own format, as JSON or as a form. The key is also ' +
    'accepted as a bearer token or, as a last resort, as `key` in the query.',
  params: Type.Object(
    { format: StringEnum(FORWARD_FORMATS, 'Format of the app; it sets the field names of sender and text.') },
    { examples: [{ format: FORWARD_FORMATS[0] }] },
  ),
  body: Forwarded,
  takes: ALL_CONTENT_TYPES,
  answers: {
    200: answer(
      'The SMS is on disk, stored by this request or an earlier one.',
      Type.Object({
        status,
        result: StringEnum(['stored', 'duplicate'], '`stored`: on disk. `duplicate`: it was stored before.'),
      }),
      {
        stored: { status: true, result: 'stored' },
        duplicate: { status: true, result: 'duplicate' },
      },
    ),
  },
  refusals: [
    ['invalid_input', 'from and text must be a text'],
    ['route_not_found', `There is no such format; the formats are ${FORWARD_FORMATS.join(', ')}`],
    'store_full',
  ],
});

/** @param scope one of its own: it also takes forms. */
export function forwardRoute(scope: FastifyInstance, { core, log, limits }: RouteContext): void {
  acceptForwarded(scope);
  scope.setErrorHandler(async (error, request, reply) => {
    const refusal = logged(log, error, request);
    // The app tells nobody what it is answered, and some throw away what is refused.
    if (request.device !== null && refusal.status < 500 && refusal.status !== 429) {
      const { deviceId: device, name } = request.device;
      log.warn({ device, name, status: refusal.status, reason: refusal.message }, 'an SMS was refused');
      await recordRefusal(core, request.device, refusal.message);
    }
    return sendError(refusal, reply);
  });
  scope.addHook('onRequest', deviceGate(core, limits, keyOf));

  scope.post<{ Params: { readonly format: string } }>(
    '/api/v2/relay/forward/:format',
    forwardSms,
    async (request) => {
      const format = forwardFormat(request.params.format);
      if (format === null) {
        throw new KashboxError('route_not_found', {
          message: `There is no such format; the formats are ${FORWARD_FORMATS.join(', ')}`,
        });
      }
      const fields = getParameters(request);
      const result = await forward(core, { device: callerDevice(request), format, fields });
      return { status: true, result };
    },
  );
}

/** The address comes last: some apps support only that, but proxies log addresses. */
function keyOf(request: FastifyRequest): string | undefined {
  const { key } = request.query as { readonly key?: unknown };
  return findDeviceKey(request) ?? findBearerToken(request) ?? (typeof key === 'string' ? key : undefined);
}
