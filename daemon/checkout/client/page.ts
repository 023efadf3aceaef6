/** What several parts of the script need of the page. */

/** Says something to who cannot see it. */
export function announce(text: string): void {
  const live = document.getElementById('live');
  if (live !== null) live.textContent = text;
}

/** Something has happened to the payment: the server tells on this page what. */
export function goOn(path: string): void {
  location.replace(`${path}?now=1`);
}

/** Where remarks on a field stand. */
export function noteOf(field: HTMLElement): HTMLElement | null {
  return document.getElementById(`${field.id}-note`);
}

/** The field in which the customer has begun to write something that a new page would lose. */
export function typedField(): HTMLElement | undefined {
  return Array.from(document.querySelectorAll('textarea')).find((field) => field.value.trim() !== '');
}
