/** Do pages open as fast on a slow disk, while payments are stored on it? */
import { execFileSync } from 'node:child_process';
import { setInterval } from 'node:timers/promises';
import { equipCheckout } from '../harness/checkout.js';
import { load, visit } from '../harness/client.js';
import type { Question, Run } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Daemon, root, startDaemon } from '../harness/servers.js';
import { createBodies, payment } from '../harness/till.js';

const PAGES = 50;
const CREATE_EVERY_MS = 20;

export const disk: Question = {
  word: 'disk',
  title: 'Pages beside commits on a slow disk',
  about:
    `The checkout page is opened by one browser after the other, while a shop creates a payment every ` +
    `${CREATE_EVERY_MS} ms: with a disk whose fsync takes 10 ms longer, against the disk as it is.`,
  async answer(run) {
    const slow = await open(run, 'slow', { LD_PRELOAD: slowDisk(run) });
    const quick = await open(run, 'quick', {});
    const visits = run.quick ? 300 : 800;
    const results = await alternate(run.quick ? 3 : 5, {
      slow: () => visitBesideCreates(slow, visits),
      quick: () => visitBesideCreates(quick, visits),
    });
    const of = (name: keyof typeof results, key: 'p50Ms' | 'p99Ms') =>
      results[name].map((round) => round[key]);
    const ms = (name: keyof typeof results, key: 'p50Ms' | 'p99Ms') =>
      `${median(of(name, key)).toFixed(2)} ms`;
    return [
      {
        name: 'disk: page p99',
        value: medianRatio(of('slow', 'p99Ms'), of('quick', 'p99Ms')),
        unit: 'times that on the disk as it is',
        atMost: 1.5,
        detail:
          `p99 ${ms('slow', 'p99Ms')} against ${ms('quick', 'p99Ms')}, ` +
          `p50 ${ms('slow', 'p50Ms')} against ${ms('quick', 'p50Ms')}`,
      },
    ];
  },
};

interface Shop {
  readonly daemon: Daemon;
  readonly brandKey: string;
  readonly paths: readonly string[];
}

async function open(run: Run, name: string, env: Readonly<Record<string, string>>): Promise<Shop> {
  const home = run.folder(name);
  const { brandKey, paths } = await equipCheckout(home, async (counter) => ({
    brandKey: counter.brandKey,
    paths: await counter.pages(PAGES),
  }));
  return { daemon: await startDaemon(run, home, env), brandKey, paths };
}

/** @returns path of the library that makes fsync slow */
function slowDisk(run: Run): string {
  const library = run.folder('slow-disk.so');
  const args = ['-shared', '-fPIC', '-O1', '-o', library, `${root}bench/harness/slow-disk.c`, '-ldl'];
  execFileSync('cc', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return library;
}

async function visitBesideCreates({ daemon, brandKey, paths }: Shop, count: number) {
  const over = new AbortController();
  const creating = createSteadily(daemon, brandKey, over.signal);
  try {
    return await visit({
      port: Number(new URL(daemon.url).port),
      certificate: daemon.certificate,
      headers: { accept: 'text/html', 'accept-language': 'bn-BD', 'accept-encoding': 'gzip' },
      paths: Array.from({ length: count }, (_, at) => paths[at % paths.length] ?? ''),
      connections: 1,
      expect: 200,
    });
  } finally {
    over.abort();
    await creating;
  }
}

async function createSteadily(daemon: Daemon, brandKey: string, over: AbortSignal): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for await (const _ of setInterval(CREATE_EVERY_MS)) {
    if (over.aborted) break;
    sent.push(load({ ...payment(daemon, brandKey, 'create', createBodies(1), 200), connections: 1 }));
  }
  await Promise.all(sent);
}
