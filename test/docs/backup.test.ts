/** The recipes of docs/backup-and-restore.md for backup, restore and drill, run as they stand there. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { secretsOfBrand } from '../../src/actions/brands/webhook-secrets.js';
import { openCore } from '../../src/actions/core/core.js';
import { blocksOf, readPage, sectionOf } from '../helpers/browser/pages.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { type Environment, kashboxProgram, runProgram, withinTime } from '../helpers/programs/processes.js';
import { equipShop, keepBusy, noPromises, verifyAgain } from '../helpers/shop/till.js';
import { enginesOfTier, temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules } from '../helpers/stores/ledger-audit.js';
import { freshDatabase } from '../helpers/stores/postgres.js';

const page = readPage('docs/backup-and-restore.md');
const [backup = ''] = blocksOf(sectionOf(page, 'Backup'), 'sh');
const [check = '', restore = '', drill = ''] = blocksOf(sectionOf(page, 'Restore'), 'sh');

/** A user with a home folder and the command `kashbox`. */
async function operator(t: ExecutionContext) {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${kashboxProgram}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'kashbox'), program, { mode: 0o755 });
  // The shop goes on meanwhile, so the test must not stand still.
  const run = (script: string, env: Environment) => {
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    return runProgram(t, 'sh', ['-eu', '-c', script], { HOME: folder, PATH, ...env });
  };
  return { folder, run };
}

/** Paths below a folder that somebody else than the owner could read. */
function openPaths(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...paths].filter((path) => (statSync(join(folder, path)).mode & 0o077) !== 0);
}

const secretIn = async (home: string, env: Readonly<Record<string, string>>) => {
  const core = await openCore({ folder: home, env });
  const opened = secretsOfBrand(core, 'Alo Store', core.clock.now());
  return { secrets: await opened.finally(() => core.close()), problem: core.keyProblem };
};

async function stop(daemon: Daemon): Promise<void> {
  daemon.process.kill('SIGTERM');
  await withinTime(daemon.process);
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, the backup of a busy shop restores it, and the drill touches nothing`, async (t) => {
    const { folder, run } = await operator(t);
    const database = async () =>
      engine === 'postgres' ? { KASHBOX_DATABASE_URL: await freshDatabase(t) } : {};
    const [env, restoredEnv] = [await database(), await database()];
    const home = join(folder, '.kashbox');
    // Open to everybody, as a home is that was made by others.
    mkdirSync(home, { mode: 0o755 });
    writeFileSync(join(home, 'kashbox.json'), '{ "settings": { "sessionMinutes": 44 } }');
    const keys = await equipShop(home, env);
    const daemon = await startDaemon(t, { home, env });
    const promises = noPromises();
    const busy = keepBusy(daemon, keys, promises);
    await busy.credited;
    const paid = { ...promises, completed: new Map(promises.completed) };
    const made = await run(backup, env);
    t.is(made.code, 0, made.stderr);
    const checked = await run(check, env);
    t.regex(checked.stdout, /^It is whole\.$/m, checked.stderr);
    const practised = await run(drill, env);
    t.is(practised.code, 0, practised.stderr);
    t.regex(practised.stdout, /^ok {4}integrity: check passed$/m);
    t.regex(practised.stdout, /^\d\d-\d\d \d\d:\d\d {2}[0-9A-Z]{12} /m, 'payments are listed');
    t.regex((await daemon.get('/readyz')).text, /true/, 'the daemon was not touched');
    busy.expectEnd();
    await stop(daemon);
    await busy.over;
    const names = readdirSync(folder).filter((entry) => entry.startsWith('kashbox-'));
    t.regex(names.join(), /^kashbox-\d{8}-\d{6}\.backup$/, 'one file, and nothing beside it');
    t.is(statSync(join(folder, names[0] ?? '')).mode & 0o077, 0);

    const restored = join(folder, 'restored');
    const told = await run(restore, { ...restoredEnv, KASHBOX_HOME: restored });
    t.is(told.code, 0, `${told.stdout}${told.stderr}`);
    t.regex(told.stdout, /^ok {4}secret key: /m);
    t.regex(told.stdout, /^ok {4}certificate: /m);
    t.deepEqual(openPaths(restored), []);
    t.deepEqual(await secretIn(restored, restoredEnv), await secretIn(home, env));
    t.true(readdirSync(restored).includes('kashbox.json'));
    t.is(readdirSync(restored).includes('kashbox.db'), engine === 'sqlite');
    if (engine === 'sqlite') t.deepEqual(brokenRules(join(restored, 'kashbox.db')), []);
    const again = await startDaemon(t, { home: restored, env: restoredEnv });
    t.is(again.fingerprint, daemon.fingerprint, 'phones have pinned it');
    t.true(paid.completed.size > 0);
    await verifyAgain(t, again, keys, paid);
    t.deepEqual(promises.faults, []);
  });
}
