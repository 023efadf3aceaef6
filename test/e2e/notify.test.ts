/**
 * Notifications while daemons die: before the attempt, before the answer, and between the answer and its
 * record. Every credit is told of at least once, always under the same id; nothing is told that was not
 * credited.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { brandContext } from '../../src/actions/brands/brand-context.js';
import { updateBrand } from '../../src/actions/brands/update-brand.js';
import { openCore } from '../../src/actions/core/core.js';
import { cancelSession } from '../../src/actions/sessions/cancel-session.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { openReceiver, type Received } from '../helpers/network/receiver.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { withinTime } from '../helpers/programs/processes.js';
import { hostedOrder } from '../helpers/shop/hosted.js';
import {
  createPayment,
  equipShop,
  keepBusy,
  newSms,
  noPromises,
  relaySms,
  type ShopKeys,
  verifyPayment,
} from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules } from '../helpers/stores/ledger-audit.js';
import { amount } from '../helpers/tiers.js';

const env = { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true' };
/** Leases of killed daemons run out after ten seconds. */
const ROUNDS = amount(1, 4);
const KILLS = amount(2, 10);
const DUE = amount(250, 5_000);
const ALL_TOLD_MS = 240_000;

/** A shop in a new home that is notified at that address. */
async function shopAt(t: ExecutionContext, url: string) {
  const home = await temporaryFolder(t);
  const keys = await equipShop(home, env);
  const core = await openCore({ folder: home, env });
  await updateBrand(core, { brand: 'Alo Store', webhookUrl: url, who: 'test' });
  await core.close();
  return { home, keys };
}

async function payOnce(daemon: Daemon, keys: ShopKeys): Promise<void> {
  const { id } = (await createPayment(daemon, keys)).body;
  const { sms, reference } = newSms();
  await relaySms(daemon, keys, [sms]);
  const { status } = await verifyPayment(daemon, keys, String(id), reference);
  if (status !== 200) throw new Error(`verify answered ${status}`);
}

interface Told {
  readonly id: string;
  readonly session_id: string;
  readonly state: string;
}

/** What the outbox and the ledger of a home hold, read by plain SQL. */
function ledger(home: string) {
  const store = new SqliteFile(join(home, 'kashbox.db'), { timeout: 5_000 });
  try {
    return {
      told: store.prepare('SELECT id, session_id, state FROM notifications').all() as unknown as Told[],
      credited: store.column('SELECT session_id FROM transactions') as string[],
    };
  } finally {
    store.close();
  }
}

/** That nothing was lost, doubled or made up. */
function checkTold(t: ExecutionContext, home: string, received: readonly Received[]): void {
  const { told, credited } = ledger(home);
  t.deepEqual(told.map(({ session_id }) => session_id).sort(), [...credited].sort(), 'one for each credit');
  t.deepEqual(new Set(told.map(({ state }) => state)), new Set(['DELIVERED']));
  const came = [...new Set(received.map(({ id }) => id))].sort();
  t.deepEqual(came, told.map(({ id }) => id).sort());
  const bodies = new Map<string, Set<string>>();
  for (const { id, body } of received) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  t.deepEqual(
    [...bodies.values()].filter(({ size }) => size > 1),
    [],
    'the same id says the same',
  );
}

async function untilAllDelivered(home: string): Promise<void> {
  for (let left = ALL_TOLD_MS; left > 0; left -= 250) {
    if (ledger(home).told.every(({ state }) => state === 'DELIVERED')) return;
    await sleep(250);
  }
}

type Gap = 'before the attempt' | 'before the answer' | 'after the answer';

test.serial(
  'kill -9 between credit, attempt, answer and record loses no notification and makes none up',
  async (t) => {
    t.timeout(600_000);
    let gap: Gap | null = null;
    let reached: () => void = () => {};
    /** Notifications of the rounds before may come again in this one. */
    let known = new Set<string>();
    const shop = await openReceiver(t, ({ id }, response) => {
      const isOfRound = !known.has(id);
      if (isOfRound && gap === 'before the answer') return reached();
      response.end('ok', () => {
        if (isOfRound && gap === 'after the answer') reached();
      });
    });
    const { home, keys } = await shopAt(t, shop.url);
    for (const place of ['before the attempt', 'before the answer', 'after the answer'] as const) {
      for (let round = 0; round < ROUNDS; round += 1) {
        known = new Set(ledger(home).told.map(({ id }) => id));
        const daemon = await startDaemon(t, { home, env });
        let isKilled = false;
        const there = new Promise<void>((resolve) => {
          reached = () => {
            isKilled = true;
            daemon.process.kill('SIGKILL');
            resolve();
          };
        });
        gap = place;
        await payOnce(daemon, keys).catch((error: unknown) => {
          // The shop may hear of the credit before whoever asked for it has the answer.
          if (!isKilled) throw error;
        });
        if (place === 'before the attempt') reached();
        await there;
        await daemon.process.ended;
      }
    }
    gap = null;
    t.is(ledger(home).credited.length, 3 * ROUNDS);
    await startDaemon(t, { home, env });
    await untilAllDelivered(home);
    checkTold(t, home, shop.received);
    t.log(`${shop.received.length} came for ${3 * ROUNDS} credits`);
  },
);

test.serial('kills under load leave each credit with its notification, and each arrives', async (t) => {
  t.timeout(600_000);
  const shop = await openReceiver(t);
  const { home, keys } = await shopAt(t, shop.url);
  const promises = noPromises();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const daemon = await startDaemon(t, { home, env });
    const busy = keepBusy(daemon, keys, promises);
    await busy.credited;
    await sleep(Math.random() * 300);
    busy.expectEnd();
    daemon.process.kill('SIGKILL');
    await busy.over;
    await daemon.process.ended;
  }
  t.deepEqual(promises.faults, []);
  t.deepEqual(brokenRules(join(home, 'kashbox.db')), []);
  t.true(promises.completed.size >= KILLS);
  await startDaemon(t, { home, env });
  await untilAllDelivered(home);
  checkTold(t, home, shop.received);
  t.log(`${shop.received.length} came for ${ledger(home).credited.length} credits`);
});

test.serial('after a restart all that are due are delivered', async (t) => {
  t.timeout(600_000);
  const shop = await openReceiver(t);
  const { home } = await shopAt(t, shop.url);
  const core = await openCore({ folder: home, env });
  const brand = (await brandContext(core, 'Alo Store')).name;
  const one = async () => cancelSession(core, await hostedOrder(core, brand, 50_000));
  for (let made = 0; made < DUE; made += 250) await Promise.all(Array.from({ length: 250 }, one));
  await core.close();
  const killed = await startDaemon(t, { home, env });
  await shop.different(DUE / 5);
  killed.process.kill('SIGKILL');
  await killed.process.ended;
  const daemon = await startDaemon(t, { home, env });
  await shop.different(DUE);
  await untilAllDelivered(home);
  const { told } = ledger(home);
  t.is(told.length, DUE);
  t.deepEqual(new Set(told.map(({ state }) => state)), new Set(['DELIVERED']));
  daemon.process.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
});
