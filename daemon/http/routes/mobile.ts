/**
 * The API that the app "SMS Gateway for Android" calls on its server (its version 1 for phones), so that the
 * app as it is published works as a relay phone. Shapes and names are the app's; docs/sms-gateway-app.md.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AppPhone, authenticateApp } from '../../../src/actions/access/authenticate-device.js';
import { pairDevice } from '../../../src/actions/devices/enroll-device.js';
import { appOutbox, takeAppReports } from '../../../src/actions/relay/lease-dispatches.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { readPatch } from '../../../src/domain/dispatches/app-reports.js';
import { appMessage } from '../../mobile/messages.js';
import { appSettings, appWebhooks } from '../../mobile/provision.js';
import type { RouteContext } from '../context.js';
import { admit, bearerOf, countFailure } from '../gates/auth.js';
import { publicBase } from '../gates/public-origin.js';
import { parseAnyBody } from '../input/json.js';
import { bytesOf, takeRawBodies } from '../input/raw-bodies.js';
import { mobileEventsRoute } from './mobile-events.js';
import { webhookRoute } from './mobile-webhooks.js';

/** Entries of one `PATCH /message`; the app sends one. */
const MAX_PATCHES = 200;

/** @param scope one of its own, whose prefix ends in `/mobile/v1`: the bytes of its bodies are signed. */
export function mobileRoutes(scope: FastifyInstance, context: RouteContext): void {
  const { core } = context;
  takeRawBodies(scope);
  const enter = phoneDoor(context);
  registerRoute(scope, context);
  webhookRoute(scope, context);
  mobileEventsRoute(scope, context, enter);

  scope.get('/device', async (request) => {
    if (request.headers.authorization !== undefined) await enter(request);
    return { externalIp: request.ip };
  });

  // Name and SIMs of the phone are masked by the app, and ours were given by the operator.
  scope.patch('/device', async (request, reply) => {
    await enter(request);
    return reply.code(204).send();
  });

  // A HEAD that ran this would lease SMS.
  scope.get('/message', { exposeHeadRoute: false }, async (request) =>
    (await appOutbox(core, await enter(request))).map(appMessage),
  );

  scope.patch('/message', async (request, reply) => {
    const phone = await enter(request);
    const list = parseAnyBody(bytesOf(request));
    const entries = Array.isArray(list) ? (list as unknown[]).slice(0, MAX_PATCHES) : [];
    await takeAppReports(
      core,
      phone,
      entries.flatMap((entry) => readPatch(entry) ?? []),
    );
    return reply.code(204).send();
  });

  scope.get('/settings', async (request) => appSettings((await enter(request)).signingKey));

  scope.get('/webhooks', async (request) => {
    const { device } = await enter(request);
    return appWebhooks(publicBase(request, core.settings), device.deviceId);
  });

  // Accounts that several phones share: here each phone is enrolled by itself.
  scope.get('/user/code', async (_request, reply) => reply.code(501).send(NOT_OFFERED));
  scope.patch('/user/password', async (_request, reply) => reply.code(501).send(NOT_OFFERED));
}

const NOT_OFFERED = {
  status: false,
  message: 'There are no logins here: each phone is enrolled with `kashbox devices enroll`',
};

/** The one call without a device key: it brings the pairing code, and gets the key. */
function registerRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.post('/device', async (request, reply) => {
    await limits.refuseExhausted(request);
    const code = bearerOf(request);
    const asked =
      code === undefined ? Promise.reject(codeMissing()) : pairDevice(core, { code, ip: request.ip });
    const { device, deviceKey } = await countFailure(limits, request, asked);
    // The app shows login and password to its owner; we do not use them.
    return reply.code(201).send({ id: device.id, token: deviceKey, login: device.name, password: '' });
  });
}

function codeMissing(): KashboxError {
  return new KashboxError('pairing_code_invalid', {
    message: 'Enter the pairing code as Private Token; logins and codes of other servers are not known here',
  });
}

/** @returns a function that lets in a client with a phone's key as its bearer token. */
function phoneDoor({ core, limits }: RouteContext) {
  return (request: FastifyRequest): Promise<AppPhone> => {
    const asked = authenticateApp(core, { key: bearerOf(request) });
    return admit(limits, request, asked, ({ device }) => device.deviceId);
  };
}
