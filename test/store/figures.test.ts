/** What metrics, doctor, pruning and a mended address ask of large tables is answered by an index, always. */
import test from 'ava';
import { toDestination } from '../../src/domain/notifications/fair-share.js';
import { createDb } from '../../src/store/dialect.js';
import type { Db } from '../../src/store/schema/index.js';
import {
  deadEndpoints,
  deadNotifications,
  dueNotifications,
  lastDeadAttempt,
  openGaps,
  openSessions,
  overdueNotifications,
} from '../../src/store/tables/figures.js';
import { redirectDue } from '../../src/store/tables/notifications.js';
import {
  countChanges,
  countOpenedPayments,
  countStoredSms,
  creditedByChannel,
} from '../../src/store/tables/reports.js';
import { forgetNotifications, oldNotifications } from '../../src/store/tables/retention.js';
import { engines, openTestCore } from '../helpers/stores/engines.js';

const SPAN = { from: 5, to: 9 };

const QUESTIONS: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  openSessions,
  openGaps,
  openedIn: (db) => countOpenedPayments(db, SPAN),
  creditedByChannel: (db) => creditedByChannel(db, { ...SPAN, brandId: null }),
  changesIn: (db) => countChanges(db, SPAN, ['payment.expire']),
  smsStoredIn: (db) => countStoredSms(db, SPAN),
  dueNotifications,
  deadNotifications,
  overdueNotifications: (db) => overdueNotifications(db, 5),
  deadEndpoints: (db) => deadEndpoints(db, 5, 20),
  lastDeadAttempt: (db) => lastDeadAttempt(db, 'https://shop.example.com:443'),
  oldNotifications: (db) => oldNotifications(db, { created_at: 0, id: '' }, 5, 50),
  forgetNotifications: (db) => forgetNotifications(db, ['ntf_1', 'ntf_2'], 5),
  redirectDue: (db) => redirectDue(db, 'brn_1', { ...toDestination('brn_1', 'https://a.example/'), now: 5 }),
};

/** The lines of the engine's plan that tell how a table is read. */
async function readingsOf(db: Db, sql: string, parameters: readonly unknown[]): Promise<string[]> {
  const explain = db.engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const rows = await db.execute<Record<string, unknown>>(`${explain} ${sql}`, parameters);
  const lines = rows.map((row) => String(row.detail ?? row['QUERY PLAN']));
  return lines.filter((line) => /\b(SCAN|SEARCH) |Scan/.test(line));
}

for (const engine of engines) {
  test(`${engine}: figures and pruning read an index`, async (t) => {
    const core = await openTestCore(t, engine);
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      let readings: string[] = [];
      await core.store.write(async (db) => {
        if (db.engine === 'postgres') await db.execute('SET LOCAL enable_seqscan = off', []);
        const watched = createDb(db.engine, async <Row>(sql: string, parameters: readonly unknown[]) => {
          readings = [...readings, ...(await readingsOf(db, sql, parameters))];
          return { rows: await db.execute<Row>(sql, parameters), changed: 0 };
        });
        await ask(watched);
      });
      const byIndex = readings.filter((line) => /USING (COVERING )?INDEX|Index|Bitmap Heap/.test(line));
      t.true(readings.length > 0, name);
      t.deepEqual(byIndex, readings, name);
    }
  });
}
