/** How to pay on each channel, step by step: what to open, what to enter there, what to beware of. */
import type { CheckoutAccount } from '../../src/actions/sessions/read-checkout.js';
import {
  isMfsChannel,
  type MfsAccountType,
  type MfsChannel,
  type PayChannel,
} from '../../src/domain/accounts/channels.js';
import { WALLET } from '../../src/domain/wallets/index.js';
import type { CodeContext, CopyItem, StepContext, WayContext } from './contexts.js';
import type { DueFigures } from './figures.js';
import type { Texts } from './texts/texts.js';

/** Best for the customer first: a payment costs nothing, cashing out costs most. */
const BEST_TYPES: readonly MfsAccountType[] = ['payment', 'personal', 'agent'];

/** Sides of the pictures in CSS pixels: a wallet's own code is a short text, that of a payment a long one. */
const SMALL_CODE = 200;
const LARGE_CODE = 280;

/** What stands on one card, for all its ways. */
export interface CardFacts {
  readonly texts: Texts;
  readonly accounts: readonly CheckoutAccount[];
  readonly due: DueFigures;
  /** What is due, to be copied. */
  readonly amount: CopyItem;
  /** Path under which the pictures of the payment's codes are. */
  readonly codes: string;
}

/** @returns the ways of a channel, the one to take first. */
export function waysOf(channel: Exclude<PayChannel, 'bank'>, facts: CardFacts): WayContext[] {
  if (isMfsChannel(channel)) return walletWays(channel, facts);
  switch (channel) {
    case 'qr_interbank':
      return facts.accounts.slice(0, 1).map((account) => codeWay(account, facts));
    case 'exchange_pay':
      // A merchant account has an id, too, and nothing that is sent to it would be found.
      return facts.accounts
        .filter(({ type }) => type === 'personal')
        .map((account) => exchangeWay(account, facts));
    case 'bep20':
      return facts.accounts.slice(0, 1).map((account) => chainWay(account, facts));
    default:
      return channel satisfies never;
  }
}

const step = (text: string, more: Partial<StepContext> = {}): StepContext => ({
  text,
  item: null,
  note: null,
  code: null,
  ...more,
});

function walletWays(channel: MfsChannel, { texts, accounts, amount, codes }: CardFacts): WayContext[] {
  const { name, services } = texts.wallets[channel];
  return BEST_TYPES.flatMap((type) =>
    accounts
      .filter((account) => account.type === type)
      .map(({ number: compared, details }): WayContext => {
        const number = details.shown_number ?? compared;
        const service = services[type];
        return {
          service,
          steps: [
            step(texts.stepOpen(name, service, WALLET[channel].checkout.dialCode)),
            step(texts.stepNumber[type], { item: { label: texts.theNumber, shown: number, value: number } }),
            step(texts.stepAmount, { item: amount }),
            step(texts.stepConfirm),
          ],
          code: details.qr === undefined ? null : smallCode(`${codes}/${channel}/${type}`, texts.qr(name)),
          warning: texts.onlyService(service),
        };
      }),
  );
}

function smallCode(path: string, label: string): CodeContext {
  return { path, label, side: SMALL_CODE, save: null };
}

/** Amount and reference stand in the code: nothing has to be typed, and the bank's word names the payment. */
function codeWay({ type }: CheckoutAccount, { texts, amount, codes }: CardFacts): WayContext {
  const { code: t } = texts;
  const path = `${codes}/qr_interbank/${type}`;
  const code = {
    path,
    label: t.label,
    side: LARGE_CODE,
    save: { path: `${path}.png`, text: t.onThisPhone, label: t.save },
  };
  return {
    service: texts.channels.qr_interbank,
    steps: [step(t.stepScan, { code }), step(t.stepAmount, { item: amount }), step(t.stepWait)],
    code: null,
    warning: null,
  };
}

function exchangeWay({ number }: CheckoutAccount, { texts, due, amount }: CardFacts): WayContext {
  const { usdt: t } = texts;
  return {
    service: texts.channels.exchange_pay,
    steps: [
      step(t.stepApp),
      step(t.stepUser, { item: { label: t.theUser, shown: number, value: number } }),
      step(t.stepUserAmount, { item: amount, note: t.rate(due.taka, due.rate) }),
      step(t.stepUserConfirm),
    ],
    code: null,
    warning: t.userWarning,
  };
}

function chainWay(account: CheckoutAccount, { texts, due, amount, codes }: CardFacts): WayContext {
  const { type, number, details } = account;
  const { usdt: t } = texts;
  return {
    service: texts.channels.bep20,
    steps: [
      step(t.stepNetwork(details.network ?? '')),
      step(t.stepAddress, { item: { label: t.theAddress, shown: number, value: number } }),
      step(t.stepAmount, { item: amount, note: t.rate(due.taka, due.rate) }),
      step(t.stepConfirm),
    ],
    code: smallCode(`${codes}/bep20/${type}`, t.addressCode),
    warning: t.addressWarning,
  };
}
