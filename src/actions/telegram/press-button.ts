/**
 * A press of Approve or Reject below a Telegram message. Who may press is checked here; whether the decision
 * is possible is checked by the very actions behind `kashbox verifications`.
 */
import { isKashboxError, type KashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { echoedLine } from '../../base/values/text.js';
import type { AlertDetails, AlertEvent } from '../../domain/alerts/alert.js';
import { alertText } from '../../domain/alerts/alert-text.js';
import { type ButtonAction, type Press, readButton } from '../../domain/alerts/telegram.js';
import { deletePress, insertPress, pressedMessage } from '../../store/tables/button-presses.js';
import { isOurButton } from '../alerts/review-buttons.js';
import type { Core } from '../core/core.js';
import { approveReview, rejectReview } from '../reviews/decide-review.js';
import { type ReviewInFull, showReview } from '../reviews/list-reviews.js';
import { isForgery } from '../why/say-doubts.js';
import { type ButtonChat, buttonBots } from './bots.js';

export interface Pressed {
  readonly outcome: 'decided' | 'refused' | 'used' | 'over' | 'stranger' | 'unknown';
  /** Shown to whoever pressed, at most 200 characters. */
  readonly answer: string;
  /** What the message says from now on, without buttons; null where it stays. */
  readonly newText: string | null;
  /** What the chat is told besides; null for nothing. */
  readonly reply: string | null;
}

const said = (outcome: Pressed['outcome'], answer: string): Pressed => ({
  ...{ outcome, answer, newText: null, reply: null },
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
  const { action } = button;
  const row = { message_id: button.message, action, at: core.clock.now(), who: `telegram:${press.user}` };
  if (!(await core.store.write((db) => insertPress(db, row)))) {
    return said('used', 'This button was pressed before. Use: kashbox verifications list');
  }
  try {
    return done(await decide(core, action, review.id, press), before);
  } catch (error) {
    if (isKashboxError(error) && REFUSALS.includes(error.code))
      return refused(core, action, review, before, error);
    await core.store.write((db) => deletePress(db, row));
    throw error;
  }
}

const MAX_NAME = 60;

function decide(core: Core, action: ButtonAction, id: string, { user, name }: Press): Promise<ReviewInFull> {
  const shown = echoedLine(name, MAX_NAME);
  const note = `by Telegram button, ${shown === '' ? 'no name' : shown}`;
  const decision = { id, note, who: `telegram:${user}` };
  return action === 'approve' ? approveReview(core, decision) : rejectReview(core, decision);
}

function done(review: ReviewInFull, before: string): Pressed {
  const state = review.state === 'APPROVED' ? 'Approved.' : 'Rejected.';
  const forged = review.state === 'APPROVED' && review.named_in !== null && isForgery(review.named_in);
  const reply = forged ? `An SMS with ${review.reference} is a forgery. ${showHint(review.id)}` : null;
  return { outcome: 'decided', answer: state, newText: decidedText(review, before), reply };
}

const showHint = (id: string) => `On the server: kashbox verifications show ${id}`;

function over(review: ReviewInFull, before: string): Pressed {
  const answer = `This was ${review.state.toLowerCase()} before.`;
  return { outcome: 'over', answer, newText: decidedText(review, before), reply: null };
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
  action: ButtonAction,
  { id }: ReviewInFull,
  before: string,
  error: KashboxError,
): Promise<Pressed> {
  const now = await showReview(core, id);
  if (now.state !== 'OPEN') return over(now, before);
  const verb = action === 'approve' ? 'approved' : 'rejected';
  const command = `kashbox verifications ${action} ${id} --note WHY`;
  return {
    outcome: 'refused',
    answer: `Not ${verb}. See below.`,
    newText: null,
    reply: `Not ${verb}: ${error.message}. ${error.hint}\nOn the server: ${command}`,
  };
}
