/**
 * The files of the store are moved, removed or replaced under a daemon. What it stored from then on would be
 * gone at the next start, so it says so at once and ends.
 */
import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { withinTime } from '../helpers/programs/processes.js';
import { createPayment, equipShop, noPromises, type ShopKeys } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { lostPromises } from '../helpers/stores/ledger-audit.js';

const STORE = 'kashbox.db';

async function shop(t: ExecutionContext) {
  const home = join(await temporaryFolder(t), 'home');
  const keys = await equipShop(home);
  const daemon = await startDaemon(t, { home });
  const promises = noPromises();
  promises.created.add(String((await createPayment(daemon, keys)).body.id));
  return { home, keys, daemon, promises };
}

async function endsWithoutAnother(
  t: ExecutionContext,
  daemon: Daemon,
  keys: ShopKeys,
  told: RegExp,
): Promise<void> {
  const answers = await Promise.allSettled([createPayment(daemon, keys), createPayment(daemon, keys)]);
  for (const answer of answers) if (answer.status === 'fulfilled') t.is(answer.value.status, 503);
  t.deepEqual(await withinTime(daemon.process), { code: 70, signal: null }, daemon.process.stderr());
  t.regex(daemon.process.stderr(), told);
}

const CHANGES: readonly (readonly [title: string, told: RegExp, change: (home: string) => void])[] = [
  [
    'a store that is removed',
    /kashbox\.db was moved or removed while it was in use/,
    (home) => {
      for (const name of readdirSync(home)) if (name.startsWith(STORE)) rmSync(join(home, name));
    },
  ],
  [
    'a store in whose place another file is put',
    /kashbox\.db was replaced or removed while it was in use/,
    (home) => {
      copyFileSync(join(home, STORE), join(home, 'older'));
      renameSync(join(home, 'older'), join(home, STORE));
    },
  ],
];

for (const [title, told, change] of CHANGES) {
  test(`${title}: nothing more is acknowledged, and the daemon ends with 70`, async (t) => {
    const { home, keys, daemon } = await shop(t);
    change(home);
    await endsWithoutAnother(t, daemon, keys, told);
  });
}

test('a home that is renamed: the daemon ends with 70, and all is in the home', async (t) => {
  const { home, keys, daemon, promises } = await shop(t);
  renameSync(home, `${home}.old`);
  await endsWithoutAnother(t, daemon, keys, /kashbox\.db was moved or removed/);
  t.deepEqual(lostPromises(join(`${home}.old`, STORE), promises), []);
});

test('a log that is removed: what was in it is brought into the store before the daemon ends with 70', async (t) => {
  const { home, keys, daemon, promises } = await shop(t);
  rmSync(join(home, `${STORE}-wal`));
  await endsWithoutAnother(t, daemon, keys, /kashbox\.db-wal was replaced or removed/);
  t.deepEqual(lostPromises(join(home, STORE), promises), []);
  t.is((await createPayment(await startDaemon(t, { home }), keys)).status, 200);
});

test('a daemon that has nothing to store notices a store that is gone, too', async (t) => {
  const { home, daemon } = await shop(t);
  renameSync(join(home, STORE), join(home, 'elsewhere.db'));
  t.deepEqual(await withinTime(daemon.process), { code: 70, signal: null });
});
