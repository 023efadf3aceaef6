/** What readers of pulled channels answer in one way, whatever they read. */
import type { Disagreement } from '../domain/matching/matching.js';
import type { Lookup } from './channel.js';

/** Default delay before a retry. */
const RETRY_AFTER_S = 10;

export type Refused = Extract<Lookup, { readonly outcome: 'refused' }>;
export type Unavailable = Extract<Lookup, { readonly outcome: 'unavailable' }>;

export function refused(about: Disagreement): Refused {
  return { outcome: 'refused', about };
}

/** @param detail for logs: without addresses and credentials. @param retryAfterS whole seconds. */
export function unavailable(detail: string, retryAfterS = RETRY_AFTER_S): Unavailable {
  return { outcome: 'unavailable', detail, retryAfterS };
}
