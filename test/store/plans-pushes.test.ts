/** Nothing on the way of a bank's push, of a claim by number or of a QR picture scans a table. */
import test from 'ava';
import { findCode } from '../../src/actions/sessions/find-payment.js';
import { openBank, PAYER } from '../helpers/shop/bank.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, recorded } from '../helpers/stores/plans.js';

for (const engine of engines) {
  test(`${engine}: every statement of bank QR finds its rows by an index`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const bank = await openBank(watched, await openShop(watched));
    statements.clear();

    const [claimed, scanned, twins] = [await bank.order(), await bank.order(), await bank.order()];
    t.is(await bank.verify(claimed.id, '5678'), 'transaction_not_found');
    const body = bank.written({ reference: 'R1', status: 'PENDING' });
    for (const sent of [
      body,
      body,
      bank.written({ reference: 'R1' }),
      bank.written({ reference: 'R1', amount: '1' }),
    ]) {
      await bank.take(sent);
    }
    t.is(await bank.verify(claimed.id, PAYER), 'R1');
    await bank.push({ bill: scanned.gatewayReference });
    await bank.push({ payer: '*5678' });
    await bank.push({ payer: '*5678' });
    t.is(await bank.verify(twins.id, '5678'), 'under_review');
    t.is(await findCode(watched, '0'.repeat(32)), null);

    t.true(statements.size > 20, `${statements.size} statements were seen`);
    // Of targets of alerts there is a handful, and they are read when one is raised.
    const found = [...statements].filter(([text]) => !/from "alert_targets"/.test(text));
    await findByIndex(t, core, new Map(found));
  });
}
