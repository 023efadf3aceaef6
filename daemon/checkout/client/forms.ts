/**
 * Forms: sent once however often the button is pressed, and again until the network has let them through; and
 * the automatic return to the shop.
 */
import { forget } from './kept.js';
import { insist } from './net.js';
import { announce, ownDigits, type Page } from './page.js';

/** @param busy said while a form is on its way. @param unsent said while the network does not take it. */
export function startForms(page: Page, busy: string, unsent: string): void {
  for (const form of page.main.querySelectorAll('form')) {
    const button = form.querySelector<HTMLButtonElement>('button:not([type])');
    if (button === null || form.id === 'back') continue;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      button.textContent = busy;
      insist(
        page,
        form.action,
        () => ({ method: 'POST', body: bodyOf(form) }),
        unsent,
        (answer) => {
          if (answer.status < 400) forget(page.path);
          page.become(answer);
        },
      );
    });
  }
}

/** As the browser itself would send it; made for each try, so that a text corrected meanwhile counts. */
function bodyOf(form: HTMLFormElement): FormData | URLSearchParams {
  const data = new FormData(form);
  if (form.enctype === 'multipart/form-data') return data;
  const plain = new URLSearchParams();
  data.forEach((value, name) => {
    if (typeof value === 'string') plain.append(name, value);
  });
  return plain;
}

/**
 * Goes on to the shop after some seconds, which are counted down, unless the customer wants to stay. A form
 * is sent automatically only once: otherwise a customer who comes back to this page would call the shop again
 * and never get past it.
 */
export function startReturn(page: Page): void {
  const way = document.getElementById('back');
  const going = document.getElementById('going');
  const button = document.getElementById('stay');
  if (way === null || going === null || button === null) return;
  const form = way instanceof HTMLFormElement ? way : null;
  const press = form === null ? way : form.querySelector('button');
  const end = () => clearInterval(timer);
  const stay = () => {
    end();
    going.remove();
    button.remove();
    announce('');
  };
  let left = Number(way.dataset.seconds);
  const count = () => {
    const place = going.querySelector('b');
    if (place !== null) place.textContent = ownDigits(`${left}`);
    left -= 1;
    if (left >= 0 || press === null) return;
    end();
    press.click();
  };
  const timer = setInterval(count, 1000);
  count();
  // Once: a clock that is read out every second says nothing else.
  announce(`${going.textContent} ${button.textContent}`);
  button.onclick = () => {
    stay();
    if (press !== null) press.focus();
  };
  page.onEnd(end);
  if (form === null) return;
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (loaded?.type === 'back_forward') stay();
  addEventListener('pageshow', ({ persisted }) => persisted && stay());
}
