/** How much memory does a daemon hold after a long day? */
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../../src/base/values/clock.js';
import { load } from '../harness/client.js';
import type { Question } from '../harness/figure.js';
import { type Server, startDaemon } from '../harness/servers.js';
import { equip, nextSms } from '../harness/shop.js';
import { CONNECTIONS, createBodies, payment, verifyBodies } from '../harness/till.js';
import { residentMib } from '../harness/usage.js';

const STEP = 2_000;
const BATCH = 50;
/** V8 gives back what a rush took when nothing has come for half a minute. */
const REST_MS = 45_000;

export const memory: Question = {
  word: 'memory',
  title: 'Memory of the daemon',
  about:
    'Resident memory of `kashbox daemon` after payments that were all made over HTTP: each created, its SMS ' +
    `relayed in a batch of ${BATCH}, and verified, over ${CONNECTIONS} connections; and what it holds on to once the rush is over.`,
  async answer(run) {
    const home = run.folder('memory');
    const keys = await equip(home, 1, async ({ brandKey, deviceKeys: [deviceKey = ''] }) => ({
      brandKey,
      deviceKey,
    }));
    const daemon = await startDaemon(run, home);
    const payments = run.quick ? 10_000 : 100_000;
    const fresh = residentMib(daemon);
    let peak = fresh;
    for (let done = 0; done < payments; done += STEP) {
      await pay(daemon, keys, STEP);
      peak = Math.max(peak, residentMib(daemon));
      if (done % 20_000 === 0 && done > 0) run.say(`${done} payments, ${residentMib(daemon).toFixed(0)} MiB`);
    }
    const unit = `MiB after ${payments} payments`;
    const last = residentMib(daemon);
    await sleep(run.quick ? 5_000 : REST_MS);
    return [
      {
        name: 'with the last answer',
        value: last,
        unit,
        detail: `${fresh.toFixed(0)} MiB when it began to listen, at most ${peak.toFixed(0)} MiB on the way`,
      },
      {
        name: 'resident memory',
        value: residentMib(daemon),
        unit,
        atMost: 150,
        detail: `${REST_MS / 1000} s after the last answer`,
      },
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
