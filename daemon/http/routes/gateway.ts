/** Sending SMS through a relay phone: reads requests, calls one action each, writes answers. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  authenticateGateway,
  type GatewayContext,
} from '../../../src/actions/access/authenticate-gateway.js';
import { findDispatch } from '../../../src/actions/dispatches/dispatches.js';
import { type SentDispatch, sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import type { RouteContext } from '../context.js';
import { admit, headerOf, letIn } from '../gates/auth.js';
import { acceptForms, parametersOf } from '../input/forms.js';
import { readDispatch } from '../input/gateway-fields.js';
import { findSms, sendSms } from '../schemas/gateway.js';

declare module 'fastify' {
  interface FastifyRequest {
    gateway: GatewayContext | null;
  }
}

export function gatewayRoutes(app: FastifyInstance, { core, limits }: RouteContext): void {
  acceptForms(app);
  app.decorateRequest('gateway', null);
  app.addHook('onRequest', async (request) => {
    const asked = authenticateGateway(core, { keys: gatewayKeys(request), ip: request.ip });
    // Counted separately from the phone's own calls: a shop that calls too often must not block the phone.
    request.gateway = await admit(limits, request, asked, ({ deviceId }) => `gateway ${deviceId}`);
  });

  app.post('/api/v2/gateway/send', sendSms, async (request) => {
    const gateway = letIn(request.gateway);
    const input = readDispatch(parametersOf(request), headerOf(request, 'idempotency-key') || undefined);
    const sent = await sendDispatch(core, { ...input, gateway, who: null });
    return { status: true, message: messageOf(sent), data: sent.dispatch };
  });

  app.get<{ Params: { readonly id: string } }>('/api/v2/gateway/send/:id', findSms, async (request) => {
    const { deviceId } = letIn(request.gateway);
    return { status: true, data: await findDispatch(core, { id: request.params.id, deviceId }) };
  });
}

/** In the order in which they are tried; a repeated header is one text with a comma. */
function gatewayKeys(request: FastifyRequest): string[] {
  return ['gateway-key', 'key']
    .flatMap((name) => (headerOf(request, name) ?? '').split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '');
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
