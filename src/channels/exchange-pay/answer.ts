/**
 * Reading an exchange's answer: JSON whose numbers stay the texts that they were, since ids of 18 digits and
 * more do not survive `JSON.parse`, and the failures that say nothing of a payment. Knows no API's codes.
 */
import { parseRetryAfter } from '../../base/io/retry-after.js';
import { type Json, parseLosslessJson, valueAt } from '../lossless.js';
import { type ExchangeFailure, type ExchangeResponse, failed, limited } from './exchange.js';

type JsonAnswer =
  | {
      readonly outcome: 'read';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly json: Json;
    }
  | ExchangeFailure;

/** Pause if the exchange rate-limits a call without a `retry-after`. */
const DEFAULT_SILENCE_MS = 60_000;

/**
 * @param now milliseconds since the epoch.
 * @returns the parsed JSON of an answer with any status except 418, 429 and 5xx; otherwise the failure.
 */
export function parseJsonAnswer(answer: ExchangeResponse, now: number): JsonAnswer {
  if (answer.outcome === 'held') {
    return limited('as many calls as the exchange allows were made in this minute', answer.retryAfterMs);
  }
  if (answer.outcome === 'failed') return failed(answer.kind, answer.detail);
  const { status, headers } = answer;
  if (status === 429 || status === 418) {
    const seconds = parseRetryAfter(headers['retry-after'], now) ?? 0;
    return limited(`HTTP ${status}`, seconds === 0 ? DEFAULT_SILENCE_MS : seconds * 1_000);
  }
  // A gateway timeout says nothing of what is behind it, in JSON or not.
  if (status >= 500) return badStatus(status);
  const json = parseLosslessJson(answer.text);
  if (json !== undefined) return { outcome: 'read', status, headers, json };
  return status === 200 ? failed('malformed', 'the answer is not JSON') : badStatus(status);
}

export function badStatus(status: number): ExchangeFailure {
  return failed('http_status', `HTTP ${status}`);
}

/** @returns the trimmed text or number at that path; null if it is absent or empty. */
export function textAt(json: Json | undefined, ...names: readonly string[]): string | null {
  const value = valueAt(json, names);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** @returns milliseconds since the epoch from a number or a text of 13 digits; null for any other value. */
export function millisAt(json: Json | undefined, ...names: readonly string[]): number | null {
  const text = textAt(json, ...names);
  return text !== null && /^\d{13}$/.test(text) ? Number(text) : null;
}

const MAX_EVIDENCE = 200;

/** @returns the entries that are not null, each shortened to `MAX_EVIDENCE` characters. */
export function toEvidence(found: Readonly<Record<string, string | null>>): Record<string, string> {
  const told = Object.entries(found).flatMap(([name, text]) =>
    text === null ? [] : [[name, text.slice(0, MAX_EVIDENCE)]],
  );
  return Object.fromEntries(told);
}
