/** Backups of the real program: told to stop, killed, and at a terminal that asks. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { makeBackup } from '../../src/actions/backup/make-backup.js';
import { kashboxProgram, startNode, withinTime } from '../helpers/programs/processes.js';
import { openTerminal } from '../helpers/programs/terminal.js';
import { openShop } from '../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../helpers/stores/engines.js';
import { multiply } from '../helpers/stores/many-rows.js';
import { smallDisk } from '../helpers/stores/small-disk.js';

/** Enough that packing them takes a moment. */
const PAYMENTS = 30_000;
const WORDS = 'boat river morning seven';

/** A home with many payments, and the command that begins to back it up. */
async function largeHome(t: ExecutionContext) {
  const core = await openTestCore(t, 'sqlite');
  await (await openShop(core)).order(50_000);
  await multiply(core, 'sessions', PAYMENTS);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'kashbox.backup');
  const begin = async () => {
    const names = watch(folder, { signal: AbortSignal.timeout(180_000) });
    const backup = startNode(t, [kashboxProgram, 'backup', file, '--json'], {
      KASHBOX_HOME: core.home.folder,
    });
    // Told by the system: looks at intervals may miss a file that is there for a second.
    for await (const { filename } of names) if (/\.part-\w+$/.test(filename ?? '')) break;
    return backup;
  };
  /** Sends `signal` while one is under way; on a busy machine one may be complete before: then another. */
  const stop = async (signal: 'SIGINT' | 'SIGKILL') => {
    for (let left = 10; left > 0; left -= 1) {
      const backup = await begin();
      backup.kill(signal);
      const { code } = await withinTime(backup);
      if (!existsSync(file)) return { code, stdout: backup.stdout() };
      rmSync(file);
    }
    throw new Error('each backup was complete before its signal');
  };
  return { file, folder, begin, stop };
}

test('Ctrl-C ends a backup, says so, and leaves nothing behind', async (t) => {
  const { folder, stop } = await largeHome(t);
  const { code, stdout } = await stop('SIGINT');
  t.is(code, 4);
  t.regex(stdout, /"state_refused","message":"Stopped; nothing was changed"/);
  t.deepEqual(readdirSync(folder), []);
});

test('a killed backup leaves no file under the name of a backup, and the next one succeeds', async (t) => {
  const { file, folder, begin, stop } = await largeHome(t);
  await stop('SIGKILL');
  t.true(readdirSync(folder).every((name) => name.startsWith('kashbox.backup.part-')));
  const again = await begin();
  t.is((await withinTime(again)).code, 0, again.stderr());
  t.true(existsSync(file));
});

test('a full stick is named instead of the disk of the store, and nothing is left on it', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const stick = await smallDisk(t, 512);
  if (stick === null) return void t.pass();
  const file = join(stick.folder, 'kashbox.backup');
  const env = { KASHBOX_HOME: core.home.folder };
  const backup = stick.start([kashboxProgram, 'backup', file, '--json'], env);
  t.is((await withinTime(backup)).code, 5);
  t.regex(
    backup.stdout(),
    /There is not enough space for a backup in [^"]+: 1 MiB are free, \d MiB are needed"/,
  );
  t.regex(backup.stdout(), /use another disk/);
});

test('at a terminal the passphrase is asked for and not shown, and restoring waits for a yes', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const file = join(await temporaryFolder(t), 'kashbox.backup');
  const { signal } = new AbortController();
  const order = { file, passphrase: WORDS, isOverwriting: false, signal, onBytes: () => {} };
  await makeBackup(core, order);
  const home = join(await temporaryFolder(t), 'home');
  const env = { TERM: 'xterm', LANG: 'C.UTF-8', KASHBOX_HOME: home };
  const restore = async (answer: string) => {
    const terminal = await openTerminal(t, { columns: 200, rows: 24, args: ['restore', file], env });
    await terminal.shows(/Passphrase of the backup/);
    await terminal.press(WORDS, 'Enter');
    await terminal.shows(/It holds 0 payments[\s\S]*Restore it into .*\(y\/N\)/);
    t.false((await terminal.text()).includes(WORDS));
    await terminal.press(...answer, 'Enter');
    return terminal;
  };
  await (await restore('')).shows(/You said no; nothing was changed[\s\S]*ended with 2/);
  t.false(existsSync(home));
  await (await restore('y')).shows(/All of it is in .*home now[\s\S]*ended with 0/);
  t.true(existsSync(join(home, 'secret.key')));
});
