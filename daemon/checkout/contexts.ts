/** What each template is given, one type per template: the border behind which nothing is checked. */

import type { CheckoutState } from '../../src/actions/sessions/read-checkout.js';
import type { ReturnParameters } from '../../src/domain/sessions/redirect.js';
import type { Statement, Texts } from './texts/texts.js';

/** The whole document around a page. */
export interface DocumentContext {
  readonly t: Texts;
  readonly title: string;
  readonly style: string;
  /** Where the other language is; null on pages that have no address of their own. */
  readonly otherLanguagePath: string | null;
  readonly scriptPath: string | null;
  /** For browsers without script: where to go by itself, and after how many seconds. */
  readonly refresh: { readonly seconds: number; readonly url: string } | null;
  /** HTML that a template has made. */
  readonly body: string;
}

/** Something that is typed into another app: shown for eyes, copied as that app takes it. */
export interface CopyItem {
  readonly label: string;
  readonly shown: string;
  readonly value: string;
}

/** The picture of a QR code. */
export interface CodeContext {
  readonly path: string;
  readonly label: string;
  /** In CSS pixels. */
  readonly side: number;
  /** The same as a file, for who pays with the telephone that shows it. */
  readonly save: { readonly path: string; readonly text: string; readonly label: string } | null;
}

export interface StepContext {
  readonly text: string;
  readonly item: CopyItem | null;
  readonly note: string | null;
  readonly code: CodeContext | null;
}

/** One account and how to pay to it. */
export interface WayContext {
  /** What it is called where there are several. */
  readonly service: string;
  readonly steps: readonly StepContext[];
  readonly code: CodeContext | null;
  readonly warning: string | null;
}

export interface FieldContext {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  /** True when it follows numbered steps, as the last of them. */
  readonly isStep: boolean;
  readonly hint: string;
  readonly typed: string;
  readonly maxLength: number;
  /** What telephones should offer for typing. */
  readonly keyboard: 'capitals' | 'digits' | 'plain';
  /** What is wrong with what was typed, or null. */
  readonly problem: string | null;
  /** For the script: the shape in capitals, and what to say of a text without such a thing and with one. */
  readonly check: { readonly shape: string; readonly odd: string; readonly found: string } | null;
}

interface CardContext {
  readonly channel: string;
  readonly name: string;
  readonly mark: string;
  readonly isOpen: boolean;
  /** What is due on this channel, where that is not the sum on top of the page; and its fee, if any. */
  readonly total: string | null;
  readonly fee: string | null;
  readonly action: string;
  /** True when the steps have been gone through already: what matters then is the form. */
  readonly isFolded: boolean;
  readonly field: FieldContext;
}

export type MethodContext =
  | (CardContext & {
      readonly kind: 'ways';
      /** Empty when nothing is to be sent any more. The first is the one to take. */
      readonly ways: readonly WayContext[];
    })
  | (CardContext & {
      readonly kind: 'bank';
      /** Empty when nothing is to be sent any more. */
      readonly accounts: readonly (readonly CopyItem[])[];
      readonly note: CopyItem;
      readonly reviewText: string;
      readonly slipProblem: string | null;
    });

export interface StatusContext extends Statement {
  readonly tone: 'good' | 'waiting' | 'review' | 'bad';
  /** A doubt about what the customer gave. */
  readonly remark: string | null;
  readonly more: string | null;
  /** Names and values, of the payer's own payment. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly isId: boolean }[];
  /** To the form once more, for who has sent money. */
  readonly lateLink: { readonly url: string; readonly text: string } | null;
}

export interface BackContext {
  readonly url: string;
  /** Null for a link, else the fields of a form. */
  readonly parameters: ReturnParameters | null;
  readonly label: string;
  /** Seconds after which the script goes by itself; null where the customer decides. */
  readonly seconds: number | null;
  readonly going: string;
}

export interface HelpContext {
  readonly mobile: { readonly shown: string; readonly dialled: string } | null;
  /** Digits of the international form. */
  readonly whatsapp: string | null;
  readonly email: string | null;
}

export interface CheckoutContext {
  readonly t: Texts;
  readonly path: string;
  readonly token: string;
  readonly state: CheckoutState;
  /** True while something may still move, so that the script listens. */
  readonly isLive: boolean;
  readonly brand: string;
  readonly amountLabel: string;
  readonly amount: string;
  readonly customer: string | null;
  readonly paymentNo: string;
  readonly time: { readonly text: string; readonly left: string; readonly leftMs: string } | null;
  /** Short with a link to the field beside which the rest is said; all of it where there is no field. */
  readonly problem: { readonly text: string; readonly href: string | null } | null;
  readonly status: StatusContext | null;
  readonly back: BackContext | null;
  readonly intro: Statement | null;
  /** For browsers without script, whose waiting page does not stay; null on every other page. */
  readonly correctPath: string | null;
  readonly methods: readonly MethodContext[];
  /** What is said beside the button that cancels; null where nothing can be cancelled. */
  readonly cancelText: string | null;
  readonly help: HelpContext | null;
}

export interface NoticeContext {
  readonly t: Texts;
  readonly statement: Statement;
  readonly retryPath: string | null;
}

export interface TemplateContexts {
  readonly document: DocumentContext;
  readonly checkout: CheckoutContext;
  readonly notice: NoticeContext;
}
