/** The buttons that copy a number or an amount for the wallet's app. */
import { announce } from './page.js';

const SHOWN_MS = 2000;

export function startCopying(copied: string): void {
  for (const button of Array.from(document.querySelectorAll<HTMLElement>('[data-copy]'))) {
    const words = button.firstChild;
    const before = words?.textContent ?? '';
    button.addEventListener('click', () => {
      copy(button.dataset.copy ?? '', () => {
        if (words !== null) words.textContent = `✓ ${copied}`;
        announce(copied);
        setTimeout(() => {
          if (words !== null) words.textContent = before;
          announce('');
        }, SHOWN_MS);
      });
    });
  }
}

/** Older browsers, and WebViews that forbid the clipboard, still copy what is selected. */
function copy(text: string, done: () => void): void {
  const select = () => {
    if (copySelected(text)) done();
  };
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
