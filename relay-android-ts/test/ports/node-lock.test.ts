/** One agent per home folder, also after one was killed. */
import { spawn } from 'node:child_process';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { lockHolder, takeLock } from '../../src/ports/node-lock.js';
import { tempFolder } from '../helpers/agent.js';

test('a lock is held until it is released', async (t) => {
  const path = join(await tempFolder(t), 'run.lock');
  const lock = await takeLock(path);
  t.truthy(lock);
  t.is(await takeLock(path), null);
  t.is(await lockHolder(path), process.pid);
  await lock?.release();
  t.is(await lockHolder(path), null);
  t.truthy(await takeLock(path));
});

test('a lock of a process that is gone, or whose number another one got, is taken over', async (t) => {
  const path = join(await tempFolder(t), 'run.lock');
  const gone = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => gone.on('close', resolve));
  await writeFile(`${path}.1`, JSON.stringify({ pid: gone.pid, born: null, token: 'x' }));
  const first = await takeLock(path);
  t.truthy(first);
  await first?.release();
  await writeFile(`${path}.9`, JSON.stringify({ pid: process.pid, born: 'another boot:1', token: 'x' }));
  t.is(await lockHolder(path), null);
  t.truthy(await takeLock(path));
});

test('a lock whose content is missing is respected while it may be in the making, and no longer', async (t) => {
  const path = join(await tempFolder(t), 'run.lock');
  await writeFile(`${path}.1`, '');
  t.is(await takeLock(path), null);
  const past = new Date(Date.now() - 60_000);
  await utimes(`${path}.1`, past, past);
  t.truthy(await takeLock(path));
});

test('of many that find a stale lock at the same time exactly one gets it', async (t) => {
  const path = join(await tempFolder(t), 'run.lock');
  for (let round = 0; round < 30; round++) {
    await writeFile(
      `${path}.${round * 10 + 5}`,
      JSON.stringify({ pid: process.pid, born: 'another boot:1', token: 'x' }),
    );
    const locks = (await Promise.all(Array.from({ length: 8 }, () => takeLock(path)))).filter(
      (lock) => lock !== null,
    );
    t.is(locks.length, 1, `round ${round}`);
    await locks[0]?.release();
  }
});

test('a lock that another process has since taken is not released', async (t) => {
  const path = join(await tempFolder(t), 'run.lock');
  const lock = await takeLock(path);
  const other = JSON.stringify({ pid: process.pid, born: null, token: 'other' });
  await writeFile(`${path}.1`, other);
  await lock?.release();
  t.is(await readFile(`${path}.1`, 'utf8'), other);
});
