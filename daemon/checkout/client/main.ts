/**
 * Improves the checkout page if scripts are available. The page works without them; nothing here makes
 * decisions about money. Written for Chrome 70: newer features are detected before use.
 */

import { startCopying } from './copy.js';
import { startFields } from './fields.js';
import { type Following, reloadWhenReady, startFollowing } from './follow.js';
import { startForms, startReturn } from './forms.js';
import { startNetwork } from './net.js';
import {
  announce,
  listen,
  ownDigits,
  type PaymentPage,
  type ServerAnswer,
  staysAtEnd,
  stopwatch,
} from './page.js';
import { rememberWay, startKeeping } from './saved-input.js';
import { startSlip } from './slip.js';

/** One open card at a time: opening one closes the other. */
function startCards({ main, state }: PaymentPage): void {
  const cards = Array.from(main.querySelectorAll<HTMLDetailsElement>('details.card'));
  const [choose, pay] = main.querySelectorAll('.steps li');
  const step = () => {
    if (!choose || !pay || state !== 'open') return;
    const [done, current] = cards.some(({ open }) => open) ? [choose, pay] : [null, choose];
    for (const one of [choose, pay]) {
      one.className = one === done ? 'done' : one === current ? '' : 'ahead';
      if (one === current) one.setAttribute('aria-current', 'step');
      else one.removeAttribute('aria-current');
    }
  };
  for (const card of cards) {
    card.addEventListener('toggle', () => {
      step();
      if (!card.open) return;
      rememberWay(card.className);
      for (const other of cards) if (other !== card) other.open = false;
      // Closing a card above may have moved this one out of sight.
      if (card.getBoundingClientRect().top < 0) card.scrollIntoView();
    });
  }
}

/** A phone cannot scan the code that it shows. */
function foldCodes({ main }: PaymentPage): void {
  if (!matchMedia('(hover: none)').matches) return;
  for (const code of main.querySelectorAll<HTMLDetailsElement>('.scan')) code.open = false;
}

/** Time after which a customer who is back from the wallet's app is shown the form for the id, in ms. */
const BACK_MS = 20_000;

function startUnfolding(page: PaymentPage): void {
  let timer: number | undefined;
  listen(page, document, 'visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) return;
    timer = setTimeout(() => {
      const fold = page.main.querySelector<HTMLDetailsElement>('.card[open] .typed');
      if (fold !== null) fold.open = true;
    }, BACK_MS);
  });
  page.onEnd(() => clearTimeout(timer));
}

function startReceipt({ main, state, isLoaded }: PaymentPage): void {
  const button = main.querySelector<HTMLElement>('#receipt');
  if (button !== null) button.onclick = () => print();
  // The page has just learned of it. Not every browser has it, and none without a touch before.
  if (state === 'completed' && !isLoaded && navigator.vibrate !== undefined) navigator.vibrate(30);
}

function startStages(page: PaymentPage): void {
  const status = page.main.querySelector<HTMLElement>('[data-age]');
  if (status === null) return;
  const passed = stopwatch();
  const parts = Array.from(status.querySelectorAll<HTMLElement>('[data-from]'));
  const step = () => {
    const age = Number(status.dataset.age) + passed();
    for (const part of parts) {
      const { from, to } = part.dataset;
      const isHidden = age < Number(from) || (to !== '' && age >= Number(to));
      if (isHidden === part.hidden) continue;
      part.hidden = isHidden;
      if (!isHidden && part.tagName === 'SPAN') announce(part.textContent ?? '');
    }
  };
  const timer = setInterval(step, 1000);
  page.onEnd(() => clearInterval(timer));
}

/** The server's clock has the last word; a second later it agrees. */
const GRACE_MS = 1000;

/** @param left text around the clock; `{}` is replaced by the clock. */
function startTimer(page: PaymentPage, left: string, { over, offline }: Following): void {
  const shown = document.getElementById('left');
  if (shown === null) return;
  const passed = stopwatch();
  const tick = () => {
    const rest = Number(shown.dataset.ms) - passed();
    shown.textContent = rest > 0 ? left.replace('{}', clock(rest)) : '';
    if (rest > -GRACE_MS) return;
    clearInterval(timer);
    if (!staysAtEnd(page, over)) reloadWhenReady(page, offline);
  };
  const timer = setInterval(tick, 1000);
  page.onEnd(() => clearInterval(timer));
  tick();
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => `0${part}`.slice(-2));
  const hours = Math.floor(seconds / 3600);
  return ownDigits((hours > 0 ? [hours, ...parts] : parts).join(':'));
}

function start(main: HTMLElement, isLoaded: boolean): void {
  const { path = location.pathname, state = '', copied = '', busy = '' } = main.dataset;
  const { left = '', over = '', offline = '', unsent = '', hold = '' } = main.dataset;
  const ends: (() => void)[] = [];
  const page: PaymentPage = {
    main,
    path,
    state,
    isLoaded,
    onEnd: (end) => void ends.push(end),
    become: (answer) => {
      for (const end of ends.splice(0)) end();
      become(main, path, answer);
    },
  };
  // Who comes back to this page, or reloads it, is not sent on a second time.
  if (!isLoaded || location.search === '?now=1') history.replaceState(null, '', path);
  startNetwork(page, offline);
  startKeeping(page);
  startCards(page);
  foldCodes(page);
  startUnfolding(page);
  startReceipt(page);
  startCopying(copied, hold);
  startFields(main.dataset);
  startForms(page, busy, unsent);
  startSlip(busy);
  startReturn(page, offline);
  if (main.dataset.live !== undefined) {
    startStages(page);
    startTimer(page, left, { over, offline });
    startFollowing(page, { over, offline });
  }
}

function become(old: HTMLElement, path: string, answer: ServerAnswer): void {
  const found = answer.document.querySelector('main');
  const other = found?.dataset.path;
  if (other !== undefined && other !== path) {
    // A link has opened a payment: the way back leads to the link.
    location.assign(other);
    return;
  }
  // Its policy must allow the form that calls the shop: only the browser itself can load such a page.
  if (found === null || found.querySelector('form#back') !== null) {
    location.replace(`${path}?now=1`);
    return;
  }
  const main = document.importNode(found, true);
  document.title = answer.document.title;
  old.replaceWith(main);
  scrollTo(0, 0);
  start(main, false);
  const field = main.querySelector<HTMLElement>('[autofocus]');
  const place = field ?? main.querySelector<HTMLElement>('#how-it-stands') ?? main.querySelector('h1');
  if (place === null) return;
  if (field === null) place.tabIndex = -1;
  place.focus();
}

const main = document.querySelector('main');
if (main !== null && main.id === 'page') {
  document.documentElement.className = 'script';
  // A browser that has kept a link's page as it was when its button was pressed would show it so for ever.
  if (main.dataset.state === undefined)
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  start(main, true);
}
