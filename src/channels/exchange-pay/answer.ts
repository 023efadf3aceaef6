/**
 * Reading an exchange's answer: JSON whose numbers stay the texts that they were, since ids of 18 digits and
 * more do not survive `JSON.parse`, and the failures that say nothing of a payment. Knows no API's codes.
 */
import { retryAfterOf } from '../../base/io/retry-after.js';
import { type Json, readJson, valueAt } from '../lossless.js';
import { type CallResult, type DriverFailure, type Failed, failed } from './driver.js';

export type JsonAnswer =
  | {
      readonly outcome: 'read';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly json: Json;
    }
  | Failed;

/** How long to be silent where the exchange asks for it without saying how long. */
const DEFAULT_SILENCE_MS = 60_000;
/** The longest ban that is known. */
const MAX_SILENCE_MS = 3 * 24 * 3_600_000;

/**
 * @param now milliseconds since the epoch.
 * @returns the JSON of any answer that has some, whatever its status; else why there is none.
 */
export function readJsonAnswer(result: CallResult, now: number): JsonAnswer {
  if (result.outcome === 'held') {
    const detail = 'as many calls as the exchange allows were made in this minute';
    return failed({ kind: 'rate_limited', detail, retryAfterMs: result.retryAfterMs });
  }
  if (result.outcome === 'failed') {
    const { kind, detail } = result;
    return failed({ kind: 'unavailable', cause: kind, detail });
  }
  const { status, headers } = result;
  if (status === 429 || status === 418) {
    const retryAfterMs = retryDelayOf(retryAfterOf(headers['retry-after'], now));
    return failed({ kind: 'rate_limited', detail: `HTTP ${status}`, retryAfterMs });
  }
  // A gateway timeout says nothing of what is behind it, in JSON or not.
  if (status >= 500) return failed(badStatus(status));
  const json = readJson(result.text);
  if (json !== undefined) return { outcome: 'read', status, headers, json };
  return failed(status === 200 ? { kind: 'malformed', detail: 'the answer is not JSON' } : badStatus(status));
}

export function badStatus(status: number): DriverFailure {
  return { kind: 'unavailable', cause: 'http_status', detail: `HTTP ${status}` };
}

function retryDelayOf(seconds: number | null): number {
  return seconds === null || seconds === 0 ? DEFAULT_SILENCE_MS : Math.min(seconds * 1_000, MAX_SILENCE_MS);
}

/** @returns the text or the number at that path without surrounding spaces; null where there is none. */
export function textAt(json: Json | undefined, ...names: readonly string[]): string | null {
  const value = valueAt(json, names);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** @returns milliseconds since the epoch from a number or a text of 13 digits; null where it is none. */
export function millisAt(json: Json | undefined, ...names: readonly string[]): number | null {
  const text = textAt(json, ...names);
  return text !== null && /^\d{13}$/.test(text) ? Number(text) : null;
}

const MAX_EVIDENCE = 200;

/** @returns those that say something, none of them longer than a person reads. */
export function evidenceOf(found: Readonly<Record<string, string | null>>): Record<string, string> {
  const told = Object.entries(found).flatMap(([name, text]) =>
    text === null ? [] : [[name, text.slice(0, MAX_EVIDENCE)]],
  );
  return Object.fromEntries(told);
}
