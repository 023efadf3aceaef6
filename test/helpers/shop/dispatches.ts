/** A phone and what it is to send, for tests of dispatches. */
import type { ExecutionContext } from 'ava';
import { namedGateway } from '../../../src/actions/access/authenticate-gateway.js';
import type { Core, CoreOptions } from '../../../src/actions/core/core.js';
import { findDispatch } from '../../../src/actions/dispatches/dispatches.js';
import { type SendDispatch, sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { type DispatchLeases, leaseToPhone } from '../../../src/actions/relay/lease-dispatches.js';
import type { DispatchReport } from '../../../src/domain/dispatches/dispatch.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openTestCore, type TestClock, testClock } from '../stores/engines.js';
import { openShop, type Shop } from './shop.js';

export interface SendingShop {
  readonly core: Core;
  readonly clock: TestClock;
  readonly shop: Shop;
  /** Queues an SMS of one part, unless told otherwise. @returns its id */
  send(change?: Partial<SendDispatch>): Promise<string>;
  /** The phone asks, as the agent with that journal; null without one. */
  ask(
    journal: string | null,
    held?: readonly string[],
    reports?: readonly DispatchReport[],
  ): Promise<DispatchLeases>;
  /** Its state and what else is asked for, as one text. */
  stateOf(id: string): Promise<string>;
}

export async function openSendingShop(
  t: ExecutionContext<unknown>,
  engine: Engine,
  options: Partial<CoreOptions> = {},
): Promise<SendingShop> {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock, ...options });
  const shop = await openShop(core);
  const { deviceId } = shop;
  const gateway = await namedGateway(core, deviceId);
  return {
    core,
    clock,
    shop,
    async send(change = {}) {
      const input = { gateway, number: '01812345678', message: 'Your order is ready', who: null };
      return (await sendDispatch(core, { ...input, ...change })).dispatch.id;
    },
    ask: (journal, held = [], reports = []) =>
      leaseToPhone(core, { deviceId, outbox: journal === null ? null : { journal, held }, reports }),
    stateOf: async (id) => (await findDispatch(core, { id, deviceId })).state,
  };
}

/** @returns ids in the order in which they were handed out. */
export const idsOf = ({ dispatches }: DispatchLeases) => dispatches.map(({ id }) => id);

export const sent = (id: string, change: Partial<DispatchReport> = {}): DispatchReport => ({
  id,
  state: 'SENT',
  part: null,
  error: null,
  ...change,
});
