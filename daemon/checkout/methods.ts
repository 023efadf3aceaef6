/**
 * Cards of the payment methods: for each channel the ways to pay, the form, the problem with its input; and
 * one card for a QR code that any app pays.
 */
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/sessions/load-checkout.js';
import { CHANNEL, type PayChannel, QR } from '../../src/domain/accounts/channels.js';
import { PAGE_SCENARIOS } from '../../src/domain/accounts/test-accounts.js';
import { type FilledPage, NOTHING_DUE } from './figures.js';
import { markPath } from './look.js';
import type { Problem } from './page.js';
import {
  bankField,
  cardOfProblem,
  goalText,
  isAboutSlip,
  isByReference,
  isOfCode,
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

/** A method on the page. */
export interface Card {
  readonly method: CheckoutMethod;
  /** Its name in the markup: the channel, or `QR` for the code of whichever channel. */
  readonly name: PayChannel;
}

/**
 * @returns the cards in their order on the page. One code is enough for every app: the merchant's, else that
 * of the first wallet which has one, below the wallets.
 */
export function cardsOf(methods: readonly CheckoutMethod[]): Card[] {
  const cards = displayableMethods(methods).map((method): Card => ({ method, name: method.channel }));
  if (cards.some(({ name }) => isOfCode(name))) return cards;
  const isWallet = ({ name }: Card) => CHANNEL[name].kind === 'sms';
  const coded = cards.find((card) => isWallet(card) && card.method.code !== undefined);
  if (coded === undefined) return cards;
  return cards.toSpliced(cards.findLastIndex(isWallet) + 1, 0, { method: coded.method, name: QR });
}

/** @returns the method whose code any app pays; undefined if the payment has none. */
export const codedMethod = (methods: readonly CheckoutMethod[]) =>
  cardsOf(methods).find(({ name }) => isOfCode(name))?.method;

/**
 * @param canSend false if no more money should be sent: the forms are shown without the steps.
 * @param openCard name of the card that is open at first, or null.
 */
export function methodContext(
  page: FilledPage,
  texts: Texts,
  { method, name }: Card,
  canSend: boolean,
  openCard: string | null,
) {
  const { channel, accounts, feePaisa } = method;
  const row = CHANNEL[name];
  const { path, paymentReference } = page.figures;
  const due = page.figures.due[channel] ?? NOTHING_DUE;
  const problem = page.problem !== null && cardOfProblem(page.problem) === name ? page.problem : null;
  const isWaiting = page.checkout.state === 'waiting';
  const isFolded = canSend && (problem !== null || isWaiting);
  /** False while a claim waits: the customer has paid, and a price would look like another request. */
  const isPriced = canSend && !isWaiting && !hasSent(page.problem);
  const hasFee = isPriced && feePaisa > 0;
  const card = {
    channel,
    id: name,
    mark: row.mark,
    /** Address of the operator's own picture in place of the mark, or null. */
    picture: markPath(page.checkout.look, name, page.base),
    isOpen: name === openCard,
    /** True after the customer has done the steps: then only the form matters. */
    isFolded,
    /** Amount due on this channel, and its fee; null if the page's amount applies or no price is shown. */
    total: hasFee || (isPriced && row.kind === 'pull') ? due.total : null,
    fee: hasFee ? texts.feeIncluded(due.fee) : null,
  };
  if (method.isUnquoted) return { ...card, ...quoteContext(texts, channel, path, problem) };
  const isWhole = row.kind !== 'pull';
  const takesParts = page.checkout.takesParts && (row.kind === 'sms' || row.kind === 'manual');
  const amount: CopyItem = {
    ...{ label: texts.theAmount, shown: due.total, value: due.copied, isWhole },
    chip: takesParts ? texts.parts.orLess : texts.exactly,
  };
  if (row.kind === 'manual') {
    const shown = canSend ? accounts.map((account) => bankItems(texts, account, amount)) : [];
    const field = bankField(texts, problem, canSend && !isFolded);
    return { ...card, ...bankContext(page, texts, problem), accounts: shown, field };
  }
  const reference = page.checkout.paymentReference === null ? null : paymentReference;
  const facts = { texts, method, due, amount, reference, codes: `${path}/qr` };
  const ways = canSend ? listPaymentOptions(row, facts) : [];
  const isCode = isOfCode(name);
  const isByHand = !isFolded && goesByItself(ways);
  const isMisdirected = problem?.kind === 'disagrees' && problem.about === 'recipient';
  const asked = isByReference(problem) ? null : problem;
  const field = proofField(texts, row, asked, canSend && !isFolded && !isByHand);
  return {
    ...card,
    kind: 'ways' as const,
    name: isCode ? texts.code.name : texts.channels[channel],
    /** True where the form takes the number that paid the code of a wallet. */
    isByCode: channel !== name,
    action: `${path}/claim`,
    ways,
    play: page.checkout.isTest && canSend && !isCode ? playOf(texts, channel, `${path}/play`) : null,
    ask: askOfProblem(page, texts, problem, due.total),
    field,
    /** Title of the folded form; null where the form is to be seen. */
    byHand: isByHand ? (isCode ? texts.code.byHand : texts.idByHand(walletIdName(channel))) : null,
    trust: canSend && CHANNEL[channel].kind === 'sms' ? texts.trust(texts.channels[channel]) : null,
    goal: isMisdirected && !isCode ? goalText(texts, method) : null,
  };
}

/** Card of an amount in USDT that is calculated when the customer asks for it. */
function quoteContext(texts: Texts, channel: PayChannel, path: string, problem: Problem | null) {
  const { askText, askButton } = texts.usdt;
  return {
    ...{ total: null, kind: 'quote' as const, name: texts.channels[channel] },
    ...{ action: `${path}/quote`, text: askText, button: askButton },
    problem: problem === null ? null : problemText(texts, problem),
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
  const isNamed = isByReference(problem);
  const isAmount = problem.kind === 'disagrees' && problem.about === 'amount' && !isNamed;
  return {
    ...reviewFormContext(page.figures.path, problem),
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
  methods.some((method) => method.kind === 'ways' && !isOfCode(method.id) && goesByItself(method.ways));

function bankItems(texts: Texts, account: CheckoutAccount, amount: CopyItem): CopyItem[] {
  const values: Readonly<Record<string, string>> = { ...account.details, number: account.number };
  const items = BANK_DETAILS.flatMap((name) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [sameItem(texts.bankFields[name], value)];
  });
  return [...items, amount];
}
