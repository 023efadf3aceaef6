/**
 * What the checkout page says, as one type: a sentence that one language lacks does not compile. Texts are
 * plain words without markup; a template escapes them. Ids and numbers that are typed into other apps stay
 * in ASCII digits in every language.
 */
import type { MfsAccountType, MfsChannel, PayChannel } from '../../../src/domain/accounts/channels.js';
import type { Disagreement } from '../../../src/domain/matching/matching.js';
import type { Language, Notice, Problem } from '../page.js';

/** A panel's headline and what it means for the customer. */
export interface Statement {
  readonly title: string;
  readonly text: string;
}

export interface WalletTexts {
  readonly name: string;
  /** The menu entry by which an account of that type is paid, as the wallet's own app calls it. */
  readonly services: Readonly<Record<MfsAccountType, string>>;
}

/** Paying by the QR code of a payment. */
export interface CodeTexts {
  readonly stepScan: string;
  readonly label: string;
  /** For who pays with the telephone that shows the code. */
  readonly onThisPhone: string;
  readonly save: string;
  readonly stepAmount: string;
  readonly stepWait: string;
}

/** Paying in USDT, by an exchange's own payments and on a chain. */
export interface UsdtTexts {
  /** @param taka the same in taka. @param rate what one USDT is counted for. */
  readonly rate: (taka: string, rate: string) => string;
  readonly stepApp: string;
  readonly stepUser: string;
  readonly stepUserAmount: string;
  readonly stepUserConfirm: string;
  readonly userWarning: string;
  readonly theUser: string;
  readonly stepNetwork: (network: string) => string;
  readonly stepAddress: string;
  readonly stepAmount: string;
  readonly stepConfirm: string;
  readonly addressWarning: string;
  readonly theAddress: string;
  readonly addressCode: string;
}

/** What a customer tells us: the id of an SMS, a number, an exchange's order id or a chain's hash. */
export type GivenKind = 'id' | 'number' | 'order' | 'hash';

/** What is said about that, where it differs from kind to kind. */
export interface GivenTexts {
  /** Over the list of ways where there is but this one. */
  readonly only: string;
  readonly label: string;
  readonly hint: (example: string) => string;
  /** Of a text in which there is none. */
  readonly none: (example: string) => string;
  /** It has paid for something else. */
  readonly credited: string;
  readonly disagrees: Readonly<Partial<Record<Disagreement, string>>>;
  readonly yours: string;
  /** Over what becomes of it where nobody can look for its money now. */
  readonly kept: string;
  /** How long it usually takes. */
  readonly waiting: string;
  readonly waitingLong: string;
  /** Over the forms while one is being looked for. */
  readonly correct: Statement;
}

/** What becomes of what was given, and what its customer may do. */
export interface KeptTexts {
  readonly text: string;
  readonly more: string;
}

/** Problems whose words are the same for every way to pay; the others are said in `GivenTexts`. */
export type PlainProblem = Exclude<Problem['kind'], 'disagrees' | 'no_reference' | 'already_credited'>;

export interface Texts {
  readonly language: Language;
  /** The other language, in that language. */
  readonly other: { readonly language: Language; readonly name: string };
  readonly title: (brand: string) => string;
  readonly toPay: string;
  /** The same once nothing is to be paid any more, and where what is to be paid differs from way to way. */
  readonly amount: string;
  readonly customer: string;
  readonly paymentNo: string;
  readonly payBefore: (time: string) => string;
  /** @param left minutes or hours, or a ticking clock; the script puts it where `{}` would stand. */
  readonly left: (left: string) => string;
  readonly minutes: (count: string) => string;
  readonly hours: (count: string) => string;
  /** @param hour 0 to 23 of Bangladesh time. @param clock hours of twelve and minutes. */
  readonly timeOfDay: (hour: number, clock: string) => string;
  readonly months: readonly string[];
  readonly neverPin: string;

  readonly wallets: Readonly<Record<MfsChannel, WalletTexts>>;
  readonly channels: Readonly<Record<Exclude<PayChannel, MfsChannel>, string>>;

  readonly given: Readonly<Record<GivenKind, GivenTexts>>;
  readonly choose: Statement;
  readonly onlyWay: string;
  /** Without script the waiting page renews itself; this leads to one that does not. */
  readonly correctLink: string;
  readonly late: (brand: string) => Statement;
  readonly feeIncluded: (fee: string) => string;
  readonly stepOpen: (wallet: string, service: string, code: string) => string;
  readonly stepNumber: Readonly<Record<MfsAccountType, string>>;
  readonly stepAmount: string;
  readonly stepConfirm: string;
  readonly onlyService: (service: string) => string;
  /** Over the steps where somebody has gone through them already. */
  readonly stepsAgain: string;
  readonly otherWay: (service: string) => string;
  readonly qr: (name: string) => string;
  readonly copy: string;
  readonly copied: string;
  readonly theNumber: string;
  readonly theAmount: string;
  readonly idOdd: (example: string) => string;
  /** `{}` stands for the id that the script found in a pasted text. */
  readonly idFound: string;
  readonly hashOdd: string;
  readonly hashFound: string;
  readonly submitClaim: string;
  readonly busy: string;
  readonly timeOver: string;

  readonly code: CodeTexts;
  readonly usdt: UsdtTexts;

  readonly bankIntro: string;
  readonly bankFields: Readonly<
    Record<'bank_name' | 'holder' | 'number' | 'branch' | 'routing' | 'amount', string>
  >;
  readonly bankNote: string;
  readonly referenceLabel: string;
  readonly referenceHint: string;
  readonly slipLabel: string;
  readonly slipHint: string;
  readonly slipTooLarge: string;
  readonly bankReview: (brand: string) => string;
  readonly submitBank: string;

  readonly waiting: string;
  /** Of a claimed id that has another shape than that wallet's ids usually have. */
  readonly oddClaim: (wallet: string) => string;
  readonly review: {
    readonly fresh: Statement;
    readonly again: Statement;
    /** Of a payment that the shop knows as failed. */
    readonly late: Statement;
    /** Beside the others: the claim was taken without its slip. */
    readonly lacksSlip: string;
  };
  readonly completed: { readonly fresh: Statement; readonly again: Statement };
  readonly cancelled: Statement;
  readonly expired: Statement;
  /** The same where something that was given still waits for its money. */
  readonly expiredKept: KeptTexts;
  readonly rejected: Statement;
  readonly unpayable: Statement;
  /** Of a shop that is suspended, to those who have sent money: what becomes of it, and over the forms. */
  readonly suspendedKept: KeptTexts;
  readonly suspendedLate: Statement;
  readonly alreadySent: string;
  readonly paidBy: string;
  readonly transactionId: string;
  readonly paidAmount: string;
  readonly paidFee: string;
  readonly goingBack: (brand: string) => string;
  readonly goBack: (brand: string) => string;

  readonly cancelAsk: string;
  readonly cancelText: string;
  /** The same where the page has no field for an id. */
  readonly cancelTextNoForm: string;
  readonly cancelDo: string;

  readonly help: string;
  readonly helpText: string;
  readonly call: string;
  readonly whatsapp: string;
  readonly email: string;

  /** On top of the page: a link to the field, beside which the rest is said. */
  readonly problemBelow: string;
  readonly noBankReference: string;
  readonly problems: Readonly<Record<PlainProblem, string>>;
  /** Where `GivenTexts` says nothing else. */
  readonly disagrees: Readonly<Record<Disagreement, string>>;

  readonly notices: Readonly<Record<Notice, Statement>>;
  readonly tryAgain: string;
}
