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
  const { path = location.pathname, state = '', copied = '', busy = '' } = main.dataset;
  const { left = '', over = '', offline = '', unsent = '', hold = '' } = main.dataset;
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

function become(old: HTMLElement, path: string, answer: Answer): void {
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
