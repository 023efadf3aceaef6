/** What is PostgreSQL a step up from, and what does it cost a request? */
import { cpSync } from 'node:fs';
import { dhakaIso } from '../../src/base/values/clock.js';
import { equipCheckout } from '../harness/checkout.js';
import { type Job, load } from '../harness/client.js';
import type { Figure, Question, Run } from '../harness/figure.js';
import { openStream, settle } from '../harness/page-streams.js';
import { openPostgres } from '../harness/postgres.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Server, startDaemon } from '../harness/servers.js';
import { equip, nextSms, type Order } from '../harness/shop.js';
import { CONNECTIONS, createBodies, payment, verifyBodies } from '../harness/till.js';

type Work = 'create' | 'hit' | 'miss' | 'sms';

/** With the least that is asked of what SQLite does in the same run. */
const WORK: readonly (readonly [Work, name: string, atLeast: number])[] = [
  ['create', 'create', 0.35],
  ['hit', 'verify hit', 0.3],
  ['miss', 'verify miss', 0.3],
  ['sms', 'one SMS a request', 0.25],
];
/** Pages that wait at another daemon than that of the phone. */
const WOKEN = 40;

interface Side {
  readonly daemon: Server;
  readonly brandKey: string;
  readonly deviceKey: string;
  readonly paid: Order[];
  readonly unpaid: Order[];
}

export const postgres: Question = {
  word: 'postgres',
  title: 'PostgreSQL',
  about:
    `The same requests to a daemon on PostgreSQL and to one on SQLite, over ${CONNECTIONS} kept connections, all ` +
    'for one merchant; database, daemons and the client that asks share the machine. Durable on both: an fsync ' +
    'before each answer, and fsync and synchronous_commit on. Then a page waits at another daemon on the same ' +
    'database than the phone calls.',
  async answer(run) {
    const rounds = run.quick ? 2 : 5;
    const size = run.quick ? 1_000 : 2_000;
    const total = (rounds + 1) * size;
    run.say(`preparing ${total} payments and as many sessions on each …`);
    const sqlite = await openSide(run, 'sqlite', total, {});
    const env = { KASHBOX_DATABASE_URL: await openPostgres(run) };
    const server = await openSide(run, 'postgres', total, env);
    const figures: Figure[] = [];
    for (const [work, name, atLeast] of WORK) {
      run.say(`${name} …`);
      const all = await alternate(rounds, {
        sqlite: async () => (await load(jobOf(sqlite, work, size))).perSecond,
        postgres: async () => (await load(jobOf(server, work, size))).perSecond,
      });
      figures.push({
        name,
        value: medianRatio(all.postgres, all.sqlite),
        unit: 'of the throughput on SQLite',
        atLeast,
        detail: `${Math.round(median(all.postgres))}/s against ${Math.round(median(all.sqlite))}/s`,
      });
    }
    return [...figures, await wakeUp(run)];
  },
};

async function openSide(
  run: Run,
  name: string,
  total: number,
  env: Readonly<Record<string, string>>,
): Promise<Side> {
  const home = run.folder(name);
  const stock = await equip(
    home,
    1,
    async (shop) => ({
      brandKey: shop.brandKey,
      deviceKey: shop.deviceKeys[0] ?? '',
      paid: await shop.paidOrders(total),
      unpaid: await shop.orders(total),
    }),
    env,
  );
  return { ...stock, daemon: await startDaemon(run, home, env) };
}

function jobOf({ daemon, brandKey, deviceKey, paid, unpaid }: Side, work: Work, count: number): Job {
  switch (work) {
    case 'create':
      return payment(daemon, brandKey, 'create', createBodies(count), 200);
    case 'hit':
      return payment(daemon, brandKey, 'verify', verifyBodies(paid.splice(0, count)), 200);
    case 'miss':
      return payment(daemon, brandKey, 'verify', verifyBodies(unpaid.splice(0, count)), 404);
    case 'sms':
      return {
        port: daemon.port,
        path: '/api/v2/relay/sync',
        headers: { 'device-key': deviceKey },
        bodies: Array.from({ length: count }, sync),
        connections: CONNECTIONS,
        expect: 200,
      };
    default:
      return work satisfies never;
  }
}

function sync(): string {
  const now = Date.now();
  const { reference, body } = nextSms(now);
  const messages = [{ id: reference, sender: 'bKash', body, received_at: dhakaIso(now), sim_slot: 1 }];
  const health = { battery: 88, charging: true, network: 'wifi', queued: 1, app_version: '0.1.0' };
  return JSON.stringify({ messages, reports: [], health });
}

/** Pages wait at one daemon, and the phone calls another. */
async function wakeUp(run: Run): Promise<Figure> {
  const env = { KASHBOX_DATABASE_URL: await openPostgres(run) };
  const { deviceKey, pages } = await equipCheckout(
    run.folder('near'),
    async (counter) => ({ deviceKey: counter.deviceKey, pages: await counter.waitingPages(WOKEN) }),
    env,
  );
  // With the keys of the other one.
  cpSync(run.folder('near'), run.folder('far'), { recursive: true });
  const near = await startDaemon(run, run.folder('near'), env);
  const far = await startDaemon(run, run.folder('far'), env);
  const streams = [];
  for (const page of pages) streams.push(await openStream(run, far, page));
  const told = await settle(near, deviceKey, streams);
  return {
    name: 'from SMS at one daemon to page at another',
    value: median(told),
    unit: 'ms',
    atMost: 150,
    detail: `all ${told.length} pages were notified, the last after ${Math.max(...told).toFixed(0)} ms`,
  };
}
