/**
 * A real disk that is small and can be full: a tmpfs that only one process and its children see. Where the
 * kernel or a container forbids that there is none, and the test says so.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type Environment, type Process, startProgram } from '../programs/processes.js';
import { temporaryFolder } from './engines.js';

/**
 * Mounts the disk with what lay in the folder before, then becomes the program, so that killing it kills
 * that. Its stderr is `log` there.
 */
const ENTER = `
tar -C "$0" -cf "$0.tar" . && mount -t tmpfs -o size="$1" tmpfs "$0" && tar -C "$0" -xf "$0.tar" || exit 1
rm "$0.tar"
shift
exec "$@" 2>> "$0/log"`;
const CHUNK = Buffer.alloc(4_096);

export interface SmallDisk {
  /** Where the disk is, for the process that is started on it; files that are made there before go along. */
  readonly folder: string;
  /** @param args for node. @returns a process with a disk of its own; what it says goes to `log` there. */
  start(args: readonly string[], env: Environment): Process;
  /** The disk of the process that was started last, as it is seen from here. */
  seen(): string;
  /** Takes the last byte that is free. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
}

/** @returns null, after saying so in the test's log, where no such disk can be made. */
export async function smallDisk(t: ExecutionContext<unknown>, kib: number): Promise<SmallDisk | null> {
  const folder = await temporaryFolder(t);
  const enter = (program: readonly string[]) => ['-rm', 'sh', '-c', ENTER, folder, `${kib}k`, ...program];
  if (spawnSync('unshare', enter(['true']), { stdio: 'ignore' }).status !== 0) {
    t.log('no disk can be mounted here: what happens when one is full was not tried');
    return null;
  }
  let seen = '';
  const filler = () => `${seen}/filler`;
  return {
    folder,
    start: (args, env) => {
      const started = startProgram(t, 'unshare', enter([process.execPath, ...args]), env);
      seen = `/proc/${started.pid}/root${folder}`;
      return started;
    },
    seen: () => seen,
    fill: () => {
      try {
        for (;;) writeFileSync(filler(), CHUNK, { flag: 'a' });
      } catch {}
    },
    free: () => rmSync(filler()),
  };
}
