/**
 * What a dashboard asks for every two seconds, so that each query reads an index and few rows. Payments of
 * tests are in none of it.
 * Knows no rule of the business.
 */
import { sql } from 'kysely';
import { hot } from '../compiled-query.js';
import type { Db } from '../schema/index.js';
import { isLiveBrand, isLiveSession } from './test-brands.js';

/** Length of one step of the sparklines. */
export const SLOT_MS = 120_000;

/** Sessions opened since then, by the two minutes in which they were opened and by what became of them. */
export const openedBySlot = hot<{ since: number }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('created_at', '>=', value('since'))
    .where(isLiveBrand('brand_id'))
    // Two whole numbers: both engines divide them without a remainder.
    .groupBy([sql`created_at / ${SLOT_MS}`, 'status'])
    .select((column) => [
      sql<number | string>`created_at / ${SLOT_MS}`.as('slot'),
      'status',
      column.fn.countAll<number | string>().as('count'),
      column.fn.sum<number | string>('amount_paisa').as('paisa'),
    ]),
);

export const openReviewCount = hot<Record<string, never>>()((db) =>
  db.query
    .selectFrom('reviews')
    .where('state', '=', 'OPEN')
    .where(isLiveSession('session_id'))
    .select((column) => column.fn.countAll<number | string>().as('count')),
);

/** Outbound SMS that wait here, or that a phone has taken and said nothing of yet. */
export const dispatchCounts = hot<Record<string, never>>()((db) => {
  const counted = (state: 'QUEUED' | 'LEASED') =>
    db.query
      .selectFrom('dispatches')
      .where('state', '=', state)
      .select(({ fn }) => [
        sql<string>`${sql.lit(state)}`.as('state'),
        fn.countAll<number | string>().as('count'),
      ]);
  return counted('QUEUED').unionAll(counted('LEASED'));
});

function notifications(db: Db) {
  return db.query
    .selectFrom('notifications as n')
    .innerJoin('brands as b', 'b.id', 'n.brand_id')
    .select(['n.id', 'n.event', 'n.endpoint', 'n.state', 'n.tries', 'n.next_at', 'n.created_at'])
    .select('b.name as brand');
}

/** Notifications of payments that were given up, the last first. */
export const lastDead = hot<{ limit: number }>()((db, value) =>
  notifications(db)
    .where('n.state', '=', 'DEAD')
    .where('n.event', '!=', 'ping')
    .where('n.closed_at', 'is not', null)
    .orderBy('n.closed_at', 'desc')
    .limit(value('limit')),
);

/** Notifications that are due, those first that have waited longest. */
export const firstDue = hot<{ limit: number }>()((db, value) =>
  notifications(db).where('n.state', '=', 'DUE').orderBy('n.created_at').limit(value('limit')),
);

function alerts(db: Db) {
  return db.query
    .selectFrom('alerts as a')
    .leftJoin('devices as d', 'd.id', 'a.device_id')
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .select(['a.id', 'a.kind', 'a.detail', 'a.at', 'a.ended_at', 'a.device_id', 'd.name as device']);
}

/** Alerts, the last first, with the names of their phones; completed payments stand elsewhere. */
export const lastAlerts = hot<{ limit: number }>()((db, value) =>
  alerts(db).where('a.kind', '!=', 'payment.completed').limit(value('limit')),
);

/** Open alerts, the newest first. */
export const openAlerts = hot<{ limit: number }>()((db, value) =>
  alerts(db).where('a.ended_at', 'is', null).limit(value('limit')),
);

/** Open gaps that an alert has told of; those of one wallet share an alert. */
export const openGapsOfAlerts = hot<Record<string, never>>()((db) =>
  db.query
    .selectFrom('sms_gaps as g')
    .innerJoin('alerts as a', 'a.incident', 'g.alert')
    .where('g.closed_at', 'is', null)
    .orderBy('g.id')
    .select(['a.id as alert', 'g.id', 'g.missing_paisa']),
);
