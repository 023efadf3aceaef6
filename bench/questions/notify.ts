/** How fast do shops hear of their payments, next to a loop that only posts, and who waits for whom? */
import { once } from 'node:events';
import { join } from 'node:path';
import { newRowId, systemRandom } from '../../src/base/values/ids.js';
import { destinationOf, MAX_UNDER_WAY } from '../../src/domain/notifications/fair-share.js';
import { notificationContent } from '../../src/domain/notifications/notification.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { load } from '../harness/client.js';
import type { Question, Run } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Daemon, startDaemon, startHelper } from '../harness/servers.js';
import { equip, type Order, PAISA } from '../harness/shop.js';
import type { Came, Reset } from '../harness/shops.js';
import { verifyBodies } from '../harness/till.js';

const SHOPS = 100;
const HANGING = 10;
/** Payments that are confirmed one after the other, to see how soon their shop hears of each. */
const SINGLE = 200;

export const notifying: Question = {
  word: 'notify',
  title: 'Telling shops',
  about:
    `Notifications that are due, to ${SHOPS} listeners on this machine, sent, signed and written down by ` +
    '`kashbox daemon`, against a process that posts the same body to the same listeners with bare got, ' +
    `${MAX_UNDER_WAY} at once; both counted where they arrive, from the first to the last. Then the same with ` +
    `${HANGING} of the listeners hanging. Then payments that are verified one by one: from the answer of verify, ` +
    'which comes after the commit, to the arrival of the first attempt.',
  async answer(run) {
    const home = run.folder('notify');
    const { brandKey, orders } = await equip(home, 1, async (shop) => ({
      brandKey: shop.brandKey,
      orders: await shop.paidOrders(SINGLE),
    }));
    const listeners = await openListeners(run);
    const outbox = openOutbox(run, home, listeners.urls);
    const daemon = await startDaemon(run, home, { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true' });
    const bare = await startHelper(
      run,
      'bare-got',
      JSON.stringify(listeners.urls),
      outbox.body,
      String(MAX_UNDER_WAY),
    );
    const due = run.quick ? 2_000 : 10_000;
    const results = await alternate(run.quick ? 2 : 3, {
      bare: () => {
        bare.child.send(due);
        return listeners.collect(due, 0);
      },
      daemon: () => {
        const arrivals = listeners.collect(due, 0);
        outbox.fill(due);
        return arrivals;
      },
    });
    const soon = await soonTold(run, daemon, brandKey, orders, { home, listeners });
    const answering = (due * (SHOPS - HANGING)) / SHOPS;
    const healthy = results.daemon.map(({ delays }) => delays);
    const hung = listeners.collect(answering, HANGING);
    outbox.fill(due);
    const { delays } = await hung;
    const usual = median(healthy.map((list) => percentile(list, 99)));
    const rate = (name: keyof typeof results) => results[name].map(({ perSecond }) => perSecond);
    return [
      {
        name: 'deliveries',
        value: medianRatio(rate('daemon'), rate('bare')),
        unit: 'of the rate of bare got',
        atLeast: 0.5,
        detail: `${Math.round(median(rate('daemon')))}/s against ${Math.round(median(rate('bare')))}/s, ${due} due`,
      },
      {
        name: `with ${HANGING} of ${SHOPS} hanging`,
        value: percentile(delays, 99) / usual,
        unit: "times the others' p99 delay without",
        atMost: 1.5,
        detail: `${Math.round(percentile(delays, 99))} ms against ${Math.round(usual)} ms until all was told`,
      },
      {
        name: 'from commit to attempt',
        value: percentile(soon, 50),
        unit: 'ms, p50',
        atMost: 50,
        detail: `p99 ${percentile(soon, 99).toFixed(1)} ms`,
      },
    ];
  },
};

interface Arrivals {
  readonly perSecond: number;
  /** Milliseconds from the start of collecting, which is when all are due. */
  readonly delays: readonly number[];
}

interface Listeners {
  readonly urls: readonly string[];
  /** Resolves when so many different ones have come. @param hanging listeners that never answer. */
  collect(count: number, hanging: number): Promise<Arrivals>;
}

async function openListeners(run: Run): Promise<Listeners> {
  const { child, line } = await startHelper(run, 'shops', String(SHOPS));
  const urls = (JSON.parse(line) as number[]).map((port) => `http://127.0.0.1:${port}/hook`);
  return {
    urls,
    async collect(count, hanging) {
      child.send({ hanging } satisfies Reset);
      const began = performance.timeOrigin + performance.now();
      child.send(count);
      const [{ at }] = (await once(child, 'message')) as [Came];
      const [first, last] = [Math.min(...at), Math.max(...at)];
      return { perSecond: (1_000 * count) / (last - first), delays: at.map((time) => time - began) };
    },
  };
}

/** Makes notifications due in the daemon's own store, as another process would. */
function openOutbox(run: Run, home: string, urls: readonly string[]) {
  const store = new SqliteFile(join(home, 'kashbox.db'), { timeout: 10_000 });
  run.atEnd(() => store.close());
  const brand = store.column('SELECT id FROM brands')[0] as string;
  const insert = store.prepare(`INSERT INTO notifications (id, brand_id, session_id, event, sequence, url,
    endpoint, lane, format, content, state, tries, next_at, lease, created_at, closed_at)
    VALUES (?, ?, NULL, 'payment.completed', 1, ?, ?, ?, 'json', ?, 'DUE', 0, ?, NULL, ?, NULL)`);
  const content = (id: string, now: number) =>
    notificationContent(
      'json',
      { id, event: 'payment.completed', sequence: 1, createdAt: now },
      {
        sessionId: '0123456789abcdef'.repeat(2),
        flow: 'headless',
        status: 'COMPLETED',
        cusName: 'Customer',
        cusEmail: 'customer@example.com',
        amountPaisa: PAISA,
        transactionId: 'CHK1234567',
        channel: 'mfs_a',
        metaJson: '{"order":7}',
        metadataAs: 'object',
        statusAs: 'upper',
        paidPaisa: PAISA,
        feePaisa: 0,
        units: null,
        receiver: null,
        isTest: false,
      },
    );
  const fill = (count: number) => {
    store.exec('BEGIN');
    const now = Date.now();
    for (let made = 0; made < count; made += 1) {
      const id = newRowId(systemRandom, now, 'notification');
      const url = urls[made % urls.length] ?? '';
      const { endpoint, lane } = destinationOf(brand, url);
      insert.run(id, brand, url, endpoint, lane, content(id, now), now, now);
    }
    store.exec('COMMIT');
  };
  const notify = (url: string) => void store.prepare('UPDATE brands SET webhook_url = ?').run(url);
  return { body: content('ntf_0123456789abcdef01234567', Date.now()), fill, notify };
}

/** @returns for each payment the milliseconds from the answer of verify to its notification's arrival. */
async function soonTold(
  run: Run,
  { port }: Daemon,
  brandKey: string,
  orders: readonly Order[],
  { home, listeners }: { readonly home: string; readonly listeners: Listeners },
): Promise<readonly number[]> {
  const outbox = openOutbox(run, home, listeners.urls);
  outbox.notify(listeners.urls[0] ?? '');
  const took: number[] = [];
  for (const order of orders) {
    const arrival = listeners.collect(1, 0);
    const asked = performance.now();
    await load({
      port,
      path: '/api/v2/payment/verify',
      headers: { 'brand-key': brandKey, 'x-forwarded-proto': 'https' },
      bodies: verifyBodies([order]),
      connections: 1,
      expect: 200,
    });
    const answered = performance.now() - asked;
    const { delays } = await arrival;
    took.push(Math.max(0, (delays[0] ?? Number.NaN) - answered));
  }
  return took;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
