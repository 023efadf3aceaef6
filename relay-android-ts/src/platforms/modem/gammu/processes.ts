/** What other processes do, as Linux shows it in /proc. Where there is no /proc, nothing is found. */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GammuFolder } from './gammu-folder.js';

const GONE_WITHIN_MS = 3000;
const LOOK_EVERY_MS = 10;

async function pids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Ends the processes that an earlier gammu-smsd has left: itself, and the scripts that it ran. */
export async function endOrphans(folder: GammuFolder): Promise<number> {
  let ended = 0;
  for (const pid of await pids()) {
    if (!(await isOf(pid, folder))) continue;
    ended += 1;
    signal(pid, 'SIGKILL');
    const until = Date.now() + GONE_WITHIN_MS;
    while ((await isOf(pid, folder)) && Date.now() < until) await sleep(LOOK_EVERY_MS);
  }
  return ended;
}

async function isOf(pid: number, { config, receiveScript, failureScript }: GammuFolder): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', ...args] = line.split('\0');
  const name = basename(program);
  return name === 'gammu-smsd'
    ? args.includes(config)
    : name === 'sh' && [receiveScript, failureScript].includes(args[0] ?? '');
}

/** The name of another program that has the device open; null where none is seen. Children do not count. */
export async function holderOf(device: string): Promise<string | null> {
  const target = await realpath(device).catch(() => null);
  if (target === null) return null;
  for (const pid of await pids()) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = await Promise.all(files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    if (!targets.includes(target) || pid === process.pid) continue;
    const [, name = '', parent = ''] = /^Name:\t(.+)$[\s\S]*^PPid:\t(\d+)$/m.exec(await statusOf(pid)) ?? [];
    if (name !== '' && Number(parent) !== process.pid) return name.replace(/[^\w.-]/g, '?');
  }
  return null;
}

function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
