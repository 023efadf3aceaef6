/** The recipes of docs/operations.md for backup and restore, run as they stand there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { secretsOfBrand } from '../../src/actions/brands/webhook-secrets.js';
import { openCore } from '../../src/actions/core/core.js';
import { blocksOf, readPage, sectionOf } from '../helpers/browser/pages.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { kashboxProgram, withinTime } from '../helpers/programs/processes.js';
import { equipShop, keepBusy, noPromises, verifyAgain } from '../helpers/shop/till.js';
import { engines, temporaryFolder } from '../helpers/stores/engines.js';
import { freshDatabase } from '../helpers/stores/postgres.js';

const page = readPage('docs/operations.md');
const [backup = '', dump = ''] = blocksOf(sectionOf(page, 'Backup'), 'sh');
const [restore = '', load = ''] = blocksOf(sectionOf(page, 'Restore'), 'sh');

/** With PostgreSQL another line stands for the one with sqlite3, and one more comes before doctor. */
const recipes = {
  sqlite: { backup, restore },
  postgres: {
    backup: backup.replace(/^sqlite3 .*$/m, dump.trim()),
    restore: restore.replace(/^kashbox doctor$/m, `${load}kashbox doctor`),
  },
};

/** A user with a home folder and the command `kashbox`. */
async function operator(t: ExecutionContext) {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${kashboxProgram}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'kashbox'), program, { mode: 0o755 });
  const run = (script: string, env: Readonly<Record<string, string>>) => {
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    return spawnSync('sh', ['-eu', '-c', script], { env: { HOME: folder, PATH, ...env }, encoding: 'utf8' });
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
  return { secrets: await opened.finally(() => core.close()), trouble: core.keyProblem };
};

async function stop(daemon: Daemon): Promise<void> {
  daemon.process.kill('SIGTERM');
  await withinTime(daemon.process);
}

for (const engine of engines) {
  test(`on ${engine}, the backup of a busy shop restores it: payments, secrets, certificate and settings`, async (t) => {
    const { folder, run } = await operator(t);
    const database = async () =>
      engine === 'postgres' ? { KASHBOX_DATABASE_URL: await freshDatabase(t) } : {};
    const [env, restoredEnv] = [await database(), await database()];
    const home = join(folder, '.kashbox');
    // Open to everybody, as a home is that was made by others.
    mkdirSync(join(home, 'formats'), { recursive: true, mode: 0o755 });
    writeFileSync(join(home, 'kashbox.json'), '{ "settings": { "sessionMinutes": 44 } }');
    const keys = await equipShop(home, env);
    const daemon = await startDaemon(t, { home, env });
    const promises = noPromises();
    const busy = keepBusy(daemon, keys, promises);
    await busy.credited;
    const paid = { ...promises, completed: new Map(promises.completed) };
    const made = run(recipes[engine].backup, env);
    t.is(made.status, 0, made.stderr);
    busy.expectEnd();
    await stop(daemon);
    await busy.over;
    const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith('kashbox-backup-'));
    t.deepEqual(openPaths(join(folder, name)), []);

    const restored = join(folder, 'restored');
    const told = run(recipes[engine].restore, { ...restoredEnv, KASHBOX_HOME: restored });
    t.is(told.status, 0, `${told.stdout}${told.stderr}`);
    t.regex(told.stdout, /^ok {4}secret key: /m);
    t.regex(told.stdout, /^ok {4}certificate: /m);
    t.deepEqual(openPaths(restored), []);
    t.deepEqual(await secretIn(restored, restoredEnv), await secretIn(home, env));
    t.true(readdirSync(restored).includes('formats'));
    t.false(readdirSync(restored).includes('kashbox.dump'));
    const again = await startDaemon(t, { home: restored, env: restoredEnv });
    t.is(again.fingerprint, daemon.fingerprint, 'phones have pinned it');
    t.true(paid.completed.size > 0);
    await verifyAgain(t, again, keys, paid);
  });
}
