/** Page of a counter display as HTML: the amount to type, the code to scan, and the outcome. */
import type { Display } from '../../src/actions/links/display.js';
import type { Checkout } from '../../src/actions/sessions/load-checkout.js';
import { CHANNEL } from '../../src/domain/accounts/channels.js';
import { type AmountFault, hasFixedAmount } from '../../src/domain/links/link.js';
import { DISPLAY_ASSETS, render, SCRIPT } from './assets.js';
import { renderDocument, TEXTS } from './document.js';
import { digits, formatDelivery, formatTakaLocalized, formatTimeLeft } from './figures.js';
import { brandStyle, shopContext } from './look.js';
import { codedMethod } from './methods.js';
import { isLive, type Language } from './page.js';
import type { Texts } from './texts/en.js';
import { holderOf } from './ways.js';

export interface DisplayPage {
  readonly language: Language;
  readonly display: Display;
  /** Goes into every form, as `token`. */
  readonly token: string;
  /** What was typed, shown again with the problem. */
  readonly typed: string;
  readonly problem: DisplayProblem | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Path below which all addresses of the daemon are; empty or without a slash at its end. */
  readonly base: string;
  /** Path of this page, without a query. */
  readonly path: string;
}

export type DisplayProblem =
  | { readonly of: 'amount'; readonly fault: AmountFault | 'stale' }
  | {
      readonly of: 'digits';
      readonly fault: 'no_reference' | 'ask_full_number' | 'too_many_attempts' | 'already_credited' | 'stale';
    };

/** What a browser shows of a display. It changes whenever the page must be loaded again. */
export function displayState({ payment }: Pick<Display, 'payment'>): string {
  return payment === null ? 'start' : `${payment.state} ${payment.gatewayReference}`;
}

/** Seconds until a display is back at its start. */
const PAID_S = 8;
const ENDED_S = 20;
/** Reload interval in browsers without script, in seconds. */
const LOOK_AGAIN = 8;

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', '⌫'];

/** @returns a complete HTML document. */
export function renderDisplay(page: DisplayPage): string {
  const t = TEXTS[page.language];
  const { display, path } = page;
  const { link, payment } = display;
  const onShow = payment !== null && isLive(payment) ? payment : null;
  const body = render('display', {
    ...{ t, path, token: page.token, typed: page.typed },
    screen: onShow !== null ? 'code' : payment !== null ? 'ended' : 'start',
    state: displayState(display),
    test: link.brand.isTest ? t.played.band : null,
    shop: shopContext(link.brand.name, link.look, page.base, t.youPay),
    about: payment?.description ?? '',
    amount: payment === null ? null : formatTakaLocalized(t, payment.amountPaisa),
    delivery: payment === null ? null : formatDelivery(t, payment),
    paymentNo: payment?.gatewayReference ?? '',
    problem: page.problem === null ? null : problemText(t, page),
    code: onShow === null ? null : codeContext(page, t, onShow),
    ended: payment === null || onShow !== null ? null : endedContext(display, t, payment),
    closed: link.state === 'ACTIVE' ? null : t.link.closed[link.state].title,
    fixed: hasFixedAmount(link) ? formatTakaLocalized(t, link.minPaisa) : null,
    keys: KEYS.map((typed) => ({
      typed,
      shown: digits(t, typed),
      label: typed === '⌫' ? t.display.erase : null,
    })),
  });
  return renderDocument({
    t,
    title: t.display.title(link.brand.name),
    otherLanguagePath: `${path}?lang=${t.other.language}`,
    script: SCRIPT,
    own: DISPLAY_ASSETS,
    look: brandStyle(link.look),
    refresh: onShow === null ? null : { seconds: LOOK_AGAIN, url: path },
    body,
  });
}

function codeContext({ path, now }: DisplayPage, t: Texts, payment: Checkout) {
  const method = payment.isSuspended ? undefined : codedMethod(payment.methods);
  const { claim, paymentReference, expiresAt } = payment;
  const isLooking = payment.state === 'waiting' && claim !== null;
  return {
    // Another address for each payment, so that no browser shows the picture of the one before.
    picture: method === undefined ? null : `${path}/code?of=${payment.gatewayReference}`,
    holder: method === undefined ? '' : holderOf(method),
    wallets: payment.isSuspended ? [] : walletLines(t, payment),
    reference: paymentReference,
    left: t.left(formatTimeLeft(t, expiresAt, now)),
    leftMs: expiresAt - now,
    looking: isLooking ? t.display.looking(digits(t, endOf(claim.reference))) : null,
    digits: method !== undefined,
  };
}

/** Everybody at the counter reads the display: no more of a number than its end. */
function endOf(number: string): string {
  return number.length > 4 ? `•••${number.slice(-4)}` : number;
}

function walletLines(t: Texts, { methods }: Checkout): string[] {
  return methods.flatMap(({ channel, accounts }) =>
    accounts
      .filter(({ type }) => type === 'personal' && CHANNEL[channel].kind === 'sms')
      .map(({ number, details }) => `${t.channels[channel]} ${details.shown_number ?? number}`),
  );
}

function endedContext({ payerEnd }: Display, t: Texts, { state }: Checkout) {
  const { display } = t;
  switch (state) {
    case 'completed': {
      const text = payerEnd === null ? '' : display.paidFrom(digits(t, payerEnd));
      return { tone: 'good', title: display.paid, text, seconds: PAID_S };
    }
    case 'review':
      return { tone: 'review', ...display.review, seconds: ENDED_S };
    case 'rejected':
      return { tone: 'review', ...t.rejected, seconds: ENDED_S };
    case 'cancelled':
      return { tone: 'over', ...display.cancelled, seconds: ENDED_S };
    default:
      return { tone: 'over', ...display.expired, seconds: ENDED_S };
  }
}

function problemText(t: Texts, { problem, display }: DisplayPage): string {
  if (problem === null) return '';
  if (problem.fault === 'stale') return t.problems.stale_form;
  if (problem.of === 'amount') {
    const { minPaisa, maxPaisa } = display.link;
    return t.link.amountFaults[problem.fault](
      formatTakaLocalized(t, minPaisa),
      formatTakaLocalized(t, maxPaisa),
    );
  }
  const { none, credited } = t.given.number;
  if (problem.fault === 'no_reference') return none('01712345678');
  return problem.fault === 'already_credited' ? credited : t.problems[problem.fault];
}
