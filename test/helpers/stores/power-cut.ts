/**
 * A folder on a disk whose power can go: after a cut it holds what was fsynced and, if the test wants so,
 * a random part of what was not. The disk itself is test/fixtures/disk.c, compiled here.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { type Environment, runNode } from '../programs/processes.js';
import { temporaryFolder } from './engines.js';

/** Bytes that a disk writes as one piece. */
const SECTOR = 512;

export interface PowerCutDisk {
  /** The folder that lies on this disk. */
  readonly folder: string;
  /** For every process that works in the folder. */
  readonly env: Environment;
  /** Counts everything that is in the folder now as written to the disk. */
  settle(): Promise<void>;
  /**
   * The power goes: whoever used the folder must have been killed. Puts back what was on the disk.
   * @param luck 0 to 1: which part of the sectors that were written and not fsynced got there all the same.
   * @param random numbers from 0 to 1, where there is luck to be decided.
   */
  cut(luck: number, random: () => number): Promise<void>;
  /** While true, writes fail for want of space (ENOSPC). */
  setFull(full: boolean): void;
  /** While true, fsync fails (EIO), and what it should have brought to the disk stays away for good. */
  setBroken(broken: boolean): void;
  /** While true, fsync of a write-ahead log does nothing and reports success. */
  setLying(lying: boolean): void;
  /** While true, fsync takes 10 ms longer. */
  setSlow(slow: boolean): void;
  /** While true, no lock of a file is given (ENOLCK), as on a network folder without its lock service. */
  setUnlockable(unlockable: boolean): void;
  /** How often a lock was asked for since it is so. */
  refusedLocks(): number;
}

export async function powerCutDisk(t: ExecutionContext<unknown>): Promise<PowerCutDisk> {
  const base = realpathSync(await temporaryFolder(t));
  const [folder, shadow] = [join(base, 'disk'), join(base, 'shadow')];
  const library = compile(base);
  for (const made of [folder, shadow]) mkdirSync(made, { mode: 0o700 });
  const env = { LD_PRELOAD: library, DISK_ROOT: folder, DISK_SHADOW: shadow };
  const settle = () => syncAll(t, folder, shadow, env);
  const lever = (name: string) => (on: boolean) =>
    on ? writeFileSync(join(shadow, name), '') : rmSync(join(shadow, name), { force: true });
  await settle();
  return {
    folder,
    env,
    settle,
    cut: async (luck, random) => {
      const survivors = readFolder('top', folder, shadow, (before, after) =>
        mix(before, after, luck, random),
      );
      rmSync(folder, { recursive: true });
      writeFolder(folder, survivors);
      await settle();
    },
    setFull: lever('full'),
    setBroken: lever('broken'),
    setLying: lever('lying'),
    setSlow: lever('slow'),
    setUnlockable: lever('unlockable'),
    refusedLocks: () => statSync(join(shadow, 'unlockable')).size,
  };
}

/** @returns the path of the library; says plainly what is missing where there is no compiler. */
function compile(base: string): string {
  const source = fileURLToPath(new URL('../../../../test/fixtures/disk.c', import.meta.url));
  const library = join(base, 'disk.so');
  const args = ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'];
  try {
    execFileSync(compiler(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    throw new Error('test/fixtures/disk.c was not compiled: it needs Linux, gcc and the headers of libc', {
      cause,
    });
  }
  return library;
}

function compiler(): string {
  const found = ['cc', 'gcc', 'clang'].find((name) =>
    (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name))),
  );
  if (found !== undefined) return found;
  throw new Error('The power cut tests need a C compiler (Debian: apt-get install gcc libc6-dev).');
}

/** Runs in a process of its own, under the library: fsyncs every file and folder. */
const SYNC_ALL = `
const { closeSync, fsyncSync, openSync, readdirSync } = require('node:fs');
const sync = (path) => { const fd = openSync(path, 'r'); fsyncSync(fd); closeSync(fd); };
for (const entry of readdirSync(process.env.DISK_ROOT, { recursive: true })) {
  sync(process.env.DISK_ROOT + '/' + entry);
}
sync(process.env.DISK_ROOT);`;

async function syncAll(t: ExecutionContext<unknown>, folder: string, shadow: string, env: Environment) {
  for (const part of ['content', 'folder', 'stale']) {
    rmSync(join(shadow, part), { recursive: true, force: true });
    mkdirSync(join(shadow, part));
  }
  const { code, stderr } = await runNode(t, ['-e', SYNC_ALL], env);
  if (code !== 0) throw new Error(`${folder} was not synced: ${stderr}`);
}

type Kept = ReadonlyMap<string, Buffer | Kept>;

/**
 * @param id what the library calls the folder.
 * @param present the folder as the killed process left it.
 * @param mix decides between the synced and the present content of a file.
 */
function readFolder(
  id: string,
  present: string,
  shadow: string,
  mix: (synced: Buffer, present: Buffer) => Buffer,
): Kept {
  const list = join(shadow, 'folder', id);
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  const kept = new Map<string, Buffer | Kept>();
  for (const line of lines) {
    const [, entry = '', kind, name = ''] = /^(\S+) ([df]) (.+)$/.exec(line) ?? [];
    const path = join(present, name);
    if (kind === 'd') {
      kept.set(name, readFolder(entry, path, shadow, mix));
      continue;
    }
    const content = join(shadow, 'content', entry);
    const synced = existsSync(content) ? readFileSync(content) : Buffer.alloc(0);
    const isSame = existsSync(path) && entry.startsWith(`${statSync(path).ino}-`);
    // SQLite's -shm is memory, not a file that anybody writes.
    kept.set(name, isSame && !name.endsWith('-shm') ? mix(synced, readFileSync(path)) : synced);
  }
  return kept;
}

/** Sector by sector: what differs got to the disk, or did not. */
function mix(synced: Buffer, present: Buffer, luck: number, random: () => number): Buffer {
  if (luck === 0) return synced;
  const size = random() < luck ? present.length : synced.length;
  const mixed = Buffer.alloc(size);
  for (let at = 0; at < size; at += SECTOR) {
    const from = random() < luck ? present : synced;
    if (at < from.length) from.copy(mixed, at, at, Math.min(at + SECTOR, size));
  }
  return mixed;
}

/** As the machine finds it a minute later, when it has started again. */
function writeFolder(folder: string, kept: Kept): void {
  mkdirSync(folder, { mode: 0o700 });
  const minuteAgo = Date.now() / 1_000 - 60;
  for (const [name, content] of kept) {
    const path = join(folder, name);
    if (content instanceof Map) writeFolder(path, content);
    else {
      writeFileSync(path, content as Buffer, { mode: 0o600 });
      utimesSync(path, minuteAgo, minuteAgo);
    }
  }
}
