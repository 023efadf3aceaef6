/** What does a payment in USDT cost, what does a node that hangs, and how often are nodes asked again? */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { SHOP } from '../../test/helpers/outside/chain-token.js';
import { heightAt } from '../harness/chain.js';
import type { Ports, Told, WasAsked } from '../harness/chain-node.js';
import { type Due, equipUsdt, paid } from '../harness/chain-shop.js';
import { type Load, load } from '../harness/client.js';
import type { Figure, Question, Run } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Daemon, startDaemon, startHelper } from '../harness/servers.js';
import { CONNECTIONS, verifyBodies } from '../harness/till.js';
import { processorMs } from '../harness/usage.js';

/** Payments before the measuring, on both sides: so long the engine is busy making the code fast. */
const WARMING = 3_000;
/** Of one node, as the daemon has it. */
const DEADLINE_MS = 3_000;
/** Claims after the first, one after the other, while the dead node is tried again in the background. */
const LATER = 150;
const LATER_EVERY_MS = 50;
/** Which of them, counted from the slowest, stands for the slow ones. */
const SLOW = 3;
/** By then a block that is made now is final, whole seconds of its time included. */
const FINAL_MS = 2_000;
const WAITING = 1_000;
const WATCHED_MS = 20_000;
const SETTLED_DEADLINE_MS = 120_000;

export const chain: Question = {
  word: 'chain',
  title: 'Payments in USDT',
  about:
    'A node in a process of its own answers every request 1 ms after it was asked. Cost: processor time of ' +
    '`kashbox daemon` for `POST /api/v2/payment/verify` over TLS, each of a session and a transfer of its own that ' +
    `is credited, from the request to the commit on the disk, ${CONNECTIONS} at once; against that of a process ` +
    'which makes the same two requests a payment with the same bodies to the same node by bare got, as many at ' +
    `once, over connections that it keeps, and looks at nothing of the answers; both after ${WARMING} payments. ` +
    'Dead node: the same shop on a daemon whose first node takes every question and answers none, and on one ' +
    `without that node. Finality: ${WAITING} claims whose blocks do not become final for ${WATCHED_MS / 1_000} s ` +
    'and then all at once; requests are counted by the node.',
  async answer(run) {
    const node = await openNode(run);
    return [await cost(run, node), ...(await deadNode(run, node)), ...(await finality(run, node))];
  },
};

interface Node {
  readonly well: string;
  readonly dead: string;
  tell(told: Told): void;
  /** What it was asked since the last time. */
  asked(): Promise<WasAsked>;
}

async function openNode(run: Run): Promise<Node> {
  const { child, line } = await startHelper(run, 'chain-node', SHOP);
  const ports = JSON.parse(line) as Ports;
  const tell = (told: Told) => void child.send(told);
  return {
    well: `http://127.0.0.1:${ports.well}/`,
    dead: `http://127.0.0.1:${ports.dead}/`,
    tell,
    async asked() {
      tell('what were you asked?');
      const [asked] = (await once(child, 'message')) as [WasAsked];
      return asked;
    },
  };
}

interface Till {
  readonly daemon: Daemon;
  readonly brandKey: string;
  readonly due: readonly Due[];
}

/** A daemon whose shop has so many open sessions. @param nodes in the order in which they are asked. */
async function openTill(run: Run, name: string, nodes: readonly string[], sessions: number): Promise<Till> {
  const home = run.folder(name);
  const { brandKey, due } = await equipUsdt(home, nodes, sessions);
  const daemon = await startDaemon(run, home);
  // A transfer that is older than its session may have been meant for another, and a person is asked.
  await sleep(FINAL_MS);
  return { daemon, brandKey, due };
}

/** Verifies each over TLS. @param expect status that all have to be answered with. */
function verify(
  { daemon, brandKey }: Till,
  orders: Parameters<typeof verifyBodies>[0],
  connections: number,
  expect: number,
): Promise<Load> {
  return load({
    port: Number(new URL(daemon.url).port),
    certificate: daemon.certificate,
    path: '/api/v2/payment/verify',
    headers: { 'brand-key': brandKey },
    bodies: verifyBodies(orders, 'bep20'),
    connections,
    expect,
  });
}

async function cost(run: Run, node: Node): Promise<Figure> {
  const rounds = run.quick ? 2 : 5;
  const count = run.quick ? 200 : 500;
  const warming = run.quick ? count : WARMING;
  const till = await openTill(run, 'usdt', [node.well], warming + rounds * count);
  const bare = await startHelper(run, 'bare-chain', node.well, String(CONNECTIONS));
  const measured = async (server: { pid: number; port: number }, work: () => Promise<unknown>) => {
    await node.asked();
    const before = processorMs(server);
    await work();
    const ms = (processorMs(server) - before) / count;
    return { ...(await node.asked()), ms };
  };
  const ordersOf = (round: number) => {
    const end = warming + round * count;
    return till.due.slice(round === 0 ? 0 : end - count, end).map((due) => paid(due));
  };
  const results = await alternate(rounds, {
    bare: (round) =>
      measured({ pid: bare.pid, port: 0 }, async () => {
        bare.child.send(ordersOf(round).map(({ reference }) => reference));
        await once(bare.child, 'message');
      }),
    daemon: (round) => measured(till.daemon, () => verify(till, ordersOf(round), CONNECTIONS, 200)),
  });
  checkAlike([...results.bare, ...results.daemon], count);
  const of = (name: keyof typeof results) => results[name].map(({ ms }) => ms);
  const opened = (name: keyof typeof results) =>
    results[name].reduce((sum, { connections }) => sum + connections, 0);
  const each = (name: keyof typeof results) => `${median(of(name)).toFixed(2)} ms`;
  return {
    name: 'cost of a verification',
    value: medianRatio(of('daemon'), of('bare')),
    unit: 'times the processor time of bare got',
    atMost: 2,
    detail:
      `${each('daemon')} against ${each('bare')} each; connections opened for ${2 * rounds * count} requests: ` +
      `${opened('daemon')} against ${opened('bare')}`,
  };
}

/** A comparison of different requests would say nothing. Bodies differ by the digits of their ids. */
function checkAlike(asked: readonly WasAsked[], count: number): void {
  const sizes = asked.map(({ bytes }) => bytes);
  const isOdd = asked.some(({ requests, questions }) => requests !== 2 * count || questions !== 5 * count);
  if (isOdd || Math.max(...sizes) > 1.05 * Math.min(...sizes)) {
    throw new Error(`both sides do not ask alike: ${JSON.stringify(asked)}`);
  }
}

async function deadNode(run: Run, node: Node): Promise<Figure[]> {
  const healthy = await openTill(run, 'without-dead', [node.well], LATER + 1);
  const failing = await openTill(run, 'with-dead', [node.dead, node.well], LATER + 1);
  const took = { healthy: [] as number[], failing: [] as number[] };
  for (let claim = 0; claim <= LATER; claim += 1) {
    took.healthy.push(await timed(healthy, claim));
    took.failing.push(await timed(failing, claim));
    await sleep(LATER_EVERY_MS);
  }
  const [firstWithout = Number.NaN, ...without] = took.healthy;
  const [first = Number.NaN, ...later] = took.failing;
  return [
    {
      name: 'first claim, dead first node',
      value: (first - firstWithout) / 1_000,
      unit: 's more than without that node',
      // Two hundredths for timers and for what else the machine does.
      atMost: (DEADLINE_MS / 1_000) * 1.02,
      detail: `${first.toFixed(0)} ms against ${firstWithout.toFixed(0)} ms; the deadline of a node is 3 s`,
    },
    {
      name: 'later claims, dead first node',
      value: slow(later) - slow(without),
      unit: `ms more, the ${SLOW}rd slowest of ${LATER} on both sides`,
      atMost: 50,
      detail:
        `${slow(later).toFixed(1)} ms against ${slow(without).toFixed(1)} ms; ` +
        `median ${median(later).toFixed(1)} ms against ${median(without).toFixed(1)} ms`,
    },
  ];
}

/** The very slowest is chance; of claims that meet a trial of the dead node there are more. */
function slow(took: readonly number[]): number {
  return [...took].sort((a, b) => b - a)[SLOW - 1] ?? Number.NaN;
}

async function timed(till: Till, claim: number): Promise<number> {
  const began = performance.now();
  await verify(
    till,
    till.due.slice(claim, claim + 1).map((due) => paid(due)),
    1,
    200,
  );
  return performance.now() - began;
}

async function finality(run: Run, node: Node): Promise<Figure[]> {
  const till = await openTill(run, 'finality', [node.well], WAITING);
  const completed = countCompleted(run, run.folder('finality'));
  node.tell({ finality: 'stalls' });
  // Just above what is final: so near that they are looked at as often as any claim ever is.
  const block = heightAt(Date.now()) + 2;
  await sleep(FINAL_MS);
  const orders = till.due.map((due) => paid(due, block));
  await verify(till, orders, CONNECTIONS, 404);
  const waiting = await watched(node, () => sleep(run.quick ? 8_000 : WATCHED_MS));
  if (completed() > 0) throw new Error('a transfer that is not final was credited');
  node.tell({ finality: 'goes on' });
  const settling = await watched(node, async () => {
    const late = performance.now() + SETTLED_DEADLINE_MS;
    while (completed() < WAITING) {
      if (performance.now() > late) throw new Error(`${completed()} of ${WAITING} were credited in time`);
      await sleep(100);
    }
  });
  return [
    { ...asRate(waiting), name: `${WAITING} claims wait for finality` },
    { ...asRate(settling), name: `${WAITING} claims become final` },
  ];
}

interface Watched extends WasAsked {
  readonly seconds: number;
}

async function watched(node: Node, work: () => Promise<unknown>): Promise<Watched> {
  await node.asked();
  const began = performance.now();
  await work();
  const asked = await node.asked();
  return { ...asked, seconds: (performance.now() - began) / 1_000 };
}

function asRate({ requests, questions, seconds }: Watched): Omit<Figure, 'name'> {
  return {
    value: requests / seconds,
    unit: 'requests a second to the node',
    atMost: 4,
    detail: `${requests} requests with ${questions} questions in ${seconds.toFixed(0)} s`,
  };
}

/** Looks into the daemon's own store. @returns how many payments are completed. */
function countCompleted(run: Run, home: string): () => number {
  const store = new SqliteFile(join(home, 'kashbox.db'), { readOnly: true, timeout: 10_000 });
  run.atEnd(() => store.close());
  const sql = "SELECT count(*) FROM sessions WHERE status = 'COMPLETED'";
  return () => Number(store.column(sql)[0]);
}
