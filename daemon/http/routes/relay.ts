/** The routes of relay phones: pairing once, then one request per round. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pairDevice as pair } from '../../../src/actions/devices/pair-device.js';
import type { LeasedDispatch } from '../../../src/actions/relay/lease-dispatches.js';
import { type SmsResult, syncDevice as sync } from '../../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { relayReceipt } from '../../../src/domain/devices/relay-receipt.js';
import { readOutbox } from '../../../src/domain/dispatches/dispatch-plan.js';
import { readReports } from '../../../src/domain/dispatches/dispatch-reports.js';
import { readInstant } from '../../../src/domain/sms/incoming-sms.js';
import { readHealth } from '../../relay/health.js';
import { readWait } from '../../relay/long-poll.js';
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
    const body = phoneBody(request.body);
    const messages = readMessages({ messages: [], ...body });
    const caller = deviceOf(request);
    const reports = readReports(body.reports);
    const outbox = readOutbox(body.outbox);
    const synced = await sync(core, {
      device: caller,
      messages,
      health: readHealth(body.health),
      outbound: { reports, outbox },
      resentSince: readInstant(body.resent_since),
    });
    const { leased, device } = await waitForDispatches(core, phones, {
      device: { ...caller, resendSince: synced.resendSince },
      key: deviceKeyOf(request),
      socket: request.raw.socket,
      journal: outbox?.journal ?? null,
      waitMs: readWait(body.wait_ms, { messages, reports }),
      leased: synced.leased,
    });
    return {
      status: true,
      results: synced.results,
      receipt: receiptOf(request, synced.results),
      dispatches: leased.dispatches.map(dispatchAnswer),
      next_poll_ms: leased.nextPollMs,
      ...(device.resendSince === null ? {} : { resend_since: dhakaIso(device.resendSince) }),
      server_time: dhakaIso(core.clock.now()),
    };
  });

  app.post('/api/v2/relay/sms', takeSms, async (request) => {
    const messages = readMessages(phoneBody(request.body));
    const { results } = await sync(core, { device: deviceOf(request), messages, health: null });
    return { status: true, results, receipt: receiptOf(request, results) };
  });
}

/** Signed with the key of the request, because the store has only its hash. */
function receiptOf(request: FastifyRequest, results: readonly SmsResult[]): string {
  return relayReceipt(deviceKeyOf(request)?.trim() ?? '', results);
}

function dispatchAnswer(dispatch: LeasedDispatch) {
  return { ...dispatch, expires_at: dhakaIso(dispatch.expires_at) };
}
