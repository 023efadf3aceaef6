/** The hosted checkout as HTML: from a page's facts to words and markup. Knows neither request nor store. */
import type { CheckoutMethod } from '../../src/actions/sessions/load-checkout.js';
import { isOnChain } from '../../src/domain/accounts/channels.js';
import { render, SCRIPT } from './assets.js';
import { helpContext, renderDocument, TEXTS } from './document.js';
import {
  type FilledPage,
  formatDelivery,
  formatFigures,
  formatOrder,
  formatTakaLocalized,
} from './figures.js';
import { brandStyle, buildPreview, cardImage, shopContext } from './look.js';
import { type Card, cardsOf, hasSent, identifiesPayment, methodContext } from './methods.js';
import { type CheckoutPage, isLive, isPartPaid, type NoticePage } from './page.js';
import {
  cameText,
  cardOfClaim,
  cardOfProblem,
  problemField,
  problemText,
  proofTexts,
  walletIdName,
} from './proof-input.js';
import { backContext, isKept, isUnpayable, shownState, statusContext } from './status.js';
import type { Texts } from './texts/en.js';

/** Reload interval of a page that waits for the money in a browser without script, in seconds. */
const LOOK_AGAIN = 8;
/** Reload interval if the page has a form that the customer may be filling in, in seconds. */
const LOOK_SELDOM = 30;

/** @returns a complete HTML document. Shows data of the claim and the payment depending on `isPayer`. */
export function renderCheckout(given: CheckoutPage): string {
  const t = TEXTS[given.language];
  const page = { ...given, figures: formatFigures(given, t) };
  const context = checkoutContext(page, t);
  const { brand } = page.checkout;
  return renderDocument({
    t,
    title: context.status === null ? t.title(brand.name) : `${context.status.title} · ${brand.name}`,
    otherLanguagePath: `${page.figures.path}?lang=${t.other.language}${page.isLate ? '&late=1' : ''}`,
    script: SCRIPT,
    hasHelp: context.help !== null,
    refresh: refreshOf(page, context),
    look: brandStyle(page.checkout.look),
    // Neither the customer's name nor the sum: chats show it to everybody in them.
    preview: buildPreview({
      title: t.previewTitle(brand.name),
      text: t.title(brand.name),
      brand: brand.name,
      path: page.path,
      image: cardImage(page.path, page.language),
      look: page.checkout.look,
      base: page.base,
      origin: page.origin,
    }),
    body: render('checkout', context),
  });
}

/** @returns a complete HTML document. */
export function renderNotice(page: NoticePage): string {
  const t = TEXTS[page.language];
  const statement = t.notices[page.notice];
  return renderDocument({
    t,
    title: statement.title,
    // Of the address that was asked for, whatever it is, where there is no page to go back to.
    otherLanguagePath: `${page.retryPath ?? ''}?lang=${t.other.language}`,
    body: render('notice', { t, statement, retryPath: page.retryPath }),
  });
}

function checkoutContext(page: FilledPage, t: Texts) {
  const { checkout, figures } = page;
  /** True for what only the payer may see once the payment is claimed or over. */
  const showsOrder = checkout.state === 'open' || page.isPayer;
  const isOpen = isLive(checkout);
  const canSend = isOpen && !checkout.isSuspended;
  const isEditing = page.isLate || page.problem !== null;
  const isOver = checkout.state === 'expired' || checkout.state === 'cancelled';
  const isLate = isEditing && (isOver || checkout.isAsked || (checkout.state === 'open' && !canSend));
  const hasForms = canSend || isLate || checkout.state === 'waiting';
  const methods = hasForms ? cardsOf(checkout.methods) : [];
  const openCard = openCardOf(page, methods);
  // Money was sent, and only its own way matters now.
  const sentBy = page.problem !== null && hasSent(page.problem) ? cardOfProblem(page.problem) : null;
  const isFirst = ({ name }: Card) => name === sentBy;
  const [first, others] = [methods.filter(isFirst), methods.filter((card) => !isFirst(card))];
  const cards = [...first, ...others].map((card) => methodContext(page, t, card, canSend, openCard));
  return {
    t,
    path: figures.path,
    token: figures.token,
    state: checkout.state,
    shown: shownState(checkout),
    shop: shopContext(checkout.brand.name, checkout.look, page.base, isOpen ? t.youPay : t.website),
    /** True while the payment may still change, so that the script listens. */
    isLive: isOpen || checkout.isAsked || isOver,
    /** Banner at the top of a test brand's page; null on all other pages. */
    test: checkout.isTest ? t.played.band : null,
    about: checkout.link?.title ?? '',
    amountLabel: amountLabel(page, t, canSend && isOneSum(methods)),
    /** Null where the panel shows it. */
    amount: checkout.state === 'completed' ? null : figures.amount,
    notes: amountNotes(page, t, methods.length > 0),
    order: showsOrder ? formatOrder(t, checkout) : null,
    customer: showsOrder && checkout.cusName !== '' ? figures.customer : null,
    paymentNo: figures.paymentNo,
    time:
      canSend && !isUnpayable(checkout)
        ? { text: t.payBefore(figures.until), left: t.left(figures.left), leftMs: figures.leftMs }
        : null,
    progress: progressOf(page, openCard),
    /** Address of a QR code with the address of this page, which only large screens load; or null. */
    phoneCode: checkout.state === 'open' && canSend ? `${page.path}/qr` : null,
    problem: problemOf(page, t, methods),
    status: statusContext(page, t),
    back: backContext(page, t),
    /** Link for browsers without script, whose waiting page reloads itself; null on every other page. */
    correctPath: checkout.state === 'waiting' && !isEditing ? `${page.path}?late=1` : null,
    intro: introOf(page, t, cards, isLate),
    /** Link for browsers without script, whose page no money updates; or null. */
    updatePath: checkout.state === 'open' && identifiesPayment(cards) ? page.path : null,
    methods: cards,
    /** Index of the first card that is folded away, or null. */
    foldFrom: first.length > 0 && others.length > 0 ? first.length : null,
    /** Text next to the button that cancels; null if nothing can be cancelled. */
    cancelText: isOpen ? cancelText(page, t, methods.length > 0) : null,
    questions: isOpen ? checkout.questions : [],
    video:
      !isOpen || checkout.video === '' ? null : { url: checkout.video, host: new URL(checkout.video).host },
    help: helpContext(checkout.brand, `${t.paymentNo}: `),
  };
}

/** @returns how many of the three steps are done; null of a payment that cannot be made. */
function progressOf({ checkout }: CheckoutPage, openCard: string | null): { readonly done: number } | null {
  switch (checkout.state) {
    case 'open':
      return isUnpayable(checkout) ? null : { done: openCard === null ? 0 : 1 };
    case 'waiting':
      return { done: 2 };
    case 'review':
      return checkout.facts.status === 'FAILED' ? null : { done: 2 };
    case 'completed':
      return { done: 3 };
    default:
      return null;
  }
}

/** @param isOneSum true if every way to pay has the same sum. */
function amountLabel({ checkout }: CheckoutPage, t: Texts, isOneSum: boolean): string {
  if (isPartPaid(checkout)) return t.parts.due;
  if (checkout.deliveryPaisa > 0) return isOneSum ? t.advance.toPay : t.advance.label;
  return isOneSum ? t.toPay : t.amount;
}

/** Lines below the amount: parts, and what is due on delivery. */
function amountNotes({ checkout }: CheckoutPage, t: Texts, hasMethods: boolean): string[] {
  const { parts, takesParts, paidPaisa, amountPaisa, state } = checkout;
  const soFar = t.parts.soFar(formatTakaLocalized(t, paidPaisa), formatTakaLocalized(t, amountPaisa));
  return [
    formatDelivery(t, checkout),
    parts.length > 0 ? soFar : state === 'open' && takesParts && hasMethods ? t.parts.may : null,
  ].filter((note) => note !== null);
}

function cancelText({ checkout }: CheckoutPage, t: Texts, hasMethods: boolean): string {
  if (checkout.parts.length > 0) return t.parts.cancelText(formatTakaLocalized(t, checkout.paidPaisa));
  return hasMethods ? t.cancelText : t.cancelTextNoForm;
}

/** The page shows one sum only if it is the same for every way to pay; else each card shows its own. */
function isOneSum(cards: readonly Card[]): boolean {
  return cards.length > 0 && cards.every(({ method }) => method.feePaisa === 0);
}

/** True if the customer has requested the amount on a chain: a link's payment has one only then. */
const isAskedFor = ({ channel, usdt }: CheckoutMethod) => isOnChain(channel) && usdt !== null;

/** A new customer sees a short list; only a card in use is open. */
function openCardOf(page: CheckoutPage, cards: readonly Card[]): string | null {
  const { checkout, isPayer, problem } = page;
  if (problem !== null) return cardOfProblem(problem);
  if (checkout.state === 'waiting' && !page.isLate) return null;
  const claimed = isPayer ? cardOfClaim(checkout.claim) : undefined;
  const asked = checkout.link === null ? undefined : cards.find(({ method }) => isAskedFor(method))?.name;
  return claimed ?? asked ?? (cards.length === 1 ? (cards[0]?.name ?? null) : null);
}

/** Short text with a link to the field that shows the rest; the complete text if there is no such field. */
function problemOf({ problem, checkout }: CheckoutPage, t: Texts, cards: readonly Card[]) {
  if (problem === null) return null;
  const shown = cards.find(({ name }) => name === cardOfProblem(problem));
  const due = shown?.method.totalPaisa;
  const came = cameText(t, problem, due ?? checkout.restPaisa);
  if (came !== null) return { text: came, href: null };
  return shown !== undefined
    ? { text: t.problemBelow, href: `#${problemField(problem)}` }
    : { text: problemText(t, problem), href: null };
}

function introOf(
  { checkout, problem }: CheckoutPage,
  t: Texts,
  cards: readonly ReturnType<typeof methodContext>[],
  isLate: boolean,
): { readonly title: string; readonly text: string | null } | null {
  const [first, ...others] = cards;
  if (first === undefined) return null;
  if (checkout.state === 'waiting' || checkout.isAsked || isKept(checkout))
    return proofTexts(t, cardOfClaim(checkout.claim)).correct;
  if (isLate) return checkout.state === 'open' ? t.suspendedLate : t.late(checkout.brand.name);
  if (hasSent(problem)) return { title: t.sentTitle, text: null };
  // Who comes back with a problem has chosen already.
  if (problem !== null && cards.some(({ id }) => id === cardOfProblem(problem)))
    return { title: t.onlyWay, text: null };
  const byItself = identifiesPayment(cards);
  if (others.length > 0) {
    const { title, text, byReference } = t.choose;
    const rest = isPartPaid(checkout) ? t.parts.choose : title;
    return { title: rest, text: byItself ? byReference : text };
  }
  return {
    title: t.onlyWay,
    text: byItself ? t.onlyByReference : proofTexts(t, first.id).only(walletIdName(first.id)),
  };
}

/** Redirects browsers without script to the shop, or reloads the page to check for the money. */
function refreshOf(page: CheckoutPage, { back, correctPath, status }: ReturnType<typeof checkoutContext>) {
  const seconds = status?.ask?.isNow === true ? LOOK_SELDOM : LOOK_AGAIN;
  if (correctPath !== null) return { seconds, url: `${page.path}?now=1` };
  if (back === null || back.seconds === null || back.parameters !== null) return null;
  return { seconds: back.seconds, url: back.url };
}
