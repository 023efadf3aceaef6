/** Which processes have a device open, as Linux shows it in /proc. Where there is no /proc, none is found. */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';

export interface Holder {
  readonly pid: number;
  readonly name: string;
}

/** Of all processes that this one may see. */
export async function pids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/**
 * The processes that have the device open; of those of other users only root sees it.
 * @param own process of the agent, which is left out with its children; null for none
 */
export async function holdersOf(device: string, own: number | null): Promise<Holder[]> {
  const target = await realpath(device).catch(() => null);
  if (target === null) return [];
  const holders: Holder[] = [];
  for (const pid of await pids()) {
    if (pid === own || pid === process.pid || !(await hasOpen(pid, target))) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const [, name = '?', parent = ''] = /^Name:\t(.+)$[\s\S]*^PPid:\t(\d+)$/m.exec(status) ?? [];
    if (own === null || Number(parent) !== own) holders.push({ pid, name });
  }
  return holders;
}

async function hasOpen(pid: number, target: string): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return targets.includes(target);
}
