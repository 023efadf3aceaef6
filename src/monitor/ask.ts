/**
 * What the dashboard can do with a row, what it asks before that, and what is to be done then. Pure: knows
 * neither keys nor window, and does nothing itself.
 */
import type { ReviewView } from '../actions/reviews/list-reviews.js';
import type { Board, BoardAlert } from '../actions/upkeep/read-dashboard.js';
import { type FactsOfReview, factLines, type NamedIn } from '../actions/why/review-facts.js';
import { sayNaming, sayReasons } from '../actions/why/say-doubts.js';
import { formatTaka, parseTaka } from '../base/values/money.js';
import { CHANNEL } from '../domain/accounts/channels.js';

type Notification = Board['notifications']['troubled'][number];

/** As the board lists it, with the forgery that names its id; and with its facts once they are read. */
type AskedReview = ReviewView &
  Partial<Pick<FactsOfReview, 'facts' | 'facts_version'>> & { readonly named_in?: NamedIn | null };

/** What may be done, and with which row. */
export type Subject =
  | { readonly act: 'approve' | 'reject'; readonly review: AskedReview }
  | { readonly act: 'replay'; readonly notification: Notification }
  | { readonly act: 'close_gap'; readonly alert: BoardAlert };

/** A key that begins it, and a word or two for the line of keys. */
export interface Offer {
  readonly key: string;
  readonly does: string;
  readonly subject: Subject;
}

/** What is typed before it is done. */
export interface Field {
  readonly name: 'reference' | 'note';
  readonly word: string;
  readonly text: string;
}

export interface Ask {
  readonly subject: Subject;
  /** Sentences: what it is about, and what will happen. */
  readonly question: readonly string[];
  readonly fields: readonly Field[];
  /** Which of them is typed now; behind the last one only the confirmation is left. */
  readonly at: number;
  /** Whether a payment is completed although less came in than is due; `offered`: a key says so. */
  readonly less: 'refused' | 'offered' | 'accepted';
  readonly state:
    | { readonly kind: 'asking' }
    | { readonly kind: 'running' }
    /** What was typed stays, and it can be tried again. */
    | { readonly kind: 'refused'; readonly says: string };
}

/** What is to be done once it is confirmed; the fields are those of the actions. */
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

/** As in the actions that take it. */
export const MAX_TYPED = 500;

const NOTE: Field = { name: 'note', word: 'Note', text: '' };

/** @returns the question; or a sentence that says why there is nothing to ask. */
export function askAbout(subject: Subject): Ask | string {
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
  subject: Subject,
  question: readonly string[],
  fields: readonly Field[],
  less: Ask['less'] = 'refused',
): Ask {
  return { subject, question, fields, at: 0, less, state: { kind: 'asking' } };
}

/** Whether it is about a review whose facts are not shown yet: until then nothing is confirmed. */
export function isUnread({ subject }: Ask): boolean {
  return 'review' in subject && subject.review.facts === undefined;
}

/**
 * The same question once the facts are read, or read again: what was typed stays.
 * @returns a sentence where there is nothing to ask any more.
 */
export function withFacts(ask: Ask, review: AskedReview): Ask | string {
  const { subject, fields, at, state } = ask;
  if (!('review' in subject) || subject.review.id !== review.id) return ask;
  if (review.state !== 'OPEN') return `It was ${review.state.toLowerCase()} already.`;
  const again = askAbout({ ...subject, review });
  if (typeof again === 'string') return again;
  const isSame = again.fields.length === fields.length;
  const typed = isSame ? { fields, at } : {};
  return { ...again, ...typed, state };
}

function approval(review: AskedReview): Ask | string {
  const { gateway_reference: payment, payment_status: status, reason, channel, reference } = review;
  const isDisputed = reason === 'disputed';
  if (status === 'COMPLETED' && !isDisputed) {
    return `Payment ${payment} is completed by other money already. If this money came on top of it, give it back and press x.`;
  }
  const lacks = lacking(review);
  const question = [
    `Approve ${claimText(review)}`,
    ...moneyText(review),
    ...(lacks === null ? [] : [`That is BDT ${lacks} less than is due, and it is accepted as it is.`]),
    status === 'COMPLETED'
      ? 'The payment stays COMPLETED, whatever you decide; this closes the question.'
      : 'The payment becomes COMPLETED for good, and the shop is notified.',
    ...(status === 'FAILED' ? ['It has failed before: tell the shop.'] : []),
  ];
  const { kind } = CHANNEL[channel];
  // Of a claim by the payer's number nothing but an operator says which push it is.
  const isUnnamed = kind === 'push' && review.seen_at === null;
  const named: Field = { name: 'reference', word: "Reference in the bank's statement", text: '' };
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

/** What the board knows of it. */
function saidAtOnce(review: AskedReview): string[] {
  const { channel, reference, due, seen_at, seen_amount, seen_usdt, seen_on, doubts } = review;
  const name = CHANNEL[channel].name.en;
  if (seen_at === null) {
    return [
      `BDT ${due} is due; the customer claims ${reference} (${name}).`,
      ...forgeryText(review),
      'Nothing here has seen this money: your word alone stands for it.',
    ];
  }
  const taka = seen_amount === null ? 'An amount that nobody can read' : `BDT ${seen_amount}`;
  const seen = seen_usdt === null ? taka : `${seen_usdt} USDT`;
  const to = CHANNEL[channel].kind === 'sms' && seen_on !== null ? ` to ${seen_on}` : '';
  return [`${seen} came under ${reference} (${name})${to}; BDT ${due} is due.`, ...sayReasons(doubts)];
}

function forgeryText({ channel, reference, named_in }: AskedReview): string[] {
  if (named_in === null || named_in === undefined) return [];
  const { kind, sender, received_at, sms } = named_in;
  const text = { channel, kind, sender, at: Date.parse(received_at) };
  return [`${sayNaming(reference, text)} See it: kashbox sms show ${sms}`];
}

/** What is missing to what is due, BDT; null where nothing is, or nobody can say. */
function lacking({ due, seen_amount }: ReviewView): string | null {
  const [owed, seen] = [parseTaka(due), parseTaka(seen_amount ?? due)];
  return owed.ok && seen.ok && seen.paisa < owed.paisa ? formatTaka(owed.paisa - seen.paisa) : null;
}

function afterRejection({ payment_status: status }: ReviewView): string {
  return status === 'PENDING'
    ? 'The payment fails, unless another claim of it is open.'
    : `The claim is refused; the payment stays ${status}.`;
}

function replayText({ event, brand, endpoint, tries }: Notification): string[] {
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

/** @param ask of which every field is filled in. */
export function actOf(ask: Ask): Act {
  const { subject } = ask;
  const typed = (name: Field['name']) => ask.fields.find((field) => field.name === name)?.text.trim() ?? '';
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
