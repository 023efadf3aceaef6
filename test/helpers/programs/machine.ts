/**
 * A machine to install packages on: overlays of this one that only its own processes see, so that nothing of
 * what they install stays. Needs root.
 */
import { spawnSync } from 'node:child_process';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../stores/engines.js';
import { type Environment, startProgram, withinTime } from './processes.js';

/** Covers what packages change, then says so and stays. */
const COVER = `
mount -t tmpfs tmpfs "$0" || exit 1
for folder in usr etc var opt; do
  mkdir "$0/$folder" "$0/$folder.work"
  mount -t overlay -o "lowerdir=/$folder,upperdir=$0/$folder,workdir=$0/$folder.work" overlay "/$folder" || exit 1
done
mount -t tmpfs tmpfs /run || exit 1
echo covered
exec cat`;
const enter = (folder: string) => ['--mount', '--propagation', 'private', 'sh', '-c', COVER, folder];

/** @returns why there can be no such machine here, or null. */
export function machineObstacle(): string | null {
  if (process.getuid?.() !== 0) return 'only root can install packages';
  return spawnSync('unshare', enter('/mnt')).status === 0 ? null : 'no overlay can be mounted';
}

export type Machine = Awaited<ReturnType<typeof openMachine>>;

/** @returns how programs are started in it; without systemd, because its /run is empty. */
export async function openMachine(t: ExecutionContext<unknown>) {
  const folder = await temporaryFolder(t);
  const cover = startProgram(t, 'unshare', enter(folder));
  await cover.printed(/^covered$/m);
  const inside = (words: readonly string[]) => ['--mount', '--target', String(cover.pid), '--', ...words];
  const environment = { HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' };
  const start = (words: readonly string[], env: Environment = {}) =>
    startProgram(t, 'nsenter', inside(words), { ...environment, ...env });
  return {
    start,
    run: async (...words: readonly string[]) => {
      const program = start(words);
      const { code } = await withinTime(program);
      return { code, stdout: program.stdout(), stderr: program.stderr() };
    },
  };
}
