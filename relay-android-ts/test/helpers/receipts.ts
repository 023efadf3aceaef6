/** Receipts as the daemon makes them, written once more from docs/relay.md. */
import { createHmac } from 'node:crypto';

export interface Results {
  readonly results?: readonly { readonly id: string; readonly state: string; readonly reason?: string }[];
}

export function receipt(key: string, { results = [] }: Results): string {
  const pairs = results.map(({ id, state }) => JSON.stringify([id, state])).join(',');
  return createHmac('sha256', key).update(`kashbox-relay-receipt-v1\n[${pairs}]`).digest('hex');
}

/** An answer of Kashbox's own. */
export function receipted<Answer extends Results>(key: string, answer: Answer): Answer & { receipt: string } {
  return { ...answer, receipt: receipt(key, answer) };
}
