/**
 * One agent per home folder: a lock file that names its process. It outlives a killed agent, so it holds
 * enough to tell whether that very process still runs. No hard links or flock: Android allows neither to
 * an app written in plain JavaScript.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { hasCode, isMissing, readIfThere } from './node-files.js';

/** A lock without its content yet is being written right now, unless it is older than this. */
const WRITING_MS = 2_000;

interface Holder {
  readonly pid: number;
  /** Boot and start time of the process: a number that was given to another process since is not it. */
  readonly born: string | null;
  readonly token: string;
}

export interface Lock {
  release(): Promise<void>;
}

/** Takes the lock, or returns null while a living process holds it. */
export async function takeLock(path: string): Promise<Lock | null> {
  const me: Holder = { pid: process.pid, born: await birthOf(process.pid), token: randomUUID() };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (await create(path, me)) return { release: () => release(path, me) };
    if (await isHeld(path)) return null;
    await removeStale(path);
  }
  return null;
}

/** The process id of the living holder, or null. */
export async function lockHolder(path: string): Promise<number | null> {
  const holder = parseHolder((await readIfThere(path))?.toString('utf8') ?? '');
  return holder !== undefined && (await isAlive(holder)) ? holder.pid : null;
}

async function create(path: string, me: Holder): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(me));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isHeld(path: string): Promise<boolean> {
  const text = await readIfThere(path);
  if (text === undefined) return false;
  const holder = parseHolder(text.toString('utf8'));
  if (holder !== undefined) return isAlive(holder);
  const age = await stat(path).then(
    (facts) => Date.now() - facts.mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return age < WRITING_MS;
}

/**
 * Two starters may both find the same stale lock. Renaming picks one of them; the other may then have
 * moved away the winner's fresh lock, sees that it is alive, and puts it back.
 */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (await isHeld(aside)) await rename(aside, path);
  else await unlink(aside);
}

async function release(path: string, me: Holder): Promise<void> {
  const holder = parseHolder((await readIfThere(path))?.toString('utf8') ?? '');
  if (holder?.token === me.token) await unlink(path);
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, born, token } = JSON.parse(text) as Record<string, unknown>;
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1 || typeof token !== 'string')
      return undefined;
    return { pid, born: typeof born === 'string' ? born : null, token };
  } catch {
    return undefined;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
  }
  const born = await birthOf(holder.pid);
  return holder.born === null || born === null || born === holder.born;
}

/** Linux and Android: field 22 of /proc/PID/stat, counted after the name, which may hold spaces. */
async function birthOf(pid: number): Promise<string | null> {
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
