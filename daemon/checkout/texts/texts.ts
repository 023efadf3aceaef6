/**
 * Texts are plain words without markup; a template escapes them. Ids and numbers that are typed into other
 * apps stay in ASCII digits in every language. English says which texts there are (`Texts` in en.ts): a
 * sentence that Bangla lacks does not compile.
 */
import { EXCHANGE_NAMES } from '../../../src/channels/exchange-pay/exchanges.js';
import {
  CHANNEL,
  PAY_CHANNELS,
  type PaidChannel,
  type PayChannel,
} from '../../../src/domain/accounts/channels.js';
import type { Disagreement } from '../../../src/domain/matching/matching.js';
import type { MistakenId } from '../../../src/domain/matching/reference.js';
import { type MfsChannel, ofEachWallet } from '../../../src/domain/wallets/index.js';
import type { MfsAccountType } from '../../../src/domain/wallets/wallet.js';
import type { Language, Problem } from '../page.js';

/** A panel's headline and what it means for the customer. */
export interface Statement {
  readonly title: string;
  readonly text: string;
}

export interface WalletTexts {
  readonly name: string;
  /** Menu entry for paying to an account of that type, as the wallet's own app calls it. */
  readonly services: Readonly<Record<MfsAccountType, string>>;
}

/** Input of a customer: the id of an SMS, a number, an exchange's order id or a chain's hash. */
export type ProofKind = PaidChannel['given'];

/** Texts about the customer's input that depend on its kind. */
export interface ProofTexts {
  /** Shown above the list of ways to pay if this is the only one. */
  readonly only: (idName: string) => string;
  /** @param idName what a wallet's SMS calls the id; other kinds have a name of their own. */
  readonly label: (idName: string) => string;
  readonly hint: (example: string) => string;
  /** Shown for a text that contains none. */
  readonly none: (example: string) => string;
  /** Shown if it has already paid for something else. */
  readonly credited: string;
  readonly disagrees: Readonly<Partial<Record<Disagreement, string>>>;
  readonly yours: string;
  /** Heading where its money cannot be looked for now. */
  readonly kept: string;
  /** Says how long it usually takes. */
  readonly waiting: string;
  readonly waitingLong: string;
  /** Shown above the forms while the money of a claim has not been found. */
  readonly correct: Statement;
}

/** Problems whose words are the same for every way to pay; the others are said in `ProofTexts`. */
export type PlainProblem = Exclude<
  Problem['kind'],
  MistakenId | 'disagrees' | 'no_reference' | 'already_credited'
>;

/** @returns what a customer reads of each wallet in one language. */
export function walletTexts(language: Language): Readonly<Record<MfsChannel, WalletTexts>> {
  return ofEachWallet(({ name, checkout }) => {
    const { payment, personal, agent } = checkout.services;
    const services = { payment: payment[language], personal: personal[language], agent: agent[language] };
    return { name: name[language], services };
  });
}

/** @returns wallets and all other ways, as customers call them. */
export function channelNames(language: Language): Readonly<Record<PayChannel, string>> {
  const names = PAY_CHANNELS.map((channel) => {
    const row = CHANNEL[channel];
    const isExchange = row.kind === 'pull' && row.source === 'exchange';
    return [channel, (isExchange ? EXCHANGE_NAMES : row.name)[language]] as const;
  });
  return Object.fromEntries(names) as Record<PayChannel, string>;
}
