/**
 * Which SIM of a phone has which of Android's subscription ids: no program can find that out, and without it
 * the server cannot tell which SIM received an SMS. Holds what a person is told of it.
 */
import { parseJson } from '../../platforms/simulator/sms-json.js';
import type { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { type Check, ok, warn } from '../check.js';

const FIND = 'termux-sms-list -t inbox -l 1 --message-selection="sub_id = 1"';
const TELL = 'kashbox-relay install --sim-subs 1=…,2=…';

/** For the list of what is left to a person; lines that begin with a blank belong to the one before. */
export const TWO_SIMS_BY_HAND = [
  'If the phone has two SIMs: say which is which, or every payment waits for a person.',
  '  Send an SMS to SIM 1, and try sub_id = 1, 2, 3 and so on until this shows it:',
  `  ${FIND}`,
  `  The same for SIM 2. Then, with the two numbers: ${TELL}`,
] as const;

/** @param simSubs what `install` was told, such as `1=3,2=4`; null if nothing */
export async function checkSims(calls: TermuxCalls, simSubs: string | null): Promise<Check> {
  const name = 'two SIMs';
  if (simSubs !== null) return ok(name, `told apart by slot and subscription id: ${simSubs}`);
  const slots = await slotsOf(calls);
  if (slots === 1) return ok(name, 'the phone takes one SIM');
  const what = slots === null ? 'whether the phone has two cannot be seen' : `the phone takes ${slots}`;
  return warn(
    name,
    `${what}, and nobody has said which is which`,
    `If two SIMs are enrolled, every payment waits for a person until you run: ${TELL} To find the number of a ` +
      `SIM, send an SMS to it, and try 1, 2, 3 and so on until this shows it: ${FIND}`,
  );
}

/** How many SIMs there is room for; null where the phone does not tell. */
async function slotsOf(calls: TermuxCalls): Promise<number | null> {
  const result = await calls.run({ program: 'termux-telephony-deviceinfo', args: [] });
  const value = result.kind === 'answered' ? parseJson(result.stdout) : undefined;
  if (typeof value !== 'object' || value === null || !('phone_count' in value)) return null;
  const { phone_count: count } = value;
  return typeof count === 'number' && count >= 1 ? count : null;
}
