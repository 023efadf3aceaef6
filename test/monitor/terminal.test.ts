/** `kashbox monitor` as a real process in a real terminal, from its first line to what it leaves behind. */
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openCore } from '../../src/actions/core/core.js';
import { openCli } from '../helpers/programs/cli.js';
import type { Environment } from '../helpers/programs/processes.js';
import { ended, type OpenTerminal, openTerminal } from '../helpers/programs/terminal.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { temporaryFolder, testClock } from '../helpers/stores/engines.js';

const HOUR_MS = 3_600_000;
const FIRST = { columns: 80, rows: 24 };

/** A shop that has just had a busy hour, and the dashboard of it. */
async function dashboard(
  t: ExecutionContext,
  change: Partial<OpenTerminal> & { readonly env?: Environment },
) {
  const home = await temporaryFolder(t);
  const clock = testClock(Date.now() - HOUR_MS);
  const core = await openCore({ folder: home, env: {}, clock });
  await busyShop(core, clock, 12);
  const { storeFile } = core.home;
  await core.close();
  const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8', KASHBOX_HOME: home, ...change.env };
  const terminal = await openTerminal(t, { ...FIRST, args: ['monitor'], ...change, env });
  return { terminal, home, storeFile };
}

/** The phone of that name is there again. */
async function call(home: string, name: string): Promise<void> {
  const core = await openCore({ folder: home, env: {} });
  await core.store.write((db) =>
    db.query.updateTable('devices').set({ last_seen_at: Date.now() }).where('name', '=', name).execute(),
  );
  await core.close();
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('it shows the shop, ticks, finds, opens and closes, and q leaves the terminal as it was', async (t) => {
  const { terminal, home } = await dashboard(t, {});
  await terminal.shows(/Devices 1 OFFLINE/);
  const second = /Counter 05 .* (\d+m \d\d|now \d+)s/;
  const [, first = ''] = second.exec(await terminal.shows(second)) ?? [];
  await terminal.shows(new RegExp(`Counter 05 .* (?!${first}s)(\\d+m \\d\\d|now \\d+)s`));
  await terminal.press('/');
  await terminal.press('-l', 'আলো');
  await terminal.press('Enter');
  const found = await terminal.shows(/Devices \/আলো/);
  t.regex(found, /আলো স্টোর ফোন +ONLINE/);
  t.notRegex(found, /Counter 05/);
  await terminal.press('Escape');
  await terminal.shows(/Counter 05/);
  await terminal.press('Enter');
  await terminal.shows(/━━ Device ━[\s\S]*state +OFFLINE/);
  await call(home, 'Counter 04');
  await terminal.shows(/━━ Device ━[\s\S]*state +ONLINE/);
  await terminal.press('Escape');
  await terminal.press('Tab', 'Down', 'Enter');
  await terminal.shows(/━━ Payment ━[\s\S]*gateway reference +[A-Z0-9]{12}[\s\S]*payment url/);
  await terminal.press('Escape');
  await terminal.shows(/─ Devices \d+ STALE[\s\S]*━ Payments/);
  await terminal.press('?');
  await terminal.shows(/━━ Help ━[\s\S]*Ctrl-C/);
  await terminal.press('q');
  await terminal.shows(/─ Devices \d+ STALE/);
  await terminal.press('q');
  await terminal.shows(ended(0));
  t.true(await terminal.isAsBefore());
});

test('it follows the window, and SIGTERM leaves the terminal as it was', async (t) => {
  const { terminal } = await dashboard(t, {});
  await terminal.shows(/Devices 1 OFFLINE/);
  await terminal.resize(160, 50);
  const wide = await terminal.shows(/MERCHANT[\s\S]*TRANSACTION[\s\S]*LAST ERROR|ERRORS/);
  t.regex(wide.split('\n')[1] ?? '', /Devices .*│─ Reviews/);
  await terminal.resize(50, 12);
  await terminal.shows(/^ Kashbox.*\n━ Devices [^\n]{30,42}\n(?![\s\S]*Payments)/);
  await terminal.resize(80, 24);
  await terminal.shows(/Jobs 1 failed[^\n]*\n(.*\n){2} q end/);
  process.kill(terminal.pid(), 'SIGTERM');
  await terminal.shows(ended(0));
  t.true(await terminal.isAsBefore());
});

test('shows when the store is away, keeps showing its last data, and resumes by itself', async (t) => {
  const { terminal, storeFile } = await dashboard(t, {});
  await terminal.shows(/store, read \d/);
  renameSync(storeFile, join(storeFile, '..', 'aside'));
  const away = await terminal.shows(/Away since \d\d:\d\d:\d\d, trying again: The store's\s+file is gone/);
  t.regex(away, /Counter 05/);
  renameSync(join(storeFile, '..', 'aside'), storeFile);
  await terminal.shows(/store, read \d/);
  await terminal.press('C-c');
  await terminal.shows(ended(0));
  t.true(await terminal.isAsBefore());
});

test('it says in its head that no daemon runs, until one shows itself', async (t) => {
  const { terminal, home } = await dashboard(t, {});
  await terminal.shows(/store, read \d/);
  const shownItself = async (at: number) => {
    const core = await openCore({ folder: home, env: {} });
    await core.store.write((db) => db.query.updateTable('job_runs').set({ last_at: at }).execute());
    await core.close();
  };
  await shownItself(Date.now() - 2 * 60_000);
  await terminal.shows(/^ [\d:]{8} +No daemon is running; last heartbeat at [\d:]{8}\./);
  t.pass();
  await shownItself(Date.now());
  await terminal.shows(/store, read \d/);
  await terminal.press('q');
  await terminal.shows(ended(0));
});

test('an old terminal in a locale without UTF-8 is sent ASCII', async (t) => {
  const { terminal } = await dashboard(t, { env: { TERM: 'vt100', LANG: 'C' } });
  const text = await terminal.shows(/= Devices 1 OFFLINE[\s\S]*- Jobs 1 failed/);
  t.regex(text, /^[\n\x20-\x7e]*$/);
  await terminal.press('q');
  await terminal.shows(new RegExp(`${ended(0).source.split('\\n').at(-1)}`));
});

test('it ends with its terminal', async (t) => {
  const { terminal } = await dashboard(t, {});
  await terminal.shows(/store, read \d/);
  const pid = terminal.pid();
  t.true(isRunning(pid));
  await terminal.hangUp();
  while (isRunning(pid)) await sleep(100);
});

test('without a terminal it says what to use instead; --json prints the board once', async (t) => {
  const cli = await openCli(t);
  await cli('merchants', 'create', '--name', 'Amar Dokan');
  const refused = await cli('monitor');
  t.is(refused.code, 2);
  t.regex(refused.stderr, /needs a terminal|no screen to draw on/);
  t.regex(refused.stderr, /kashbox monitor --json/);
  const printed = await cli('monitor', '--json');
  t.is(printed.code, 0);
  const board = printed.json<Record<string, unknown>>();
  t.deepEqual(Object.keys(board), [
    'at',
    'store',
    'devices',
    'payments',
    'reviews',
    'unclaimed',
    'refunds',
    'notifications',
    'dispatches',
    'nodes',
    'jobs',
    'alerts',
  ]);
});

test('without an installation it says so, names the folder and creates nothing', async (t) => {
  const cli = await openCli(t);
  for (const home of [join(cli.home, 'none'), cli.home]) {
    const { code, stdout } = await (await openCli(t, { KASHBOX_HOME: home }))('monitor', '--json');
    t.is(code, 5);
    t.regex(stdout, /store_unreachable/);
    t.true(stdout.includes(`No Kashbox installation in ${home}: `));
    t.regex(stdout, /KASHBOX_HOME/);
  }
  t.deepEqual(readdirSync(cli.home), []);
  const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8', KASHBOX_HOME: cli.home };
  const terminal = await openTerminal(t, { ...FIRST, args: ['monitor'], env });
  t.regex(await terminal.shows(/ended with 5/), /No Kashbox installation in/);
  t.deepEqual(readdirSync(cli.home), []);
});
