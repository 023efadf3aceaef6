/**
 * A shop that did not hear the answer to a create sends it again under the same idempotency key, and gets the
 * payment that it has opened, in whatever state that is by now.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import type { Paisa } from '../../base/values/money.js';
import type { Db } from '../../store/schema/index.js';
import { answerOfKey, keepAnswer, takeKey } from '../../store/tables/sessions.js';

/** What a shop has asked for, as far as it must be the same. */
interface Repeatable {
  readonly brand: { readonly brandId: string };
  /** Where customer and news go; null of a headless session. */
  readonly hosted: object | null;
  readonly cusName: string;
  readonly cusEmail: string;
  readonly amountPaisa: Paisa;
  readonly metaJson: string | null;
}

/** For so long the same key means the same payment; afterwards it may be used again. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

/** Sorts the keys of all objects: in which order a program writes them says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** @returns a hash of all that the shop has asked for, without the key. */
function requestHash({ hosted, cusName, cusEmail, amountPaisa, metaJson }: Repeatable): string {
  const meta: unknown = metaJson === null ? null : JSON.parse(metaJson);
  return hashKey(JSON.stringify(sorted({ hosted, cusName, cusEmail, amountPaisa, meta })));
}

/**
 * Runs inside the unit of work that opens the session.
 * @param open opens it.
 * @returns what was answered to the same request under the same key; where there is none, what is opened now.
 * @throws KashboxError `idempotency_conflict`, and what `open` throws
 */
export async function openOnce<Created>(
  db: Db,
  input: Repeatable,
  idempotencyKey: string,
  now: number,
  open: () => Promise<Created>,
): Promise<Created> {
  const key = hashKey(`${input.brand.brandId} ${idempotencyKey}`);
  const request = requestHash(input);
  const taken = await takeKey.first(db, { key, request, now, over: now - IDEMPOTENCY_MS });
  if (taken === undefined) {
    const before = await answerOfKey.first(db, { key });
    if (before?.request_hash !== request) throw new KashboxError('idempotency_conflict');
    return JSON.parse(before.answer) as Created;
  }
  const created = await open();
  await keepAnswer.all(db, { key, answer: JSON.stringify(created) });
  return created;
}
