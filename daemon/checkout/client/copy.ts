/** The buttons that copy a number or an amount for the wallet's app. */
import { announce } from './page.js';

const SHOWN_MS = 2000;

export function startCopying(copied: string): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const words = button.firstChild;
    const { copy = '' } = button.dataset;
    if (words === null) continue;
    const before = words.textContent;
    const done = () => {
      words.textContent = `✓ ${copied}`;
      announce(copied);
      setTimeout(() => {
        words.textContent = before;
        announce('');
      }, SHOWN_MS);
    };
    button.addEventListener('click', () => copyText(copy, done));
  }
}

/** Older browsers, and WebViews that forbid the clipboard, still copy what is selected. */
function copyText(text: string, done: () => void): void {
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
