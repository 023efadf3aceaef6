/**
 * Improves the checkout page where script is available. The page works without it; nothing here decides about
 * money. Written for Chrome 70: what is newer is asked for before it is used.
 */
import { startCards } from './cards.js';
import { startCopying } from './copy.js';
import { startFields } from './fields.js';
import { startFollowing } from './follow.js';
import { startForms, startReturn } from './forms.js';
import { startKeeping } from './kept.js';
import { startNetwork } from './net.js';
import type { Answer, Page } from './page.js';
import { startSlip } from './slip.js';
import { startStages } from './stages.js';
import { startTimer } from './timer.js';

function start(main: HTMLElement, isLoaded: boolean): void {
  const { path = location.pathname, state = '', copied = '', busy = '', paste = '' } = main.dataset;
  const { left = '', over = '', offline = '', unsent = '' } = main.dataset;
  const ends: (() => void)[] = [];
  const page: Page = {
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
  startCards();
  startCopying(copied);
  startFields(paste);
  startSlip(busy);
  startForms(page, busy, unsent);
  startReturn(page);
  if (main.dataset.live !== undefined) {
    startStages(page);
    startTimer(page, left, { over, offline });
    startFollowing(page, { over, offline });
  }
}

function become(old: HTMLElement, path: string, answer: Answer): void {
  const found = answer.document.querySelector('main');
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
  const place = field === null ? main.querySelector<HTMLElement>('h2, h1') : field;
  if (place === null) return;
  if (field === null) place.tabIndex = -1;
  place.focus();
}

const main = document.querySelector('main');
if (main !== null && main.id === 'page') {
  document.documentElement.className = 'script';
  start(main, true);
}
