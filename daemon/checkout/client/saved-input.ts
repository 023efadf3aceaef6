/**
 * Keeps what a customer has typed and which card is open until the form is sent, also across a reload; and
 * which way to pay this browser used last, for its next payment.
 */
import type { PaymentPage } from './page.js';

/** Values by field id; the key `''` contains the class of the open card. */
type SavedInput = Record<string, string>;

type Field = HTMLTextAreaElement | HTMLInputElement;

const nameOf = (path: string) => `kashbox ${path}`;

/** A browser may forbid the storage; then nothing is kept. */
function read(path: string): SavedInput {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(path)) ?? '{}') as SavedInput;
  } catch {
    return {};
  }
}

function write(path: string, kept: SavedInput): void {
  try {
    sessionStorage.setItem(nameOf(path), JSON.stringify(kept));
  } catch {}
}

const WAY = 'kashbox way';

/** @param way the class of the card. */
export function rememberWay(way: string): void {
  try {
    localStorage.setItem(WAY, way);
  } catch {}
}

/** Puts the way that was used last in the first place. */
function putFirst(cards: readonly HTMLDetailsElement[]): void {
  try {
    const last = cards.find((card) => card.className === localStorage.getItem(WAY));
    if (last !== undefined && last.parentElement !== null) last.parentElement.prepend(last);
  } catch {}
}

/** The server has it now. */
export function forget(path: string): void {
  write(path, {});
}

export function startKeeping({ main, path, state, isLoaded }: PaymentPage): void {
  const cards = Array.from(main.querySelectorAll<HTMLDetailsElement>('details.card'));
  if (state === 'open' && isLoaded && !cards.some((card) => card.open)) putFirst(cards);
  const fields = Array.from(main.querySelectorAll<Field>('textarea, .field input:not([type=file])'));
  if (fields.length === 0) {
    forget(path);
    return;
  }
  if (isLoaded) restore(read(path), cards, fields);
  const keep = () => {
    const kept: SavedInput = {};
    // What may be a PIN stays nowhere.
    for (const field of fields) if (!mayBePin(field)) kept[field.id] = field.value;
    const open = cards.find((card) => card.open);
    if (open !== undefined) kept[''] = open.className;
    write(path, kept);
  };
  for (const field of fields) field.addEventListener('input', keep);
  for (const card of cards) card.addEventListener('toggle', keep);
}

function mayBePin({ dataset, value }: Field): boolean {
  return value === '' || (dataset.shape !== undefined && /^[\d\u09e6-\u09ef]{1,6}$/.test(value.trim()));
}

/** Restores texts and the open card. A text or an open card that the server has sent overrides them. */
function restore(kept: SavedInput, cards: readonly HTMLDetailsElement[], fields: readonly Field[]): void {
  for (const field of fields) {
    if (field.value === '') field.value = kept[field.id] ?? '';
    const fold = field.closest<HTMLDetailsElement>('.typed');
    if (fold !== null && field.value !== '') fold.open = true;
  }
  if (cards.some((card) => card.open)) return;
  for (const card of cards) card.open = card.className === kept[''];
}
