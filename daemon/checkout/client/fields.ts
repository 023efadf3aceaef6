/**
 * The fields for an id: they grow with what is pasted, say kindly what looks odd and never stand in the way:
 * the server reads more shapes than this knows.
 */
import { noteOf } from './page.js';

/** A note that came at once would push the button away from under the finger that leaves the field for it. */
const PRESS_MS = 400;

/** Each field carries what to say of a text with an id in it, `{}` for the id, and of one without. */
export function startFields(): void {
  for (const field of document.querySelectorAll('textarea')) {
    const note = noteOf(field);
    const { shape, found = '', odd = '' } = field.dataset;
    const tell = (isDone: boolean) => {
      if (note === null || shape === undefined) return;
      const text = field.value.trim();
      const id = findId(text, new RegExp(shape));
      const isMessage = id !== undefined && /\s/.test(text);
      // While somebody writes, half an id is not odd.
      const isOdd = isDone && id === undefined && text !== '';
      note.className = isMessage ? 'note found' : 'note';
      note.textContent = isMessage ? found.replace('{}', id) : isOdd ? odd : '';
    };
    field.addEventListener('input', () => {
      note?.removeAttribute('role');
      field.removeAttribute('aria-invalid');
      grow(field);
      tell(false);
    });
    // Only after writing: what the server said of the last attempt stands until then.
    field.addEventListener('change', () => setTimeout(() => tell(true), PRESS_MS));
    field.addEventListener('keydown', (event) => {
      // A keyboard that composes Bangla ends a word with Enter.
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      field.form?.querySelector('button')?.click();
    });
    grow(field);
  }
}

/** A field in a closed card has no height to measure. */
function grow({ style, scrollHeight, offsetHeight, clientHeight }: HTMLTextAreaElement): void {
  if (scrollHeight > clientHeight) style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
}

function findId(text: string, shape: RegExp): string | undefined {
  const plain = text
    .toUpperCase()
    .replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
  return [plain.replace(/[\s-]/g, ''), ...plain.split(/[^0-9A-Z]+/)].find((word) => shape.test(word));
}
