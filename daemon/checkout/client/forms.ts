/** Forms: sent once however often the button is pressed, and the automatic return to the shop. */
export function startForms(busy: string): void {
  for (const form of document.forms) {
    const button = form.querySelector<HTMLButtonElement>('button:not([type])');
    if (button === null) continue;
    const before = button.textContent;
    form.addEventListener('submit', () => {
      button.disabled = true;
      button.textContent = busy;
    });
    // A customer who comes back with the browser's button finds the page as it was.
    addEventListener('pageshow', () => {
      button.disabled = false;
      button.textContent = before;
    });
  }
}

/**
 * Presses the button after some seconds. A form is sent automatically only once: otherwise a customer who
 * comes back to this page would call the shop again and never get past it.
 */
export function startReturn(path: string): void {
  const way = document.getElementById('back');
  if (way instanceof HTMLAnchorElement) startAfter(way, () => location.replace(way.href));
  if (!(way instanceof HTMLFormElement)) return;
  // What stands in the browser's history is the page that stays.
  way.addEventListener('submit', () => history.replaceState(null, '', path));
  const timer = startAfter(way, () => way.querySelector('button')?.click());
  const stay = () => {
    clearTimeout(timer);
    if (timer !== undefined) way.previousElementSibling?.remove();
  };
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (loaded?.type === 'back_forward') stay();
  addEventListener('pageshow', ({ persisted }) => persisted && stay());
}

function startAfter(way: HTMLElement, go: () => void): number | undefined {
  const seconds = Number(way.dataset.seconds);
  return seconds > 0 ? setTimeout(go, seconds * 1000) : undefined;
}
