/**
 * Input fields for an id. They grow with pasted text and warn of unusual input. They block only digits that
 * look like a PIN, a phone number or an amount: the server accepts more shapes of ids than this script knows.
 */
import { findNote, hint } from './page.js';

/** Delayed: a note shown at once would move the button while the customer presses it. */
const PRESS_MS = 400;

/**
 * Each field has one message for a text with an id (`{}` is replaced by it) and one for a text without.
 * @param texts `paste`: label of the paste button; `hold`: shown if the browser does not allow pasting;
 * `digits`: shown for digits that are not an id.
 */
export function startFields(texts: DOMStringMap): void {
  const { paste = '', hold = '', digits = '' } = texts;
  for (const field of document.querySelectorAll('textarea')) {
    const note = findNote(field);
    const { shape, found = '', odd = '' } = field.dataset;
    const tell = (isDone: boolean) => {
      if (note === null || shape === undefined) return;
      const text = field.value.trim();
      const id = findId(text, new RegExp(shape));
      const isMessage = id !== undefined && /\s/.test(text);
      // An incomplete id is normal while the customer types.
      const isOdd = isDone && id === undefined && text !== '';
      const refusal = id === undefined && isOther(text) ? digits : '';
      field.setCustomValidity(refusal);
      note.className = isMessage ? 'note found' : 'note';
      note.textContent = isMessage ? found.replace('{}', id) : isOdd ? refusal || odd : '';
    };
    field.addEventListener('input', () => {
      note?.removeAttribute('role');
      field.removeAttribute('aria-invalid');
      grow(field);
      tell(false);
    });
    // Only after typing; until then the server's message about the last attempt stays.
    field.addEventListener('change', () => setTimeout(() => tell(true), PRESS_MS));
    field.addEventListener('keydown', (event) => {
      // A keyboard that composes Bangla ends a word with Enter.
      if (event.key !== 'Enter' || event.isComposing || field.rows > 1) return;
      event.preventDefault();
      field.form?.querySelector<HTMLButtonElement>('button:not([type])')?.click();
    });
    grow(field);
    // Words to the seller are typed, not copied.
    if (field.name !== 'note') offerPaste(field, paste, hold);
  }
}

/** Long-pressing a field for the phone's own menu is what people fail at; not every browser lets us read. */
function offerPaste(field: HTMLTextAreaElement, paste: string, hold: string): void {
  const { clipboard } = navigator;
  if (clipboard === undefined || clipboard.readText === undefined) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain paste';
  button.textContent = paste;
  button.onclick = () => {
    const done = (text: string) => {
      if (text !== '') field.value = text;
      field.focus();
      field.dispatchEvent(new Event('input'));
    };
    clipboard.readText().then(done, () => {
      hint(button, hold);
      field.focus();
    });
  };
  field.after(button);
}

/** A field in a closed card has no height to measure. */
function grow({ style, scrollHeight, offsetHeight, clientHeight }: HTMLTextAreaElement): void {
  if (scrollHeight > clientHeight) style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
}

function asciiDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

/** A PIN, a telephone number, or a sum that is written as one: what the server would refuse is not sent. */
function isOther(text: string): boolean {
  return /^\+?[\d,\s-]{4,20}(\.\d\d)?$/.test(asciiDigits(text)) && !/^\d{7,10}$/.test(asciiDigits(text));
}

/** The only one in the text; the server decides between several. */
function findId(text: string, shape: RegExp): string | undefined {
  const plain = asciiDigits(text.toUpperCase());
  const parted = plain.replace(/T(RN?|N)?XN? ?ID|(DATE|BALANCE|COMM) ?:/g, ' ');
  const words = [plain.replace(/[\s-]/g, ''), ...parted.split(/[^0-9A-Z]+/)];
  const ids = new Set(words.filter((word) => shape.test(word)));
  return ids.size === 1 ? [...ids][0] : undefined;
}
