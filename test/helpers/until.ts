/** Waiting for the thing itself, however slow the machine is. Knows no limit: the test's own time is that. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(LOOK_EVERY_MS);
}
