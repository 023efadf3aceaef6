/** The cards by which a customer pays: for each channel its ways, its form and what was wrong with it. */
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import { BANK, isMfsChannel, isPulledChannel, type PayChannel } from '../../src/domain/accounts/channels.js';
import { ofEachWallet } from '../../src/domain/wallets/index.js';
import type { CopyItem, MethodContext } from './contexts.js';
import { bankField, givenField, isAboutSlip } from './fields.js';
import { type FiguredPage, NOTHING_DUE } from './figures.js';
import { problemText } from './given.js';
import type { Texts } from './texts/texts.js';
import { waysOf } from './ways.js';

/** What the mark on each card says. */
const MARKS: Readonly<Record<PayChannel, string>> = {
  ...ofEachWallet(({ checkout }) => checkout.mark),
  qr_interbank: 'QR',
  exchange_pay: 'B',
  bep20: 'T',
  bank: '৳',
};

const BANK_DETAILS = ['bank_name', 'holder', 'number', 'branch', 'routing'] as const;

/** Methods that this page can explain; what it does not know how to pay to is not offered. */
export function shownMethods(methods: readonly CheckoutMethod[]): CheckoutMethod[] {
  return methods.filter(isExplained);
}

function isExplained({ channel, usdt, accounts }: CheckoutMethod): boolean {
  if (isMfsChannel(channel)) return true;
  switch (channel) {
    case 'qr_interbank':
      return accounts.some(({ details }) => details.qr !== undefined);
    case 'exchange_pay':
      // A merchant account is paid by orders, which the shop makes at the exchange itself.
      return usdt !== null && accounts.some(({ type }) => type === 'personal');
    case 'bep20':
      return usdt !== null;
    case BANK:
      return true;
    default:
      return channel satisfies never;
  }
}

/**
 * @param canSend false when no more money should be sent: the forms stand without their steps.
 * @param openChannel the card that is open from the start, or null.
 */
export function methodContext(
  page: FiguredPage,
  texts: Texts,
  method: CheckoutMethod,
  canSend: boolean,
  openChannel: string | null,
): MethodContext {
  const { channel, accounts, feePaisa } = method;
  const { path, paymentNo } = page.figures;
  const due = page.figures.due[channel] ?? NOTHING_DUE;
  const problem = page.problem?.channel === channel ? page.problem : null;
  const isFolded = canSend && (problem !== null || page.checkout.state === 'waiting');
  const hasFee = canSend && feePaisa > 0;
  const card = {
    channel,
    mark: MARKS[channel],
    isOpen: channel === openChannel,
    isFolded,
    total: hasFee || (canSend && isPulledChannel(channel)) ? due.total : null,
    fee: hasFee ? texts.feeIncluded(due.fee) : null,
  };
  const amount = { label: texts.theAmount, shown: due.total, value: due.copied };
  if (channel === BANK) {
    return {
      ...card,
      kind: 'bank',
      name: texts.channels.bank,
      action: `${path}/bank`,
      accounts: canSend ? accounts.map((account) => bankItems(texts, account, amount)) : [],
      note: { label: texts.paymentNo, shown: paymentNo, value: paymentNo },
      reviewText: texts.bankReview(page.checkout.brand.name),
      field: bankField(texts, problem, canSend && !isFolded),
      slipProblem: isAboutSlip(problem) ? problemText(texts, problem) : null,
    };
  }
  const facts = { texts, accounts, due, amount, codes: `${path}/qr` };
  return {
    ...card,
    kind: 'ways',
    name: channelName(texts, channel),
    action: `${path}/claim`,
    ways: canSend ? waysOf(channel, facts) : [],
    field: givenField(texts, channel, problem, canSend && !isFolded),
  };
}

export function channelName(texts: Texts, channel: PayChannel): string {
  return isMfsChannel(channel) ? texts.wallets[channel].name : texts.channels[channel];
}

function bankItems(texts: Texts, account: CheckoutAccount, amount: CopyItem): CopyItem[] {
  const values: Readonly<Record<string, string>> = { ...account.details, number: account.number };
  const items = BANK_DETAILS.flatMap((name) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [{ label: texts.bankFields[name], shown: value, value }];
  });
  return [...items, { ...amount, label: texts.bankFields.amount }];
}
