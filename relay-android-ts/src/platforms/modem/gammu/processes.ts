/** Ends what earlier runs have left running. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pids } from '../../../ports/device-holders.js';
import type { GammuFolder } from './gammu-folder.js';

const GONE_WITHIN_MS = 3000;
const LOOK_EVERY_MS = 10;

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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
