/** Books look at their days and wallets alone: no report of some days and no export scans a table. */
import test from 'ava';
import { reportBalances } from '../../src/actions/reports/report-balances.js';
import { reportDevices } from '../../src/actions/reports/report-devices.js';
import { reportChannels, reportDays } from '../../src/actions/reports/report-payments.js';
import { exportPages } from '../../src/actions/sessions/export-payments.js';
import { till } from '../helpers/shop/balance-till.js';
import { engines } from '../helpers/stores/engines.js';
import { findByIndex, planOf, recorded } from '../helpers/stores/plans.js';

/** Tables that stay small are read whole. */
const SMALL = /from "(merchants|devices)"/;

for (const engine of engines) {
  test(`${engine}: reports and exports find their rows by an index`, async (t) => {
    const { core, shop, paid, look, clock } = await till(t, engine);
    const [first, , last] = [paid(10_000, 1), paid(20_000, 2), paid(30_000, 3)];
    await shop.receive(first, last);
    await look();
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const days = { fromMs: clock.now() };
    await reportDays(watched, days);
    await reportChannels(watched, { ...days, brand: 'Alo Store' });
    await reportDevices(watched, days);
    const [row] = await reportBalances(watched, days);
    t.is(row?.state, 'missing', 'gaps were asked for, too');
    for await (const _page of exportPages(watched, { status: 'FAILED' }));
    for (const sql of statements.keys()) if (SMALL.test(sql)) statements.delete(sql);
    t.true(statements.size > 12, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
    const credited = [...statements].find(([sql]) => sql.includes('from "transactions" as "t" where'));
    await core.store.write(async (db) => {
      if (db.engine === 'postgres') await db.execute('SET LOCAL enable_seqscan = off', []);
      t.regex(await planOf(db, credited?.[0] ?? '', credited?.[1] ?? []), /id *>=?.* AND .*id *</);
    });
  });
}
