/**
 * Improves the checkout page where script is available. The page works without it; nothing here decides about
 * money. Written for Chrome 70: what is newer is asked for before it is used.
 */
import { startCards } from './cards.js';
import { startCopying } from './copy.js';
import { startFields } from './fields.js';
import { startFollowing } from './follow.js';
import { startForms, startReturn } from './forms.js';
import { startSlip } from './slip.js';
import { startTimer } from './timer.js';

const page = document.getElementById('page');
if (page !== null) {
  document.documentElement.className = 'script';
  const { path = '', state = '', copied = '', busy = '' } = page.dataset;
  const { left = '', over = '' } = page.dataset;
  startCards();
  startCopying(copied);
  startFields();
  startSlip(busy);
  startForms(busy);
  startReturn(path);
  if (page.dataset.live !== undefined) {
    startTimer(path, left, over);
    startFollowing(path, state, over);
  }
}
