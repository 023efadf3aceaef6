/** The daemon and the server that stores nothing, side by side, and the requests that both are asked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, type Load, load } from './client.js';
import type { Figure, Run } from './figure.js';
import type { NothingAnswers } from './nothing-server.js';
import { alternate, median, medianRatio } from './rounds.js';
import { type Server, startDaemon, startNothing } from './servers.js';
import { equip, type Order } from './shop.js';

export const CONNECTIONS = 64;

interface Till {
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
  const nothingHome = run.folder('nothing');
  const nothingKey = await equip(nothingHome, 1, async (shop) => shop.brandKey);
  const file = join(nothingHome, 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return {
    daemon,
    brandKey,
    nothing: await startNothing(run, nothingHome, file),
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

/**
 * The same requests to the daemon and to the server that stores nothing, in turn.
 * @returns the throughput of the one against the other.
 */
export async function compare(
  till: Till,
  what: 'create' | 'hit' | 'miss',
  rounds: number,
  bodies: (round: number) => readonly string[],
  atLeast: number,
): Promise<Figure> {
  const endpoint = what === 'create' ? 'create' : 'verify';
  const expect = what === 'miss' ? 404 : 200;
  const { daemon, nothing } = await alternate(rounds, {
    nothing: async (round) =>
      load({
        ...payment(till.nothing, till.nothingKey, endpoint, bodies(round), expect),
        path: `/${what}`,
      }),
    daemon: async (round) => load(payment(till.daemon, till.brandKey, endpoint, bodies(round), expect)),
  });
  const rates = (loads: readonly Load[]) => loads.map(({ perSecond }) => perSecond);
  const rate = (loads: readonly Load[]) => `${Math.round(median(rates(loads)))}/s`;
  return {
    name: what === 'create' ? 'create' : `verify ${what}`,
    value: medianRatio(rates(daemon), rates(nothing)),
    unit: 'of the throughput of storing nothing',
    atLeast,
    detail: `${rate(daemon)} against ${rate(nothing)}`,
  };
}
