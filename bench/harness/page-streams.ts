/** Pages that wait for their payment, by their event streams, and the SMS that they wait for. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../../src/base/values/clock.js';
import type { WaitingPage } from './checkout.js';
import { load } from './client.js';
import type { Run } from './figure.js';
import type { Daemon, Server } from './servers.js';
import { ask, openLine } from './tls.js';

const TOLD_DEADLINE_MS = 10_000;

interface PageStream {
  readonly page: WaitingPage;
  isOpen(): boolean;
  isUpdated(): boolean;
  /** Resolves when the server says that the payment has changed. */
  readonly updated: Promise<void>;
}

const UPDATED = 'event: payment.updated';

/** Resolves once the stream has begun. */
export async function openStream(run: Run, daemon: Daemon, page: WaitingPage): Promise<PageStream> {
  const line = await openLine(daemon);
  const { secure } = line;
  run.atEnd(() => secure.destroy());
  let said = '';
  const updated = new Promise<void>((resolve) => {
    secure.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(UPDATED)) resolve();
    });
  });
  ask(line, `${page.path}/events?shown=open`, { accept: 'text/event-stream' });
  await once(secure, 'data');
  if (!said.startsWith('HTTP/1.1 200 ')) throw new Error(`a stream began with ${said.slice(0, 40)}`);
  return { page, updated, isOpen: () => secure.writable, isUpdated: () => said.includes(UPDATED) };
}

/** Lets the SMS of these pages come, one after the other. @returns how long each took to reach its page. */
export async function settle(
  daemon: Server,
  deviceKey: string,
  streams: readonly PageStream[],
): Promise<readonly number[]> {
  const took: number[] = [];
  for (const { page, updated } of streams) {
    const message = {
      id: page.reference,
      sender: 'bKash',
      body: page.body,
      received_at: dhakaIso(Date.now()),
    };
    const began = performance.now();
    const late = sleep(TOLD_DEADLINE_MS, 'late', { ref: false });
    await load({
      port: daemon.port,
      path: '/api/v2/relay/sync',
      headers: { 'device-key': deviceKey },
      bodies: [JSON.stringify({ messages: [{ ...message, sim_slot: 1 }] })],
      connections: 1,
      expect: 200,
    });
    if ((await Promise.race([updated, late])) === 'late')
      throw new Error(`${page.path} was not told in time`);
    took.push(performance.now() - began);
  }
  return took;
}
