/** Payment steps of each channel: what to open, what to enter, what to watch out for. */
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/sessions/load-checkout.js';
import { EXCHANGE_APPS, findExchange } from '../../src/channels/exchange-pay/exchanges.js';
import { findValue, parseObjects } from '../../src/channels/qr-interbank/emv.js';
import type { PaidChannel, PayChannel, PullRow, SmsChannel } from '../../src/domain/accounts/channels.js';
import { payerFields } from '../../src/domain/accounts/channels.js';
import type { MfsChannel } from '../../src/domain/wallets/index.js';
import type { MfsAccountType } from '../../src/domain/wallets/wallet.js';
import { type DueFigures, formatPercent } from './figures.js';
import type { Texts } from './texts/en.js';

/** Best for the customer first: a payment costs nothing, cashing out costs most. */
const BEST_TYPES: readonly MfsAccountType[] = ['payment', 'personal', 'agent'];

/** Sides of the QR codes in CSS pixels: a wallet's own code has a short text, a payment's a long one. */
const SMALL_CODE = 200;
const LARGE_CODE = 280;

/** A value for another app: formatted for display, copied in the form that the app takes. */
export interface CopyItem {
  readonly label: string;
  readonly shown: string;
  /** `shown` in two or three parts, which differ in their look alone: a copy has no space in it. */
  readonly parts?: readonly string[];
  /** Null where there is nothing to copy. */
  readonly value: string | null;
  /** Short, and not to be broken over two lines. */
  readonly isWhole?: boolean;
  /** What to take care of, next to the label. */
  readonly chip?: string;
}

/** The picture of a QR code. */
interface Code {
  readonly path: string;
  readonly label: string;
  /** Width and height in CSS pixels. */
  readonly side: number;
  /** True if few customers need it. */
  readonly isFolded?: boolean;
  /** Code as a file, for customers who pay with the phone that shows it. */
  readonly save?: { readonly path: string; readonly text?: string; readonly label: string };
}

interface PayStep {
  /** Text of the step; `{}` is replaced by the number to dial, if there is one. */
  readonly text: string;
  /** Text for a phone that pays with its own apps, in place of `text`. */
  readonly onPhone?: string;
  /** True if only such phones show the step. */
  readonly isForPhone?: boolean;
  readonly dial?: string;
  readonly items?: readonly CopyItem[];
  readonly note?: string | null;
  readonly code?: Code;
}

/** One account and how to pay to it. */
export interface PaymentOption {
  /** Name of the option, shown if there are several. */
  readonly service: string;
  readonly steps: readonly PayStep[];
  /** Charge of the wallet, if it is known. */
  readonly charge?: string | null;
  readonly warning?: string;
  /** Text about waiting, if the money identifies its payment. */
  readonly byItself?: string | undefined;
}

/** Data that all options of a card share. */
interface CardFacts {
  readonly texts: Texts;
  readonly method: CheckoutMethod;
  readonly due: DueFigures;
  readonly amount: CopyItem;
  /** Text that the payer may enter as a wallet's reference; null for old payments, which have none. */
  readonly reference: string | null;
  /** Path under which the pictures of the payment's codes are. */
  readonly codes: string;
}

/** @returns the ways of a channel, the one to take first. */
export function listPaymentOptions(row: PaidChannel, facts: CardFacts): PaymentOption[] {
  switch (row.kind) {
    case 'sms':
      return walletWays(row, facts);
    case 'push':
      return [codeWay(facts)];
    case 'pull':
      return row.source === 'chain'
        ? facts.method.accounts.slice(0, 1).map((account) => chainWay(row.channel, account, facts))
        : facts.method.accounts
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

function walletWays({ channel, wallet }: SmsChannel, facts: CardFacts): PaymentOption[] {
  const { texts, codes } = facts;
  const { accounts } = facts.method;
  const { name, services } = texts.wallets[channel];
  return BEST_TYPES.flatMap((type) => {
    const charge = chargeText(texts, wallet, type);
    return accounts
      .filter((account) => account.type === type)
      .map(({ number: compared, details }): PaymentOption => {
        const number = details.shown_number ?? compared;
        const service = services[type];
        const path = `${codes}/${channel}/${type}`;
        const scanned = details.qr === undefined ? {} : { code: walletCode(texts, path, texts.qr(name)) };
        const reference = referenceFor(channel, type, facts);
        const numberItem = { ...phoneItem(texts.numbers[type], number), chip: texts.only(service) };
        const holder = details.holder ?? '';
        return {
          service,
          charge,
          steps: [
            { text: texts.stepOpen(name, service), dial: wallet.checkout.dialCode, note: charge },
            {
              text: texts.stepEnter,
              items: [
                numberItem,
                ...(holder === '' ? [] : [{ label: texts.theHolder, shown: holder, value: null }]),
                facts.amount,
                ...(reference === null ? [] : [wholeItem(texts.theReference, reference.text)]),
              ],
              note: [texts.notOthers(othersThan(type, services)), reference?.note].filter(Boolean).join(' '),
              ...scanned,
            },
            { text: texts.stepConfirm(name) },
          ],
          byItself: reference === null ? undefined : texts.byItself,
        };
      });
  });
}

/** Code of the wallet's own app, also as a file: who pays with the phone that shows it opens it there. */
function walletCode({ code: t }: Texts, path: string, label: string): Code {
  const save = { path: `${path}.png`, text: t.onThisPhone, label: t.save };
  return { path, label, side: SMALL_CODE, isFolded: true, save };
}

function chargeText(texts: Texts, { name, checkout }: SmsChannel['wallet'], type: MfsAccountType) {
  const most = checkout.charges[type];
  const wallet = name[texts.language];
  if (most === undefined) return null;
  return most === 0 ? texts.noCharge(wallet) : texts.charge(wallet, formatPercent(texts, most));
}

/** Removes the app's names in another language. */
function othersThan(type: MfsAccountType, services: Readonly<Record<MfsAccountType, string>>): string[] {
  return BEST_TYPES.filter((other) => other !== type).map((other) => services[other].replace(/ \(.*/, ''));
}

/** Returns null if the payment has no reference, or if the wallet's SMS would not repeat it. */
function referenceFor(channel: MfsChannel, type: MfsAccountType, { texts, reference }: CardFacts) {
  const asked = payerFields(channel, type);
  if (reference === null || !asked.reference) return null;
  return { text: reference, note: asked.counter ? texts.counterNote : null };
}

/** The first five digits of a number are its operator and area of numbers: people read it in two parts. */
const PHONE_HEAD = 5;

function phoneItem(label: string, number: string): CopyItem {
  const parts = [number.slice(0, PHONE_HEAD), number.slice(PHONE_HEAD)];
  return { ...wholeItem(label, number), ...(/^01\d{9,10}$/.test(number) && { parts }) };
}

/** Signs of an address that people compare. */
const ADDRESS_END = 6;

function addressItem(label: string, address: string): CopyItem {
  const [from, to] = [ADDRESS_END, address.length - ADDRESS_END];
  return {
    ...sameItem(label, address),
    parts: [address.slice(0, from), address.slice(from, to), address.slice(to)],
  };
}

export const sameItem = (label: string, text: string): CopyItem => ({ label, shown: text, value: text });
const wholeItem = (label: string, text: string): CopyItem => ({ ...sameItem(label, text), isWhole: true });

/**
 * Code with amount and reference, which any app pays. A phone cannot scan what it shows: there the picture is
 * saved, and opened in the app.
 */
function codeWay({ texts, method, amount, codes }: CardFacts): PaymentOption {
  const { code: t } = texts;
  const { channel, accounts } = method;
  const account = codeAccount(accounts);
  const path = `${codes}/${channel}/${account?.type}`;
  const code = { path, label: t.label, side: LARGE_CODE, save: { path: `${path}.png`, label: t.save } };
  const holder = holderOf(method);
  return {
    service: t.name,
    steps: [
      { text: t.stepScan, onPhone: t.stepSave, code },
      { text: t.stepGallery, isForPhone: true },
      {
        text: t.stepCheck,
        items: [...(holder === '' ? [] : [{ label: texts.theHolder, shown: holder, value: null }]), amount],
      },
    ],
    byItself: t.byItself,
  };
}

const codeAccount = (accounts: CheckoutMethod['accounts']) =>
  accounts.find(({ type }) => type === 'personal') ?? accounts[0];

/** @returns the name that an app shows for a code: the account's holder, else the one in the code (59). */
export function holderOf({ accounts, code = '' }: CheckoutMethod): string {
  const read = parseObjects(code);
  return codeAccount(accounts)?.details.holder || (read.ok && findValue(read.objects, '59')) || '';
}

function exchangeWay(
  channel: PayChannel,
  { number, details }: CheckoutAccount,
  { texts, due, amount }: CardFacts,
): PaymentOption {
  const { usdt: t } = texts;
  const exchange = findExchange(details.driver);
  const app = exchange?.app ?? EXCHANGE_APPS;
  return {
    service: exchange?.name[texts.language] ?? texts.channels[channel],
    steps: [
      { text: t.stepApp(app) },
      {
        text: t.stepUser,
        items: [sameItem(exchange?.userId[texts.language] ?? '', number), amount],
        note: t.rate(due.taka, due.rate),
      },
      { text: t.stepUserConfirm },
    ],
    warning: t.userWarning,
  };
}

function chainWay(
  channel: PayChannel,
  account: CheckoutAccount,
  { texts, due, amount, codes }: CardFacts,
): PaymentOption {
  const { type, number, details } = account;
  const { usdt: t } = texts;
  const path = `${codes}/${channel}/${type}`;
  const code = { path, label: t.addressCode, side: SMALL_CODE, isFolded: true };
  return {
    service: texts.channels[channel],
    steps: [
      { text: t.stepNetwork(details.network ?? '') },
      {
        text: t.stepAddress,
        items: [addressItem(t.theAddress, number), amount],
        note: t.rate(due.taka, due.rate),
        code,
      },
      { text: t.stepConfirm },
    ],
    warning: t.addressWarning,
  };
}
