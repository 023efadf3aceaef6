/** The daemon and the server that stores nothing, side by side, and the requests that both are asked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, type Load, load } from './client.js';
import type { Figure, Run } from './figure.js';
import type { NothingAnswers } from './nothing-server.js';
import { median, medianRatio } from './rounds.js';
import { type Server, startDaemon, startNothing } from './servers.js';
import { equip, type Order } from './shop.js';

export const CONNECTIONS = 64;

export interface Till {
  readonly daemon: Server;
  readonly brandKey: string;
  readonly nothing: Server;
  /** Key of a brand of the server that stores nothing. */
  readonly nothingKey: string;
}

const order = JSON.stringify({
  cus_name: 'Rahim Uddin',
  amount: 500.0,
  meta_data: { order: 'A-1024', items: 3 },
});

export const createBodies = (count: number): string[] => Array.from({ length: count }, () => order);

export const verifyBodies = (orders: readonly Order[], method: 'mfs_a' | 'bep20' = 'mfs_a'): string[] =>
  orders.map(({ session, reference }) => JSON.stringify({ id: session, method, transaction_id: reference }));

/**
 * Starts both servers. The one that stores nothing answers what the daemon has answered to these.
 * @param paid a session that its reference pays.
 * @param unpaid a session whose reference is in no SMS.
 */
export async function openTill(
  run: Run,
  home: string,
  brandKey: string,
  paid: Order,
  unpaid: Order,
): Promise<Till> {
  const daemon = await startDaemon(run, home);
  const answers: NothingAnswers = {
    create: await onlyAnswer(payment(daemon, brandKey, 'create', createBodies(1), 200)),
    hit: await onlyAnswer(payment(daemon, brandKey, 'verify', verifyBodies([paid]), 200)),
    miss: await onlyAnswer(payment(daemon, brandKey, 'verify', verifyBodies([unpaid]), 404)),
  };
  const nothingHome = run.folder('nothing');
  const nothingKey = await equip(nothingHome, 1, async (shop) => shop.brandKey);
  const file = join(nothingHome, 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return {
    daemon,
    brandKey,
    nothing: await startNothing(run, 'nothing-server', nothingHome, file),
    nothingKey,
  };
}

async function onlyAnswer(job: Job): Promise<unknown> {
  let answer = '';
  const onAnswer = (_index: number, body: string) => {
    answer = body;
  };
  await load({ ...job, onAnswer });
  return JSON.parse(answer);
}

/** Requests to the payment API of a daemon, which must all be answered with this status. */
export function payment(
  daemon: Server,
  brandKey: string,
  endpoint: 'create' | 'verify',
  bodies: readonly string[],
  expect: number,
): Job {
  return {
    port: daemon.port,
    path: `/api/v2/payment/${endpoint}`,
    headers: { 'brand-key': brandKey },
    bodies,
    connections: CONNECTIONS,
    expect,
  };
}

/** The same requests to the daemon, and to the routes that store nothing with and without a gate. */
export function sides(
  till: Till,
  what: 'create' | 'hit' | 'miss',
  bodies: (round: number) => readonly string[],
) {
  const endpoint = what === 'create' ? 'create' : 'verify';
  const expect = what === 'miss' ? 404 : 200;
  const nothing = (gate: 'gated' | 'open') => (round: number) =>
    load({
      ...payment(till.nothing, till.nothingKey, endpoint, bodies(round), expect),
      path: `/${gate}/${what}`,
    });
  return {
    gated: nothing('gated'),
    daemon: (round: number) => load(payment(till.daemon, till.brandKey, endpoint, bodies(round), expect)),
    open: nothing('open'),
  };
}

/** Throughput against the server that stores nothing, and how far the slowest are from the middle. */
export function figuresOf(
  name: string,
  loads: Readonly<Record<'gated' | 'daemon' | 'open', readonly Load[]>>,
  atLeast?: number,
): Figure[] {
  const of = (side: keyof typeof loads, key: keyof Load) => loads[side].map((load) => load[key]);
  const rate = (side: keyof typeof loads) => `${Math.round(median(of(side, 'perSecond')))}/s`;
  const ratio = (side: 'gated' | 'open') => medianRatio(of('daemon', 'perSecond'), of(side, 'perSecond'));
  const ms = (key: 'p50Ms' | 'p99Ms') => `${median(of('daemon', key)).toFixed(2)} ms`;
  return [
    {
      name,
      value: ratio('gated'),
      unit: 'of the throughput of storing nothing',
      ...(atLeast === undefined ? {} : { atLeast }),
      detail:
        `${rate('daemon')} against ${rate('gated')}; ` +
        `${ratio('open').toFixed(2)} of the ${rate('open')} of a route that asks for no key`,
    },
    {
      name: `${name}: p99`,
      value: medianRatio(of('daemon', 'p99Ms'), of('daemon', 'p50Ms')),
      unit: 'times p50',
      atMost: 5,
      detail: `p50 ${ms('p50Ms')}, p99 ${ms('p99Ms')}`,
    },
  ];
}
