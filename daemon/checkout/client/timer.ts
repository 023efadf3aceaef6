/** Counts the payment's time down. A phone's clock may be wrong, so only the time since loading is taken. */
import { type Following, goOn } from './follow.js';
import { ownDigits, type Page, staysAtEnd, stopwatch } from './page.js';

/** The server's clock has the last word; a second later it agrees. */
const GRACE_MS = 1000;

/** @param left the words around the clock, `{}` where it stands. */
export function startTimer(page: Page, left: string, { over, offline }: Following): void {
  const shown = document.getElementById('left');
  if (shown === null) return;
  const passed = stopwatch();
  const tick = () => {
    const rest = Number(shown.dataset.ms) - passed();
    shown.textContent = rest > 0 ? left.replace('{}', clock(rest)) : '';
    if (rest > -GRACE_MS) return;
    clearInterval(timer);
    if (!staysAtEnd(page, over)) goOn(page, offline);
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
