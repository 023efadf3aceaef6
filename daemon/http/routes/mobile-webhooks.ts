/** Webhooks of the app "SMS Gateway for Android": received SMS and events, signed, one per call. */
import type { FastifyInstance } from 'fastify';
import { type AppPhone, authenticateWebhook } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { takeAppReports } from '../../../src/actions/relay/lease-dispatches.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { type AppEvent, readWebhook } from '../../mobile/webhook.js';
import type { RouteContext } from '../context.js';
import { admit, headerOf } from '../gates/auth.js';
import { parseBody } from '../input/json.js';
import { bytesOf } from '../input/raw-bodies.js';

/** The app forgets the event after any 2xx, so we answer only once it is durable. */
export function webhookRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.post<{ Params: { readonly device: string } }>('/webhooks/:device', async (request) => {
    const body = bytesOf(request);
    const asked = authenticateWebhook(core, {
      deviceId: request.params.device,
      body,
      signature: headerOf(request, 'x-signature'),
      timestamp: headerOf(request, 'x-timestamp'),
    });
    const phone = await admit(limits, request, asked, ({ device }) => device.deviceId);
    await take(core, phone, readWebhook(parseBody(body)));
    return { status: true };
  });
}

async function take(core: Core, phone: AppPhone, event: AppEvent): Promise<void> {
  const call = { device: phone.device, sentAtMs: phone.sentAtMs };
  switch (event.kind) {
    case 'received': {
      const messages = [event.message];
      const { results } = await syncDevice(core, { ...call, messages, hasLastingIds: true, health: null });
      const [result] = results;
      if (result?.state === 'rejected') {
        throw new KashboxError('invalid_input', { message: result.reason ?? 'This is no SMS' });
      }
      return;
    }
    case 'report':
      return takeAppReports(core, phone, [event.report]);
    case 'ping':
      await syncDevice(core, { ...call, messages: [], health: event.health });
      return;
    case 'alive':
      await syncDevice(core, { ...call, messages: [], health: null });
      return;
    default:
      event satisfies never;
  }
}
