/** The status of a payment in words: the panel on top of the page, and the link back to the shop. */

import type { Checkout } from '../../src/actions/sessions/read-checkout.js';
import { CHANNEL } from '../../src/domain/accounts/channels.js';
import { looksLikeIdOf } from '../../src/domain/matching/reference.js';
import { shownMethods } from './methods.js';
import { shownTaka } from './numbers.js';
import type { CheckoutPage } from './page.js';
import { proofTexts } from './proof-input.js';
import type { Texts } from './texts/en.js';
import type { Statement } from './texts/texts.js';

/** Seconds until a page that has nothing to be read twice goes back to the shop. */
const SOON = 3;
/** The same where something is to be read and perhaps to be done. */
const LATER = 15;

interface StatusContext extends Statement {
  readonly tone: 'good' | 'waiting' | 'review' | 'bad';
  /** A doubt about what the customer gave. */
  readonly remark?: string | null;
  readonly more?: string;
  /** Names and values, of the payer's own payment. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly isId: boolean }[];
  /** To the form once more, for who has sent money. */
  readonly lateLink?: { readonly url: string; readonly text: string } | null | undefined;
}

/** @returns null while the customer has only to pay. */
export function statusContext(page: CheckoutPage, texts: Texts): StatusContext | null {
  const { checkout, isFresh } = page;
  const plain = { facts: claimFacts(page, texts) };
  switch (checkout.state) {
    case 'open':
      return isUnpayable(checkout) ? unpayable(page, texts) : null;
    case 'waiting': {
      const remark = remarkOf(page, texts);
      if (checkout.isSuspended) {
        return { ...plain, ...keptText(page, texts, texts.suspendedKept), remark, lateLink: null };
      }
      const given = proofTexts(texts, checkout.claim?.channel);
      return {
        ...plain,
        title: texts.waiting,
        text: given.waiting,
        tone: 'waiting',
        remark,
        more: given.waitingLong,
      };
    }
    case 'review':
      return {
        ...plain,
        ...reviewTexts(page, texts),
        tone: 'review',
        remark: page.isPayer && checkout.lacksSlip ? texts.review.lacksSlip : null,
      };
    case 'completed':
      return {
        ...plain,
        ...(isFresh ? texts.completed.fresh : texts.completed.again),
        tone: 'good',
        facts: paidFacts(page, texts),
      };
    case 'cancelled':
    case 'expired':
      return isKept(checkout)
        ? { ...plain, ...keptText(page, texts, texts.expiredKept) }
        : {
            ...plain,
            ...texts[checkout.state],
            tone: 'bad',
            lateLink: lateLink(page, texts.alreadySent),
          };
    case 'rejected':
      return { ...plain, ...texts.rejected, tone: 'bad' };
    default:
      return checkout.state satisfies never;
  }
}

/** Open, but no money should be sent for it now. */
export function isUnpayable({ state, methods, isSuspended }: Checkout): boolean {
  return state === 'open' && (isSuspended || shownMethods(methods).length === 0);
}

function unpayable(page: CheckoutPage, texts: Texts): StatusContext {
  const late = page.checkout.isSuspended ? lateLink(page, texts.alreadySent) : null;
  return { ...texts.unpayable, tone: 'bad', facts: [], lateLink: late };
}

/** The time is over but a claim waits: if its money comes, it goes to review. */
export function isKept({ state, claim }: Checkout): boolean {
  return state === 'expired' && claim?.isWaiting === true;
}

/** A customer who has sent money need not enter the id twice; a wrong id can be corrected. */
function keptText(page: CheckoutPage, texts: Texts, { text, more }: Texts['expiredKept']) {
  const given = proofTexts(texts, page.checkout.claim?.channel);
  const tone = 'review' as const;
  return { title: given.kept, text, more, tone, lateLink: lateLink(page, given.correct.title) };
}

function lateLink({ checkout, isLate, path }: CheckoutPage, text: string): StatusContext['lateLink'] {
  return checkout.methods.length > 0 && !isLate ? { url: `${path}?late=1`, text } : null;
}

/** A claim after the end: the shop already knows the payment as failed. */
function isLateReview({ checkout }: CheckoutPage): boolean {
  return checkout.state === 'review' && checkout.facts.status === 'FAILED';
}

function reviewTexts(page: CheckoutPage, { review }: Texts): Statement {
  if (isLateReview(page)) return review.late;
  return page.isFresh ? review.fresh : review.again;
}

/** The script says the same beside the field; many phones send the form without it. */
function remarkOf({ checkout, isPayer }: CheckoutPage, texts: Texts): string | null {
  if (!isPayer || checkout.claim === null) return null;
  const { channel, reference } = checkout.claim;
  if (CHANNEL[channel].kind !== 'sms' || looksLikeIdOf(channel, reference)) return null;
  return texts.oddClaim(texts.channels[channel]);
}

/** What the customer gave is shown to the browser that gave it. */
function claimFacts({ checkout, isPayer }: CheckoutPage, texts: Texts): StatusContext['facts'] {
  if (!isPayer || checkout.claim === null) return [];
  const { channel, reference } = checkout.claim;
  return [{ name: proofTexts(texts, channel).yours, value: reference, isId: true }];
}

function paidFacts({ checkout, isPayer }: CheckoutPage, texts: Texts): StatusContext['facts'] {
  const { paid } = checkout;
  if (!isPayer || paid === null) return [];
  const facts = [
    { name: texts.paidBy, value: texts.channels[paid.channel], isId: false },
    { name: texts.transactionId, value: paid.reference, isId: true },
    { name: texts.paidAmount, value: shownTaka(texts, paid.paidPaisa), isId: false },
  ];
  if (paid.feePaisa > 0) {
    facts.push({ name: texts.paidFee, value: shownTaka(texts, paid.feePaisa), isId: false });
  }
  return facts;
}

/** @returns null while the payment can still be made: the way out is then to cancel it. */
export function backContext(page: CheckoutPage, texts: Texts) {
  const { checkout, back } = page;
  const { state, brand } = checkout;
  if (back === null || state === 'open' || state === 'waiting') return null;
  const isToBeRead = state === 'expired' || state === 'rejected' || checkout.lacksSlip;
  const stays = !page.isFresh || page.isLate || isLateReview(page) || isKept(checkout);
  return {
    url: back.url,
    /** Null for a link, else the fields of a form. */
    parameters: back.method === 'POST' ? back.parameters : null,
    label: texts.goBack(brand.name),
    /** After which the script goes by itself; null where the customer decides. */
    seconds: stays ? null : isToBeRead ? LATER : SOON,
    going: texts.goingBack(brand.name),
  };
}
