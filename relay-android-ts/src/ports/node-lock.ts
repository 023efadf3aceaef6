/**
 * Allows one agent per home folder: a lock file names its process. It remains after the agent is killed, so
 * it contains enough to check whether that same process still runs. Android allows neither hard links nor
 * flock to an app in plain JavaScript.
 *
 * Deleting a stale lock and creating a new one are two steps, between which other processes can act. So each
 * process instead creates the next number, `run.lock.8` after `run.lock.7`, which only one can. The highest
 * number counts and remains, even after its holder has released it; lower ones are obsolete.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Infer, isCount, isText, orNull, parseJson, shape } from '../core/shape.js';
import { hasCode, ifExists, readTextIfExists } from './node-files.js';

/** A lock without its content yet is being written right now, unless it is older than this. */
const WRITING_MS = 2_000;
const ATTEMPTS = 5;

/** `born`: boot and start time of the process: a number that was given to another process since is not it. */
const isHolder = shape({ pid: isCount, born: orNull(isText), token: isText });
type LockHolder = Infer<typeof isHolder>;

interface Lock {
  release(): Promise<void>;
}

/** Takes the lock, or returns null while a living process holds it. `path` is the name without number. */
export async function takeLock(path: string): Promise<Lock | null> {
  const me: LockHolder = { pid: process.pid, born: await processStart(process.pid), token: randomUUID() };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const highest = Math.max(0, ...(await numbers(path)));
    if (await isHeld(`${path}.${highest}`)) return null;
    const mine = `${path}.${highest + 1}`;
    if (!(await create(mine, me))) continue;
    // A slow process may create an old number again; it finds a higher one and gives up.
    const others = (await numbers(path)).filter((number) => number !== highest + 1);
    if (others.some((number) => number > highest)) {
      await unlink(mine);
      continue;
    }
    for (const number of others) await unlink(`${path}.${number}`).catch(() => {});
    return { release: () => release(mine, me) };
  }
  return null;
}

/** The process id of the living holder, or null. */
export async function lockHolder(path: string): Promise<number | null> {
  const highest = Math.max(0, ...(await numbers(path)));
  const holder = await loadHolder(`${path}.${highest}`);
  return holder !== undefined && (await isAlive(holder)) ? holder.pid : null;
}

async function numbers(path: string): Promise<number[]> {
  const prefix = `${basename(path)}.`;
  const names = (await ifExists(readdir(dirname(path)))) ?? [];
  const tails = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return tails.filter((tail) => /^\d{1,15}$/.test(tail)).map(Number);
}

async function create(path: string, me: LockHolder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(me), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isHeld(path: string): Promise<boolean> {
  const holder = await loadHolder(path);
  if (holder !== undefined) return isAlive(holder);
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && facts.size === 0 && Date.now() - facts.mtimeMs < WRITING_MS;
}

/** Releases by overwriting the file, which stays as the highest number. */
async function release(path: string, me: LockHolder): Promise<void> {
  if ((await loadHolder(path))?.token === me.token) await writeFile(path, 'released\n');
}

async function loadHolder(path: string): Promise<LockHolder | undefined> {
  const holder = parseJson((await readTextIfExists(path)) ?? '');
  return isHolder(holder) ? holder : undefined;
}

async function isAlive(holder: LockHolder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
  }
  const startedAt = await processStart(holder.pid);
  return holder.born === null || startedAt === null || startedAt === holder.born;
}

/** Linux and Android: field 22 of /proc/PID/stat, counted after the name, which may hold spaces. */
async function processStart(pid: number): Promise<string | null> {
  try {
    const facts = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    const fields = facts.slice(facts.lastIndexOf(')') + 2).split(' ');
    // A killed process stays listed until its parent asks for it, but it runs no more.
    return fields[0] === 'Z' ? 'ended' : `${boot.trim()}:${fields[19] ?? ''}`;
  } catch {
    return null;
  }
}
