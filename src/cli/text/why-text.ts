/** Answers of `kashbox why`: facts for scripts; for people a sentence, what it rests on, and what to type. */
import type { SheetEntry } from '../../actions/input/view.js';
import type { Why, WhyAnswer } from '../../actions/why/explain.js';
import { kindText } from '../../actions/why/format-reasons.js';
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
} from '../../domain/why/cause.js';
import { findReviewMoney } from '../../domain/why/cause.js';
import { isNearly } from '../../domain/why/naming.js';
import { formatKeyValues } from './table.js';
import { explainCause, explainGap, explainMoney, phoneText, type Saying } from './why-words.js';

const taka = (paisa: number | null) => (paisa === null ? null : formatTaka(paisa));
const iso = (ms: number | null) => (ms === null ? null : dhakaIso(ms));

function paymentView(payment: PaymentFacts) {
  const { amount_paisa, paid_paisa, due_paisa, created_at, expires_at, closed_at, ...same } = payment;
  return {
    ...same,
    amount: taka(amount_paisa),
    /** Null while nothing has come. */
    paid: paid_paisa === 0 ? null : taka(paid_paisa),
    due: taka(due_paisa),
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

function caseView(about: PaymentCase) {
  return {
    payment: paymentView(about.payment),
    claims: about.claims.map(claimView),
    reviews: about.reviews,
    credits: about.credits.map(({ amount_paisa, at, ...same }) => ({
      ...{ ...same, amount: taka(amount_paisa), at: iso(at) },
    })),
    refunds: about.refunds.map(({ amount_paisa, ...same }) => ({ ...same, amount: taka(amount_paisa) })),
    money: about.money.map(moneyView),
    gaps: about.gaps.map(gapView),
    phones: about.phones.map(phoneView),
  };
}

/** Sorts money: the cause's transaction, claimed money, other money, messages without a readable amount. */
function byWeight({ claims }: PaymentCase, own: string | null) {
  const weight = ({ id, reference, amount_paisa }: MoneyFacts) => {
    if (id === own) return 0;
    if (reference !== null && claims.some((claim) => claim.reference === reference)) return 1;
    return amount_paisa === null ? 3 : 2;
  };
  return (one: MoneyFacts, other: MoneyFacts) => weight(one) - weight(other);
}

/** @param now milliseconds since the epoch */
function sayNothing(phones: readonly PhoneFacts[], now: number): Saying {
  const failing = phones.filter(({ state, problem }) => state !== 'ONLINE' || problem !== null);
  if (phones.length === 0) {
    return {
      says: 'Kashbox does not know it, and no phone is enrolled that could relay SMS.',
      next: ['kashbox devices enroll --help'],
    };
  }
  const about =
    failing.length === 0
      ? `${phones.length === 1 ? 'The phone is' : `All ${phones.length} phones are`} online.`
      : `${failing.map((phone) => phoneText(phone, now)).join('; ')}.`;
  return {
    says:
      'Kashbox does not know it: no payment, claim, SMS or push. ' +
      `${about.charAt(0).toUpperCase()}${about.slice(1)}`,
    next: ['kashbox devices list', 'kashbox sms list --unmatched'],
  };
}

const NOTHING = {
  ...{ payment: null, claims: [], reviews: [], credits: [], refunds: [] },
  ...{ money: [], gaps: [], phones: [] },
};

function answerView(answer: WhyAnswer, now: number) {
  switch (answer.kind) {
    case 'payment': {
      const { cause, about } = answer;
      const reviewed = cause.code === 'under_review' ? findReviewMoney(about, cause.review) : null;
      const own = 'money' in cause ? cause.money : reviewed;
      return {
        cause: cause.code === 'disagrees' ? cause.about : cause.code,
        ...explainCause(cause, about, now),
        ...caseView({ ...about, money: [...about.money].sort(byWeight(about, own?.id ?? null)) }),
      };
    }
    case 'money':
      return {
        cause: causeOfMoney(answer.money),
        ...explainMoney(answer),
        ...NOTHING,
        money: [moneyView(answer.money)],
      };
    case 'gap':
      return {
        cause: 'missed_sms' as const,
        ...explainGap(answer.gap),
        ...NOTHING,
        gaps: [gapView(answer.gap)],
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

function causeOfMoney({ settle, closed, sent }: MoneyFacts) {
  if (sent !== undefined) return 'sent';
  if (settle === 'never') return 'no_money';
  return closed === null ? 'unclaimed' : 'closed';
}

export type WhyView = ReturnType<typeof whyView>;

/** @param now milliseconds since the epoch */
export function whyView({ question, since, answers }: Why, now: number) {
  const isId = question.paisa === null && question.phone === null;
  const isKnown = answers.some((answer) => idsIn(answer).some((id) => isSame(id, question.text)));
  return {
    question: question.text,
    since: dhakaIso(since),
    answers: answers.map((answer) => {
      const view = answerView(answer, now);
      const near = isKnown || !isId ? undefined : idsIn(answer).find((id) => isNearly(id, question.text));
      const says = [...sayNear(question.text, near), view.says, ...sayOther(question.text, answer)].join(' ');
      return { ...view, says };
    }),
  };
}

const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();

/** Ids by which the question can refer to this answer. */
function idsIn(answer: WhyAnswer): string[] {
  if (answer.kind === 'nothing' || answer.kind === 'gap') return [];
  const money = answer.kind === 'money' ? [answer.money] : answer.about.money;
  const references = money.flatMap(({ reference }) => (reference === null ? [] : [reference]));
  if (answer.kind === 'money') return references;
  const { payment, claims, reviews } = answer.about;
  const own = [payment.id, payment.gateway_reference, payment.transaction_id ?? ''];
  return [...references, ...own, ...[...claims, ...reviews].map(({ reference }) => reference)];
}

function sayNear(asked: string, near: string | undefined): string[] {
  return near === undefined ? [] : [`Kashbox does not know ${asked}; ${near} is nearly the same.`];
}

/** Adds a sentence if the question names, exactly or nearly, a claim that did not pay a credited payment. */
function sayOther(asked: string, answer: WhyAnswer): string[] {
  if (answer.kind !== 'payment' || answer.cause.code !== 'credited') return [];
  const { payment, claims } = answer.about;
  const isAsked = (id: string | null) => id !== null && (isSame(id, asked) || isNearly(id, asked));
  const claim = claims.find(({ reference }) => isAsked(reference));
  if (claim === undefined || isAsked(payment.transaction_id)) return [];
  return [`${claim.reference} was also claimed for it, but has not paid it.`];
}

export function whyLines({ answers }: WhyView): string[] {
  return answers.flatMap((answer, at) => [...(at === 0 ? [] : ['']), ...answerLines(answer)]);
}

type AnswerView = WhyView['answers'][number];

function answerLines(answer: AnswerView): string[] {
  const { payment, claims, money, says, next } = answer;
  const rests: SheetEntry[] = [
    ...(payment === null ? [] : [['Payment', paymentLine(payment)] as const]),
    ...claims.map(({ channel, reference, state, created_at }): SheetEntry => {
      return ['Claim', `${channel} ${reference}, ${state.toLowerCase()}, ${minuteOf(created_at)}`];
    }),
    ...money.slice(0, MAX_MONEY).map((one): SheetEntry => ['Money', moneyLine(one)]),
  ];
  return [
    ...(payment === null ? [] : [`${payment.gateway_reference}  ${payment.status}`]),
    visible(says),
    '',
    ...formatKeyValues(rests).map((line) => `  ${line}`),
    ...next.map((line) => `  ${visible(`Next: ${line}`)}`),
  ];
}

/** Maximum number of money lines; more would distract from the explanation. */
const MAX_MONEY = 4;

const minuteOf = (text: string | null) => (text ?? '').slice(0, 16).replace('T', ' ');

function paymentLine(payment: NonNullable<AnswerView['payment']>): string {
  const { amount, brand, cus_name, created_at } = payment;
  return `Tk ${amount} for ${brand}, ${cus_name}, opened ${minuteOf(created_at)}`;
}

function stateOf({ payment, settle, kind, closed, sent }: AnswerView['money'][number]): string {
  if (sent !== undefined) return `sent to ${sent.payee}`;
  if (payment !== null) return `paid ${payment}`;
  if (closed !== null) return 'closed';
  if (settle === 'never') return `no money: ${kindText(kind)}`;
  return settle === 'auto' ? 'unclaimed' : 'unclaimed, needs review';
}

function moneyLine(money: AnswerView['money'][number]): string {
  const parts = [
    money.amount === null ? null : `Tk ${money.amount}`,
    money.reference,
    money.payer === null ? null : `from ${money.payer}`,
    money.recipient === null ? null : `${money.sent === undefined ? 'to' : 'from'} ${money.recipient}`,
    minuteOf(money.at),
    money.device === null ? null : `by ${money.device}`,
    stateOf(money),
  ];
  return parts.filter((part) => part !== null).join(', ');
}
