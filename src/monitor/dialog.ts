/**
 * Dialog in which an operator decides on a row: its question, the effect of each key, its text, and the
 * action after confirmation, which uses the actions of the commands. Everything but `doAct` is pure.
 */
import { closeGap } from '../actions/balance-gaps/list-gaps.js';
import type { Core } from '../actions/core/core.js';
import { replayNotification } from '../actions/notifications/notifications.js';
import { approveReview, rejectReview } from '../actions/reviews/decide-review.js';
import type { ReviewInFull, ReviewView } from '../actions/reviews/list-reviews.js';
import type { BoardAlert, BoardNotification } from '../actions/upkeep/load-dashboard.js';
import { formatMention, formatReasons, NOTHING_SEEN } from '../actions/why/format-reasons.js';
import { type FactsOfReview, factLines, type MentionedInSms } from '../actions/why/review-facts.js';
import { isKashboxError } from '../base/errors/errors.js';
import { printable, textWidth, wrap } from '../base/values/cells.js';
import { formatTaka, parseTaka } from '../base/values/money.js';
import { CHANNEL } from '../domain/accounts/channels.js';
import { type Cell, flow, renderCell, type StyledText, splitToWidth, type Tone } from './frame.js';

/** Review as the dashboard lists it, with a forged SMS that names its id, and its facts once loaded. */
type AskedReview = ReviewView &
  Partial<Pick<FactsOfReview, 'facts' | 'facts_version'>> & { readonly named_in?: MentionedInSms | null };

/** Action, and the row that it applies to. */
export type DialogSubject =
  | { readonly act: 'approve' | 'reject'; readonly review: AskedReview }
  | { readonly act: 'replay'; readonly notification: BoardNotification }
  | { readonly act: 'close_gap'; readonly alert: BoardAlert };

/** A key that begins it, and a word or two for the line of keys. */
export interface Offer {
  readonly key: string;
  readonly does: string;
  readonly subject: DialogSubject;
}

/** Text input of the dialog. */
interface DialogField {
  readonly name: 'reference' | 'note';
  readonly word: string;
  readonly text: string;
}

export interface Dialog {
  readonly subject: DialogSubject;
  /** Sentences: what it is about, and what will happen. */
  readonly question: readonly string[];
  readonly fields: readonly DialogField[];
  /** Index of the field that has the focus; after the last one, only the confirmation remains. */
  readonly at: number;
  /** Policy for a payment that received less than the due amount; `offered`: a key accepts it. */
  readonly less: 'refused' | 'offered' | 'accepted';
  readonly state:
    | { readonly kind: 'asking' }
    | { readonly kind: 'running' }
    /** Refused by the action; the input is kept for another try. */
    | { readonly kind: 'refused'; readonly says: string };
}

/** Action to run after the confirmation, with the fields that the action needs. */
export type Act =
  | {
      readonly kind: 'approve';
      readonly id: string;
      readonly note: string;
      readonly reference: string | undefined;
      readonly acceptLess: boolean;
      /** Version of the facts that were shown. */
      readonly facts?: string | undefined;
    }
  | {
      readonly kind: 'reject';
      readonly id: string;
      readonly note: string;
      readonly facts?: string | undefined;
    }
  | { readonly kind: 'replay'; readonly id: string }
  | { readonly kind: 'close_gap'; readonly ids: readonly string[]; readonly note: string };

/** Maximum length of a field in characters, as in the actions. */
export const MAX_TYPED = 500;

const NOTE: DialogField = { name: 'note', word: 'Note', text: '' };

/** @returns the dialog, or a sentence that explains why there is none. */
export function openDialog(subject: DialogSubject): Dialog | string {
  switch (subject.act) {
    case 'approve':
      return approval(subject.review);
    case 'reject': {
      const question = [`Reject ${claimText(subject.review)}`, ...moneyText(subject.review)];
      return askOf(subject, [...question, afterRejection(subject.review)], [NOTE]);
    }
    case 'replay':
      return askOf(subject, replayText(subject.notification), []);
    case 'close_gap':
      return askOf(subject, gapText(subject.alert), [NOTE]);
    default:
      return subject satisfies never;
  }
}

function askOf(
  subject: DialogSubject,
  question: readonly string[],
  fields: readonly DialogField[],
  less: Dialog['less'] = 'refused',
): Dialog {
  return { subject, question, fields, at: 0, less, state: { kind: 'asking' } };
}

/** True if the dialog is about a review whose facts are not shown yet; it cannot be confirmed until then. */
export function isUnread({ subject }: Dialog): boolean {
  return 'review' in subject && subject.review.facts === undefined;
}

/**
 * Returns the dialog with loaded or reloaded facts, and keeps the input.
 * @returns a sentence if the review is no longer open.
 */
export function withFacts(ask: Dialog, review: AskedReview): Dialog | string {
  const { subject, fields, at, state } = ask;
  if (!('review' in subject) || subject.review.id !== review.id) return ask;
  if (review.state !== 'OPEN') return `It was already ${review.state.toLowerCase()}.`;
  const again = openDialog({ ...subject, review });
  if (typeof again === 'string') return again;
  const isSame = again.fields.length === fields.length;
  const typed = isSame ? { fields, at } : {};
  return { ...again, ...typed, state };
}

function approval(review: AskedReview): Dialog | string {
  const { gateway_reference: payment, payment_status: status, reason, channel, reference } = review;
  const isDisputed = reason === 'disputed';
  if (status === 'COMPLETED' && !isDisputed) {
    return `Payment ${payment} is already completed by other money. If this money is extra, return it and press x.`;
  }
  const lacks = lacking(review);
  const question = [
    `Approve ${claimText(review)}`,
    ...moneyText(review),
    ...(lacks === null
      ? []
      : [`That is BDT ${lacks} less than the amount due; approving accepts it as paid.`]),
    status === 'COMPLETED'
      ? 'The payment stays COMPLETED, whatever you decide; this closes the question.'
      : 'The payment becomes COMPLETED for good, and the shop is notified.',
    ...(status === 'FAILED' ? ['It failed before: inform the shop.'] : []),
  ];
  const { kind } = CHANNEL[channel];
  // Of a claim by the payer's number nothing but an operator says which push it is.
  const isUnnamed = kind === 'push' && review.seen_at === null;
  const named: DialogField = { name: 'reference', word: "Reference in the bank's statement", text: '' };
  const fields = isUnnamed ? [named] : kind === 'manual' ? [{ ...named, text: reference }] : [];
  const less = lacks !== null ? 'accepted' : isUnnamed ? 'offered' : 'refused';
  return askOf({ act: 'approve', review }, question, [...fields, NOTE], less);
}

function claimText({ gateway_reference, cus_name, brand }: ReviewView): string {
  return `payment ${gateway_reference} of ${cus_name} at ${brand}?`;
}

function moneyText(review: AskedReview): string[] {
  const said = saidAtOnce(review);
  const facts = review.facts?.filter(({ text }) => !said.includes(text)) ?? [];
  return [...said, ...factLines(facts)];
}

/** Sentences that the board data allow, before the facts are loaded. */
function saidAtOnce(review: AskedReview): string[] {
  const { channel, reference, due, seen_at, seen_amount, seen_usdt, seen_on, doubts } = review;
  const name = CHANNEL[channel].name.en;
  if (seen_at === null) {
    return [
      `BDT ${due} is due; the customer claims ${reference} (${name}).`,
      ...forgeryText(review),
      NOTHING_SEEN,
    ];
  }
  const taka = seen_amount === null ? 'An amount that nobody can read' : `BDT ${seen_amount}`;
  const seen = seen_usdt === null ? taka : `${seen_usdt} USDT`;
  const to = CHANNEL[channel].kind === 'sms' && seen_on !== null ? ` to ${seen_on}` : '';
  return [
    `${seen} arrived with reference ${reference} (${name})${to}; BDT ${due} is due.`,
    ...formatReasons(doubts),
  ];
}

function forgeryText({ channel, reference, named_in }: AskedReview): string[] {
  if (named_in === null || named_in === undefined) return [];
  const { kind, sender, received_at, sms } = named_in;
  const text = { channel, kind, sender, at: Date.parse(received_at) };
  return [`${formatMention(reference, text)} See it: kashbox sms show ${sms}`];
}

/** Due minus observed amount, BDT; null if nothing is missing or the amount is unknown. */
function lacking({ due, seen_amount }: ReviewView): string | null {
  const [owed, seen] = [parseTaka(due), parseTaka(seen_amount ?? due)];
  return owed.ok && seen.ok && seen.paisa < owed.paisa ? formatTaka(owed.paisa - seen.paisa) : null;
}

function afterRejection({ payment_status: status }: ReviewView): string {
  return status === 'PENDING'
    ? 'The payment fails, unless another claim of it is open.'
    : `The claim is refused; the payment stays ${status}.`;
}

function replayText({ event, brand, endpoint, tries }: BoardNotification): string[] {
  const tried = tries === 1 ? 'once' : `${tries} times`;
  return [
    `Send ${event} of ${brand} again? It was tried ${tried}, last to ${endpoint}.`,
    'It keeps its id, so that the shop can tell that it has heard it before. The daemon sends it.',
  ];
}

function gapText({ message, gaps }: BoardAlert): string[] {
  const amounts = gaps.map(({ missing }) => (missing.startsWith('-') ? missing : `+${missing}`));
  const open =
    gaps.length > 1 ? [`${gaps.length} gaps of this wallet are open: ${amounts.join(', ')} BDT.`] : [];
  return [
    gaps.length > 1 ? 'Close these gaps?' : 'Close this gap?',
    message,
    ...open,
    'Do so where you know what moved: its alert ends, and it never opens again. A missing payment is added instead: kashbox sms add.',
  ];
}

/** @param ask dialog with all fields filled in. */
export function toAct(ask: Dialog): Act {
  const { subject } = ask;
  const typed = (name: DialogField['name']) =>
    ask.fields.find((field) => field.name === name)?.text.trim() ?? '';
  switch (subject.act) {
    case 'approve': {
      const { id, reference: claimed, facts_version: facts } = subject.review;
      const reference = typed('reference');
      const named = reference === '' || reference === claimed ? undefined : reference;
      const acceptLess = ask.less === 'accepted';
      return { kind: 'approve', id, note: typed('note'), reference: named, acceptLess, facts };
    }
    case 'reject': {
      const { id, facts_version: facts } = subject.review;
      return { kind: 'reject', id, note: typed('note'), facts };
    }
    case 'replay':
      return { kind: 'replay', id: subject.notification.id };
    case 'close_gap':
      return { kind: 'close_gap', ids: subject.alert.gaps.map(({ id }) => id), note: typed('note') };
    default:
      return subject satisfies never;
  }
}

/** Key with the name that blessed uses; `text` is the typed text, empty if none. */
export interface Key {
  readonly name: string;
  readonly text: string;
  /** True if the key arrived together with the previous one, faster than typing. */
  readonly isPasted?: boolean;
}

type AskStep =
  | { readonly kind: 'stay'; readonly ask: Dialog }
  | { readonly kind: 'leave' }
  /** Confirmed; the dialog has the state `running`. */
  | { readonly kind: 'act'; readonly ask: Dialog };

export function pressAsk(ask: Dialog, key: Key): AskStep {
  const stay = (change: Partial<Dialog> = {}): AskStep => ({ kind: 'stay', ask: { ...ask, ...change } });
  // What is being done cannot be called back, and is not done twice.
  if (ask.state.kind === 'running') return stay();
  if (key.name === 'escape') return { kind: 'leave' };
  const field = ask.fields[ask.at];
  return field === undefined ? confirmed(ask, key) : stay(typed(ask, field, key));
}

function confirmed(ask: Dialog, key: Key): AskStep {
  const running: Dialog = { ...ask, state: { kind: 'running' } };
  // A pasted text may have a line break and a "y" in it.
  if (key.isPasted === true) return { kind: 'stay', ask };
  if (isUnread(ask) && key.name !== 'n' && key.name !== 'backspace') return { kind: 'stay', ask };
  switch (key.name) {
    case 'y':
      return { kind: 'act', ask: running };
    case 'l':
      if (ask.less !== 'offered') return { kind: 'stay', ask };
      return { kind: 'act', ask: { ...running, less: 'accepted' } };
    case 'n':
      return { kind: 'leave' };
    case 'backspace':
      return { kind: 'stay', ask: { ...ask, at: Math.max(0, ask.at - 1) } };
    default:
      return { kind: 'stay', ask };
  }
}

function typed(ask: Dialog, field: DialogField, key: Key): Partial<Dialog> {
  const withText = (text: string): Partial<Dialog> => ({
    fields: ask.fields.map((one) => (one === field ? { ...one, text } : one)),
    state: { kind: 'asking' },
  });
  switch (key.name) {
    case 'enter':
    case 'linefeed':
      // The line breaks of a pasted text are blanks: only a key that was pressed goes on.
      if (key.isPasted === true) return added(field, ' ', withText);
      if (field.text.trim() !== '') return { at: ask.at + 1, state: { kind: 'asking' } };
      return { state: { kind: 'refused', says: NEEDED[field.name] } };
    case 'backspace':
      if (field.text === '' && ask.at > 0) return { at: ask.at - 1 };
      return withText([...field.text].slice(0, -1).join(''));
    case 'C-u':
      return withText('');
    default:
      return added(field, key.text, withText);
  }
}

function added(
  field: DialogField,
  text: string,
  withText: (text: string) => Partial<Dialog>,
): Partial<Dialog> {
  return text === '' || [...field.text].length >= MAX_TYPED ? {} : withText(field.text + text);
}

const NEEDED: Readonly<Record<DialogField['name'], string>> = {
  note: 'A note is needed: say in a sentence why. It is kept with the decision.',
  reference: 'The reference is needed: kashbox pushes list --unmatched shows what no payment has used.',
};

const WORDS: Readonly<Record<DialogSubject['act'], { readonly does: string; readonly doing: string }>> = {
  approve: { does: 'approve', doing: 'Approving …' },
  reject: { does: 'reject', doing: 'Rejecting …' },
  replay: { does: 'send again', doing: 'Queueing it …' },
  close_gap: { does: 'close', doing: 'Closing …' },
};

/** @returns as many lines as it takes, each exactly as wide; the last ones say what to press. */
export function formatDialog(ask: Dialog, width: number): StyledText[][] {
  const field = ask.fields[ask.at];
  const { state } = ask;
  return [
    ...textRows(ask.question.join(' '), 'title', width),
    ...ask.fields.slice(0, ask.at).flatMap(({ word, text }) => textRows(`${word}: ${text}`, 'plain', width)),
    ...(state.kind === 'refused' ? textRows(state.says, 'bad', width) : []),
    ...(field !== undefined ? fieldRows(field, width) : confirmRows(ask, width)),
  ];
}

/** Wraps any text into full lines, each with a leading blank. */
export function textRows(text: string, tone: Tone, width: number): StyledText[][] {
  const room = Math.max(1, width - 2);
  const lines = wrap(printable(text), room).flatMap((line) => splitToWidth(line, room));
  return lines.map((line) => [renderCell({ text: ` ${line}`, tone }, width)]);
}

function fieldRows({ word, text }: DialogField, width: number): StyledText[][] {
  const label = ` ${word}: `;
  const room = Math.max(1, width - label.length - 2);
  const keys = { text: ' Enter goes on, Esc leaves', tone: 'dim' } as const;
  return [flow([{ text: `${label}${endOf(text, room)}_`, tone: 'focus' }, keys], width)];
}

/** The end of a text, where it is being typed. */
function endOf(text: string, room: number): string {
  const signs = [...printable(text)];
  let width = textWidth(signs.join(''));
  while (width > room) width -= textWidth(signs.shift() ?? '');
  return signs.join('');
}

function confirmRows(ask: Dialog, width: number): StyledText[][] {
  const { subject, less, state, fields } = ask;
  if (isUnread(ask)) return [flow([{ text: ' Reading the facts …', tone: 'focus' }], width)];
  const { does, doing } = WORDS[subject.act];
  if (state.kind === 'running') return [flow([{ text: ` ${doing}`, tone: 'focus' }], width)];
  const keys: readonly (readonly [string, string])[] = [
    ['y', does],
    ...(less === 'offered' ? [['l', `${does}, also if less came in`] as const] : []),
    ['Esc', 'leave'],
    ...(fields.length > 0 ? [['Backspace', 'change the note'] as const] : []),
  ];
  return [keyCells(keys, width)];
}

/** Keys and what they do; in a narrow window the last ones go. */
export function keyCells(keys: readonly (readonly [string, string])[], width: number): StyledText[] {
  let free = width;
  const cells = keys.flatMap(([key, does], at): Cell[] => {
    free -= key.length + does.length + (at === 0 ? 2 : 3);
    if (free < 0) return [];
    return [
      { text: ` ${key}`, tone: 'title' },
      { text: does, tone: 'dim' },
    ];
  });
  return flow(cells, width);
}

/** @returns a sentence that describes the result. @throws KashboxError of the action */
export async function doAct(core: Core, act: Act, who: string): Promise<string> {
  switch (act.kind) {
    case 'approve': {
      const { id, note, reference, acceptLess, facts } = act;
      return approvedText(await approveReview(core, { id, note, reference, acceptLess, facts, who }));
    }
    case 'reject': {
      const review = await rejectReview(core, { id: act.id, note: act.note, facts: act.facts, who });
      return `Rejected. ${paymentText(review)}`;
    }
    case 'replay': {
      const { event, gateway_reference, url } = await replayNotification(core, { id: act.id, who });
      return `${event} of payment ${gateway_reference} is queued again. The daemon sends it to ${url}.`;
    }
    case 'close_gap':
      return closedText(await closeGaps(core, act, who));
    default:
      return act satisfies never;
  }
}

function approvedText(review: ReviewInFull): string {
  const { unseen, looks_like, warnings } = review;
  return [
    `Approved. ${paymentText(review)}`,
    ...warnings.map((warning) => `WARNING: ${warning}`),
    ...(unseen ? [NOTHING_SEEN] : []),
    ...looks_like.map(
      ({ reference, payment }) =>
        `It looks like ${reference}, which paid ${payment}: compare both with the bank's statement.`,
    ),
  ].join(' ');
}

function paymentText({ gateway_reference, cus_name, payment_status }: ReviewInFull): string {
  return `Payment ${gateway_reference} of ${cus_name} is ${payment_status}.`;
}

/** Skips gaps that are closed already. @returns number closed. @throws KashboxError `state_refused` if 0 */
async function closeGaps(
  core: Core,
  { ids, note }: Extract<Act, { readonly kind: 'close_gap' }>,
  who: string,
): Promise<number> {
  let closed = 0;
  let refusal: unknown = null;
  for (const id of ids) {
    try {
      await closeGap(core, { id, note, who });
      closed += 1;
    } catch (error) {
      if (!isKashboxError(error, 'state_refused')) throw error;
      refusal = error;
    }
  }
  if (closed === 0 && refusal !== null) throw refusal;
  return closed;
}

const closedText = (closed: number) => (closed === 1 ? 'The gap is closed.' : `${closed} gaps are closed.`);
