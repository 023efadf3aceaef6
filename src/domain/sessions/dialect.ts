/** The dialects in which v1 verify answers, because real clients of this API family differ. Pure. */
import type { SessionStatus } from './session.js';

/**
 * `standard` is the spec to the letter but for the legacy clients below, `strict` says `true` at the top of
 * nothing but a completed payment, `flat` has the record's fields at the top level.
 */
export const DIALECTS = ['standard', 'strict', 'flat'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Whether the merchant's own data is given back as an object or as its JSON text. */
export const METADATA_FORMS = ['object', 'string'] as const;
export type MetadataAs = (typeof METADATA_FORMS)[number];

/** Whether v1 writes the status in capital letters, as the spec has it, or in small ones. */
export const STATUS_FORMS = ['upper', 'lower'] as const;
export type StatusAs = (typeof STATUS_FORMS)[number];

/** @returns the status as the shop's program compares it. */
export function writtenStatus(status: SessionStatus, statusAs: StatusAs): string {
  return statusAs === 'lower' ? status.toLowerCase() : status;
}

/**
 * Whether verify has `true` at its top for a payment that is found and not completed, as the spec has it.
 * Published shop programs in PHP ask `true == "COMPLETED"`, which holds there, and would deliver orders that
 * nobody has paid: so it is not said to a request with a legacy name of the key.
 */
export function answersTrueWhenFound(dialect: Exclude<Dialect, 'flat'>, isLegacyCall: boolean): boolean {
  return dialect === 'standard' && !isLegacyCall;
}
