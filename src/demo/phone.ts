/** The shop's phone in the demo: an SMS that reaches its simulated inbox. */
import { access, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../base/values/clock.js';
import type { WalletSms } from './sms.js';
import type { Stage } from './stage.js';
import { expect } from './steps.js';

const TAKEN_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 25;

/**
 * Texts differ in their ids, which name their files.
 * @returns when the relay agent has the SMS: when that arrived, on the clock of `performance.now()`, and how
 * long the agent took to put it on its disk.
 */
export async function deliver({ places, clock, signal }: Stage, { sender, body, trxId }: WalletSms) {
  const { inbox } = places;
  const message = { sender, body, received_at: dhakaIso(clock.now()) };
  const file = `sms-${trxId}.json`;
  // The agent takes whole files, so that it never reads a half-written one.
  await writeFile(join(inbox, `${file}.part`), JSON.stringify(message));
  const at = performance.now();
  await rename(join(inbox, `${file}.part`), join(inbox, file));
  const isTaken = () =>
    access(join(inbox, 'taken', file)).then(
      () => true,
      () => false,
    );
  while (!(await isTaken())) {
    expect(performance.now() - at < TAKEN_DEADLINE_MS, 'the agent to take the SMS', 'nothing');
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return { at, takenMs: performance.now() - at };
}
