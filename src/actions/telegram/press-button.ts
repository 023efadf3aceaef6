/**
 * A press of a button below a Telegram message. Who may press, and whether the message showed the facts as
 * they are, is checked here; whether the decision is possible, by the actions behind `kashbox verifications`.
 */
import { isKashboxError, type KashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { echoedLine } from '../../base/values/text.js';
import type { AlertDetails, AlertEvent } from '../../domain/alerts/alert.js';
import { alertText } from '../../domain/alerts/alert-text.js';
import { type Button, type Press, type ReadButton, readButton } from '../../domain/alerts/telegram.js';
import { deletePress, insertPress, pressedMessage } from '../../store/tables/alert-messages.js';
import { isOurButton, reviewButtons } from '../alerts/review-buttons.js';
import type { Core } from '../core/core.js';
import { approveReview, rejectReview } from '../reviews/decide-review.js';
import { type ReviewInFull, showReview } from '../reviews/list-reviews.js';
import { factLines } from '../why/review-facts.js';
import { type ButtonChat, buttonBots } from './bots.js';

export interface Pressed {
  readonly outcome: 'decided' | 'asked' | 'changed' | 'refused' | 'used' | 'over' | 'stranger' | 'unknown';
  /** Shown to whoever pressed, at most 200 characters. */
  readonly answer: string;
  /** What the message says from now on; null where it stays. */
  readonly newText: string | null;
  /** Those that the new text has. */
  readonly buttons: readonly Button[];
  /** What the chat is told besides; null for nothing. */
  readonly reply: string | null;
}

const said = (outcome: Pressed['outcome'], answer: string): Pressed => ({
  ...{ outcome, answer, newText: null, buttons: [], reply: null },
});

/** What the actions say of a decision that is not possible: all else is a failure of the installation. */
const REFUSALS: readonly string[] = ['state_refused', 'already_credited', 'invalid_input', 'not_found'];

/**
 * Targets are read now: one that was removed while Telegram was asked counts no more.
 * @param bot its `key`.
 * @throws KashboxError `store_…`: then the button works again
 */
export async function pressButton(core: Core, bot: string, press: Press): Promise<Pressed> {
  const chats = (await buttonBots(core)).find(({ key }) => key === bot)?.chats ?? [];
  const own = chats.filter(({ chat }) => chat === press.chat);
  if (own.length === 0) return said('stranger', 'This chat may not decide on payments.');
  const isApprover = ({ approvers }: ButtonChat) => approvers.length === 0 || approvers.includes(press.user);
  const button = readButton(press.data);
  if (button === null || !isOurButton(core, button)) return said('unknown', 'This button is not known here.');
  const message = await core.store.read((db) => pressedMessage(db, button.message));
  const target = own.find((one) => one.target === message?.target_id);
  if (message === undefined || target === undefined || message.kind !== 'review.waiting') {
    return said('unknown', 'This message is too old. Use: kashbox verifications list');
  }
  if (!isApprover(target)) return said('stranger', 'You may not decide on payments in this chat.');
  const detail = JSON.parse(message.detail) as AlertDetails['review.waiting'];
  const before = alertText({ kind: 'review.waiting', detail } as AlertEvent, null);
  const review = await showReview(core, detail.verification);
  if (review.state !== 'OPEN') return over(review, before);
  if (button.facts !== review.facts_version) return changed(core, button, review, before);
  const isAgainst = review.facts.some(({ level }) => level !== 'info');
  if (button.action === 'approve' && isAgainst) return askOnce(core, button, review, before);
  const { message: message_id, action, facts } = button;
  const row = { message_id, action, facts, at: core.clock.now(), who: `telegram:${press.user}` };
  if (!(await core.store.write((db) => insertPress(db, row)))) {
    return said('used', 'This button was pressed before. Use: kashbox verifications list');
  }
  try {
    return done(await decide(core, button, review.id, press), before);
  } catch (error) {
    if (isKashboxError(error, 'facts_changed')) {
      return changed(core, button, await showReview(core, review.id), before);
    }
    if (isKashboxError(error) && REFUSALS.includes(error.code))
      return refused(core, button, review, before, error);
    await core.store.write((db) => deletePress(db, row));
    throw error;
  }
}

/** The message showed other facts, or none: it shows them now, and nothing is decided. */
function changed(core: Core, button: ReadButton, review: ReviewInFull, before: string): Pressed {
  if (review.state !== 'OPEN') return over(review, before);
  const buttons = reviewButtons(core, { message: button.message, facts: review.facts_version });
  const newText = factsText('The facts have changed:', review, before);
  return {
    outcome: 'changed',
    answer: 'The facts have changed. Read them first.',
    newText,
    buttons,
    reply: null,
  };
}

/** What speaks against the money may have been overlooked: one more press says that it was read. */
function askOnce(core: Core, button: ReadButton, review: ReviewInFull, before: string): Pressed {
  const carried = { message: button.message, facts: review.facts_version };
  const buttons = reviewButtons(core, carried, ['approve_anyway', 'reject']);
  const newText = factsText('Not approved yet. Read this first:', review, before);
  return { outcome: 'asked', answer: 'Read the warning first.', newText, buttons, reply: null };
}

function factsText(title: string, { facts }: ReviewInFull, before: string): string {
  return [before, '', title, ...factLines(facts)].join('\n');
}

const MAX_NAME = 60;

function decide(
  core: Core,
  { action, facts }: ReadButton,
  id: string,
  { user, name }: Press,
): Promise<ReviewInFull> {
  const shown = echoedLine(name, MAX_NAME);
  const note = `by Telegram button, ${shown === '' ? 'no name' : shown}`;
  const decision = { id, note, who: `telegram:${user}`, facts: facts ?? '' };
  switch (action) {
    case 'approve':
    case 'approve_anyway':
      return approveReview(core, decision);
    case 'reject':
      return rejectReview(core, decision);
    default:
      return action satisfies never;
  }
}

function done(review: ReviewInFull, before: string): Pressed {
  const answer = review.state === 'APPROVED' ? 'Approved.' : 'Rejected.';
  return { ...said('decided', answer), newText: decidedText(review, before) };
}

function over(review: ReviewInFull, before: string): Pressed {
  const answer = `This was ${review.state.toLowerCase()} before.`;
  return { ...said('over', answer), newText: decidedText(review, before) };
}

/** Who decided, and when, below what was asked. */
function decidedText({ state, decided_by: who, decided_at: at, note }: ReviewInFull, before: string): string {
  const when = at === null ? '' : `, ${dhakaText(Date.parse(at)).slice(0, 16)}`;
  const words = state === 'APPROVED' ? 'Approved' : 'Rejected';
  return `${before}\n\n${words} by ${who ?? 'rule'}${when}${note === null ? '' : ` (${note})`}.`;
}

/** The other button stays: money that is too little may be rejected. */
async function refused(
  core: Core,
  { action }: ReadButton,
  { id }: ReviewInFull,
  before: string,
  error: KashboxError,
): Promise<Pressed> {
  const now = await showReview(core, id);
  if (now.state !== 'OPEN') return over(now, before);
  const [word, verb] = action === 'reject' ? ['reject', 'rejected'] : ['approve', 'approved'];
  const command = `kashbox verifications ${word} ${id} --note WHY`;
  return {
    ...said('refused', `Not ${verb}. See below.`),
    reply: `Not ${verb}: ${error.message}. ${error.hint}\nOn the server: ${command}`,
  };
}
