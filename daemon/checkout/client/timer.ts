/** Counts the payment's time down. A phone's clock may be wrong, so only the time since loading is taken. */
import { goOn, staysAtEnd } from './page.js';

/** The server's clock has the last word; a second later it agrees. */
const GRACE_MS = 1000;

/** @param left the words around the clock, `{}` where it stands. */
export function startTimer(path: string, left: string, over: string): void {
  const shown = document.getElementById('left');
  if (shown === null) return;
  const end = Date.now() + Number(shown.dataset.ms);
  const tick = () => {
    const rest = end - Date.now();
    shown.textContent = rest > 0 ? left.replace('{}', clock(rest)) : '';
    if (rest > -GRACE_MS) return;
    clearInterval(timer);
    if (!staysAtEnd(over)) goOn(path);
  };
  const timer = setInterval(tick, 1000);
  tick();
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => `0${part}`.slice(-2));
  const hours = Math.floor(seconds / 3600);
  const text = (hours > 0 ? [hours, ...parts] : parts).join(':');
  if (document.documentElement.lang !== 'bn') return text;
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)));
}
