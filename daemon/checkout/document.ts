/** Common parts of every page for customers: the document around it, and the seller's contacts for help. */
import type { BrandContact } from '../../src/actions/brands/brand-context.js';
import { render, STYLE } from './assets.js';
import type { LookStyle, Preview } from './look.js';
import type { Language } from './page.js';
import { BN } from './texts/bn.js';
import { EN, type Texts } from './texts/en.js';

export const TEXTS: Readonly<Record<Language, Texts>> = { bn: BN, en: EN };

export function renderDocument(parts: {
  readonly t: Texts;
  readonly title: string;
  /** True if the page has contacts, to which a link at its top leads. */
  readonly hasHelp?: boolean;
  /** Null on pages that have no address of their own. */
  readonly otherLanguagePath: string | null;
  readonly script?: string;
  /** Delay and address of the automatic redirect, for browsers without script. */
  readonly refresh?: { readonly seconds: number; readonly url: string } | null;
  /** The brand's own style; none on pages that belong to no brand. */
  readonly look?: LookStyle | null;
  /** Likewise. */
  readonly preview?: Preview;
  /** Style and script that pages of one kind have in addition to the common ones. */
  readonly own?: { readonly style: string; readonly script: string };
  /** HTML that a template has made. */
  readonly body: string;
}): string {
  return render('document', { ...parts, style: STYLE });
}

/**
 * @param message with which a customer's message begins; the page's payment number follows, if it has one.
 * @returns null for a shop that has said nothing.
 */
export function helpContext({ mobile, whatsapp, email }: BrandContact, message: string) {
  if (mobile === '' && whatsapp === '' && email === '') return null;
  return {
    mobile: mobile === '' ? null : { shown: mobile, dialled: mobile.replace(/[^\d+]/g, '') },
    // wa.me wants the international form without a plus sign.
    whatsapp: whatsapp === '' ? null : whatsapp.replace(/\D/g, '').replace(/^0(?=1)/, '880'),
    email: email === '' ? null : email,
    message: message.replace(/ /g, '%20'),
  };
}
