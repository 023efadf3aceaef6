/** Counts with their nouns. */

/** `1 minute`, `3 minutes` */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What a store or a backup holds: `2 payments, 1 merchant, 0 phones (test brands included)` */
export function heldText(held: {
  readonly payments: number;
  readonly merchants: number;
  readonly phones: number;
}): string {
  const { payments, merchants, phones } = held;
  const texts = [counted(payments, 'payment'), counted(merchants, 'merchant'), counted(phones, 'phone')];
  return `${texts.join(', ')} (test brands included)`;
}
