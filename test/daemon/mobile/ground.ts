/** A shop whose phone runs the app "SMS Gateway for Android", and what its operator and its shop do. */
import type { ExecutionContext } from 'ava';
import type { CoreOptions } from '../../../src/actions/core/core.js';
import { type EnrolledDevice, enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import type { Clock } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { type AppServer, GatewayApp } from '../../helpers/outside/gateway-app.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { type Api, openApi } from '../api.js';

export const ROOT = 'https://pay.example.com';
export const BASE = `${ROOT}/mobile/v1`;

/** What befalls the app's calls, for a test to change. */
export interface Line {
  /** How many of the next calls are served, and their answers lost. */
  lost: number;
}

export interface Ground {
  readonly api: Api;
  readonly app: GatewayApp;
  readonly phone: EnrolledDevice;
  readonly line: Line;
  /** An app on the same line that nobody has registered, on a phone with a clock of its own. */
  newApp(clock?: Clock): GatewayApp;
  /** As a shop asks for it. @returns the id of the SMS. */
  queue(message: string, more?: object): Promise<string>;
  /** What a shop is told of it. */
  look(id: string): Promise<Readonly<Record<string, unknown>>>;
}

export async function openGround(
  t: ExecutionContext<unknown>,
  options: Partial<CoreOptions> & { readonly engine?: Engine } = {},
): Promise<Ground> {
  const api = await openApi(t, options);
  const phone = await enrollDevice(api.core, {
    merchant: 'Alo Store',
    name: 'Counter',
    sims: [`1=${WALLET}`, '2=01811000002'],
    who: 'test',
  });
  const line: Line = { lost: 0 };
  const newApp = (clock: Clock = api.clock) => new GatewayApp(serverOf(api, line), clock, BASE);
  const headers = { 'gateway-key': phone.gateway_key };
  return {
    api,
    app: newApp(),
    phone,
    line,
    newApp,
    async queue(message, more = {}) {
      const body = { number: '01711000009', message, ...more };
      const response = await api.callBare('/api/v2/gateway/send', { headers, body });
      t.is(response.statusCode, 200, response.body);
      return response.json().data.id as string;
    },
    async look(id) {
      const response = await api.callBare(`/api/v2/gateway/send/${id}`, { method: 'GET', headers });
      return response.json().data as Readonly<Record<string, unknown>>;
    },
  };
}

/** The ground, with its app registered by the pairing code and told what to do. */
export async function openPaired(
  t: ExecutionContext<unknown>,
  options: Partial<CoreOptions> & { readonly engine?: Engine } = {},
): Promise<Ground> {
  const ground = await openGround(t, options);
  const answer = await ground.app.register(`Bearer ${ground.phone.pairing_code}`);
  t.is(answer.status, 201, answer.text);
  await ground.app.provision();
  return ground;
}

/** Loses answers as a network does: the server has done its part, and the app never hears of it. */
function serverOf(api: Api, line: Line): AppServer {
  return async ({ method, path, headers, body }) => {
    const { pathname, search, host } = new URL(path);
    const response = await api.callBare(`${pathname}${search}`, {
      method,
      headers: { ...headers, host },
      ...(body === undefined ? {} : { body }),
    });
    if (line.lost > 0) {
      line.lost -= 1;
      throw new Error('the connection broke');
    }
    return { status: response.statusCode, text: response.body };
  };
}
