/** Rows of the outbox as they would stand after a while, for tests that do not send anything. */
import type { Insertable } from 'kysely';
import type { Core } from '../../../src/actions/core/core.js';
import type { AttemptOutcome } from '../../../src/domain/notifications/notification.js';
import type { NotificationTable } from '../../../src/store/schema/index.js';

export type NotificationRow = Insertable<NotificationTable>;

/** Writes a notification of that brand, of no payment that there is, due now unless told otherwise. */
export async function putNotification(
  core: Core,
  row: Partial<NotificationRow> & { readonly id: string; readonly brand_id: string },
): Promise<void> {
  const now = core.clock.now();
  await core.store.write((db) =>
    db.query
      .insertInto('notifications')
      .values({
        session_id: null,
        event: 'payment.failed',
        sequence: 1,
        url: 'https://shop.example.com/paid',
        endpoint: 'https://shop.example.com:443',
        lane: `${row.brand_id} ${row.endpoint ?? 'https://shop.example.com:443'}`,
        format: 'json',
        content: '{}',
        state: 'PENDING',
        tries: 0,
        next_at: now,
        lease: null,
        created_at: now,
        closed_at: null,
        ...row,
      })
      .execute(),
  );
}

/** Writes an attempt of that notification. */
export async function putAttempt(
  core: Core,
  attempt: {
    readonly id: string;
    readonly of: string;
    readonly at: number;
    readonly outcome?: AttemptOutcome;
    readonly detail?: string;
    readonly status?: number;
  },
): Promise<void> {
  const { id, of, at, outcome = 'refused', detail = 'answered 500, 200 is required' } = attempt;
  await core.store.write((db) =>
    db.query
      .insertInto('attempts')
      .values({
        id,
        notification_id: of,
        at,
        ms: 5,
        outcome,
        status: attempt.status ?? null,
        detail,
        answer: null,
        asked_by: 'schedule',
      })
      .execute(),
  );
}
