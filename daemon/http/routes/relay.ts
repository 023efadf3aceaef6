/** What relay phones call (design.md section 6): pairing once, then one request a round. */
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { pairDevice } from '../../../src/actions/devices/pair-device.js';
import type { HandedDispatch } from '../../../src/actions/relay/lease-dispatches.js';
import { type SmsResult, syncDevice } from '../../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { relayReceipt } from '../../../src/domain/devices/relay-receipt.js';
import { readOutbox } from '../../../src/domain/dispatches/dispatch-plan.js';
import { readReports } from '../../../src/domain/dispatches/dispatch-reports.js';
import { readInstant } from '../../../src/domain/sms/incoming-sms.js';
import { readHealth } from '../../relay/health.js';
import { readWait } from '../../relay/long-poll.js';
import type { PhoneRoom } from '../../relay/phone-room.js';
import { waitForDispatches } from '../../relay/wait-for-dispatches.js';
import { deviceGate, deviceKeyOf, deviceOf } from '../gates/auth.js';
import type { Limits } from '../gates/limits.js';
import { acceptOnlyJson, MAX_PHONE_KEYS } from '../input/json.js';
import { schemaFaults } from '../input/validation.js';
import { Message } from '../schemas/payments.js';
import { PairAnswer, PairBody, SmsAnswer, SmsBody, SyncAnswer, SyncBody } from '../schemas/relay.js';

const schemaErrorFormatter = schemaFaults({ messages: { tooMany: 'batch_too_large' } });

const refusals = { '4xx': Message, '5xx': Message };

export function pairRoute(app: FastifyInstance, core: Core, limits: Limits): void {
  app.post<{ Body: Static<typeof PairBody> }>(
    '/api/v2/relay/pair',
    {
      schema: { body: PairBody, response: { 200: PairAnswer, ...refusals } },
      onRequest: (request) => limits.refuseExhausted(request),
    },
    async (request) => {
      const { code } = request.body;
      const paired = await pairDevice(core, { code, ip: request.ip }).catch(async (error: unknown) => {
        throw await limits.afterFailure(request, error);
      });
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

export function relayRoutes(app: FastifyInstance, core: Core, limits: Limits, room: PhoneRoom): void {
  acceptOnlyJson(app, MAX_PHONE_KEYS);
  app.addHook('onRequest', deviceGate(core, limits));

  app.post<{ Body: Static<typeof SyncBody> }>(
    '/api/v2/relay/sync',
    { schema: { body: SyncBody, response: { 200: SyncAnswer, ...refusals } }, schemaErrorFormatter },
    async (request) => {
      const { messages = [], health, wait_ms, resent_since } = request.body;
      const caller = deviceOf(request);
      const reports = readReports(request.body.reports);
      const outbox = readOutbox(request.body.outbox);
      const synced = await syncDevice(core, {
        device: caller,
        messages,
        health: readHealth(health),
        outbound: { reports, outbox },
        resentSince: readInstant(resent_since),
      });
      const { handedOut, device } = await waitForDispatches(core, room, {
        device: { ...caller, resendSince: synced.resendSince },
        key: deviceKeyOf(request),
        socket: request.raw.socket,
        journal: outbox?.journal ?? null,
        waitMs: readWait(wait_ms, { messages, reports }),
        handedOut: synced.handedOut,
      });
      return {
        status: true,
        results: synced.results,
        receipt: receiptOf(request, synced.results),
        dispatches: handedOut.dispatches.map(dispatchAnswer),
        next_poll_ms: handedOut.nextPollMs,
        ...(device.resendSince === null ? {} : { resend_since: dhakaIso(device.resendSince) }),
        server_time: dhakaIso(core.clock.now()),
      };
    },
  );

  app.post<{ Body: Static<typeof SmsBody> }>(
    '/api/v2/relay/sms',
    { schema: { body: SmsBody, response: { 200: SmsAnswer, ...refusals } }, schemaErrorFormatter },
    async (request) => {
      const { messages } = request.body;
      const { results } = await syncDevice(core, { device: deviceOf(request), messages, health: null });
      return { status: true, results, receipt: receiptOf(request, results) };
    },
  );
}

/** Under the key that let the request in: the store has only its hash. */
function receiptOf(request: FastifyRequest, results: readonly SmsResult[]): string {
  return relayReceipt(deviceKeyOf(request)?.trim() ?? '', results);
}

function dispatchAnswer(dispatch: HandedDispatch) {
  return { ...dispatch, expires_at: dhakaIso(dispatch.expires_at) };
}
