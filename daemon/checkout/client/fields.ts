/**
 * The fields for an id: they grow with what is pasted, say kindly what looks odd and never stand in the way:
 * the server reads more shapes than this knows.
 */
const BENGALI_DIGIT = /[\u09e6-\u09ef]/g;

export function startFields(found: string): void {
  for (const field of Array.from(document.querySelectorAll('textarea'))) {
    const note = document.getElementById(`${field.id}-note`);
    field.addEventListener('input', () => {
      grow(field);
      if (note !== null) tell(field, note, found, false);
    });
    field.addEventListener('blur', () => {
      if (note !== null) tell(field, note, found, true);
    });
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      field.form?.querySelector('button')?.click();
    });
    grow(field);
  }
}

function grow(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  const border = field.offsetHeight - field.clientHeight;
  if (field.scrollHeight > 0) field.style.height = `${field.scrollHeight + border}px`;
}

/** @param isDone true when the customer has left the field; while he writes, half an id is not odd. */
function tell(field: HTMLTextAreaElement, note: HTMLElement, found: string, isDone: boolean): void {
  const { shape, odd = '' } = field.dataset;
  if (shape === undefined) return;
  const text = field.value.trim();
  const id = findId(text, new RegExp(shape));
  const isMessage = /\s/.test(text) && id !== null;
  const words = isMessage ? found.replace('{}', id) : isDone && text !== '' && id === null ? odd : '';
  // What the server said stands until something else is written.
  if (isDone && words === '' && note.getAttribute('role') === 'alert') return;
  note.removeAttribute('role');
  field.removeAttribute('aria-invalid');
  note.className = isMessage ? 'note found' : 'note';
  note.textContent = words;
}

function findId(text: string, shape: RegExp): string | null {
  const plain = text.toUpperCase().replace(BENGALI_DIGIT, (digit) => String(digit.charCodeAt(0) - 0x09e6));
  const candidates = [plain.replace(/[\s-]/g, ''), ...plain.split(/[^0-9A-Z]+/)];
  return candidates.find((candidate) => shape.test(candidate)) ?? null;
}
