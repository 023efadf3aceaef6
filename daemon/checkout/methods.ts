/** Cards of the payment methods: for each channel the ways to pay, the form, the problem with its input. */
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/sessions/load-checkout.js';
import { CHANNEL } from '../../src/domain/accounts/channels.js';
import { PAGE_SCENARIOS } from '../../src/domain/accounts/test-accounts.js';
import { type FilledPage, NOTHING_DUE } from './figures.js';
import { markPath } from './look.js';
import type { Problem } from './page.js';
import {
  bankField,
  goalText,
  isAboutSlip,
  isByReference,
  problemText,
  proofField,
  reviewFormContext,
  walletIdName,
} from './proof-input.js';
import type { Texts } from './texts/en.js';
import { type CopyItem, isPaidByHand, listPaymentOptions, type PaymentOption, sameItem } from './ways.js';

const BANK_DETAILS = ['bank_name', 'holder', 'number', 'branch', 'routing'] as const;

/** Methods that this page can explain; what it does not know how to pay to is not offered. */
export const displayableMethods = (methods: readonly CheckoutMethod[]) => methods.filter(isExplained);

function isExplained({ channel, usdt, isUnquoted, accounts, code }: CheckoutMethod): boolean {
  const row = CHANNEL[channel];
  switch (row.kind) {
    case 'push':
      return code !== undefined;
    case 'pull':
      return (usdt !== null || isUnquoted === true) && accounts.some((account) => isPaidByHand(row, account));
    case 'sms':
    case 'manual':
      return true;
    default:
      return row satisfies never;
  }
}

/**
 * @param canSend false if no more money should be sent: the forms are shown without the steps.
 * @param openChannel channel of the card that is open at first, or null.
 */
export function methodContext(
  page: FilledPage,
  texts: Texts,
  method: CheckoutMethod,
  canSend: boolean,
  openChannel: string | null,
) {
  const { channel, accounts, feePaisa } = method;
  const row = CHANNEL[channel];
  const { path, paymentReference } = page.figures;
  const due = page.figures.due[channel] ?? NOTHING_DUE;
  const problem = page.problem?.channel === channel ? page.problem : null;
  const isWaiting = page.checkout.state === 'waiting';
  const isFolded = canSend && (problem !== null || isWaiting);
  /** False while a claim waits: the customer has paid, and a price would look like another request. */
  const isPriced = canSend && !isWaiting && !hasSent(page.problem);
  const hasFee = isPriced && feePaisa > 0;
  const card = {
    channel,
    mark: row.mark,
    /** Address of the operator's own picture in place of the mark, or null. */
    picture: markPath(page.checkout.look, channel, page.base),
    isOpen: channel === openChannel,
    /** True after the customer has done the steps: then only the form matters. */
    isFolded,
    /** Amount due on this channel, and its fee; null if the page's amount applies or no price is shown. */
    total: hasFee || (isPriced && row.kind === 'pull') ? due.total : null,
    fee: hasFee ? texts.feeIncluded(due.fee) : null,
  };
  if (method.isUnquoted) {
    const { askText, askButton } = texts.usdt;
    return {
      ...{ ...card, total: null, kind: 'quote' as const, name: texts.channels[channel] },
      ...{ action: `${path}/quote`, text: askText, button: askButton },
      problem: problem === null ? null : problemText(texts, problem),
    };
  }
  const isWhole = row.kind !== 'pull';
  const amount: CopyItem = {
    ...{ label: texts.theAmount, shown: due.total, value: due.copied, isWhole },
    chip: texts.exactly,
  };
  if (row.kind === 'manual') {
    const shown = canSend ? accounts.map((account) => bankItems(texts, account, amount)) : [];
    const field = bankField(texts, problem, canSend && !isFolded);
    return { ...card, ...bankContext(page, texts, problem), accounts: shown, field };
  }
  const reference = page.checkout.paymentReference === null ? null : paymentReference;
  const facts = { texts, accounts, due, amount, reference, codes: `${path}/qr` };
  const ways = canSend ? listPaymentOptions(row, facts) : [];
  const isByHand = !isFolded && goesByItself(ways);
  const asked = isByReference(problem) ? null : problem;
  const field = proofField(texts, row, asked, canSend && !isFolded && !isByHand);
  return {
    ...card,
    kind: 'ways' as const,
    name: texts.channels[channel],
    action: `${path}/claim`,
    ways,
    play: page.checkout.isTest && canSend ? playOf(texts, channel, `${path}/play`) : null,
    ask: askOfProblem(page, texts, problem, due.total),
    field,
    /** Title of the folded form; null where the form is to be seen. */
    byHand: isByHand ? texts.idByHand(walletIdName(channel)) : null,
    trust: canSend && row.kind === 'sms' ? texts.trust(texts.channels[channel]) : null,
    goal: problem?.kind === 'disagrees' && problem.about === 'recipient' ? goalText(texts, method) : null,
  };
}

function bankContext({ figures, checkout }: FilledPage, texts: Texts, problem: Problem | null) {
  return {
    kind: 'bank' as const,
    name: texts.channels.bank,
    action: `${figures.path}/bank`,
    note: sameItem(texts.paymentNo, figures.paymentNo),
    reviewText: texts.bankReview(checkout.brand.name),
    slipProblem: isAboutSlip(problem) ? problemText(texts, problem) : null,
  };
}

/** Disagreements that only the seller can resolve; for others another id may be the right one. */
const FOR_SELLER: readonly string[] = ['amount', 'recipient', 'account_type', 'currency'];

/** True if the customer has sent money, though not as due: the page must not request it again. */
export function hasSent(problem: Problem | null): boolean {
  if (problem?.kind === 'disagrees') return problem.about !== 'failed';
  return problem?.kind === 'already_credited';
}

/** Form for the seller's review, for problems in which the customer may be right; null for others. */
function askOfProblem(page: FilledPage, texts: Texts, problem: Problem | null, due: string) {
  if (problem?.kind !== 'disagrees' && problem?.kind !== 'already_credited') return null;
  const { channel, typed } = problem;
  const isNamed = isByReference(problem);
  const isAmount = problem.kind === 'disagrees' && problem.about === 'amount' && !isNamed;
  return {
    ...reviewFormContext(page.figures.path, { channel, typed }),
    text: isNamed ? texts.ask.named : texts.ask.refused,
    due: isAmount ? due : null,
    isMain: problem.kind === 'disagrees' && FOR_SELLER.includes(problem.about),
    /** The customer has typed nothing that could be corrected. */
    isFirst: isNamed,
  };
}

/** Form that simulates the wallet, for test brands. */
function playOf({ channels, played }: Texts, channel: CheckoutMethod['channel'], action: string) {
  const choices = PAGE_SCENARIOS.map((value) => ({ value, text: played.choices[value] }));
  const wallet = channels[channel];
  return { action, text: played.text(wallet), button: played.button(wallet), choices };
}

const goesByItself = (ways: readonly PaymentOption[]) => ways.some(({ byItself }) => byItself !== undefined);

/** @returns true where the money of one of the cards can name its payment. */
export const identifiesPayment = (methods: readonly ReturnType<typeof methodContext>[]) =>
  methods.some((method) => method.kind === 'ways' && goesByItself(method.ways));

function bankItems(texts: Texts, account: CheckoutAccount, amount: CopyItem): CopyItem[] {
  const values: Readonly<Record<string, string>> = { ...account.details, number: account.number };
  const items = BANK_DETAILS.flatMap((name) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [sameItem(texts.bankFields[name], value)];
  });
  return [...items, amount];
}
