/** How a payment stands, in words: the panel on top of the page, and the way back to the shop. */

import type { Checkout } from '../../src/actions/sessions/read-checkout.js';
import { isMfsChannel, isPayChannel } from '../../src/domain/accounts/channels.js';
import { looksLikeIdOf } from '../../src/domain/matching/reference.js';
import type { BackContext, StatusContext } from './contexts.js';
import { givenTexts } from './given.js';
import { channelName, shownMethods } from './methods.js';
import { shownTaka } from './numbers.js';
import type { CheckoutPage } from './page.js';
import type { KeptTexts, Statement, Texts } from './texts/texts.js';

/** Seconds until a page that has nothing to be read twice goes back to the shop. */
const SOON = 3;
/** The same where something is to be read and perhaps to be done. */
const LATER = 15;

/** @returns null while the customer has only to pay. */
export function statusContext(page: CheckoutPage, texts: Texts): StatusContext | null {
  const { checkout, isFresh } = page;
  const plain = { remark: null, more: null, facts: claimFacts(page, texts), lateLink: null };
  switch (checkout.state) {
    case 'open':
      return isUnpayable(checkout) ? unpayable(page, texts) : null;
    case 'waiting': {
      const remark = remarkOf(page, texts);
      if (checkout.isSuspended) {
        return { ...plain, ...keptWords(page, texts, texts.suspendedKept), remark, lateLink: null };
      }
      const given = givenTexts(texts, checkout.claim?.channel);
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
        ...reviewWords(page, texts),
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
        ? { ...plain, ...keptWords(page, texts, texts.expiredKept) }
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

/** Nobody may send money for it, though it is open. */
export function isUnpayable({ state, methods, isSuspended }: Checkout): boolean {
  return state === 'open' && (isSuspended || shownMethods(methods).length === 0);
}

function unpayable(page: CheckoutPage, texts: Texts): StatusContext {
  const late = page.checkout.isSuspended ? lateLink(page, texts.alreadySent) : null;
  return { ...texts.unpayable, tone: 'bad', remark: null, more: null, facts: [], lateLink: late };
}

/** The time is over while what was given waits: its money, if it comes, goes before a person. */
export function isKept({ state, claim }: Checkout): boolean {
  return state === 'expired' && claim?.isWaiting === true;
}

/** Nobody who has sent money should have to say so twice; what was wrong can be corrected. */
function keptWords(page: CheckoutPage, texts: Texts, { text, more }: KeptTexts) {
  const given = givenTexts(texts, page.checkout.claim?.channel);
  const tone = 'review' as const;
  return { title: given.kept, text, more, tone, lateLink: lateLink(page, given.correct.title) };
}

function lateLink({ checkout, isLate, path }: CheckoutPage, text: string): StatusContext['lateLink'] {
  return checkout.methods.length > 0 && !isLate ? { url: `${path}?late=1`, text } : null;
}

/** A claim that came when all was over: the shop has been told that the payment failed. */
function isLateReview({ checkout }: CheckoutPage): boolean {
  return checkout.state === 'review' && checkout.facts.status === 'FAILED';
}

function reviewWords(page: CheckoutPage, { review }: Texts): Statement {
  if (isLateReview(page)) return review.late;
  return page.isFresh ? review.fresh : review.again;
}

/** The script says the same beside the field; many phones send the form without it. */
function remarkOf({ checkout, isPayer }: CheckoutPage, texts: Texts): string | null {
  if (!isPayer || checkout.claim === null) return null;
  const { channel, reference } = checkout.claim;
  if (!isMfsChannel(channel) || looksLikeIdOf(channel, reference)) return null;
  return texts.oddClaim(texts.wallets[channel].name);
}

/** What the customer gave is shown to the browser that gave it. */
function claimFacts({ checkout, isPayer }: CheckoutPage, texts: Texts): StatusContext['facts'] {
  if (!isPayer || checkout.claim === null) return [];
  const { channel, reference } = checkout.claim;
  return [{ name: givenTexts(texts, channel).yours, value: reference, isId: true }];
}

function paidFacts({ checkout, isPayer }: CheckoutPage, texts: Texts): StatusContext['facts'] {
  const { paid } = checkout;
  if (!isPayer || paid === null) return [];
  const facts = [
    { name: texts.paidBy, value: paidBy(texts, paid.channel), isId: false },
    { name: texts.transactionId, value: paid.reference, isId: true },
    { name: texts.paidAmount, value: shownTaka(texts, paid.paidPaisa), isId: false },
  ];
  if (paid.feePaisa > 0) {
    facts.push({ name: texts.paidFee, value: shownTaka(texts, paid.feePaisa), isId: false });
  }
  return facts;
}

function paidBy(texts: Texts, channel: string): string {
  return isPayChannel(channel) ? channelName(texts, channel) : channel;
}

/** @returns null while the payment can still be made: the way out is then to cancel it. */
export function backContext(page: CheckoutPage, texts: Texts): BackContext | null {
  const { checkout, back } = page;
  const { state, brand } = checkout;
  if (back === null || state === 'open' || state === 'waiting') return null;
  const isToBeRead = state === 'expired' || state === 'rejected' || checkout.lacksSlip;
  const stays = !page.isFresh || page.isLate || isLateReview(page) || isKept(checkout);
  return {
    url: back.url,
    parameters: back.method === 'POST' ? back.parameters : null,
    label: texts.goBack(brand.name),
    seconds: stays ? null : isToBeRead ? LATER : SOON,
    going: texts.goingBack(brand.name),
  };
}
