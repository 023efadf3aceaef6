/** The page that is shown: its main part, and what ends when another takes its place. */

export interface PaymentPage {
  readonly main: HTMLElement;
  /** Path of the page, without a query. */
  readonly path: string;
  /** The state of the payment that this page shows. */
  readonly state: string;
  /** True of the page as the browser has loaded it, false of one that the script has put in its place. */
  readonly isLoaded: boolean;
  /** @param end called once, when another page takes this one's place. */
  onEnd(end: () => void): void;
  /** Shows an answer of the server in this page's place. */
  become(answer: ServerAnswer): void;
}

/** A page that the server has answered with. */
export interface ServerAnswer {
  readonly status: number;
  readonly document: Document;
}

/** A listener that ends with the page. */
export function listen(page: PaymentPage, target: EventTarget, event: string, listener: () => void): void {
  target.addEventListener(event, listener);
  page.onEnd(() => target.removeEventListener(event, listener));
}

/**
 * @returns a function that returns the elapsed milliseconds. The wall clock of a phone may be set back, and
 * its monotonic clock stops while it sleeps: the larger value is right.
 */
export function stopwatch(): () => number {
  const [from, since] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - from, performance.now() - since);
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const live = document.getElementById('live');
  if (live !== null) live.textContent = text;
}

/** Shows once, below the pressed element, how customers can do it themselves if the script cannot. */
export function hint(place: Element | null, text: string): void {
  const next = place?.nextElementSibling;
  if (!place || next?.className === 'note hold') return;
  const note = document.createElement('p');
  note.className = 'note hold';
  note.textContent = text;
  place.after(note);
  announce(text);
}

/** @returns the text with its digits replaced by those of the page's language. */
export function ownDigits(text: string): string {
  if (document.documentElement.lang !== 'bn') return text;
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)));
}

/** Finds the element for messages about a field. */
export function findNote(field: HTMLElement): HTMLElement | null {
  return document.getElementById(`${field.id}-note`);
}

/**
 * Stays if text was typed: another page would lose it; sent from this one it still goes to review.
 * @param over text shown to a customer who stays.
 * @returns true if the page stays.
 */
export function staysAtEnd({ main }: PaymentPage, over: string): boolean {
  const field = Array.from(main.querySelectorAll('textarea')).find(({ value }) => value.trim() !== '');
  if (field === undefined) return false;
  const note = findNote(field);
  if (note !== null) note.className = 'note';
  for (const place of [note, document.getElementById('left')]) {
    if (place !== null) place.textContent = over;
  }
  announce(over);
  return true;
}
