/** Where the app "SMS Gateway for Android" brings SMS and tells what happened: signed, one event a call. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AppPhone, authenticateWebhook } from '../../../src/actions/access/authenticate-app.js';
import type { Core } from '../../../src/actions/core/core.js';
import { takeAppReports } from '../../../src/actions/relay/app-outbox.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { type AppEvent, readWebhook } from '../../mobile/webhook.js';
import type { Limits } from '../gates/limits.js';
import { parseBody } from '../input/json.js';
import { bytesOf } from '../input/raw-bodies.js';

/** To the app any 2xx means that it may forget the event, so there is none before it is durable. */
export function webhookRoute(scope: FastifyInstance, core: Core, limits: Limits): void {
  scope.post<{ Params: { readonly device: string } }>('/webhooks/:device', async (request) => {
    const body = bytesOf(request);
    const phone = await authenticateWebhook(core, {
      deviceId: request.params.device,
      body,
      signature: headerOf(request, 'x-signature'),
      timestamp: headerOf(request, 'x-timestamp'),
    }).catch(async (error: unknown) => {
      throw await limits.afterFailure(request, error);
    });
    request.caller = phone.device.deviceId;
    await limits.countRequest(request);
    await take(core, phone, readWebhook(parseBody(body)));
    return { status: true };
  });
}

async function take(core: Core, phone: AppPhone, event: AppEvent): Promise<void> {
  const { device } = phone;
  switch (event.kind) {
    case 'received': {
      const { message, untimedName } = event;
      const { results } = await syncDevice(core, { device, messages: [message], untimedName, health: null });
      const [result] = results;
      if (result?.state === 'rejected') {
        throw new KashboxError('invalid_input', { message: result.reason ?? 'This is no SMS' });
      }
      return;
    }
    case 'report':
      return takeAppReports(core, phone, [event.report]);
    case 'ping':
      await syncDevice(core, { device, messages: [], health: event.health });
      return;
    case 'alive':
      await syncDevice(core, { device, messages: [], health: null });
      return;
    default:
      event satisfies never;
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
