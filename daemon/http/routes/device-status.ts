/** Device status for holders of device keys: dashboards, watchdogs, shops. */
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readDeviceStatus } from '../../../src/actions/devices/device-status.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { RouteContext } from '../context.js';
import { admit, headerOf } from '../gates/auth.js';
import { takeRawBodies } from '../input/raw-bodies.js';
import {
  readDeviceStatus as asked,
  readDeviceStatusByPost as askedByPost,
  type StatusAnswer,
} from '../schemas/device-status.js';

/** @param scope one of its own: whatever body comes with a POST, only the header counts. */
export function deviceStatusRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  takeRawBodies(scope);

  const answer = async (request: FastifyRequest): Promise<Static<typeof StatusAnswer>> => {
    const told = readDeviceStatus(core, { keys: headerOf(request, 'device-keys') });
    const nameOf = (all: Awaited<typeof told>) => all.find(({ device }) => device !== null)?.device ?? '';
    const devices = await admit(limits, request, told, nameOf);
    return { status: true, devices: [...devices], server_time: dhakaIso(core.clock.now()) };
  };
  scope.get('/api/v2/device/status', asked, answer);
  scope.post('/api/v2/device/status', askedByPost, answer);
}
