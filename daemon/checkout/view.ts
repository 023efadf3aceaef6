/** The hosted checkout as HTML: from a page's facts to words and markup. Knows neither request nor store. */
import type { CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import { STYLE } from './assets.js';
import type { CheckoutContext, DocumentContext, HelpContext } from './contexts.js';
import { problemField } from './fields.js';
import { type FiguredPage, type Figures, figuresOf } from './figures.js';
import { givenTexts, problemText } from './given.js';
import { methodContext, shownMethods } from './methods.js';
import type { CheckoutPage, Language, NoticePage } from './page.js';
import { backContext, isKept, isUnpayable, statusContext } from './status.js';
import { render } from './templates.js';
import { BN } from './texts/bn.js';
import { EN } from './texts/en.js';
import type { Statement, Texts } from './texts/texts.js';

const TEXTS: Readonly<Record<Language, Texts>> = { bn: BN, en: EN };

/** How often a browser without script asks whether the money has come, in seconds. */
const LOOK_AGAIN = 8;

/** @returns a whole HTML document. What is shown of the claim and of the payment depends on `isPayer`. */
export function renderCheckout(page: CheckoutPage): string {
  return renderFigured({ ...page, figures: checkoutFigures(page) });
}

/** @returns what differs from payment to payment on this page. */
export function checkoutFigures(page: CheckoutPage): Figures {
  return figuresOf(page, TEXTS[page.language]);
}

/** As `renderCheckout`, with figures that somebody else has written, or left open. */
export function renderFigured(page: FiguredPage): string {
  const t = TEXTS[page.language];
  const context = checkoutContext(page, t);
  const { brand } = page.checkout;
  return render('document', {
    t,
    title: context.status === null ? t.title(brand.name) : `${context.status.title} · ${brand.name}`,
    style: STYLE,
    otherLanguagePath: `${page.figures.path}?lang=${t.other.language}${page.isLate ? '&late=1' : ''}`,
    scriptPath: page.scriptPath,
    refresh: refreshOf(page, context),
    body: render('checkout', context),
  });
}

/** @returns a whole HTML document. */
export function renderNotice(page: NoticePage): string {
  const t = TEXTS[page.language];
  const statement = t.notices[page.notice];
  return render('document', {
    t,
    title: statement.title,
    style: STYLE,
    otherLanguagePath: page.retryPath === null ? null : `${page.retryPath}?lang=${t.other.language}`,
    scriptPath: null,
    refresh: null,
    body: render('notice', { t, statement, retryPath: page.retryPath }),
  });
}

function checkoutContext(page: FiguredPage, t: Texts): CheckoutContext {
  const { checkout, figures } = page;
  const isLive = checkout.state === 'open' || checkout.state === 'waiting';
  const canSend = isLive && !checkout.isSuspended;
  const isEditing = page.isLate || page.problem !== null;
  const isOver = checkout.state === 'expired' || checkout.state === 'cancelled';
  const isLate = isEditing && (isOver || (checkout.state === 'open' && !canSend));
  const hasForms = canSend || isLate || checkout.state === 'waiting';
  const methods = hasForms ? shownMethods(checkout.methods) : [];
  const openChannel = openCard(page, methods);
  return {
    t,
    path: figures.path,
    token: figures.token,
    state: checkout.state,
    isLive,
    brand: checkout.brand.name,
    amountLabel: canSend && isOneSum(methods) ? t.toPay : t.amount,
    amount: figures.amount,
    customer:
      (checkout.state === 'open' || page.isPayer) && checkout.cusName !== '' ? figures.customer : null,
    paymentNo: figures.paymentNo,
    time:
      canSend && !isUnpayable(checkout)
        ? {
            text: t.payBefore(figures.until),
            left: t.left(figures.left),
            leftMs: figures.leftMs,
          }
        : null,
    problem: problemOf(page, t, methods),
    status: statusContext(page, t),
    back: backContext(page, t),
    correctPath: checkout.state === 'waiting' && !isEditing ? `${page.path}?late=1` : null,
    intro: introOf(page, t, methods, isLate),
    methods: methods.map((method) => methodContext(page, t, method, canSend, openChannel)),
    cancelText: isLive ? (methods.length > 0 ? t.cancelText : t.cancelTextNoForm) : null,
    help: helpOf(page),
  };
}

/** The page shows one sum only if it is the same for every way to pay; else each card shows its own. */
function isOneSum(methods: readonly CheckoutMethod[]): boolean {
  return methods.length > 0 && methods.every(({ feePaisa }) => feePaisa === 0);
}

/** A customer who begins sees a short list; only a card that is in use stands open. */
function openCard(page: CheckoutPage, methods: readonly { readonly channel: string }[]): string | null {
  const { checkout, isPayer, problem } = page;
  if (problem !== null) return problem.channel;
  if (checkout.state === 'waiting' && !page.isLate) return null;
  const claimed = isPayer ? checkout.claim?.channel : undefined;
  return claimed ?? (methods.length === 1 ? (methods[0]?.channel ?? null) : null);
}

function problemOf(
  { problem }: CheckoutPage,
  t: Texts,
  methods: readonly { readonly channel: string }[],
): CheckoutContext['problem'] {
  if (problem === null) return null;
  const isShown = methods.some((method) => method.channel === problem.channel);
  return isShown
    ? { text: t.problemBelow, href: `#${problemField(problem)}` }
    : { text: problemText(t, problem), href: null };
}

function introOf(
  { checkout }: CheckoutPage,
  t: Texts,
  methods: readonly { readonly channel: string }[],
  isLate: boolean,
): Statement | null {
  const [first, ...others] = methods;
  if (first === undefined) return null;
  if (checkout.state === 'waiting' || isKept(checkout)) return givenTexts(t, checkout.claim?.channel).correct;
  if (isLate) return checkout.state === 'open' ? t.suspendedLate : t.late(checkout.brand.name);
  return others.length > 0 ? t.choose : { title: t.onlyWay, text: givenTexts(t, first.channel).only };
}

/** Without script the browser goes by itself too: on to the shop, or to look whether the money has come. */
function refreshOf(page: CheckoutPage, { back, correctPath }: CheckoutContext): DocumentContext['refresh'] {
  if (correctPath !== null) {
    return { seconds: LOOK_AGAIN, url: `${page.path}?now=1` };
  }
  if (back === null || back.seconds === null || back.parameters !== null) return null;
  return { seconds: back.seconds, url: back.url };
}

function helpOf({ checkout }: CheckoutPage): HelpContext | null {
  const { mobile, whatsapp, email } = checkout.brand;
  if (mobile === '' && whatsapp === '' && email === '') return null;
  return {
    mobile: mobile === '' ? null : { shown: mobile, dialled: mobile.replace(/[^\d+]/g, '') },
    // wa.me wants the international form without a plus sign.
    whatsapp: whatsapp === '' ? null : whatsapp.replace(/\D/g, '').replace(/^0(?=1)/, '880'),
    email: email === '' ? null : email,
  };
}
