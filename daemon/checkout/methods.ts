/** The cards by which a customer pays: for each channel its ways, its form and what was wrong with it. */
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import { CHANNEL } from '../../src/domain/accounts/channels.js';
import { bankField, isAboutSlip, proofField } from './fields.js';
import { type FilledPage, NOTHING_DUE } from './figures.js';
import { problemText } from './proof-input.js';
import type { Texts } from './texts/en.js';
import { type CopyItem, isPaidByHand, sameItem, waysOf } from './ways.js';

const BANK_DETAILS = ['bank_name', 'holder', 'number', 'branch', 'routing'] as const;

/** Methods that this page can explain; what it does not know how to pay to is not offered. */
export const shownMethods = (methods: readonly CheckoutMethod[]) => methods.filter(isExplained);

function isExplained({ channel, usdt, accounts }: CheckoutMethod): boolean {
  const row = CHANNEL[channel];
  switch (row.kind) {
    case 'push':
      return accounts.some(({ details }) => details.qr !== undefined);
    case 'pull':
      return usdt !== null && accounts.some((account) => isPaidByHand(row, account));
    case 'sms':
    case 'manual':
      return true;
    default:
      return row satisfies never;
  }
}

/**
 * @param canSend false when no more money should be sent: the forms stand without their steps.
 * @param openChannel the card that is open from the start, or null.
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
  const { path, paymentNo } = page.figures;
  const due = page.figures.due[channel] ?? NOTHING_DUE;
  const problem = page.problem?.channel === channel ? page.problem : null;
  const isFolded = canSend && (problem !== null || page.checkout.state === 'waiting');
  const hasFee = canSend && feePaisa > 0;
  const card = {
    channel,
    mark: row.mark,
    isOpen: channel === openChannel,
    /** True after the customer has done the steps: then only the form matters. */
    isFolded,
    /** What is due on this channel, where that is not the sum on top of the page; and its fee, if any. */
    total: hasFee || (canSend && row.kind === 'pull') ? due.total : null,
    fee: hasFee ? texts.feeIncluded(due.fee) : null,
  };
  const amount = { label: texts.theAmount, shown: due.total, value: due.copied };
  if (row.kind === 'manual') {
    return {
      ...card,
      kind: 'bank' as const,
      name: texts.channels[channel],
      action: `${path}/bank`,
      accounts: canSend ? accounts.map((account) => bankItems(texts, account, amount)) : [],
      note: sameItem(texts.paymentNo, paymentNo),
      reviewText: texts.bankReview(page.checkout.brand.name),
      field: bankField(texts, problem, canSend && !isFolded),
      slipProblem: isAboutSlip(problem) ? problemText(texts, problem) : null,
    };
  }
  const facts = { texts, accounts, due, amount, codes: `${path}/qr` };
  return {
    ...card,
    kind: 'ways' as const,
    name: texts.channels[channel],
    action: `${path}/claim`,
    ways: canSend ? waysOf(row, facts) : [],
    field: proofField(texts, row, problem, canSend && !isFolded),
  };
}

function bankItems(texts: Texts, account: CheckoutAccount, amount: CopyItem): CopyItem[] {
  const values: Readonly<Record<string, string>> = { ...account.details, number: account.number };
  const items = BANK_DETAILS.flatMap((name) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [sameItem(texts.bankFields[name], value)];
  });
  return [...items, { ...amount, label: texts.bankFields.amount }];
}
