/** What the waiting page says changes with the time that somebody has waited. */
import { announce, type Page, stopwatch } from './page.js';

export function startStages(page: Page): void {
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
