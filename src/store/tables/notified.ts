/** Who hears of the move of a session: parts of statements that move one, or read one that is to be moved. */
import { sql } from 'kysely';

/** The address for notifications: the session's own, else its brand's, else none. @param s its alias. */
export const notifiedAt = (s: string) =>
  sql<string | null>`coalesce(${sql.ref(`${s}.webhook_url`)},
    (SELECT b.webhook_url FROM brands AS b WHERE b.id = ${sql.ref(`${s}.brand_id`)}))`.as('notified_at');

/** Whether some target of alerts wants to hear of payments: asked here, because it costs nothing beside. */
const isAwaited = sql<number | boolean>`EXISTS (
  SELECT 1 FROM alert_targets AS t WHERE t.removed_at IS NULL AND t.tells_payments = 1)`.as('awaited');

/** Whether its payer may be sent a receipt. */
const isReceipted = (s: string) =>
  sql<number | boolean>`(${sql.ref(`${s}.flow`)} = 'hosted' AND EXISTS (
    SELECT 1 FROM brands AS b WHERE b.id = ${sql.ref(`${s}.brand_id`)} AND b.receipt_sms <> 'off'))`.as(
    'receipted',
  );

/** Where a session is notified, whether alerts hear of it, and whether its payer may be sent a receipt. */
export const notified = (s: string) => [notifiedAt(s), isAwaited, isReceipted(s)] as const;
