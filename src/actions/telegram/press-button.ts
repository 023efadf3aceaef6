/**
 * Handles the buttons of Telegram bots: which process polls each bot, and the effect of a press. This file
 * checks who may press, and if the message showed the current facts; the actions of `kashbox verifications`
 * check if the decision is possible.
 */
import { isKashboxError, type KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { dhakaText } from '../../base/values/clock.js';
import { echoedLine } from '../../base/values/text.js';
import { type AlertDetails, type AlertEvent, alertText } from '../../domain/alerts/alert.js';
import {
  type Button,
  buttonRow,
  buttonsBelow,
  type Decision,
  type Press,
  parseButton,
  type ReadButton,
} from '../../domain/alerts/telegram.js';
import type { Bot } from '../../notify/telegram.js';
import {
  deletePress,
  insertPoll,
  insertPress,
  leasePoll,
  pressedMessage,
  recordPoll,
  releasePolls,
} from '../../store/tables/alert-messages.js';
import { activeTargets } from '../../store/tables/alert-targets.js';
import { openTarget } from '../alerts/deliver-alerts.js';
import type { Core } from '../core/core.js';
import { ifReadable } from '../core/sealing.js';
import { approveReview, rejectReview } from '../reviews/decide-review.js';
import { type ReviewInFull, showReview } from '../reviews/list-reviews.js';
import { factLines } from '../why/review-facts.js';

export interface ButtonBot extends Bot {
  /** Key of the bot: the same for all its targets, and reveals nothing of its token. */
  readonly key: string;
  /** Name such as `bot 123456`. */
  readonly name: string;
  readonly chats: readonly ButtonChat[];
}

interface ButtonChat {
  /** Identifier of the target. */
  readonly target: string;
  readonly chat: string;
  /** Ids of users; empty for every member. */
  readonly approvers: readonly string[];
}

/** Lists the bots of targets with buttons. A target whose credentials cannot be decrypted is skipped. */
export async function buttonBots(core: Core): Promise<ButtonBot[]> {
  const rows = (await core.store.read(activeTargets)).filter(({ buttons }) => buttons === 1);
  const bots = new Map<string, ButtonBot>();
  for (const row of rows) {
    const target = ifReadable(() => openTarget(core, row));
    if (target?.kind !== 'telegram') continue;
    const { api, token, chat, allowPrivate } = target;
    const number = token.split(':')[0] ?? '';
    const key = hashKey(`${api} ${number}`);
    const approvers = row.approvers.split(' ').filter((id) => id !== '');
    const known = bots.get(key);
    const chats = [...(known?.chats ?? []), { target: row.id, chat, approvers }];
    // The last added has the newest token.
    bots.set(key, { key, name: `bot ${number}`, api, token, allowPrivate, chats });
  }
  return [...bots.values()];
}

/** @returns id of the first update to request, or null if another process polls that bot. */
export async function takeBot(
  core: Core,
  key: string,
  holder: string,
  forMs: number,
): Promise<number | null> {
  const now = core.clock.now();
  const lease = { bot: key, holder, now, until: now + forMs, late: now + 2 * forMs };
  return core.store.write(async (db) => {
    await insertPoll(db, { bot: key, holder, until: 0, next_update: 0 });
    return (await leasePoll.first(db, lease))?.next_update ?? null;
  });
}

/** Writes down how far the updates of a bot are read. */
export async function saveUpdateOffset(core: Core, key: string, holder: string, next: number, forMs: number) {
  const until = core.clock.now() + forMs;
  await core.store.write((db) => recordPoll.all(db, { bot: key, holder, until, next }));
}

/** Releases all bots of a process that ends, so that others do not have to wait. */
export async function releaseBots(core: Core, holder: string): Promise<void> {
  await core.store.write((db) => releasePolls(db, holder));
}

export interface PressResult {
  readonly outcome: 'decided' | 'asked' | 'changed' | 'refused' | 'used' | 'over' | 'stranger' | 'unknown';
  /** Text shown to the user who pressed, at most 200 characters. */
  readonly answer: string;
  /** New text of the message; null if it stays unchanged. */
  readonly newText: string | null;
  /** Buttons below the new text. */
  readonly buttons: readonly Button[];
  /** Additional message to the chat; null if there is none. */
  readonly reply: string | null;
}

const said = (outcome: PressResult['outcome'], answer: string): PressResult => ({
  ...{ outcome, answer, newText: null, buttons: [], reply: null },
});

/** Error codes for an impossible decision; all other errors are failures of the installation. */
const REFUSALS: readonly string[] = ['state_refused', 'already_credited', 'invalid_input', 'not_found'];

/**
 * Handles a press. Loads targets now, so that one removed while Telegram was polled no longer counts.
 * @param bot its `key`.
 * @throws KashboxError `store_…`: the button then works again
 */
export async function pressButton(core: Core, bot: string, press: Press): Promise<PressResult> {
  const chats = (await buttonBots(core)).find(({ key }) => key === bot)?.chats ?? [];
  const own = chats.filter(({ chat }) => chat === press.chat);
  if (own.length === 0) return said('stranger', 'This chat may not decide on payments.');
  const isApprover = ({ approvers }: ButtonChat) => approvers.length === 0 || approvers.includes(press.user);
  const button = parseButton(core.secrets, press.data);
  if (button === null) return said('unknown', 'This button is not known here.');
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
  if (isAgainst && buttonRow(button.action).isWarned) return askOnce(core, button, review, before);
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
function changed(core: Core, button: ReadButton, review: ReviewInFull, before: string): PressResult {
  if (review.state !== 'OPEN') return over(review, before);
  const carried = { message: button.message, facts: review.facts_version };
  return {
    ...said('changed', 'The facts have changed. Read them first.'),
    newText: factsText('The facts have changed:', review, before),
    buttons: buttonsBelow(core.secrets, 'question', carried),
  };
}

/** Shows the warnings, which may have been overlooked; a second press confirms that they were read. */
function askOnce(core: Core, button: ReadButton, review: ReviewInFull, before: string): PressResult {
  const carried = { message: button.message, facts: review.facts_version };
  return {
    ...said('asked', 'Read the warning first.'),
    newText: factsText('Not approved yet. Read this first:', review, before),
    buttons: buttonsBelow(core.secrets, 'warning', carried),
  };
}

function factsText(title: string, { facts }: ReviewInFull, before: string): string {
  return [before, '', title, ...factLines(facts)].join('\n');
}

const MAX_NAME = 60;

const DECIDE = { approve: approveReview, reject: rejectReview } satisfies Record<Decision, unknown>;
const DECIDED = { approve: 'approved', reject: 'rejected' } satisfies Record<Decision, string>;

function decide(core: Core, button: ReadButton, id: string, { user, name }: Press): Promise<ReviewInFull> {
  const { action, facts } = button;
  const shown = echoedLine(name, MAX_NAME);
  const note = `by Telegram button, ${shown === '' ? 'no name' : shown}`;
  const decision = { id, note, who: `telegram:${user}`, facts: facts ?? '' };
  return DECIDE[buttonRow(action).decision](core, decision);
}

function done(review: ReviewInFull, before: string): PressResult {
  return { ...said('decided', `${stateWord(review)}.`), newText: decidedText(review, before) };
}

function over(review: ReviewInFull, before: string): PressResult {
  const answer = `This was ${review.state.toLowerCase()} before.`;
  return { ...said('over', answer), newText: decidedText(review, before) };
}

/** @returns such as `Approved`. */
const stateWord = ({ state }: Pick<ReviewInFull, 'state'>) =>
  `${state.slice(0, 1)}${state.slice(1).toLowerCase()}`;

/** Formats the decision, its author and time below the original message. */
function decidedText(review: ReviewInFull, before: string): string {
  const { decided_by: who, decided_at: at, note } = review;
  const when = at === null ? '' : `, ${dhakaText(Date.parse(at)).slice(0, 16)}`;
  return `${before}\n\n${stateWord(review)} by ${who ?? 'rule'}${when}${note === null ? '' : ` (${note})`}.`;
}

/** The other button stays: money that is too little may be rejected. */
async function refused(
  core: Core,
  { action }: ReadButton,
  { id }: ReviewInFull,
  before: string,
  error: KashboxError,
): Promise<PressResult> {
  const now = await showReview(core, id);
  if (now.state !== 'OPEN') return over(now, before);
  const { decision } = buttonRow(action);
  const verb = DECIDED[decision];
  const command = `kashbox verifications ${decision} ${id} --note WHY`;
  return {
    ...said('refused', `Not ${verb}. See below.`),
    reply: `Not ${verb}: ${error.message}. ${error.hint}\nOn the server: ${command}`,
  };
}
