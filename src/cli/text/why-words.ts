/**
 * Explains each cause in a sentence, with next steps as commands to paste. Commands that decide contain a
 * placeholder for the operator's reason.
 */
import type { WhyAnswer } from '../../actions/why/explain.js';
import {
  formatMention,
  formatWarnings,
  isForgery,
  kindText,
  suggestCommands,
} from '../../actions/why/format-reasons.js';
import type { PaidBefore } from '../../actions/why/paid-twice.js';
import { factLines } from '../../actions/why/review-facts.js';
import { dhakaText } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { quoted } from '../../base/values/text.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { lastActive } from '../../domain/devices/device-state.js';
import type { Disagreement } from '../../domain/matching/matching.js';
import type {
  ClaimFacts,
  GapFacts,
  MoneyFacts,
  PaymentCase,
  PhoneFacts,
  RefundOfPayment,
  SentFacts,
} from '../../domain/why/cause.js';
import { type Cause, type CauseCode, findReviewMoney } from '../../domain/why/cause.js';
import { sentReasonText } from './refund-text.js';
import { REVIEW_WORDS } from './review-text.js';

export interface Saying {
  /** One or two sentences. */
  readonly says: string;
  /** Commands. */
  readonly next: readonly string[];
}

/** Placeholder, which is rejected if it is not replaced (actions/reviews/review-fields). */
const NOTE = '--note "WHY"';

const tk = (paisa: number | null) => (paisa === null ? 'an unknown amount' : `Tk ${formatTaka(paisa)}`);
const when = (ms: number) => dhakaText(ms).slice(0, 16);
const from = ({ payer }: MoneyFacts) => (payer === null ? '' : ` from ${payer}`);

/** `Tk 410.00 from 01912… came at 2026-08-21 12:35 as DKM4TYP001`. */
function came(money: MoneyFacts): string {
  const name = money.reference === null ? '' : ` as ${money.reference}`;
  return `${tk(money.amount_paisa)}${from(money)} came at ${when(money.at)}${name}`;
}

const unclaimed = (money: MoneyFacts) => `${came(money)} and no payment uses it.`;

/** Quotes the reference in the command: customers type it, and it must not run as a command. */
function approveBy({ payment }: PaymentCase, channel: PayChannel, reference: string): string {
  const named = `--channel ${channel} --reference=${quoted(reference)}`;
  return `kashbox verifications approve ${payment.gateway_reference} ${named} ${NOTE}`;
}

/** Gives the money to the payment. */
function approve(about: PaymentCase, { channel, reference }: MoneyFacts): string[] {
  return channel === null || reference === null ? [] : [approveBy(about, channel, reference)];
}

/**
 * Proposes to approve the money. Suspicious facts are listed, with the command to check them first.
 * @param isNumber true if the recipient's number is the cause, which alone is no reason to check first.
 */
function offer(says: string, about: PaymentCase, money: MoneyFacts, isNumber = false): Saying {
  const oddities = formatWarnings(money, about);
  const first =
    formatWarnings(money, isNumber ? undefined : about).length === 0 ? [] : suggestCommands(money);
  return { says: [says, ...oddities].join(' '), next: [...first, ...approve(about, money)] };
}

const APP = "Only the wallet's own app shows whether money came.";

/** Explains a message that has a claimed id but is not money. Never proposes approval of a forgery. */
function naming(reference: string, money: MoneyFacts): Saying {
  const says = formatMention(reference, money);
  return { says: isForgery(money) ? `${says} ${APP}` : says, next: suggestCommands(money) };
}

/** Explains why the money is suspicious, with the command that shows it. */
function oddly(reference: string, about: PaymentCase, money: MoneyFacts): Saying {
  if (money.settle === 'never') return naming(reference, money);
  const oddities = formatWarnings(money, about);
  return { says: oddities.join(' '), next: oddities.length === 0 ? [] : suggestCommands(money) };
}

/** A cause that is about a payment. @param now milliseconds since the epoch */
export function explainCause(cause: Cause, about: PaymentCase, now: number): Saying {
  const saying = (SAYINGS[cause.code] as SayCause<CauseCode>)(cause, about, now);
  const { status, reason, closed_at, expires_at } = about.payment;
  const hasEnded = status === 'FAILED' && cause.code !== 'rejected';
  const ended = `The payment has ${FAILED_WORDS[reason] ?? 'failed'} at ${when(closed_at ?? expires_at)}.`;
  const parts = explainParts(about);
  const refunds = about.refunds.filter(({ state }) => state !== 'CANCELLED');
  const says = [saying.says, parts.says, hasEnded ? ended : '', ...refunds.map(refundText)];
  const pending = refunds.filter(({ state }) => state === 'PENDING');
  return {
    says: says.filter((text) => text !== '').join(' '),
    next: [...saying.next, ...parts.next, ...pending.map(({ id }) => `kashbox refunds show ${id}`)],
  };
}

/** What has come in parts; of an ended payment it belongs to the customer. */
function explainParts({ payment, credits, refunds }: PaymentCase): Saying {
  const { status, amount_paisa, due_paisa, gateway_reference: named, paid_paisa } = payment;
  if (credits.length === 0 || (status === 'COMPLETED' && credits.length === 1)) return { says: '', next: [] };
  const each = credits.map((credit) => `${tk(credit.amount_paisa)} by ${credit.channel} ${credit.reference}`);
  const came = `It was paid in parts: ${each.join(', ')}.`;
  if (status === 'COMPLETED') return { says: came, next: [] };
  const due = `${came} ${tk(due_paisa)} of ${tk(amount_paisa)} ${status === 'PENDING' ? 'is due' : 'was not paid'}.`;
  if (status === 'PENDING') return { says: due, next: [] };
  const returned = refunds.filter(({ state }) => state !== 'CANCELLED');
  const isLeft = returned.reduce((sum, refund) => sum + refund.amount_paisa, 0) < paid_paisa;
  return isLeft
    ? { says: `${due} The money is the customer's.`, next: [`kashbox refunds create ${named} ${NOTE}`] }
    : { says: due, next: [] };
}

function refundText({ state, amount_paisa, payee, shown, channel, reference }: RefundOfPayment): string {
  const to = payee ?? shown ?? 'the customer';
  const by = CHANNEL[channel].name.en;
  if (state === 'COMPLETED') return `${tk(amount_paisa)} was sent back to ${to} as ${reference}.`;
  return payee === null
    ? `${tk(amount_paisa)} is to be sent back by ${by}, but the complete number of ${to} is not known yet.`
    : `A refund is waiting: send ${tk(amount_paisa)} by ${by} to ${payee}.`;
}

const FAILED_WORDS: Readonly<Record<string, string>> = {
  expired: 'expired',
  cancelled: 'been cancelled',
  rejected: 'been rejected',
};

type SayCause<C extends CauseCode> = (
  cause: Extract<Cause, { readonly code: C }>,
  about: PaymentCase,
  now: number,
) => Saying;

const show = ({ payment }: PaymentCase) => `kashbox payments show ${payment.gateway_reference}`;

export const explainGap = ({ recipient, missing_paisa }: GapFacts): Saying => ({
  says: `The balances of ${recipient} show that ${tk(missing_paisa)} came in, but its SMS never reached Kashbox.`,
  next: ['kashbox gaps list', 'kashbox devices list'],
});

const SAYINGS: { readonly [C in CauseCode]: SayCause<C> } = {
  credited: (_, about) => {
    const { channel, transaction_id, paid_paisa, closed_at } = about.payment;
    const isInParts = about.credits.length > 1;
    const by = channel === null || isInParts ? '' : ` by ${channel}, transaction ${transaction_id}`;
    const at = closed_at === null ? '' : `, at ${when(closed_at)}`;
    return { says: `It is credited: ${tk(paid_paisa)}${by}${at}.`, next: [show(about)] };
  },
  // Its parts follow.
  paid_in_part: (_, about) => ({ says: '', next: [show(about)] }),
  under_review: ({ review }, about) => {
    const { id, reason, reference } = review;
    const money = findReviewMoney(about, review);
    const words = Object.entries(REVIEW_WORDS).find(([name]) => name === reason)?.[1];
    const decide = (word: string) => `kashbox verifications ${word} ${id}`;
    const waits = `It waits for your decision: ${words?.short ?? reason}.`;
    const [shown, rejected] = [decide('show'), `${decide('reject')} ${NOTE}`];
    const { facts = [] } = review;
    // What the sentences say by themselves is not said twice.
    const withFacts = (said: string) =>
      [said, ...factLines(facts.filter(({ text }) => !said.includes(text)))].join(' ');
    const force = facts.some(({ level }) => level === 'warning') ? ' --force' : '';
    if (money !== null && isForgery(money)) {
      const { says, next } = naming(reference, money);
      return { says: withFacts(`${waits} ${says}`), next: [shown, ...next, rejected] };
    }
    const says = [waits, ...(words === undefined ? [] : [words.long])].join(' ');
    const { says: odd, next } = money === null ? { says: '', next: [] } : oddly(reference, about, money);
    return {
      says: withFacts(`${says} ${odd}`.trim()),
      next: [shown, ...next, `${decide('approve')}${force} ${NOTE}`, rejected],
    };
  },
  disagrees: ({ about: what, claim, money }, about) => disagreement(what, claim, money, about),
  already_credited: ({ claim, money }, { payment }) => {
    const other = money?.payment ?? null;
    const to = other === null ? 'another payment' : `payment ${other}`;
    return {
      says: `The customer claims ${claim.reference}, but that money has already paid ${to}.`,
      next: [`kashbox payments show ${other ?? payment.gateway_reference}`],
    };
  },
  rejected: ({ claim }, about) => ({
    says: `An operator has rejected the claim of ${claim.reference}.`,
    next: [show(about)],
  }),
  other_channel: ({ claim, money }, about) => {
    const says = `${came(money)} by ${money.channel}; the customer claims it as ${claim.channel}.`;
    return money.payment === null ? offer(says, about, money) : { says, next: [show(about)] };
  },
  no_money: ({ claim, money }, about) => {
    const { says, next } = naming(claim.reference, money);
    return { says, next: isForgery(money) ? [...next, show(about)] : next };
  },
  waiting: ({ claim }, about) => ({
    says: `The claim of ${claim.reference} is checked again automatically: ${waitText(claim)}.`,
    next: [...(CHANNEL[claim.channel].kind === 'pull' ? ['kashbox nodes check'] : []), show(about)],
  }),
  one_letter: ({ claim, money }, about) => {
    const due = money.amount_paisa === claim.due_paisa ? '' : `, and ${tk(claim.due_paisa)} is due`;
    const wrote = `The customer wrote ${claim.reference}, which is nearly the same${due}.`;
    return offer(`${unclaimed(money)} ${wrote}`, about, money);
  },
  same_amount: ({ claim, money }, about) => {
    const wrote = claim === null ? 'has given no transaction id' : `wrote ${claim.reference}`;
    const ask = `The customer of this payment ${wrote}. Ask which id their message shows.`;
    return offer(`${unclaimed(money)} ${ask}`, about, money);
  },
  weak_money: ({ money }, about) => {
    const says =
      'Its SMS does not show who paid, and nothing else shows that it was this customer. Compare the time and ' +
      "the last digits of the number with the customer's app.";
    return offer(`${unclaimed(money)} ${says}`, about, money);
  },
  unread_text: ({ money }) => ({
    says:
      `No format matches an SMS of ${money.channel} that came at ${when(money.at)}. ` +
      'It may be this money in a new wording.',
    next: [`kashbox sms show ${money.id}`, 'kashbox sms list --unparsed'],
  }),
  missed_sms: ({ gap }) => explainGap(gap),
  no_phone: ({ number }) => ({
    says: `No phone reads the SMS of ${number}, so Kashbox does not see payments to it.`,
    next: ['kashbox devices list', 'kashbox devices enroll --help'],
  }),
  phone_problem: ({ phone }, _, now) => ({
    says: `Kashbox has not seen it, and ${phoneText(phone, now)}.`,
    next: [`kashbox devices show ${quoted(phone.name)}`],
  }),
  not_seen: ({ claim: { channel, reference } }, about) => ({
    says:
      `The customer claims ${reference} by ${channel}, but Kashbox has not seen it. ` +
      `${LOOK[CHANNEL[channel].kind]}`,
    next: [approveBy(about, channel, reference)],
  }),
  nothing_claimed: (_, about) => ({
    says: 'The customer has given no transaction id, and there is no unclaimed money of this amount.',
    next: [show(about), 'kashbox sms list --unmatched'],
  }),
};

/** Advice on where to check for money that Kashbox has not observed. */
const LOOK: Readonly<Record<(typeof CHANNEL)[PayChannel]['kind'], string>> = {
  sms: "Look in the wallet's own app; if it is there, approve it.",
  push: "Look in the bank's statement; if it is there, approve it.",
  pull: 'Look in a block explorer or at the exchange; if it is there, approve it.',
  manual: "Look in the bank's own app or statement; if it is there, approve it.",
};

const WAIT_WORDS: Readonly<Record<string, string>> = {
  not_final: 'the transfer was seen, but is not final yet',
  not_asked_yet: 'it has not been looked up yet',
  held: 'the money has arrived; some seconds are needed to make sure that nobody has guessed the id',
};

const waitText = ({ reason }: ClaimFacts) => WAIT_WORDS[reason] ?? reason.replaceAll('_', ' ');

function disagreement(
  what: Disagreement,
  claim: ClaimFacts,
  money: MoneyFacts | null,
  about: PaymentCase,
): Saying {
  const { payment, accounts, window_hours } = about;
  const seen = money === null ? `The customer claims ${claim.reference}.` : `${came(money)}.`;
  const give = (says: string): Saying =>
    money === null ? { says, next: [show(about)] } : offer(says, about, money, what === 'recipient');
  const list = `kashbox accounts list --brand ${quoted(payment.brand)}`;
  switch (what) {
    case 'amount': {
      const paid = money?.amount_paisa ?? null;
      const lacks = paid === null ? '' : `: ${tk(claim.due_paisa - paid)} is missing`;
      const { says, next } = give(`${seen} ${tk(claim.due_paisa)} is due${lacks}.`);
      const decides = next.map((line) => (line.includes(' approve ') ? `${line} --accept-less` : line));
      return { says, next: money === null ? decides : [...decides, show(about)] };
    }
    case 'recipient': {
      const to = money?.recipient ?? 'another number';
      const isOwn = accounts.some(({ channel, number }) => channel === claim.channel && number === to);
      const then = `It was received on ${to}, which was not a number of ${payment.brand} at that time.`;
      const { says, next } = give(money?.recipient == null || isOwn ? `${seen} ${then}` : seen);
      return { says, next: [...next, list] };
    }
    case 'account_type': {
      const kind = money === null ? 'of a kind' : kindText(money.kind);
      return { says: `${seen} It is ${kind}, which does not fit the type of that account.`, next: [list] };
    }
    case 'time': {
      const opened = when(payment.created_at);
      return give(
        `${seen} That is more than ${window_hours} hours before the payment was opened at ${opened}.`,
      );
    }
    case 'other_payment':
      return { says: `${seen} Its amount is exactly that of another open payment.`, next: [show(about)] };
    case 'failed':
    case 'token':
    case 'currency':
    case 'not_incoming':
      return { says: `${seen} ${NO_MONEY_WORDS[what]}`, next: [show(about)] };
    default:
      return what satisfies never;
  }
}

const NO_MONEY_WORDS = {
  failed: 'The transaction failed and has moved no money.',
  token: 'The transaction moves no USDT of the official contract.',
  currency: 'The payment was not made in USDT.',
  not_incoming: 'The transaction is not an incoming payment.',
} as const;

/** Explains money, or a message that is not money, without a payment. */
export function explainMoney({
  money,
  claimed,
  candidates,
  paid,
  refund,
}: Extract<WhyAnswer, { readonly kind: 'money' }>): Saying {
  if (money.sent !== undefined) return explainSent(money, money.sent);
  if (money.settle === 'never') {
    if (money.source === 'sms') return naming(money.reference ?? 'it', money);
    const says = `A push with it came at ${when(money.at)}, but it is not settled money.`;
    return { says, next: ['kashbox pushes list'] };
  }
  if (refund !== null) {
    return { says: `${came(money)}. ${refundText(refund)}`, next: [`kashbox refunds show ${refund.id}`] };
  }
  if (money.closed !== null) {
    const says = `${came(money)} but settles no payment: it was closed with the note "${money.closed}".`;
    return { says, next: [`kashbox sms show ${money.id}`, `kashbox sms reopen ${money.id} ${NOTE}`] };
  }
  const [first] = candidates;
  const open =
    first === undefined
      ? 'No open payment has this amount.'
      : `${candidates.length === 1 ? 'One payment has' : `${candidates.length} payments have`} this amount.`;
  const by = claimed.length === 1 ? `payment ${claimed[0]}` : `payments ${claimed.join(', ')}`;
  const used =
    claimed.length === 0
      ? unclaimed(money)
      : `${came(money)} and has paid nothing. It was claimed for ${by} without success.`;
  const oddities = formatWarnings(money, first);
  const before = explainPaidBefore(paid, money);
  return {
    says: [used, ...(paid === null ? [] : [before.says]), open, ...oddities].join(' '),
    next: [
      ...(paid === null ? [] : [`kashbox payments show ${paid.payment}`]),
      ...(oddities.length === 0 ? [] : suggestCommands(money)),
      ...candidates.flatMap((about) => approve(about, money)),
      ...before.next,
    ],
  };
}

/** What it means that the payer has paid the same amount before. */
function explainPaidBefore(paid: PaidBefore | null, { channel, reference, id }: MoneyFacts): Saying {
  if (paid === null || channel === null || reference === null) return { says: '', next: [] };
  const same = `The same payer has paid this amount for payment ${paid.payment}`;
  if (paid.isOpen) {
    const named = `--channel ${channel} --reference=${quoted(reference)}`;
    return {
      says: `${same}, of which a rest is due: this may be its next part.`,
      next: [`kashbox verifications approve ${paid.payment} ${named} ${NOTE}`],
    };
  }
  return {
    says: `${same}, so probably paid twice.`,
    next: [
      `kashbox refunds create ${reference} --note "paid twice"`,
      `kashbox sms close ${id} --as other ${NOTE}`,
    ],
  };
}

/** Money that went out: to which refund it belongs, or that it fits none. */
function explainSent(money: MoneyFacts, sent: SentFacts): Saying {
  const { payee, refund, payment, reason, closed_as, closed_note } = sent;
  const went = `${tk(money.amount_paisa)} was sent to ${payee} at ${when(money.at)} as ${money.reference}`;
  if (refund !== null) {
    const of = payment === null ? 'money without a payment' : `payment ${payment}`;
    return { says: `${went}: it completed a refund of ${of}.`, next: [`kashbox refunds show ${refund}`] };
  }
  if (closed_as !== null) return { says: `${went}. It was closed with the note "${closed_note}".`, next: [] };
  const why = reason === null ? '' : ` ${sentReasonText(reason)}`;
  return {
    says: `${went} and completed no refund.${why}`,
    next: ['kashbox refunds list --pending', `kashbox sms close ${money.id} --as own ${NOTE}`],
  };
}

export function phoneText({ name, state, last_seen_at, problem, queued }: PhoneFacts, now: number): string {
  if (state !== 'ONLINE') {
    const silent = last_seen_at === null ? null : lastActive(last_seen_at, now);
    return `phone "${name}" ${silent === null ? 'has never called' : `has been silent for ${silent}`}`;
  }
  if (problem !== null) return `phone "${name}" reports: ${problem}`;
  return `phone "${name}" still holds ${queued ?? 0} SMS`;
}
