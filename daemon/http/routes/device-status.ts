/** How relay phones are doing, for whoever holds their keys (spec 4.7): dashboards, watchdogs, shops. */
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { readDeviceStatus } from '../../../src/actions/devices/device-status.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Limits } from '../gates/limits.js';
import { StatusAnswer } from '../schemas/devices.js';
import { Message } from '../schemas/payments.js';

/** @param scope one of its own: whatever body comes with a POST, only the header counts. */
export function deviceStatusRoute(scope: FastifyInstance, core: Core, limits: Limits): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
  // Fastify refuses types that it cannot read, before any parser is asked.
  scope.addHook('onRequest', async ({ headers }) => {
    delete headers['content-type'];
  });

  scope.route<{ Reply: Static<typeof StatusAnswer> }>({
    method: ['GET', 'POST'],
    url: '/api/v2/device/status',
    schema: { response: { 200: StatusAnswer, '4xx': Message, '5xx': Message } },
    handler: async (request) => {
      const header = request.headers['device-keys'];
      const keys = typeof header === 'string' ? header : undefined;
      const devices = await readDeviceStatus(core, { keys }).catch(async (error: unknown) => {
        throw await limits.afterFailure(request, error);
      });
      request.caller = devices.find(({ device }) => device !== null)?.device ?? '';
      await limits.countRequest(request);
      return { status: true, devices: [...devices], server_time: dhakaIso(core.clock.now()) };
    },
  });
}
