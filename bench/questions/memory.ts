/** How much memory does a daemon hold, idle and after a busy day? */
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../../src/base/values/clock.js';
import { load } from '../harness/client.js';
import type { Question } from '../harness/figure.js';
import { type Server, startDaemon } from '../harness/servers.js';
import { equip, nextSms } from '../harness/shop.js';
import { CONNECTIONS, createBodies, payment, verifyBodies } from '../harness/till.js';
import { memoryMib } from '../harness/usage.js';

const PAYMENTS = 10_000;
const STEP = 2_000;
const BATCH = 50;
/** V8 gives back what a rush took when nothing has come for half a minute. */
const REST_MS = 45_000;
const SETTLE_MS = 5_000;

export const memory: Question = {
  word: 'memory',
  title: 'Memory of the daemon',
  about:
    'Memory of `kashbox daemon` (PSS: of what it shares with other processes its part): when nothing has been asked of ' +
    `it yet, and after ${PAYMENTS} payments over HTTP, each created, its SMS relayed in a batch of ${BATCH}, and ` +
    `verified, over ${CONNECTIONS} connections.`,
  async answer(run) {
    const home = run.folder('memory');
    const keys = await equip(home, 1, async ({ brandKey, deviceKeys: [deviceKey = ''] }) => ({
      brandKey,
      deviceKey,
    }));
    const daemon = await startDaemon(run, home);
    await sleep(SETTLE_MS);
    const idle = memoryMib(daemon);
    let peak = idle;
    for (let done = 0; done < PAYMENTS; done += STEP) {
      await pay(daemon, keys, STEP);
      peak = Math.max(peak, memoryMib(daemon));
    }
    await sleep(run.quick ? SETTLE_MS : REST_MS);
    const figure = { unit: 'MiB', detail: `at most ${peak.toFixed(0)} MiB between payments` };
    return [
      { ...figure, name: 'idle', value: idle, atMost: 60 },
      { ...figure, name: `after ${PAYMENTS} payments`, value: memoryMib(daemon), atMost: 90 },
    ];
  },
};

async function pay(
  daemon: Server,
  keys: { readonly brandKey: string; readonly deviceKey: string },
  count: number,
): Promise<void> {
  const sessions: string[] = [];
  await load({
    ...payment(daemon, keys.brandKey, 'create', createBodies(count), 200),
    onAnswer: (_index, body) => sessions.push((JSON.parse(body) as { readonly id: string }).id),
  });
  const sms = sessions.map(() => nextSms());
  const at = dhakaIso(Date.now());
  const messages = sms.map(({ reference, body }) => ({
    id: reference,
    sender: 'bKash',
    body,
    received_at: at,
  }));
  const batches = Array.from({ length: count / BATCH }, (_, batch) =>
    JSON.stringify({ messages: messages.slice(batch * BATCH, (batch + 1) * BATCH) }),
  );
  await load({
    port: daemon.port,
    path: '/api/v2/relay/sms',
    headers: { 'device-key': keys.deviceKey },
    bodies: batches,
    connections: 4,
    expect: 200,
  });
  const orders = sessions.map((session, index) => ({ session, reference: sms[index]?.reference ?? '' }));
  await load(payment(daemon, keys.brandKey, 'verify', verifyBodies(orders), 200));
}
