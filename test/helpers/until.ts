/** Waiting for the thing itself, however slow the machine is, but not for ever: what hangs is a failure. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks become rare where it takes long: a twentieth of the time that has passed, within these limits. */
const LOOK_AFTER_MS = { least: 10, most: 250, share: 1 / 20 };
/** Far longer than anything takes here, and short beside the whole run. */
const LIMIT_MS = 180_000;

/** @throws Error when it does not hold after three minutes, or `limitMs`; its stack says where that was. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const tooLate = new Error(`this did not become true in ${limitMs / 1_000} s: ${holds}`);
  const start = performance.now();
  while (!(await holds())) {
    const passed = performance.now() - start;
    if (passed > limitMs) throw tooLate;
    await sleep(Math.min(LOOK_AFTER_MS.most, Math.max(LOOK_AFTER_MS.least, passed * LOOK_AFTER_MS.share)));
  }
}

/**
 * Waits until `count` has come to `goal`, as long as it grows.
 * @throws Error when it does not for six minutes: an SMS may wait five for its modem
 */
export async function untilGrown(count: () => number | Promise<number>, goal: number): Promise<void> {
  for (let now = await count(); now < goal; now = await count())
    await until(async () => (await count()) > now, 2 * LIMIT_MS);
}
