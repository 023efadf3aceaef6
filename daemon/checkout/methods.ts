/** The cards by which a customer pays: for each way its steps, its form and what was wrong with it. */
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/read-checkout.js';
import { BANK, isMfsChannel, type MfsAccountType, type MfsChannel } from '../../src/domain/channels.js';
import { MAX_BANK_REFERENCE, WALLET_ID_SHAPE } from '../../src/domain/reference.js';
import type { CopyItem, FieldContext, MethodContext, WayContext } from './contexts.js';
import type { FiguredPage } from './figures.js';
import type { Problem } from './page.js';
import type { Texts } from './texts/texts.js';

interface Wallet {
  /** What the mark on its card says. */
  readonly mark: string;
  /** Its menu for phones without the app. */
  readonly code: string;
  /** Nobody's id, of the right shape. */
  readonly example: string;
}

export const WALLETS: Readonly<Record<MfsChannel, Wallet>> = {
  mfs_a: { mark: 'bK', code: '*247#', example: 'DH15ABC1K7' },
  mfs_b: { mark: 'N', code: '*167#', example: '72KXP9QD' },
  mfs_c: { mark: 'R', code: '*322#', example: '4123456789' },
  mfs_d: { mark: 'U', code: '*268#', example: '01KB7C9D2E' },
};

/** Best for the customer first: a payment costs him nothing, cashing out costs most. */
const BEST_TYPES: readonly MfsAccountType[] = ['payment', 'personal', 'agent'];

/** A pasted SMS, also a long one in Bangla, with what stands around it. */
const MAX_TYPED_ID = 2000;

/** As the bank's template names it; there is one on a page. */
const SLIP_ID = 'slip';

const BANK_DETAILS = ['bank_name', 'holder', 'number', 'branch', 'routing'] as const;

/** Methods that this page can explain; what it does not know how to pay to is not offered. */
export function shownMethods(methods: readonly CheckoutMethod[]): CheckoutMethod[] {
  return methods.filter(({ channel }) => channel === BANK || isMfsChannel(channel));
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
  const { channel, feePaisa } = method;
  const { path, paymentNo } = page.figures;
  const due = page.figures.due[channel] ?? { total: '', copied: '', fee: '' };
  const problem = page.problem?.channel === channel ? page.problem : null;
  const isFolded = canSend && (problem !== null || page.checkout.state === 'waiting');
  const hasFee = canSend && feePaisa > 0;
  const card = {
    channel,
    isOpen: channel === openChannel,
    isFolded,
    total: hasFee ? due.total : null,
    fee: hasFee ? texts.feeIncluded(due.fee) : null,
  };
  const amount = { label: texts.theAmount, shown: due.total, value: due.copied };
  if (!isMfsChannel(channel)) {
    return {
      ...card,
      kind: 'bank',
      name: texts.channels.bank,
      mark: '৳',
      action: `${path}/bank`,
      accounts: canSend ? method.accounts.map((account) => bankItems(texts, account, amount)) : [],
      note: { label: texts.paymentNo, shown: paymentNo, value: paymentNo },
      reviewText: texts.bankReview(page.checkout.brand.name),
      field: bankField(texts, problem, canSend && !isFolded),
      slipProblem: isAboutSlip(problem) ? problemText(texts, problem) : null,
    };
  }
  return {
    ...card,
    kind: 'wallet',
    name: texts.wallets[channel].name,
    mark: WALLETS[channel].mark,
    action: `${path}/claim`,
    ways: canSend ? ways(page, texts, channel, method.accounts, amount) : [],
    field: walletField(texts, channel, problem, canSend && !isFolded),
  };
}

function ways(
  page: FiguredPage,
  texts: Texts,
  channel: MfsChannel,
  accounts: readonly CheckoutAccount[],
  amount: CopyItem,
): WayContext[] {
  const { name, services } = texts.wallets[channel];
  return BEST_TYPES.flatMap((type) =>
    accounts
      .filter((account) => account.type === type)
      .map(({ number: compared, details }) => ({ number: details.shown_number ?? compared, details }))
      .map(({ number, details }) => ({
        service: services[type],
        open: texts.stepOpen(name, services[type], WALLETS[channel].code),
        numberText: texts.stepNumber[type],
        number: { label: texts.theNumber, shown: number, value: number },
        amount,
        warning: texts.onlyService(services[type]),
        qr:
          details.qr === undefined
            ? null
            : { path: `${page.figures.path}/qr/${channel}/${type}`, label: texts.qr(name) },
      })),
  );
}

function bankItems(texts: Texts, account: CheckoutAccount, amount: CopyItem): CopyItem[] {
  const values: Readonly<Record<string, string>> = { ...account.details, number: account.number };
  const items = BANK_DETAILS.flatMap((name) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [{ label: texts.bankFields[name], shown: value, value }];
  });
  return [...items, { ...amount, label: texts.bankFields.amount }];
}

function walletField(
  texts: Texts,
  channel: MfsChannel,
  problem: Problem | null,
  isStep: boolean,
): FieldContext {
  const { example } = WALLETS[channel];
  return {
    id: `id-${channel}`,
    name: 'transaction_id',
    label: texts.idLabel,
    isStep,
    hint: texts.idHint(example),
    typed: problem?.typed ?? '',
    maxLength: MAX_TYPED_ID,
    problem: problem === null ? null : problemText(texts, problem),
    check: { shape: WALLET_ID_SHAPE[channel].source, example },
  };
}

function bankField(texts: Texts, problem: Problem | null, isStep: boolean): FieldContext {
  return {
    id: `id-${BANK}`,
    name: 'reference',
    label: texts.referenceLabel,
    isStep,
    hint: texts.referenceHint,
    typed: problem?.typed ?? '',
    maxLength: MAX_BANK_REFERENCE,
    problem: problem === null || isAboutSlip(problem) ? null : problemText(texts, problem),
    check: null,
  };
}

type SlipProblem = Problem & { readonly kind: 'slip_unreadable' | 'slip_too_large' };

function isAboutSlip(problem: Problem | null): problem is SlipProblem {
  return problem?.kind === 'slip_unreadable' || problem?.kind === 'slip_too_large';
}

/** @returns the id of the field beside which the problem is said. */
export function problemField(problem: Problem): string {
  return isAboutSlip(problem) ? SLIP_ID : `id-${problem.channel}`;
}

/** The sentence that tells a customer what is wrong and what to do next. */
export function problemText(texts: Texts, problem: Problem): string {
  if (problem.kind === 'disagrees') return texts.disagrees[problem.about];
  if (problem.kind !== 'no_reference') return texts.problems[problem.kind];
  return isMfsChannel(problem.channel) ? texts.noId(WALLETS[problem.channel].example) : texts.noBankReference;
}
