/** One open card at a time: opening one closes the other. */
export function startCards(): void {
  const cards = document.querySelectorAll<HTMLDetailsElement>('details.card');
  for (const card of cards) {
    card.addEventListener('toggle', () => {
      if (!card.open) return;
      for (const other of cards) if (other !== card) other.open = false;
      // Closing a card above may have moved this one out of sight.
      if (card.getBoundingClientRect().top < 0) card.scrollIntoView();
    });
  }
}
