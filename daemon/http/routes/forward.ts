/** The route for Android apps that forward SMS. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forwardSms as forward, noteRefused } from '../../../src/actions/relay/forward-sms.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { FORWARD_FORMATS, forwardFormat } from '../../../src/domain/sms/forward-formats.js';
import type { RouteContext } from '../context.js';
import { logged, sendError } from '../errors.js';
import { bearerOf, deviceGate, deviceKeyOf, deviceOf } from '../gates/auth.js';
import { acceptForwarded, parametersOf } from '../input/forms.js';
import { forwardSms } from '../schemas/relay.js';

/** @param scope one of its own: it also takes forms. */
export function forwardRoute(scope: FastifyInstance, { core, log, limits }: RouteContext): void {
  acceptForwarded(scope);
  scope.setErrorHandler(async (error, request, reply) => {
    const refusal = logged(log, error, request);
    // The app tells nobody what it is answered, and some throw away what is refused.
    if (request.device !== null && refusal.status < 500 && refusal.status !== 429) {
      const { deviceId: device, name } = request.device;
      log.warn({ device, name, status: refusal.status, reason: refusal.message }, 'an SMS was refused');
      await noteRefused(core, request.device, refusal.message);
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
      const fields = parametersOf(request);
      const result = await forward(core, { device: deviceOf(request), format, fields });
      return { status: true, result };
    },
  );
}

/** The address comes last: some apps support only that, but proxies log addresses. */
function keyOf(request: FastifyRequest): string | undefined {
  const { key } = request.query as { readonly key?: unknown };
  return deviceKeyOf(request) ?? bearerOf(request) ?? (typeof key === 'string' ? key : undefined);
}
