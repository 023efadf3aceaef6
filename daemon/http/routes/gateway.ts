/** Sending SMS through a relay phone (spec 4.6): reads requests, calls one action each, writes answers. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  authenticateGateway,
  type GatewayContext,
} from '../../../src/actions/access/authenticate-gateway.js';
import type { Core } from '../../../src/actions/core/core.js';
import { findDispatch } from '../../../src/actions/dispatches/find-dispatch.js';
import { type SentDispatch, sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import type { Limits } from '../gates/limits.js';
import { acceptForms, parametersOf } from '../input/forms.js';
import { readDispatch } from '../input/gateway-fields.js';
import { DispatchAnswer, FoundDispatchAnswer } from '../schemas/gateway.js';
import { Message } from '../schemas/payments.js';

declare module 'fastify' {
  interface FastifyRequest {
    gateway: GatewayContext | null;
  }
}

const refusals = { '4xx': Message, '5xx': Message };

export function gatewayRoutes(app: FastifyInstance, core: Core, limits: Limits): void {
  acceptForms(app);
  app.decorateRequest('gateway', null);
  app.addHook('onRequest', async (request) => {
    const keys = gatewayKeys(request);
    const gateway = await authenticateGateway(core, { keys, ip: request.ip }).catch(
      async (error: unknown) => {
        throw await limits.afterFailure(request, error);
      },
    );
    request.gateway = gateway;
    // Counted apart from what the phone itself asks: a shop that asks too often must not silence it.
    request.caller = `gateway ${gateway.deviceId}`;
    await limits.countRequest(request);
  });

  app.post(
    '/api/v2/gateway/send',
    { schema: { response: { 200: DispatchAnswer, ...refusals } } },
    async (request) => {
      const gateway = gatewayOf(request);
      const input = readDispatch(parametersOf(request), headerOf(request, 'idempotency-key'));
      const sent = await sendDispatch(core, { ...input, gateway, who: null });
      return { status: true, message: messageOf(sent), data: sent.dispatch };
    },
  );

  app.get<{ Params: { readonly id: string } }>(
    '/api/v2/gateway/send/:id',
    { schema: { response: { 200: FoundDispatchAnswer, ...refusals } } },
    async (request) => {
      const { deviceId } = gatewayOf(request);
      return { status: true, data: await findDispatch(core, { id: request.params.id, deviceId }) };
    },
  );
}

function gatewayOf({ gateway }: FastifyRequest): GatewayContext {
  if (gateway === null) throw new TypeError('this route stands outside the gate of Gateway Keys');
  return gateway;
}

/** Spec 5.2, in its order; a header that came twice is one text with a comma. */
function gatewayKeys(request: FastifyRequest): string[] {
  return ['gateway-key', 'key']
    .flatMap((name) => (headerOf(request, name) ?? '').split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function messageOf({ outcome, dispatch, isPhoneOffline }: SentDispatch): string {
  switch (outcome) {
    case 'queued':
      return isPhoneOffline
        ? `Queued, but the phone is offline: it is sent if the phone is back by ${dispatch.expires_at}`
        : 'Queued';
    case 'repeated':
      return `Was queued before under this idempotency_key, and is ${dispatch.state} now`;
    default:
      return outcome satisfies never;
  }
}
