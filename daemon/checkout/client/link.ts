/**
 * Improves the page of a payment link if scripts are available: pieces by two buttons, suggested amounts by
 * one, and the sum on the button that pays. The server decides what is paid. Listens on the document, because
 * an answer of the server takes the place of the page.
 */
import { ownDigits } from './page.js';

const asciiDigits = (text: string) =>
  text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));

/** Formats paisa as `৳ 4,500`, with decimals only if there are some. */
function formatTaka(paisa: number): string {
  const [taka = '', fraction] = (paisa / 100).toFixed(2).split('.');
  const grouped = taka.replace(/\d(?=(?:\d\d)+\d$)/g, '$&,');
  return `৳ ${ownDigits(fraction === '00' ? grouped : `${grouped}.${fraction}`)}`;
}

/** @returns null if a text is not a plain number. */
function numberOf(text: string): number | null {
  const plain = asciiDigits(text).replace(/,/g, '').trim();
  return /^\d+(\.\d\d?)?$/.test(plain) ? Number(plain) : null;
}

const field = (id: string) => document.getElementById(id) as HTMLInputElement | null;

/** Number of pieces, or null where none can be read. */
function piecesOf(quantity: HTMLInputElement): number | null {
  return quantity.value.trim() === '' ? 1 : numberOf(quantity.value);
}

/** Sum to be paid in paisa, or null if it is not known, or not within the limits. */
function sumOf({ dataset }: HTMLFormElement): number | null {
  const least = Number(dataset.least);
  const most = Number(dataset.most);
  const amount = field('amount');
  if (amount !== null) {
    const taka = numberOf(amount.value);
    const paisa = taka === null ? 0 : Math.round(taka * 100);
    return paisa >= least && paisa <= most ? paisa : null;
  }
  const quantity = field('quantity');
  if (quantity === null) return least;
  const pieces = piecesOf(quantity);
  const isOffered = pieces !== null && pieces % 1 === 0 && pieces >= 1 && pieces <= Number(dataset.pieces);
  return isOffered ? least * pieces : null;
}

function showSum(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-go]');
  const button = form?.querySelector<HTMLButtonElement>('button:not([type])');
  if (!form || !button || button.disabled) return;
  const { go = '', plain = '', least } = form.dataset;
  const sum = sumOf(form);
  button.textContent = sum === null ? plain : go.replace('{}', formatTaka(sum));
  const output = form.querySelector('output');
  if (output !== null && sum !== null) {
    const pieces = sum / Number(least);
    output.textContent = `${ownDigits(`${pieces}`)} × ${formatTaka(Number(least))} = ${formatTaka(sum)}`;
  }
  const amount = numberOf(field('amount')?.value ?? '');
  for (const chip of form.querySelectorAll<HTMLElement>('[data-amount]')) {
    chip.setAttribute('aria-pressed', String(numberOf(chip.dataset.amount ?? '') === amount));
  }
}

/** Puts a text into a field as if it were typed, so that it is kept. */
function type(input: HTMLInputElement | null, text: string): void {
  if (input === null) return;
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

document.addEventListener('input', showSum);
document.addEventListener('click', ({ target }) => {
  const button = target instanceof HTMLButtonElement ? target : null;
  const { step, amount } = button?.dataset ?? {};
  if (amount !== undefined) type(field('amount'), amount);
  const quantity = field('quantity');
  if (step === undefined || quantity === null) return;
  const most = Number(quantity.form?.dataset.pieces);
  const next = Math.floor(piecesOf(quantity) ?? 1) + Number(step);
  type(quantity, ownDigits(`${Math.min(Math.max(next, 1), most)}`));
});
// Also after the browser has put typed texts back.
addEventListener('pageshow', showSum);
showSum();
