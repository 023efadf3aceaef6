/** What a session's status is told as, said once for memory and once for the store: both say the same. */
import test from 'ava';
import fc from 'fast-check';
import { type SessionStatus, statusAt } from '../../src/domain/sessions/session.js';
import { inStatus } from '../../src/store/tables/sessions.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore } from '../helpers/stores/engines.js';

const STATUSES: readonly SessionStatus[] = ['PENDING', 'COMPLETED', 'FAILED'];

const sessions = fc.array(
  fc.record({
    status: fc.constantFrom(...STATUSES),
    reason: fc.constantFrom('opened', 'review', 'expired'),
    expires_at: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
);

for (const engine of engines) {
  test(`${engine}: a list by status contains exactly the sessions that are reported with it`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const ids = await Promise.all(Array.from({ length: 12 }, () => shop.order(50_000)));
    await fc.assert(
      fc.asyncProperty(sessions, fc.integer({ min: 0, max: 4 }), async (lives, now) => {
        const given = lives.map((life, index) => ({ ...life, id: ids[index] ?? '' }));
        await core.store.write(async (db) => {
          for (const { id, ...life } of given) {
            await db.query.updateTable('sessions').set(life).where('id', '=', id).execute();
          }
        });
        for (const status of STATUSES) {
          const found = await core.store.read((db) =>
            db.query
              .selectFrom('sessions as s')
              .where(
                's.id',
                'in',
                given.map(({ id }) => id),
              )
              .where(inStatus(status, now))
              .select('s.id')
              .execute(),
          );
          const told = given.filter((life) => statusAt(life, now).status === status);
          t.deepEqual(found.map(({ id }) => id).sort(), told.map(({ id }) => id).sort());
        }
      }),
      { numRuns: 60 },
    );
  });
}
