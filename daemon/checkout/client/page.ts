/** What every part of the script needs of the page. */

/** Says something to who cannot see it. */
export function announce(text: string): void {
  const live = document.getElementById('live');
  if (live !== null) live.textContent = text;
}

/** Something has happened to the payment: the server tells on this page what. */
export function goOn(path: string): void {
  location.replace(`${path}?now=1`);
}

/** Whether the customer is in the middle of writing something that a new page would lose. */
export function hasTyped(): boolean {
  return Array.from(document.querySelectorAll('textarea')).some((field) => field.value.trim() !== '');
}
