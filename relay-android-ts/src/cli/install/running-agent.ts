/** The agent that runs beside a command: started as the phone starts it, stopped, waited for. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import type { Places } from './termux-places.js';

/** runsvdir looks for new services every 5 s, and an old phone needs some to start Node. */
const START_MS = 60_000;
const STOP_MS = 30_000;
const LOOK_MS = 200;

/** Runs what Termux:Boot runs. @returns the agent's process id; null if none has come in time. */
export async function startAgent(home: Home, places: Places): Promise<number | null> {
  if ((await lockHolder(home.lockPath)) === null) {
    const child = spawn(places.sh, [places.boot], { detached: true, stdio: 'ignore' });
    child.on('error', () => {});
    child.unref();
  }
  return waitFor(START_MS, async () => lockHolder(home.lockPath));
}

/** Ends the agent if there is one; what is queued stays. A supervisor may start the next at once. */
export async function stopAgent(home: Home): Promise<void> {
  const pid = await lockHolder(home.lockPath);
  if (pid === null) return;
  process.kill(pid, 'SIGTERM');
  await waitFor(STOP_MS, async () => ((await lockHolder(home.lockPath)) === pid ? null : true));
}

async function waitFor<T>(limitMs: number, look: () => Promise<T | null>): Promise<T | null> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== null || Date.now() > end) return found;
    await sleep(LOOK_MS);
  }
}
