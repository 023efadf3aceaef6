/** What do a thousand open pages cost while they wait for their SMS, and is each told when it comes? */
import { setTimeout as sleep } from 'node:timers/promises';
import { equipCheckout, type WaitingPage } from '../harness/checkout.js';
import type { Question } from '../harness/figure.js';
import { openStream, settle } from '../harness/page-streams.js';
import { median } from '../harness/rounds.js';
import { type Daemon, startCountedDaemon } from '../harness/servers.js';
import { get, openLine } from '../harness/tls.js';
import { processorMs, residentMib } from '../harness/usage.js';

const PAGES = 1_000;
/** Pages that are opened at once. */
const AT_ONCE = 20;
/** Payments whose SMS comes at the end, one after the other. */
const SETTLED = 50;
/** V8 tidies up for some seconds once a rush is over: that is the cost of opening pages, not of waiting. */
const AFTER_RUSH_MS = 15_000;

export const waiting: Question = {
  word: 'waiting',
  title: 'Pages that wait',
  about:
    `${PAGES} customers have pasted their ids and wait, each with a page and its event stream open over TLS, on ` +
    '`kashbox daemon`. Memory is compared with that of the same daemon after it has served the same pages; processor ' +
    'time and SQL statements, those of its jobs among them, with what it uses while no page is open. Then ' +
    `${SETTLED} of the SMS come.`,
  async answer(run) {
    const home = run.folder('waiting');
    const { pages, deviceKey } = await equipCheckout(home, async (counter) => ({
      pages: await counter.waitingPages(PAGES),
      deviceKey: counter.deviceKey,
    }));
    const { daemon, statements } = await startCountedDaemon(run, home);
    const fresh = residentMib(daemon);
    await inTurn(pages, (page) => openAndLeave(daemon, page));
    await sleep(AFTER_RUSH_MS);
    const span = () => useOf(daemon, statements, run.quick ? 8_000 : 22_000);
    const without = await span();
    const before = residentMib(daemon);
    const streams = await inTurn(pages, (page) => openStream(run, daemon, page));
    await sleep(AFTER_RUSH_MS);
    const used = await span();
    const after = residentMib(daemon);
    const lost = streams.filter((stream) => !stream.isOpen()).length;
    if (lost > 0) throw new Error(`${lost} streams did not stay open`);
    const told = await settle(daemon, deviceKey, streams.slice(0, SETTLED));
    const wrong = streams.slice(SETTLED).filter((stream) => stream.hasMoved()).length;
    if (wrong > 0) throw new Error(`${wrong} pages were told of the payments of others`);
    return [
      {
        name: 'memory of 1,000 pages',
        value: after - before,
        unit: 'MiB',
        atMost: 30,
        detail:
          `${after.toFixed(0)} MiB against ${before.toFixed(0)} MiB without; ` +
          `${fresh.toFixed(0)} MiB when it began to listen`,
      },
      {
        name: 'processor time',
        value: used.percent - without.percent,
        unit: '% of a core more',
        atMost: 2,
        detail: `${used.percent.toFixed(2)} % against ${without.percent.toFixed(2)} % with no page open`,
      },
      {
        name: 'SQL statements',
        value: used.statements - without.statements,
        unit: 'a second more, for all pages',
        atMost: 2,
        detail: `${used.statements.toFixed(2)} a second against ${without.statements.toFixed(2)} with no page open`,
      },
      {
        name: 'from SMS to page',
        value: median(told),
        unit: 'ms',
        detail: `each of ${told.length} pages was told, the last to know after ${Math.max(...told).toFixed(0)} ms; no other was`,
      },
    ];
  },
};

/** What a daemon uses for a while in which nobody asks anything of it, by the second. */
async function useOf(daemon: Daemon, statements: () => Promise<number>, ms: number) {
  const [beganMs, usedMs, ran] = [performance.now(), processorMs(daemon), await statements()];
  await sleep(ms);
  const seconds = (performance.now() - beganMs) / 1000;
  return {
    percent: (processorMs(daemon) - usedMs) / seconds / 10,
    statements: ((await statements()) - ran) / seconds,
  };
}

/** Does the same for every page, some of them at once. */
async function inTurn<T>(
  pages: readonly WaitingPage[],
  work: (page: WaitingPage) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    results.push(...(await Promise.all(pages.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}

async function openAndLeave(daemon: Daemon, { path }: WaitingPage): Promise<void> {
  const line = await openLine(daemon);
  const { status } = await get(line, path, { 'accept-encoding': 'gzip' });
  line.secure.destroy();
  if (status !== 200) throw new Error(`a waiting page answered ${status}`);
}
