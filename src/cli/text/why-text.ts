/** Answers of `kashbox why`: facts for scripts; for people a sentence, what it rests on, and what to type. */
import type { Why, WhyAnswer } from '../../actions/why/explain.js';
import { visible } from '../../base/values/cells.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import type {
  ClaimFacts,
  GapFacts,
  MoneyFacts,
  PaymentCase,
  PaymentFacts,
  PhoneFacts,
} from '../../domain/why/facts.js';
import { type Entry, sheet } from './table.js';
import { sayCause, sayMoney, sayNothing } from './why-words.js';

const taka = (paisa: number | null) => (paisa === null ? null : formatTaka(paisa));
const iso = (ms: number | null) => (ms === null ? null : dhakaIso(ms));

function paymentView(payment: PaymentFacts) {
  const { amount_paisa, paid_paisa, created_at, expires_at, closed_at, ...same } = payment;
  return {
    ...same,
    amount: taka(amount_paisa),
    paid: taka(paid_paisa),
    created_at: iso(created_at),
    expires_at: iso(expires_at),
    closed_at: iso(closed_at),
  };
}

function claimView({ due_paisa, created_at, ...same }: ClaimFacts) {
  return { ...same, due: taka(due_paisa), created_at: iso(created_at) };
}

function moneyView({ amount_paisa, at, stored_at, ...same }: MoneyFacts) {
  return { ...same, amount: taka(amount_paisa), at: iso(at), stored_at: iso(stored_at) };
}

function gapView({ missing_paisa, found_at, ...same }: GapFacts) {
  return { ...same, missing: taka(missing_paisa), found_at: iso(found_at) };
}

function phoneView({ last_seen_at, ...same }: PhoneFacts) {
  return { ...same, last_seen_at: iso(last_seen_at) };
}

/** Where there is nothing of a kind, its list is empty. */
function caseView(about: PaymentCase) {
  return {
    payment: paymentView(about.payment),
    claims: about.claims.map(claimView),
    reviews: about.reviews,
    money: about.money.map(moneyView),
    gaps: about.gaps.map(gapView),
    phones: about.phones.map(phoneView),
  };
}

const NOTHING = { payment: null, claims: [], reviews: [], money: [], gaps: [], phones: [] };

function answerView(answer: WhyAnswer, now: number) {
  switch (answer.kind) {
    case 'payment':
      return {
        cause: answer.cause.code === 'disagrees' ? answer.cause.about : answer.cause.code,
        ...sayCause(answer.cause, answer.about, now),
        ...caseView(answer.about),
      };
    case 'money':
      return {
        cause: answer.money.settle === 'never' ? ('no_money' as const) : ('unclaimed' as const),
        ...sayMoney(answer.money, answer.candidates),
        ...NOTHING,
        money: [moneyView(answer.money)],
      };
    case 'nothing':
      return {
        cause: 'never_seen' as const,
        ...sayNothing(answer.phones, now),
        ...NOTHING,
        phones: answer.phones.map(phoneView),
      };
    default:
      return answer satisfies never;
  }
}

export type WhyView = ReturnType<typeof whyView>;

/** @param now milliseconds since the epoch */
export function whyView({ question, since, answers }: Why, now: number) {
  return {
    question: question.text,
    since: dhakaIso(since),
    answers: answers.map((answer) => answerView(answer, now)),
  };
}

export function whyLines({ answers }: WhyView): string[] {
  return answers.flatMap((answer, at) => [...(at === 0 ? [] : ['']), ...answerLines(answer)]);
}

type AnswerView = WhyView['answers'][number];

function answerLines(answer: AnswerView): string[] {
  const { payment, claims, money, says, next } = answer;
  const rests: Entry[] = [
    ...(payment === null ? [] : [['Payment', paymentLine(payment)] as const]),
    ...claims.map(({ channel, reference, state, created_at }): Entry => {
      return ['Claim', `${channel} ${reference}, ${state.toLowerCase()}, ${minuteOf(created_at)}`];
    }),
    ...money.slice(0, MAX_MONEY).map((one): Entry => ['Money', moneyLine(one)]),
  ];
  return [
    ...(payment === null ? [] : [`${payment.gateway_reference}  ${payment.status}`]),
    visible(says),
    '',
    ...sheet(rests).map((line) => `  ${line}`),
    ...next.map((line) => `  ${visible(`Next: ${line}`)}`),
  ];
}

/** More lines of money hide the sentence. */
const MAX_MONEY = 4;

const minuteOf = (text: string | null) => (text ?? '').slice(0, 16).replace('T', ' ');

function paymentLine(payment: NonNullable<AnswerView['payment']>): string {
  const { amount, brand, cus_name, created_at } = payment;
  return `Tk ${amount} for ${brand}, ${cus_name}, opened ${minuteOf(created_at)}`;
}

function moneyLine(money: AnswerView['money'][number]): string {
  const parts = [
    money.amount === null ? null : `Tk ${money.amount}`,
    money.reference,
    money.payer === null ? null : `from ${money.payer}`,
    money.recipient === null ? null : `to ${money.recipient}`,
    minuteOf(money.at),
    money.device === null ? null : `by ${money.device}`,
    money.payment === null ? 'unclaimed' : `paid ${money.payment}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
