/**
 * Forms: sent once however often the button is pressed, and again until the network has let them through; and
 * the automatic return to the shop.
 */
import { stateAt } from './follow.js';
import { retryUntilAnswered, showBanner, upload, within } from './net.js';
import { announce, ownDigits, type PaymentPage } from './page.js';
import { forget } from './saved-input.js';
import { putAside, slipReady } from './slip.js';

/** Failed uploads after which the page offers to send the form without its file. */
const FAILURES = 2;
/** Delay in seconds before the return to the shop is tried again, if there was no network. */
const RETRY_S = 3;

/** @param busy said while a form is on its way. @param unsent said while the network does not take it. */
export function startForms(page: PaymentPage, busy: string, unsent: string): void {
  for (const form of page.main.querySelectorAll('form')) {
    const button = form.querySelector<HTMLButtonElement>('button:not([type])');
    if (button === null || form.id === 'back') continue;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (button.disabled) return;
      const words = button.textContent;
      button.disabled = true;
      button.textContent = busy;
      slipReady().then(() => {
        if (form.reportValidity()) return send(page, form, button, { busy, unsent });
        button.disabled = false;
        button.textContent = words;
      });
    });
  }
}

function send(
  page: PaymentPage,
  form: HTMLFormElement,
  button: HTMLButtonElement,
  { busy, unsent }: { readonly busy: string; readonly unsent: string },
): void {
  const slip = form.querySelector<HTMLInputElement>('input[type=file]');
  const moved = (percent: number) => {
    button.textContent = `${busy} ${ownDigits(`${percent}`)}%`;
  };
  let failures = 0;
  const again = retryUntilAnswered(
    page,
    (limitMs, abort) => {
      const body = bodyOf(form);
      if (body instanceof FormData && slip?.files?.length) return upload(form.action, body, abort, moved);
      return within(limitMs, form.action, { method: 'POST', body }, abort);
    },
    unsent,
    (answer) => {
      // Who comes back from a payment to its link finds the same entries, and by them the same payment.
      if (answer.status < 400 && page.state !== '') forget(page.path);
      page.become(answer);
    },
    () => {
      failures += 1;
      const without = slip?.dataset.without;
      if (failures !== FAILURES || !slip?.files?.length || without === undefined) return;
      const offer = document.createElement('button');
      offer.type = 'button';
      offer.className = 'plain';
      offer.textContent = without;
      offer.onclick = () => {
        putAside(slip);
        offer.remove();
        button.textContent = busy;
        again();
      };
      button.after(offer);
    },
  );
}

/** Builds the body that a browser would send. Called for each attempt, so that corrected text is sent. */
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
 * Redirects to the shop after a countdown of some seconds, unless the customer chooses to stay. A form is
 * sent automatically only once: otherwise a customer who comes back to this page would call the shop again
 * and never get past it. The countdown pauses while there is no network or a form is being sent.
 * @param offline shown while the page cannot be loaded.
 */
export function startReturn(page: PaymentPage, offline: string): void {
  const way = document.getElementById('back');
  const going = document.getElementById('going');
  const button = document.getElementById('stay');
  if (way === null || going === null || button === null) return;
  const form = way instanceof HTMLFormElement ? way : null;
  const press = form === null ? way : form.querySelector('button');
  let isAsking = false;
  const end = () => {
    clearInterval(timer);
    isAsking = false;
  };
  const stay = () => {
    end();
    going.remove();
    button.remove();
    announce('');
  };
  let left = Number(way.dataset.seconds);
  const count = () => {
    if (isAsking || !navigator.onLine || page.main.querySelector('button[disabled]') !== null) return;
    const place = going.querySelector('b');
    if (place !== null) place.textContent = ownDigits(`${left}`);
    left -= 1;
    if (left >= 0 || press === null) return;
    isAsking = true;
    // A browser may not know that its network is dead; what it sends then is lost, and its page with it.
    stateAt(page.path).then(
      () => {
        if (!isAsking) return;
        end();
        showBanner('');
        press.click();
      },
      () => {
        if (!isAsking) return;
        isAsking = false;
        left = RETRY_S;
        showBanner(offline);
      },
    );
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
