/** Payment steps of each channel: what to open, what to enter, what to watch out for. */
import type { CheckoutAccount } from '../../src/actions/sessions/read-checkout.js';
import type {
  MfsAccountType,
  PaidChannel,
  PayChannel,
  PullRow,
  SmsChannel,
} from '../../src/domain/accounts/channels.js';
import type { DueFigures } from './figures.js';
import type { Texts } from './texts/en.js';

/** Best for the customer first: a payment costs nothing, cashing out costs most. */
const BEST_TYPES: readonly MfsAccountType[] = ['payment', 'personal', 'agent'];

/** Sides of the pictures in CSS pixels: a wallet's own code is a short text, that of a payment a long one. */
const SMALL_CODE = 200;
const LARGE_CODE = 280;

/** A value for another app: formatted for display, copied in the form that the app takes. */
export interface CopyItem {
  readonly label: string;
  readonly shown: string;
  readonly value: string;
}

/** The picture of a QR code. */
interface Code {
  readonly path: string;
  readonly label: string;
  /** In CSS pixels. */
  readonly side: number;
  /** The same as a file, for customers who pay with the phone that shows it. */
  readonly save?: { readonly path: string; readonly text: string; readonly label: string };
}

interface Step {
  readonly text: string;
  readonly item?: CopyItem;
  readonly note?: string;
  readonly code?: Code;
}

/** One account and how to pay to it. */
interface Way {
  /** What it is called where there are several. */
  readonly service: string;
  readonly steps: readonly Step[];
  readonly code?: Code | null;
  readonly warning?: string;
}

/** What stands on one card, for all its ways. */
interface CardFacts {
  readonly texts: Texts;
  readonly accounts: readonly CheckoutAccount[];
  readonly due: DueFigures;
  /** What is due, to be copied. */
  readonly amount: CopyItem;
  /** Path under which the pictures of the payment's codes are. */
  readonly codes: string;
}

/** @returns the ways of a channel, the one to take first. */
export function waysOf(row: PaidChannel, facts: CardFacts): Way[] {
  switch (row.kind) {
    case 'sms':
      return walletWays(row, facts);
    case 'push':
      return facts.accounts.slice(0, 1).map((account) => codeWay(row.channel, account, facts));
    case 'pull':
      return row.source === 'chain'
        ? facts.accounts.slice(0, 1).map((account) => chainWay(row.channel, account, facts))
        : facts.accounts
            .filter((account) => isPaidByHand(row, account))
            .map((account) => exchangeWay(row.channel, account, facts));
    default:
      return row satisfies never;
  }
}

/** Accounts of other types have an id, too, and nothing that is sent to it would be found. */
export function isPaidByHand({ paidTo }: PullRow, { type }: CheckoutAccount): boolean {
  return paidTo === undefined || type === paidTo;
}

function walletWays({ channel, wallet }: SmsChannel, { texts, accounts, amount, codes }: CardFacts): Way[] {
  const { name, services } = texts.wallets[channel];
  return BEST_TYPES.flatMap((type) =>
    accounts
      .filter((account) => account.type === type)
      .map(({ number: compared, details }): Way => {
        const number = details.shown_number ?? compared;
        const service = services[type];
        return {
          service,
          steps: [
            { text: texts.stepOpen(name, service, wallet.checkout.dialCode) },
            { text: texts.stepNumber[type], item: sameItem(texts.theNumber, number) },
            { text: texts.stepAmount, item: amount },
            { text: texts.stepConfirm },
          ],
          code: details.qr === undefined ? null : smallCode(`${codes}/${channel}/${type}`, texts.qr(name)),
          warning: texts.onlyService(service),
        };
      }),
  );
}

export const sameItem = (label: string, text: string): CopyItem => ({ label, shown: text, value: text });

const smallCode = (path: string, label: string): Code => ({ path, label, side: SMALL_CODE });

/** Amount and reference stand in the code: nothing has to be typed, and the bank's word names the payment. */
function codeWay(channel: PayChannel, { type }: CheckoutAccount, { texts, amount, codes }: CardFacts): Way {
  const { code: t } = texts;
  const path = `${codes}/${channel}/${type}`;
  const code = {
    path,
    label: t.label,
    side: LARGE_CODE,
    save: { path: `${path}.png`, text: t.onThisPhone, label: t.save },
  };
  return {
    service: texts.channels[channel],
    steps: [{ text: t.stepScan, code }, { text: t.stepAmount, item: amount }, { text: t.stepWait }],
  };
}

function exchangeWay(
  channel: PayChannel,
  { number }: CheckoutAccount,
  { texts, due, amount }: CardFacts,
): Way {
  const { usdt: t } = texts;
  return {
    service: texts.channels[channel],
    steps: [
      { text: t.stepApp },
      { text: t.stepUser, item: sameItem(t.theUser, number) },
      { text: t.stepUserAmount, item: amount, note: t.rate(due.taka, due.rate) },
      { text: t.stepUserConfirm },
    ],
    warning: t.userWarning,
  };
}

function chainWay(
  channel: PayChannel,
  account: CheckoutAccount,
  { texts, due, amount, codes }: CardFacts,
): Way {
  const { type, number, details } = account;
  const { usdt: t } = texts;
  return {
    service: texts.channels[channel],
    steps: [
      { text: t.stepNetwork(details.network ?? '') },
      { text: t.stepAddress, item: sameItem(t.theAddress, number) },
      { text: t.stepAmount, item: amount, note: t.rate(due.taka, due.rate) },
      { text: t.stepConfirm },
    ],
    code: smallCode(`${codes}/${channel}/${type}`, t.addressCode),
    warning: t.addressWarning,
  };
}
