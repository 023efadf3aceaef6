/** The doctor's own test: follows one new SMS from its arrival to the server's answer. Sends nothing. */
import { errorMessage } from '../../core/errors.js';
import { DeadLetterState } from '../../core/inbox/dead-letters.js';
import { messageId, QueueState } from '../../core/inbox/queue.js';
import type { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { parseMark, TERMUX_INBOX, toInboxRow } from '../../platforms/termux/termux-inbox.js';
import { listSms, newestSms } from '../../platforms/termux/termux-list.js';
import type { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { loadJournal, waitFor } from '../context.js';
import { type DoctorCheck, fail, ok } from './check.js';

const LIMIT_MS = 120_000;
const STATE_POLL_MS = 1_000;
const NAME = 'self-test';
const AGAIN = 'Repair what is said above, then try again.';

interface Arrival {
  readonly id: string;
  /** True if the agent has queued it, even if it is no longer in the queue. */
  isTaken(queue: QueueState): boolean;
}

/** Source in which new SMS are detected. */
export interface SmsWatch {
  /** Remembers the existing SMS, which `next` skips. */
  begin(): Promise<void>;
  /** @returns an SMS that arrived after `begin`; null if none did */
  next(): Promise<Arrival | null>;
  /** Instruction for the user if no SMS arrives. */
  readonly remedy: string;
}

/** @param ask called once, to prompt the user to send the SMS now */
export async function checkOneSms(
  home: Home,
  watchOf: (deviceId: string) => SmsWatch,
  ask: () => void,
): Promise<DoctorCheck> {
  const config = await home.readConfig();
  if (config === undefined || (await lockHolder(home.lockPath)) === null)
    return fail(NAME, 'left out: the agent does not run', AGAIN);
  const watch = watchOf(config.deviceId);
  try {
    await watch.begin();
    ask();
    const began = Date.now();
    const arrival = await waitFor(began + LIMIT_MS, STATE_POLL_MS, () => watch.next());
    if (arrival === null) return fail(NAME, 'no SMS came within 2 minutes', watch.remedy);
    const found = await waitFor(began + LIMIT_MS, STATE_POLL_MS, () => outcomeOf(home, arrival));
    const seconds = Math.round((Date.now() - began) / 1000);
    return verdict(found, seconds);
  } catch (error) {
    return fail(NAME, errorMessage(error), AGAIN);
  }
}

/** Watches the phone's own list of SMS. */
export function watchPhone(calls: TermuxCalls, deviceId: string): SmsWatch {
  let before = 0;
  return {
    remedy: 'Was it sent to a SIM of this phone, as SMS and not as RCS? Does the app Messages show it?',
    begin: async () => {
      before = (await newestSms(calls, 'inbox'))?.id ?? 0;
    },
    next: async () => {
      const { rows } = await listSms(calls, { type: 'inbox', where: `_id > ${before}`, limit: 10 });
      const row = rows.find(({ type }) => type === 'inbox');
      if (row === undefined) return null;
      return {
        id: messageId(deviceId, toInboxRow(row, null)),
        isTaken: (queue) => {
          const mark = parseMark(queue.cursors.get(TERMUX_INBOX) ?? null);
          return mark !== null && mark.id >= row.id;
        },
      };
    },
  };
}

/** Watches the journal of the agent's queue: only one program may read the storage of a modem. */
export function watchQueue(home: Home): SmsWatch {
  let before: ReadonlySet<string> = new Set();
  const taken = async () => (await loadJournal(home.queuePath, new QueueHistory())).taken;
  return {
    remedy:
      'Was it sent to the number of a SIM in these modems? Look at the SIM above: is it registered? ' +
      'The log of the agent: journalctl -u kashbox-relay -n 50',
    begin: async () => {
      before = await taken();
    },
    next: async () => {
      const id = [...(await taken())].find((one) => !before.has(one));
      return id === undefined ? null : { id, isTaken: () => true };
    },
  };
}

/** Queue that also remembers messages that have left it: an SMS may come and go between two polls. */
class QueueHistory extends QueueState {
  readonly taken = new Set<string>();

  override apply(record: Parameters<QueueState['apply']>[0]): void {
    super.apply(record);
    if (record.t === 'take') for (const { id } of record.messages) this.taken.add(id);
  }
}

type TestOutcome = { readonly kind: 'stored' } | { readonly kind: 'rejected'; readonly reason: string };

function verdict(outcome: TestOutcome | null, seconds: number): DoctorCheck {
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

/** Taken, and neither queued nor rejected: the server has answered `stored` or `duplicate`. */
async function outcomeOf(home: Home, arrival: Arrival): Promise<TestOutcome | null> {
  // Checked first: a rejected message becomes a dead letter before it leaves the queue.
  const queue = await loadJournal(home.queuePath, new QueueState());
  const letter = (await loadJournal(home.deadLettersPath, new DeadLetterState())).letters.get(arrival.id);
  if (letter !== undefined) return { kind: 'rejected', reason: letter.reason };
  return arrival.isTaken(queue) && !queue.messages.has(arrival.id) ? { kind: 'stored' } : null;
}
