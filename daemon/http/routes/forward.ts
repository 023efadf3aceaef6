/** Where Android apps that forward SMS to an address bring them (design.md section 6). */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { forwardSms } from '../../../src/actions/relay/forward-sms.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { FORWARD_FORMATS, forwardFormat } from '../../../src/domain/sms/forward-formats.js';
import { bearerOf, deviceGate, deviceKeyOf, deviceOf } from '../gates/auth.js';
import type { Limits } from '../gates/limits.js';
import { acceptForms, parametersOf } from '../input/forms.js';
import { OneOf } from '../schemas/fields.js';
import { Message } from '../schemas/payments.js';

const ForwardAnswer = Type.Object({
  status: Type.Boolean({ description: 'Always true; a refusal has false.' }),
  result: OneOf(['stored', 'duplicate'], '`stored`: on the disk. `duplicate`: it was there before.'),
});

const answers = { 200: ForwardAnswer, '4xx': Message, '5xx': Message };

/** @param scope one of its own: it also takes forms. */
export function forwardRoute(scope: FastifyInstance, core: Core, limits: Limits): void {
  acceptForms(scope);
  scope.addHook('onRequest', deviceGate(core, limits, keyOf));

  scope.post<{ Reply: Static<typeof ForwardAnswer>; Params: { readonly format: string } }>(
    '/api/v2/relay/forward/:format',
    { schema: { response: answers } },
    async (request) => {
      const format = forwardFormat(request.params.format);
      if (format === null) {
        throw new KashboxError('route_not_found', {
          message: `There is no such format; the formats are ${FORWARD_FORMATS.join(', ')}`,
        });
      }
      const fields = parametersOf(request);
      const result = await forwardSms(core, { device: deviceOf(request), format, fields });
      return { status: true, result };
    },
  );
}

/** In the address last: some apps can put it nowhere else, but addresses end up in the logs of proxies. */
function keyOf(request: FastifyRequest): string | undefined {
  const { key } = request.query as { readonly key?: unknown };
  return deviceKeyOf(request) ?? bearerOf(request) ?? (typeof key === 'string' ? key : undefined);
}
