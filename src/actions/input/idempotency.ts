/**
 * Idempotency keys: a shop that did not receive the answer repeats its request with the same key, and gets
 * what the first one was answered. Nothing happens twice.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import type { Db } from '../../store/schema/index.js';
import { answerOfKey, keepAnswer, takeKey } from '../../store/tables/sessions.js';

/** Duration for which an idempotency key is valid, ms; afterwards it may be used again. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

/** Sorts the keys of all objects: in which order a program writes them says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

interface KeyedRequest {
  /** Within it a key is unique: a brand's id, and a word for another kind of request. */
  readonly scope: string;
  readonly key: string;
  /** Fields that must be equal for the request to count as a repetition. */
  readonly request: object;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Runs `act` once per idempotency key, in the database transaction that writes. If it throws, the key stays
 * free.
 * @returns the stored answer to the same request with the same key, or the result of `act`.
 * @throws KashboxError `idempotency_conflict`, and what `act` throws
 */
export async function answerOnce<Answer>(
  db: Db,
  { scope, key: typed, request, now }: KeyedRequest,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const key = hashKey(`${scope} ${typed}`);
  const hash = hashKey(JSON.stringify(sorted(request)));
  const taken = await takeKey.first(db, { key, request: hash, now, over: now - IDEMPOTENCY_MS });
  if (taken === undefined) {
    const before = await answerOfKey.first(db, { key });
    if (before?.request_hash !== hash) throw new KashboxError('idempotency_conflict');
    return JSON.parse(before.answer) as Answer;
  }
  const answer = await act();
  await keepAnswer.all(db, { key, answer: JSON.stringify(answer) });
  return answer;
}
