/** The status of a payment in words: the panel on top of the page, and the link back to the shop. */

import { ASK_AFTER_MS } from '../../src/actions/claims/send-to-seller.js';
import type { Checkout } from '../../src/actions/sessions/load-checkout.js';
import { CHANNEL, QR } from '../../src/domain/accounts/channels.js';
import { QUANTITY } from '../../src/domain/links/quantity.js';
import { matchesIdShape } from '../../src/domain/matching/reference.js';
import { formatDateTime, formatDelivery, formatTakaLocalized } from './figures.js';
import { displayableMethods } from './methods.js';
import { type CheckoutPage, isLive, isPartPaid } from './page.js';
import {
  cardOfClaim,
  goalText,
  isOfCode,
  isPayerNumber,
  proofTexts,
  reviewFormContext,
} from './proof-input.js';
import type { Texts } from './texts/en.js';
import type { Statement } from './texts/texts.js';

/** Seconds until a page that has nothing to be read twice goes back to the shop. */
const SOON = 5;
/** Seconds until a page returns to the shop if it contains something to read, and perhaps to do. */
const LATER = 15;

interface StatusContext extends Statement {
  /** `over` is nobody's fault. */
  readonly tone: 'good' | 'waiting' | 'review' | 'over' | 'bad';
  /** Amount of a completed payment. */
  readonly sum?: string;
  /** What has happened, what is going on and what comes. */
  readonly live?: readonly string[];
  /** True for the payer of a completed payment. */
  readonly hasReceipt?: boolean;
  /** Warning about the customer's input. */
  readonly remark?: string | null;
  readonly more?: string;
  /** Names and values, of the payer's own payment. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly isId: boolean }[];
  /** Titles and texts that replace the first ones as time passes, in chronological order. */
  readonly stages?: readonly StatusStage[];
  /** Age of the claim, in ms. */
  readonly age?: number;
  /** Account to which the money should have gone, shown with the form. */
  readonly goal?: string | null;
  /** Form that sends the claim to the seller, and the claim's age (`from`, in ms) at which it appears. */
  readonly ask?:
    | (ReturnType<typeof reviewFormContext> & {
        readonly text: string;
        readonly due: null;
        readonly from: number;
        readonly isNow: boolean;
      })
    | null;
  /** The claim for which a slip may still come; null where none may. */
  readonly slip?: string | null;
  /** Link to the form, for customers who have sent money. */
  readonly lateLink?: { readonly url: string; readonly text: string } | null | undefined;
}

interface StatusStage extends Statement {
  /** Ages of the claim at which the stage begins and ends, in ms; the last stage has no end. */
  readonly from: number;
  readonly to: number | '';
  readonly isNow: boolean;
}

/** Age of a claim without money at which the page says that it takes long, in ms. */
const LONG_MS = 600_000;

/** @returns null while the customer has only to pay. */
export function statusContext(page: CheckoutPage, texts: Texts): StatusContext | null {
  const { checkout } = page;
  const plain = { facts: claimFacts(page, texts) };
  switch (checkout.state) {
    case 'open':
      if (isUnpayable(checkout)) return unpayable(page, texts);
      return checkout.parts.length > 0 ? partStatus(page, texts) : null;
    case 'waiting': {
      const remark = remarkOf(page, texts);
      if (checkout.isSuspended) {
        return { ...plain, ...keptText(page, texts, texts.suspendedKept), remark, lateLink: null };
      }
      const given = claimTexts(page, texts);
      const [claimed] = plain.facts;
      return {
        ...waitingTexts(page, texts, given.waiting),
        tone: 'waiting',
        live: [[given.yours, claimed?.value].filter(Boolean).join(' '), ...texts.live.waiting],
        facts: [],
        remark,
        more: given.waitingLong,
      };
    }
    case 'review':
      return {
        ...plain,
        ...reviewTexts(page, texts),
        tone: 'review',
        ...(!isLateReview(page) && { live: texts.live.review }),
        remark: page.isPayer && checkout.lacksSlip ? texts.review.lacksSlip : null,
        slip: page.isPayer && checkout.takesSlip ? (checkout.claim?.reference ?? null) : null,
        lateLink: checkout.isAsked ? lateLink(page, claimTexts(page, texts).correct.title) : null,
      };
    case 'completed':
      return {
        ...plain,
        ...completedText(page, texts),
        tone: 'good',
        sum: formatTakaLocalized(texts, checkout.amountPaisa),
        facts: paidFacts(page, texts),
        more: formatDelivery(texts, checkout) ?? '',
        remark: refundText(page, texts),
        hasReceipt: page.isPayer,
      };
    case 'cancelled':
    case 'expired': {
      const { [checkout.state]: over } = checkout.link === null ? texts : texts.link;
      return {
        ...plain,
        ...(isKept(checkout)
          ? keptText(page, texts, texts.expiredKept)
          : { ...over, tone: 'over', lateLink: lateLink(page, texts.alreadySent) }),
        ...(checkout.parts.length > 0 && partsKept(page, plain.facts, texts)),
      };
    }
    case 'rejected':
      return { ...plain, ...texts.rejected, tone: 'bad' };
    default:
      return checkout.state satisfies never;
  }
}

/**
 * State of a payment as its page shows it: with the number of the parts that have come, since each of them
 * changes an open page. A display has its own (`displayState`).
 */
export function shownState(checkout: Checkout): string {
  const { state, parts } = checkout;
  return isPartPaid(checkout) ? `${state} ${parts.length}` : state;
}

function partStatus(page: CheckoutPage, texts: Texts): StatusContext {
  const { restPaisa, paidPaisa } = page.checkout;
  const { title, text } = texts.parts.arrived;
  return {
    title,
    text: text(formatTakaLocalized(texts, restPaisa)),
    tone: 'good',
    sum: formatTakaLocalized(texts, paidPaisa),
    facts: partFacts(page, texts),
  };
}

/** Money of a payment that has ended without the rest. */
function partsKept(page: CheckoutPage, facts: StatusContext['facts'], texts: Texts) {
  const { creditedPaisa, refundedPaisa } = page.checkout;
  const keptPaisa = creditedPaisa - refundedPaisa;
  return {
    ...(keptPaisa > 0 && { text: texts.parts.kept(formatTakaLocalized(texts, keptPaisa)) }),
    facts: [...facts, ...partFacts(page, texts), ...contactFacts(page, texts)],
    remark: refundText(page, texts),
  };
}

function refundText({ checkout: { refundedPaisa } }: CheckoutPage, texts: Texts): string | null {
  return refundedPaisa === 0 ? null : texts.refunded(formatTakaLocalized(texts, refundedPaisa));
}

/** Characters at the end of a reference, enough for the payer to recognise it. */
const REFERENCE_END = 4;

/** Parts of the payer's own payment. */
function partFacts({ checkout, isPayer }: CheckoutPage, texts: Texts): StatusContext['facts'] {
  if (!isPayer) return [];
  return checkout.parts.map(({ channel, transactionId, paisa }) => ({
    name: `${texts.channels[channel]} …${transactionId.slice(-REFERENCE_END)}`,
    value: formatTakaLocalized(texts, paisa),
    isId: false,
  }));
}

/** Says more as time passes, so that nobody waits in vain or pays twice. */
function waitingTexts({ checkout, isPayer, now, path }: CheckoutPage, texts: Texts, text: string) {
  const { claim, methods } = checkout;
  const method = methods.find(({ channel }) => channel === claim?.channel);
  const age = claim === null ? 0 : Math.max(0, now - claim.at);
  const said = [{ title: texts.waiting, text }, texts.waitingOn, texts.waitingLong];
  const begins = [0, ASK_AFTER_MS, LONG_MS];
  const stages = said.map((statement, at): StatusStage => {
    const [from = 0, to = ''] = begins.slice(at);
    return { ...statement, from, to, isNow: from <= age && (to === '' || age < to) };
  });
  const current = stages.find(({ isNow }) => isNow) ?? texts.waitingLong;
  const ask =
    claim === null || !isPayer
      ? null
      : {
          ...reviewFormContext(path, {
            channel: claim.channel,
            typed: claim.reference,
            isByCode: isPayerNumber(claim.channel, claim.reference),
          }),
          text: texts.ask.waiting,
          due: null,
          from: ASK_AFTER_MS,
          isNow: age >= ASK_AFTER_MS,
        };
  const goal = method === undefined || isOfCode(cardOfClaim(claim)) ? null : goalText(texts, method);
  return { title: current.title, text: current.text, stages, age, ask, goal: ask === null ? null : goal };
}

const claimTexts = ({ checkout }: CheckoutPage, texts: Texts) =>
  proofTexts(texts, cardOfClaim(checkout.claim));

/** Thanks the payer of a link each time: there is no shop's page, so this page is the receipt. */
function completedText({ checkout, isFresh, isPayer }: CheckoutPage, texts: Texts): Statement {
  const { link, brand } = checkout;
  if (link !== null && (isFresh || isPayer)) return texts.link.thanks(brand.name);
  return isFresh ? texts.completed.fresh : texts.completed.again;
}

/** Open, but no money should be sent for it now. */
export function isUnpayable({ state, methods, isSuspended }: Checkout): boolean {
  return state === 'open' && (isSuspended || displayableMethods(methods).length === 0);
}

function unpayable(page: CheckoutPage, texts: Texts): StatusContext {
  const late = page.checkout.isSuspended ? lateLink(page, texts.alreadySent) : null;
  return { ...texts.unpayable, tone: 'bad', facts: [], lateLink: late };
}

/** The time is over but a claim waits: if its money comes, it goes to review. */
export function isKept({ state, claim }: Checkout): boolean {
  return state === 'expired' && claim?.isWaiting === true;
}

/** Text for a customer who has sent money: they need not enter the id again, and can correct a wrong one. */
function keptText(page: CheckoutPage, texts: Texts, { text, more }: Texts['expiredKept']) {
  const given = claimTexts(page, texts);
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

function reviewTexts(page: CheckoutPage, texts: Texts): Statement {
  const { review } = texts;
  if (isLateReview(page)) return review.late;
  const { claim, methods, restPaisa } = page.checkout;
  if (page.isPayer && claim !== null && claim.camePaisa !== null) {
    const due = methods.find(({ channel }) => channel === claim.channel)?.totalPaisa ?? restPaisa;
    const { title, text } = review.named;
    const isOther = claim.camePaisa !== due;
    const came = isOther
      ? `${texts.came(formatTakaLocalized(texts, claim.camePaisa), formatTakaLocalized(texts, due))} `
      : '';
    return { title, text: `${came}${text}` };
  }
  // What the customer has sent to the seller may not have come.
  if (page.isPayer && isOfCode(cardOfClaim(claim)) && !page.checkout.isAsked) return review.byCode;
  return page.isFresh ? review.fresh : review.again;
}

/** Warning about an unusual id, as the script shows it: many phones send the form without the script. */
function remarkOf({ checkout, isPayer }: CheckoutPage, texts: Texts): string | null {
  if (!isPayer || checkout.claim === null) return null;
  const { channel, reference } = checkout.claim;
  if (CHANNEL[channel].kind !== 'sms' || matchesIdShape(channel, reference)) return null;
  if (isPayerNumber(channel, reference)) return null;
  return texts.oddClaim(texts.channels[channel]);
}

/** Data of the claim, only for the browser that entered them. */
function claimFacts(page: CheckoutPage, texts: Texts): StatusContext['facts'] {
  const { checkout, isPayer } = page;
  if (!isPayer || checkout.claim === null) return [];
  const { channel, reference } = checkout.claim;
  const name = CHANNEL[channel].kind === 'manual' ? texts.bankReference : claimTexts(page, texts).yours;
  return [{ name, value: reference, isId: true }];
}

function paidFacts(page: CheckoutPage, texts: Texts): StatusContext['facts'] {
  const { checkout, isPayer } = page;
  const { paid, link, claim } = checkout;
  if (!isPayer || paid === null) return [];
  // The code of a wallet's account is paid by any app.
  const isByCode = claim?.channel === paid.channel && isOfCode(cardOfClaim(claim));
  const paidBy = isByCode ? QR : paid.channel;
  const facts = [
    { name: texts.paidAt, value: formatDateTime(texts, paid.at), isId: false },
    ...(link?.values ?? []).map(({ label, value }) => ({
      name: label === QUANTITY.label ? texts.link.quantity : label,
      value,
      isId: false,
    })),
    { name: texts.paidBy, value: texts.channels[paidBy], isId: false },
    ...(paid.recipient ? [{ name: texts.paidTo, value: paid.recipient, isId: true }] : []),
    {
      name: CHANNEL[paid.channel].kind === 'manual' ? texts.bankReference : texts.transactionId,
      value: paid.reference,
      isId: true,
    },
    ...partFacts(page, texts),
    { name: texts.paidAmount, value: formatTakaLocalized(texts, paid.paidPaisa), isId: false },
  ];
  if (paid.feePaisa > 0) {
    facts.push({ name: texts.paidFee, value: formatTakaLocalized(texts, paid.feePaisa), isId: false });
  }
  return [...facts, ...contactFacts(page, texts)];
}

function contactFacts({ checkout }: CheckoutPage, texts: Texts): StatusContext['facts'] {
  const { mobile, whatsapp, email } = checkout.brand;
  const contact = [mobile || whatsapp, email].filter((text) => text !== '').join(', ');
  return contact === '' ? [] : [{ name: texts.contact, value: contact, isId: false }];
}

/** @returns null while the payment can still be made: the way out is then to cancel it. */
export function backContext(page: CheckoutPage, texts: Texts) {
  const { checkout, back } = page;
  const { state, brand } = checkout;
  if (back === null || isLive(checkout)) return null;
  if (back.method === 'AGAIN') {
    return { url: back.url, parameters: null, label: texts.link.again, seconds: null, going: '' };
  }
  const isToBeRead = ['cancelled', 'expired', 'rejected'].includes(state) || checkout.lacksSlip;
  const stays = !page.isFresh || page.isLate || isLateReview(page) || isKept(checkout) || checkout.isAsked;
  return {
    url: back.url,
    /** Null for a link, else the fields of a form. */
    parameters: back.method === 'POST' ? back.parameters : null,
    label: texts.goBack(brand.name),
    /** Delay after which the script redirects to the shop; null if the customer decides. */
    seconds: stays ? null : isToBeRead ? LATER : SOON,
    going: texts.goingBack(brand.name),
    stay: texts.stay,
  };
}
