/** The buttons that copy a number or an amount for the wallet's app. */
import { announce, hint } from './page.js';

/** @param hold said where the browser lets no script copy: the number is selected then. */
export function startCopying(copied: string, hold: string): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const words = button.firstChild;
    const { copy = '' } = button.dataset;
    if (words === null) continue;
    // The tick stays: who comes back from the app sees what is left to copy.
    const done = () => {
      words.textContent = `✓ ${copied}`;
      const row = button.closest('div');
      if (row !== null) row.className = 'done';
      announce(copied);
    };
    const refused = () => {
      const { parentElement } = button;
      if (parentElement?.firstElementChild)
        getSelection()?.selectAllChildren(parentElement.firstElementChild);
      hint(parentElement, hold);
    };
    button.addEventListener('click', () => copyText(copy, done, refused));
  }
}

/** Falls back to copying a selection, for older browsers and WebViews that forbid the clipboard. */
function copyText(text: string, done: () => void, refused: () => void): void {
  const select = () => (copySelected(text) ? done : refused)();
  if (navigator.clipboard === undefined) select();
  else navigator.clipboard.writeText(text).then(done, select);
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Read-only keeps the keyboard of a phone away.
  field.readOnly = true;
  field.className = 'unseen';
  document.body.appendChild(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
