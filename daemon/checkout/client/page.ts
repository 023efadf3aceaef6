/** What several parts of the script need of the page. */

/** Says something to who cannot see it. */
export function announce(text: string): void {
  const live = document.getElementById('live');
  if (live !== null) live.textContent = text;
}

/** The payment has changed; the reloaded page shows how. */
export function goOn(path: string): void {
  location.replace(`${path}?now=1`);
}

/** Where remarks on a field stand. */
export function noteOf(field: HTMLElement): HTMLElement | null {
  return document.getElementById(`${field.id}-note`);
}

/**
 * The time is over. A reload would lose typed text; sent from this page it still goes to review.
 * @param over what is said to a customer who stays.
 * @returns whether the page stays.
 */
export function staysAtEnd(over: string): boolean {
  const field = Array.from(document.querySelectorAll('textarea')).find(({ value }) => value.trim() !== '');
  if (field === undefined) return false;
  const note = noteOf(field);
  if (note !== null) note.className = 'note';
  for (const place of [note, document.getElementById('left')]) {
    if (place !== null) place.textContent = over;
  }
  announce(over);
  return true;
}
