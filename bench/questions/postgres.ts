/** What is PostgreSQL a step up from, and what does it cost a request? */
import { cpSync } from 'node:fs';
import { dhakaIso } from '../../src/base/values/clock.js';
import { equipCheckout } from '../harness/checkout.js';
import { type Job, load } from '../harness/client.js';
import type { Figure, Question, Run } from '../harness/figure.js';
import { openStream, settle } from '../harness/page-streams.js';
import { bareInserts, countTrips, openPostgres, type Postgres } from '../harness/postgres.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Server, startDaemon } from '../harness/servers.js';
import { equip, nextSms, type Order } from '../harness/shop.js';
import { CONNECTIONS, createBodies, payment, verifyBodies } from '../harness/till.js';
import { processorMs } from '../harness/usage.js';

type Work = 'create' | 'hit' | 'miss' | 'sms' | 'batch';

const WORK: readonly Work[] = ['create', 'hit', 'miss', 'sms', 'batch'];
const NAMES: Readonly<Record<Work, string>> = {
  create: 'create',
  hit: 'verify hit',
  miss: 'verify miss',
  sms: 'one SMS a request',
  batch: '50 SMS a request',
};
/** Of what SQLite does in the same run. */
const AT_LEAST: Readonly<Record<Work, number>> = { create: 0.7, hit: 0.6, miss: 0.6, sms: 0.5, batch: 0.6 };
const MOST_TRIPS: Readonly<Partial<Record<Work, number>>> = { create: 2, hit: 3, miss: 3, sms: 4 };
const BATCH = 50;
const PHONES = 8;
/** Requests of the round that counts round trips. */
const COUNTED = 50;
/** Pages that wait at another daemon than that of the phone. */
const WOKEN = 40;

interface Stock {
  readonly brandKey: string;
  readonly deviceKeys: readonly string[];
  readonly paid: Order[];
  readonly unpaid: Order[];
}

interface Side extends Stock {
  readonly daemons: readonly Server[];
  /** What to add to the daemons' own. */
  readonly serverMs: () => number;
}

interface Done {
  readonly perSecond: number;
  readonly processorMs: number;
}

export const postgres: Question = {
  word: 'postgres',
  title: 'PostgreSQL',
  about:
    `The same requests to a daemon on PostgreSQL and to one on SQLite, over ${CONNECTIONS} kept connections, all ` +
    'for one merchant; database, daemons and the client that asks share the machine. Then with a second and a ' +
    'third daemon on the same database. Durable on both: an fsync before each answer, and fsync and synchronous_commit on.',
  async answer(run) {
    const rounds = run.quick ? 2 : 5;
    const size = run.quick ? 1_000 : 2_000;
    const database = await openPostgres(run);
    const sqlite = await openSide(run, 'sqlite', (rounds + 1) * size);
    const stock = await stockOf(run.folder('postgres'), 4 * (rounds + 1) * size + COUNTED, database.url);
    const daemons: Server[] = [];
    daemons.push(await daemonOn(run, 'postgres', database.url));
    for (const name of ['second', 'third']) daemons.push(await beside(run, name, database.url));
    const side = (count: number): Side => ({
      ...stock,
      daemons: daemons.slice(0, count),
      serverMs: database.processorMs,
    });
    const sides = { sqlite, one: side(1), two: side(2), three: side(3) };
    const bare = bareInserts(run, database, CONNECTIONS);
    const figures: Figure[] = [];
    for (const work of WORK) {
      run.say(`${NAMES[work]} …`);
      const all = await alternate(rounds, {
        sqlite: () => doWork(sides.sqlite, work, size),
        one: () => doWork(sides.one, work, size),
        two: () => doWork(sides.two, work, size),
        three: () => doWork(sides.three, work, size),
        bare: async () => ({ perSecond: work === 'create' ? bare() : Number.NaN, processorMs: Number.NaN }),
      });
      figures.push(...figuresOf(work, all));
    }
    return [...figures, ...(await trips(run, database, stock)), await wakeUp(run)];
  },
};

async function stockOf(home: string, total: number, url?: string): Promise<Stock> {
  const env: Record<string, string> = url === undefined ? {} : { KASHBOX_DATABASE_URL: url };
  return equip(
    home,
    PHONES,
    async (shop) => ({
      brandKey: shop.brandKey,
      deviceKeys: shop.deviceKeys,
      paid: await shop.paidOrders(total),
      unpaid: await shop.orders(total),
    }),
    env,
  );
}

async function openSide(run: Run, name: string, total: number): Promise<Side> {
  run.say(`preparing ${total} payments and as many sessions on SQLite, four times as many on PostgreSQL …`);
  const stock = await stockOf(run.folder(name), total);
  return { ...stock, daemons: [await startDaemon(run, run.folder(name))], serverMs: () => 0 };
}

function daemonOn(run: Run, name: string, url: string) {
  return startDaemon(run, run.folder(name), { KASHBOX_DATABASE_URL: url });
}

/** A daemon with the keys of another one. */
function beside(run: Run, name: string, url: string, of = 'postgres') {
  cpSync(run.folder(of), run.folder(name), { recursive: true });
  return daemonOn(run, name, url);
}

/** The requests are dealt out to the daemons of that side, who work at once. */
async function doWork(side: Side, work: Work, size: number): Promise<Done> {
  const { daemons, serverMs } = side;
  const count = work === 'batch' ? size / BATCH : size;
  const share = Math.floor(count / daemons.length);
  const jobs = daemons.map((daemon) => jobOf(daemon, side, work, share));
  const usage = () => daemons.reduce((sum, daemon) => sum + processorMs(daemon), serverMs());
  const before = usage();
  const began = performance.now();
  await Promise.all(jobs.map(load));
  const seconds = (performance.now() - began) / 1000;
  const done = share * daemons.length * (work === 'batch' ? BATCH : 1);
  return { perSecond: done / seconds, processorMs: (usage() - before) / done };
}

function jobOf(daemon: Server, stock: Side, work: Work, count: number): Job {
  const connections = Math.floor(CONNECTIONS / stock.daemons.length);
  const { brandKey } = stock;
  switch (work) {
    case 'create':
      return { ...payment(daemon, brandKey, 'create', createBodies(count), 200), connections };
    case 'hit':
      return { ...payment(daemon, brandKey, 'verify', taken(stock.paid, count), 200), connections };
    case 'miss':
      return { ...payment(daemon, brandKey, 'verify', taken(stock.unpaid, count), 404), connections };
    case 'sms':
    case 'batch':
      return {
        port: daemon.port,
        path: '/api/v2/relay/sync',
        headers: { 'device-key': stock.deviceKeys[stock.daemons.indexOf(daemon)] ?? '' },
        bodies: Array.from({ length: count }, () => sync(work === 'sms' ? 1 : BATCH)),
        connections: work === 'sms' ? connections : PHONES,
        expect: 200,
      };
    default:
      return work satisfies never;
  }
}

function taken(orders: Order[], count: number): string[] {
  const part = orders.splice(0, count);
  if (part.length < count) throw new Error('too little was prepared');
  return verifyBodies(part);
}

function sync(count: number): string {
  const now = Date.now();
  const messages = Array.from({ length: count }, () => {
    const { reference, body } = nextSms(now);
    return { id: reference, sender: 'bKash', body, received_at: dhakaIso(now), sim_slot: 1 };
  });
  const health = { battery: 88, charging: true, network: 'wifi', queued: count, app_version: '0.1.0' };
  return JSON.stringify({ messages, reports: [], health });
}

function figuresOf(
  work: Work,
  all: Readonly<Record<'sqlite' | 'one' | 'two' | 'three' | 'bare', readonly Done[]>>,
): Figure[] {
  const rates = (side: keyof typeof all) => all[side].map(({ perSecond }) => perSecond);
  const rate = (side: keyof typeof all) => `${Math.round(median(rates(side)))}/s`;
  const cost = (side: keyof typeof all) => median(all[side].map((done) => done.processorMs));
  const ofOne = (side: 'two' | 'three') => cost(side) / cost('one');
  const figures: Figure[] = [
    {
      name: NAMES[work],
      value: medianRatio(rates('one'), rates('sqlite')),
      unit: 'of the throughput on SQLite',
      atLeast: AT_LEAST[work],
      detail:
        `${rate('one')} against ${rate('sqlite')}; ${rate('two')} with two daemons, ${rate('three')} with three; ` +
        `processor of daemon and database ${(cost('one') * 1000).toFixed(0)} µs, on SQLite ${(cost('sqlite') * 1000).toFixed(0)} µs`,
    },
    {
      name: `${NAMES[work]}: cost with three daemons`,
      value: ofOne('three'),
      unit: 'times the processor time of a request with one',
      ...(work === 'batch' ? {} : { atMost: 1.15 }),
      detail: `with two ${ofOne('two').toFixed(2)}`,
    },
  ];
  if (work !== 'create') return figures;
  return [
    ...figures,
    {
      name: 'create against pgbench',
      value: medianRatio(rates('one'), rates('bare')),
      unit: 'of bare durable inserts of one row',
      atLeast: 0.25,
      detail: `${rate('one')} against ${rate('bare')}, prepared, over as many connections`,
    },
  ];
}

/** One request after the other, so that what waits for an answer waits for its own. */
async function trips(run: Run, database: Postgres, stock: Stock): Promise<Figure[]> {
  const counted = await countTrips(run, database);
  const daemon = await beside(run, 'counted', counted.url);
  const figures: Figure[] = [];
  for (const [work, most] of Object.entries(MOST_TRIPS) as [Work, number][]) {
    const job = (count: number) => ({
      ...jobOf(daemon, { ...stock, daemons: [daemon], serverMs: () => 0 }, work, count),
      connections: 1,
    });
    await load(job(COUNTED / 5));
    const before = counted.trips();
    await load(job(COUNTED / 2));
    figures.push({
      name: `${NAMES[work]}: round trips`,
      value: Math.round((counted.trips() - before) / (COUNTED / 2)),
      unit: 'to the database',
      atMost: most,
      detail: `${counted.trips() - before} for ${COUNTED / 2} requests, loops of the daemon with them`,
    });
  }
  return figures;
}

/** Pages wait at one daemon, and the phone calls another. */
async function wakeUp(run: Run): Promise<Figure> {
  const { url } = await openPostgres(run);
  const { deviceKey, pages } = await equipCheckout(
    run.folder('near'),
    async (counter) => ({ deviceKey: counter.deviceKey, pages: await counter.waitingPages(WOKEN) }),
    { KASHBOX_DATABASE_URL: url },
  );
  const near = await daemonOn(run, 'near', url);
  const far = await beside(run, 'far', url, 'near');
  const streams = [];
  for (const page of pages) streams.push(await openStream(run, far, page));
  const told = await settle(near, deviceKey, streams);
  return {
    name: 'from SMS at one daemon to page at another',
    value: median(told),
    unit: 'ms',
    atMost: 150,
    detail: `each of ${told.length} pages was told, the last to know after ${Math.max(...told).toFixed(0)} ms`,
  };
}
