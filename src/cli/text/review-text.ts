/**
 * Formats claims that wait for manual review: the reason, the observed payment, and the effect of approval
 * and rejection. Contains no decision logic.
 */
import type { SheetEntry } from '../../actions/input/view.js';
import type { ReviewInFull, ReviewView } from '../../actions/reviews/list-reviews.js';
import { isForgery, NOTHING_SEEN, SAID_OTHERWISE, SMS_SUSPECT } from '../../actions/why/format-reasons.js';
import { visible, wrap } from '../../base/values/cells.js';
import { minute } from '../../base/values/clock.js';
import { formatTaka, parseTaka } from '../../base/values/money.js';
import { formatUsdt, parseUsdt } from '../../base/values/usdt.js';
import { REASON_TEXTS } from '../../channels/mfs/index.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { lastActive } from '../../domain/devices/device-state.js';
import type { ReviewReason } from '../../domain/matching/matching.js';
import type { SlipOutcome } from '../../domain/reviews/slip.js';
import { formatKeyValues } from './table.js';

const WIDTH = 76;
/** Maximum number of lines shown of a push, which may be long. */
const MAX_LINES = 20;
const SLIP_WORDS: Readonly<Record<SlipOutcome | 'none', string>> = {
  none: 'no slip',
  kept: 'slip',
  no_room: 'slip not kept',
  forgotten: 'slip deleted',
};

function slipText({ slip, slip_type, slip_bytes }: ReviewView): string {
  switch (slip) {
    case 'kept':
      return `${slip_type}, ${slip_bytes} bytes; get it with --slip FILE`;
    case 'no_room':
      return (
        'was uploaded, but not stored: the storage limit for slips of that day was reached. Ask the ' +
        'customer for it'
      );
    case 'forgotten':
      return 'deleted some time after the decision';
    case null:
      return 'none';
    default:
      return slip satisfies never;
  }
}

function ageOf(view: ReviewView, now: number): string {
  const age = lastActive(Date.parse(view.created_at), now);
  return age === 'now' ? 'just now' : `${age} ago`;
}

/** One claim as a few lines of a list. */
export function reviewCard(view: ReviewView, now: number): string[] {
  const state = view.state === 'OPEN' ? ageOf(view, now) : view.state.toLowerCase();
  const texts = [
    `  ${view.test ? 'TEST, no money: ' : ''}${view.brand}: ${view.cus_name} owes ${view.due} BDT`,
    `  says: paid by ${view.channel}, ${view.reference}; seen: ${seenText(view)}`,
    `  why: ${REVIEW_WORDS[view.reason].short}; ${SLIP_WORDS[view.slip ?? 'none']}`,
  ];
  return [`${view.id}  payment ${view.gateway_reference}  ${state}`, ...texts.map(visible), ''];
}

function seenText(view: ReviewView): string {
  if (view.seen_at === null) return 'nothing';
  const amount = seenAmount(view);
  return view.seen_from === null ? amount : `${amount} from ${view.seen_from}`;
}

function seenAmount({ seen_amount, seen_usdt }: ReviewView): string {
  if (seen_usdt !== null) return `${seen_usdt} USDT`;
  return seen_amount === null ? 'an unreadable amount' : `${seen_amount} BDT`;
}

/** Everything that helps to decide one claim, and what happens then. */
export function reviewSheet(view: ReviewInFull, now: number): string[] {
  const { claim } = view;
  const fee = view.fee === '0.00' ? '' : ` (${restOf(view)} and a fee of ${view.fee})`;
  const usdt = view.due_usdt === null ? '' : `, as ${view.due_usdt} USDT`;
  const wallet = view.seen_on ?? 'a number that the phone did not report';
  const entries: SheetEntry[] = [
    ['Verification', view.id],
    ['Test', view.test ? 'TEST: simulated, no money was moved' : null],
    ['State', view.state === 'OPEN' ? `OPEN, asked ${ageOf(view, now)}` : view.state],
    ['Why', REVIEW_WORDS[view.reason].short],
    ['Payment', `${view.gateway_reference} ${view.payment_status} (${view.payment_reason})`],
    ['Brand', view.brand],
    ['Customer', view.cus_name],
    ['Owes', `${view.due} BDT${fee}${usdt}`],
    ['Says', `paid by ${view.channel}, ${view.reference}`],
    ['Said', claim === null ? null : minute(claim.created_at)],
    ['Wrote', view.customer_note?.replaceAll(/\s+/g, ' ') ?? null],
    ['Seen', seenText(view)],
    ['Came in', view.seen_at === null ? null : `${minute(view.seen_at)} on ${wallet}`],
    ['Told', view.seen_by],
    ['Slip', slipText(view)],
    ['Facts', view.state === 'OPEN' ? view.facts_version : null],
    [
      'Decided',
      view.decided_at === null ? null : `${minute(view.decided_at)} by ${view.decided_by ?? 'rule'}`,
    ],
    ['Note', view.decided_at === null ? null : (view.note ?? '')],
  ];
  const warned = warningLines(view);
  const lines = [
    ...formatKeyValues(entries),
    ...(warned.length === 0 ? [] : ['', ...warned]),
    ...smsLines(view),
    ...contraryLines(view),
    ...alikeLines(view),
  ];
  return view.state === 'OPEN' ? [...lines, '', ...adviceLines(view)] : lines;
}

/** A warning each, where nothing below says the same. */
function warningLines({ warnings, sms, contrary }: ReviewInFull, isAll = false): string[] {
  const isSaid = (warning: string) =>
    !isAll &&
    ((sms !== null && warning.startsWith(SMS_SUSPECT)) || (contrary !== null && warning === SAID_OTHERWISE));
  return warnings.filter((warning) => !isSaid(warning)).map((warning) => visible(`WARNING: ${warning}`));
}

/** Lines of the later message that contradicts the observed payment, unchanged. */
function contraryLines({ contrary }: ReviewInFull): string[] {
  if (contrary === null) return [];
  const body = contrary.body.split(/\r\n|[\r\n]/).slice(0, MAX_LINES);
  return [
    '',
    visible(`Later, ${contrary.sender} sent this about it:`),
    ...body.flatMap((line) => wrap(visible(line), WIDTH)).map((line) => `  ${line}`),
  ];
}

/** Lists credits with a similar reference: only the operator sees if it is one transfer spelled twice. */
function alikeLines({ looks_like }: ReviewInFull): string[] {
  if (looks_like.length === 0) return [];
  return [
    '',
    ...looks_like.map(({ reference, payment, credited_at }) =>
      visible(`Looks like ${reference}, credited to payment ${payment} on ${minute(credited_at)}.`),
    ),
    "Is it another transfer? Compare both with the bank's statement.",
  ];
}

/** Lines of the SMS text, followed by the reasons why it is suspicious. */
function smsLines({ sms }: ReviewInFull): string[] {
  if (sms === null) return [];
  return [
    '',
    visible(`SMS from ${sms.sender}:`),
    ...sms.body.split(/\r\n|[\r\n]/).map((line) => `  ${visible(line)}`),
    ...sms.reasons.map((reason) => `  - ${REASON_TEXTS[reason]}`),
  ];
}

function adviceLines(view: ReviewInFull): string[] {
  const { id, gateway_reference: payment } = view;
  if (view.payment_status === 'COMPLETED' && view.reason === 'disputed') {
    return [
      REVIEW_WORDS.disputed.long,
      '',
      `Payment ${payment} stays COMPLETED, whatever you decide; this closes the question.`,
      'If the money is still there:',
      `  kashbox verifications approve ${id} --note "it is in the balance"`,
      'If it was returned, settle it with the shop, then close it (JSON notifications sent it ' +
        'payment.disputed):',
      `  kashbox verifications reject ${id} --note "went back, order stopped"`,
    ];
  }
  if (view.payment_status === 'COMPLETED') {
    return [
      `Payment ${payment} is already completed by other money, so this cannot be approved.`,
      'If this came on top of it, give it back, then close it:',
      `  kashbox verifications reject ${id} --note "given back"`,
    ];
  }
  if (view.named_in !== null && isForgery(view.named_in)) {
    return [
      'The SMS that names this id is forged. If the money is not in the app of the wallet,',
      refusedText(view),
      `  kashbox verifications reject ${id} --note "forged SMS"`,
    ];
  }
  if (view.reason === 'already_credited') {
    return [
      REVIEW_WORDS.already_credited.long,
      `${REVIEW_WORDS.already_credited.refuse}, ${refusedText(view)}`,
      `  kashbox verifications reject ${id} --note "settled with both"`,
    ];
  }
  const credited = view.seen_amount ?? view.due;
  // Of a claim by the payer's number nothing but an operator says which push it is.
  const which =
    CHANNEL[view.channel].kind === 'push' && view.seen_at === null ? ' --reference REFERENCE' : '';
  const force = view.facts.some(({ level }) => level === 'warning') ? ' --force' : '';
  const back = view.payment_status === 'FAILED' ? ' It had failed before: notify the shop.' : '';
  return [
    REVIEW_WORDS[view.reason].long,
    ...(view.reason === 'overpaid' ? [`It is ${tooMuch(view)} too much.`] : []),
    '',
    isPart(view)
      ? `If the app shows the money, credit it as a part of ${credited} BDT.`
      : `If the money is there, complete the payment with ${credited} BDT.${back}`,
    `  kashbox verifications approve ${id}${which}${force} --note "seen in the app at 14:05"`,
    `${REVIEW_WORDS[view.reason].refuse}, ${refusedText(view)}`,
    `  kashbox verifications reject ${id} --note "no such money"`,
  ];
}

function refusedText({ payment_status: status }: ReviewView): string {
  return status === 'FAILED'
    ? 'refuse the claim; the payment stays failed.'
    : 'refuse the claim; the payment fails, unless another claim of it is open.';
}

function tooMuch(view: ReviewView): string {
  if (view.seen_usdt !== null && view.due_usdt !== null) {
    return `${formatUsdt((parseUsdt(view.seen_usdt) ?? 0n) - (parseUsdt(view.due_usdt) ?? 0n))} USDT`;
  }
  return `${subtract(view.seen_amount ?? view.due, view.due)} BDT`;
}

/** @returns the difference of two amounts in taka. */
function subtract(one: string, other: string): string {
  const [from, less] = [parseTaka(one), parseTaka(other)];
  return formatTaka(from.ok && less.ok ? from.paisa - less.paisa : 0);
}

/** What is due without a fee: of a payment in parts, the rest. */
const restOf = ({ due, fee }: ReviewView) => subtract(due, fee);

const isPart = ({ facts }: ReviewInFull) => facts.some(({ code }) => code === 'part');

export function approvedLines(view: ReviewInFull): string[] {
  const { gateway_reference: payment, cus_name: name } = view;
  const rest = view.payment_status === 'PENDING' ? `, and ${restOf(view)} BDT is still due` : '';
  if (view.reason === 'disputed' && view.payment_reason === 'credited') {
    return [visible(`Noted: payment ${payment} of ${name} stays COMPLETED.`)];
  }
  return [
    ...warningLines(view, true),
    visible(`Approved: payment ${payment} of ${name} is ${view.payment_status}${rest}.`),
    'The shop is notified, if its brand has an address; an open checkout page shows it within seconds.',
    ...(view.unseen ? [NOTHING_SEEN] : []),
    ...alikeLines(view),
  ];
}

export function rejectedLines(view: ReviewView): string[] {
  return [visible(`Rejected. ${afterRejection(view)}`)];
}

function afterRejection({
  payment_status: status,
  gateway_reference: payment,
  cus_name,
}: ReviewView): string {
  switch (status) {
    case 'FAILED':
      return `Payment ${payment} of ${cus_name} is FAILED; the customer may start again at the shop.`;
    case 'PENDING':
      return `Payment ${payment} waits for another claim: kashbox payments show ${payment}`;
    case 'COMPLETED':
      return `Payment ${payment} stays COMPLETED.`;
    default:
      return status satisfies never;
  }
}

interface ReasonTexts {
  /** A few words, for a list. */
  readonly short: string;
  /** Meaning of the reason, and what to check before deciding. */
  readonly long: string;
  /** Condition under which to reject the claim. */
  readonly refuse: string;
}

export const REVIEW_WORDS = {
  bank_transfer: {
    short: 'bank transfer',
    long: "No machine sees bank transfers. Look for this reference and amount in the bank's own app or statement.",
    refuse: 'If it is not there',
  },
  overpaid: {
    short: 'paid too much',
    long: 'More came in than the customer owes. Approve if the rest is settled between you and the customer.',
    refuse: 'If you give it all back',
  },
  contested: {
    short: 'whose transfer?',
    long: "It is not the exact amount of this payment and may be for another one; or this one was opened after the transfer; or it is claimed by a shop's order number, which others can guess. Ask the customer to show that they sent it.",
    refuse: 'If it is not theirs',
  },
  late: {
    short: 'paid too late',
    long:
      'The money came after the payment was over, and the shop was notified that it failed. Ask the ' +
      'shop first.',
    refuse: 'If you give it back',
  },
  late_claim: {
    short: 'late, not seen',
    long: 'The payment has expired; the customer says that they paid, but Kashbox has not seen the money. Look for it in the app of the wallet, the bank or the exchange.',
    refuse: 'If it is not there',
  },
  customer_asked: {
    short: 'customer asks',
    long: 'The customer says that they paid, but the money was not found or does not fit. Compare what came in, if anything, with what is due. If nothing was found, look for the ID in the app of the wallet, the bank or the exchange.',
    refuse: 'If the money is not there',
  },
  sms_doubtful: {
    short: 'SMS in doubt',
    long: "Something about the SMS is suspicious. Compare it with the wallet's own app before you approve.",
    refuse: 'If it is not there',
  },
  push_doubtful: {
    short: 'bank push in doubt',
    long: 'The bank has also contradicted this money, or another bank connection reported money with the same reference. See "kashbox pushes list", and check in the bank\'s statement whether it came, and whether it came twice.',
    refuse: 'If it is not there, or was counted before',
  },
  recipient_unknown: {
    short: 'number unknown',
    long: 'The phone did not report which of its numbers received the money. Find out which wallet it is in.',
    refuse: 'If it is in no wallet of this brand',
  },
  several_payers: {
    short: 'several payers fit',
    long: 'More than one payment of this amount fits the number that the customer gave. Find it with "kashbox pushes list --unmatched" and name it with --reference.',
    refuse: "If none is the customer's",
  },
  payer_unknown: {
    short: 'payer not shown',
    long: "Exactly this amount came by Bangla QR while only this payment requested it, but the SMS does not show who paid. Compare the payer's last digits or the time with what the customer's app shows.",
    refuse: 'If the customer cannot show it',
  },
  payer_differs: {
    short: 'other number paid',
    long: 'Exactly this amount came by Bangla QR, but the SMS shows other digits than those that the customer typed. Let the customer show which number or account paid.',
    refuse: 'If it is not theirs',
  },
  several_payments: {
    short: 'several payments fit',
    long: 'This amount came by Bangla QR while several open payments requested it, and the SMS does not show which customer paid. Let the customer show the transfer and its time.',
    refuse: 'If it is not theirs',
  },
  seen_by_operator: {
    short: 'found by you',
    long: 'There was no claim: an operator found the money in the account and assigned it to this payment.',
    refuse: 'If it is not there',
  },
  disputed: {
    short: 'went back?',
    long: "A later message says that this money was reversed, returned or another sum. Check in the wallet's or the bank's own app whether it is there.",
    refuse: 'If it went back',
  },
  already_credited: {
    short: 'given to another',
    long: 'The payer of this money named this payment, but an operator credited it to another one. "kashbox verifications show" says to which. Money pays for one order: settle it with both customers, and with the shop of the other payment.',
    refuse: 'Once that is settled',
  },
  claimed_before_payment: {
    short: 'claimed too early',
    long: 'The ID was claimed before the money moved, when nobody could know it, so it may have been guessed. Ask the customer to show the message or the app.',
    refuse: 'If the customer cannot show it',
  },
  opened_after_payment: {
    short: 'opened after payment',
    long: 'The money moved before this payment was opened, and only a few digits name its payer: they may have been guessed. Ask the customer to show the app.',
    refuse: 'If the customer cannot show it',
  },
  may_be_guessed: {
    short: 'may be guessed',
    long: 'The ID may have been guessed: many IDs without money were claimed for this price, or the money is a part, whose sum confirms nothing. Ask the customer to show the message or the app.',
    refuse: 'If the customer cannot show it',
  },
  other_merchant: {
    short: 'other merchant has it',
    long: 'Another merchant of this installation was credited with this money. Find out in whose account it is. If it is in this one, approve: it then counts for both.',
    refuse: "If it is in the other merchant's account",
  },
  amount_unknown: {
    short: 'amount unknown',
    long: "The amount in the SMS cannot be read safely. Look up in the wallet's own app what came in.",
    refuse: 'If it is too little',
  },
} as const satisfies Readonly<Record<ReviewReason, ReasonTexts>>;
