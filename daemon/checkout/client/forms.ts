/** Forms: sent once however often the button is pressed, and the way back to the shop by itself. */
export function startForms(busy: string): void {
  for (const form of document.forms) {
    const button = form.querySelector<HTMLButtonElement>('button:not([type])');
    if (button === null) continue;
    const before = button.textContent;
    form.addEventListener('submit', () => {
      button.disabled = true;
      button.textContent = busy;
    });
    // Who comes back with the browser's button finds the page as he left it.
    addEventListener('pageshow', () => {
      button.disabled = false;
      button.textContent = before;
    });
  }
}

/** After a moment to read, the same as pressing the button would do. */
export function startReturn(): void {
  const way = document.getElementById('back');
  const seconds = Number(way?.dataset.seconds);
  if (way === null || !(seconds > 0)) return;
  setTimeout(() => {
    if (way instanceof HTMLAnchorElement) location.replace(way.href);
    if (way instanceof HTMLFormElement) way.querySelector('button')?.click();
  }, seconds * 1000);
}
