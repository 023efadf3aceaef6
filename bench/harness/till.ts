/** The daemon and the server that stores nothing, side by side, and the requests that both are asked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, type Load, load } from './client.js';
import type { Figure, Run } from './figure.js';
import type { NothingAnswers } from './nothing-server.js';
import { median, medianRatio } from './rounds.js';
import { type Server, startDaemon, startNothing } from './servers.js';
import type { Order } from './shop.js';

export const CONNECTIONS = 64;

export interface Till {
  readonly daemon: Server;
  readonly nothing: Server;
  readonly brandKey: string;
}

const order = JSON.stringify({
  cus_name: 'Rahim Uddin',
  amount: 500.0,
  meta_data: { order: 'A-1024', items: 3 },
});

export const createBodies = (count: number): string[] => Array.from({ length: count }, () => order);

export const verifyBodies = (orders: readonly Order[]): string[] =>
  orders.map(({ session, reference }) =>
    JSON.stringify({ id: session, method: 'mfs_a', transaction_id: reference }),
  );

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
  const file = join(home, 'bench-answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return { daemon, brandKey, nothing: await startNothing(run, file) };
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

/** The same requests to the one server and to the other. */
export function sides(
  till: Till,
  what: 'create' | 'hit' | 'miss',
  bodies: (round: number) => readonly string[],
) {
  const endpoint = what === 'create' ? 'create' : 'verify';
  const job = (round: number) =>
    payment(till.daemon, till.brandKey, endpoint, bodies(round), what === 'miss' ? 404 : 200);
  return {
    nothing: (round: number) => load({ ...job(round), port: till.nothing.port, path: `/${what}` }),
    daemon: (round: number) => load(job(round)),
  };
}

/** Throughput against the server that stores nothing, and how far the slowest are from the middle. */
export function figuresOf(
  name: string,
  daemon: readonly Load[],
  nothing: readonly Load[],
  atLeast?: number,
): Figure[] {
  const of = (side: readonly Load[], key: keyof Load) => side.map((load) => load[key]);
  const rate = (side: readonly Load[]) => `${Math.round(median(of(side, 'perSecond')))}/s`;
  const ms = (key: 'p50Ms' | 'p99Ms') => `${median(of(daemon, key)).toFixed(2)} ms`;
  return [
    {
      name,
      value: medianRatio(of(daemon, 'perSecond'), of(nothing, 'perSecond')),
      unit: 'of the throughput of storing nothing',
      ...(atLeast === undefined ? {} : { atLeast }),
      detail: `${rate(daemon)} against ${rate(nothing)}`,
    },
    {
      name: `${name}: p99`,
      value: medianRatio(of(daemon, 'p99Ms'), of(daemon, 'p50Ms')),
      unit: 'times p50',
      atMost: 5,
      detail: `p50 ${ms('p50Ms')}, p99 ${ms('p99Ms')}`,
    },
  ];
}
