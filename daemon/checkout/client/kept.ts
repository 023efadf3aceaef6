/** What a customer has typed and which card is open: kept until it is sent, also across a reload. */
import type { Page } from './page.js';

/** By ids of fields; under `''` the open card's class. */
type Kept = Record<string, string>;

const nameOf = (path: string) => `kashbox ${path}`;

/** A browser may forbid the storage; then nothing is kept. */
function read(path: string): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(path)) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

function write(path: string, kept: Kept): void {
  try {
    sessionStorage.setItem(nameOf(path), JSON.stringify(kept));
  } catch {}
}

/** The server has it now. */
export function forget(path: string): void {
  write(path, {});
}

export function startKeeping({ main, path, isLoaded }: Page): void {
  const cards = Array.from(main.querySelectorAll<HTMLDetailsElement>('details.card'));
  const fields = Array.from(main.querySelectorAll('textarea'));
  if (fields.length === 0) {
    forget(path);
    return;
  }
  if (isLoaded) restore(read(path), cards, fields);
  const keep = () => {
    const kept: Kept = {};
    for (const { id, value } of fields) if (value !== '') kept[id] = value;
    const open = cards.find((card) => card.open);
    if (open !== undefined) kept[''] = open.className;
    write(path, kept);
  };
  for (const field of fields) field.addEventListener('input', keep);
  for (const card of cards) card.addEventListener('toggle', keep);
}

/** Where the server has a card open, or a text in a field, it knows better. */
function restore(
  kept: Kept,
  cards: readonly HTMLDetailsElement[],
  fields: readonly HTMLTextAreaElement[],
): void {
  for (const field of fields) if (field.value === '') field.value = kept[field.id] ?? '';
  if (cards.some((card) => card.open)) return;
  for (const card of cards) card.open = card.className === kept[''];
}
