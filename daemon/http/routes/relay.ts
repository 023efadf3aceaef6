/** The routes of relay phones: pairing once, then one request per round. */
import type { FastifyInstance } from 'fastify';
import { pairDevice as pair } from '../../../src/actions/devices/enroll-device.js';
import { syncDevice as sync } from '../../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { relayReceipt } from '../../../src/domain/devices/relay-receipt.js';
import { answerSync } from '../../relay/answer-sync.js';
import { waitForDispatches } from '../../relay/wait-for-dispatches.js';
import type { RouteContext } from '../context.js';
import { countFailure, deviceGate, deviceKeyOf, deviceOf } from '../gates/auth.js';
import { acceptOnlyJson, MAX_PHONE_KEYS } from '../input/json.js';
import { phoneBody, readMessages, readPairingCode } from '../input/relay-fields.js';
import { pairDevice, syncDevice, takeSms } from '../schemas/relay.js';

export function pairRoute(app: FastifyInstance, { core, limits }: RouteContext): void {
  app.post(
    '/api/v2/relay/pair',
    { ...pairDevice, onRequest: (request) => limits.refuseExhausted(request) },
    async (request) => {
      const code = readPairingCode(phoneBody(request.body));
      const paired = await countFailure(limits, request, pair(core, { code, ip: request.ip }));
      return {
        status: true,
        device: paired.device,
        device_key: paired.deviceKey,
        gateway_key: paired.gatewayKey,
        server_time: dhakaIso(core.clock.now()),
      };
    },
  );
}

export function relayRoutes(app: FastifyInstance, { core, limits, phones }: RouteContext): void {
  acceptOnlyJson(app, MAX_PHONE_KEYS);
  app.addHook('onRequest', deviceGate(core, limits));

  app.post('/api/v2/relay/sync', syncDevice, async (request) => {
    const key = deviceKeyOf(request) ?? '';
    const body = phoneBody(request.body);
    const messages = readMessages({ messages: [], ...body });
    const asking = { caller: deviceOf(request), key, messages, body };
    return answerSync(core, asking, (found) =>
      waitForDispatches(core, phones, { ...found, key, socket: request.raw.socket }),
    );
  });

  app.post('/api/v2/relay/sms', takeSms, async (request) => {
    const messages = readMessages(phoneBody(request.body));
    const { results } = await sync(core, { device: deviceOf(request), messages, health: null });
    return { status: true, results, receipt: relayReceipt((deviceKeyOf(request) ?? '').trim(), results) };
  });
}
