/** The doctor's own test: follows one new SMS from the phone's list to the server's answer. Sends nothing. */
import { reasonOf } from '../../core/errors.js';
import { DeadLetterState } from '../../core/inbox/dead-letters.js';
import { messageId, QueueState } from '../../core/inbox/queue.js';
import type { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { parseMark, TERMUX_INBOX, toInboxRow } from '../../platforms/termux/termux-inbox.js';
import { listSms, newestSms, type TermuxRow } from '../../platforms/termux/termux-list.js';
import type { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { loadJournal, waitFor } from '../context.js';
import { type Check, fail, ok } from './check.js';

const LIMIT_MS = 120_000;
const STATE_POLL_MS = 1_000;
const NAME = 'self-test';

/** @param ask called once, to ask the person to send the SMS now. */
export async function checkOneSms(home: Home, calls: TermuxCalls, ask: () => void): Promise<Check> {
  const config = await home.readConfig();
  if (config === undefined || (await lockHolder(home.lockPath)) === null)
    return fail(NAME, 'left out: the agent does not run', 'Mend what is said above, then try again.');
  try {
    const before = (await newestSms(calls, 'inbox'))?.id ?? 0;
    ask();
    const began = Date.now();
    const row = await waitFor(began + LIMIT_MS, STATE_POLL_MS, () => nextSms(calls, before));
    if (row === null) {
      return fail(
        NAME,
        'no SMS came within 2 minutes',
        'Was it sent to a SIM of this phone, as SMS and not as RCS? Does the app Messages show it?',
      );
    }
    const found = await waitFor(began + LIMIT_MS, STATE_POLL_MS, () => outcomeOf(home, config.deviceId, row));
    const seconds = Math.round((Date.now() - began) / 1000);
    return verdict(found, seconds);
  } catch (error) {
    return fail(NAME, reasonOf(error), 'Mend what is said above, then try again.');
  }
}

type TestOutcome = { readonly kind: 'stored' } | { readonly kind: 'rejected'; readonly reason: string };

function verdict(outcome: TestOutcome | null, seconds: number): Check {
  if (outcome === null)
    return fail(
      NAME,
      'the SMS came, but the server did not confirm it within 2 minutes',
      'See what the agent says: kashbox-relay status',
    );
  if (outcome.kind === 'stored')
    return ok(NAME, `the SMS came and the server has stored it, after ${seconds} s`);
  return fail(NAME, `the server refused the SMS: ${outcome.reason}`, 'On the server: kashbox doctor');
}

async function nextSms(calls: TermuxCalls, after: number): Promise<TermuxRow | null> {
  const { rows } = await listSms(calls, { type: 'inbox', where: `_id > ${after}`, limit: 10 });
  return rows.find(({ type }) => type === 'inbox') ?? null;
}

/** Read, and neither queued nor rejected: the server has answered `stored` or `duplicate`. */
async function outcomeOf(home: Home, deviceId: string, row: TermuxRow): Promise<TestOutcome | null> {
  const id = messageId(deviceId, toInboxRow(row, null));
  // Checked first: a rejected message becomes a dead letter before it leaves the queue.
  const queue = await loadJournal(home.queuePath, new QueueState());
  const letter = (await loadJournal(home.deadLettersPath, new DeadLetterState())).letters.get(id);
  if (letter !== undefined) return { kind: 'rejected', reason: letter.reason };
  const mark = parseMark(queue.cursors.get(TERMUX_INBOX) ?? null);
  const isRead = mark !== null && mark.id >= row.id;
  return isRead && !queue.messages.has(id) ? { kind: 'stored' } : null;
}
