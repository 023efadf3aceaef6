/** Whatever somebody changes in credits and audit entries behind Kashbox is found, and named. */
import test from 'ava';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { newRowId } from '../../../src/base/values/ids.js';
import { idIn, MINUTE, till } from '../../helpers/shop/balance-till.js';
import { answer, refundSent } from '../../helpers/shop/scene.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';
import { aCredit, chainedShop, pay, tamper, verify } from './ground.js';

/** Of each column of a row another value. */
const CHANGES = {
  transactions: {
    brand_id: "'brd_other'",
    proof_id: "'prf_other'",
    channel: "'mfs_b'",
    reference: "'DHL60302ZX'",
    amount_paisa: '50001',
    fee_paisa: '1',
    rest_paisa: '1',
    credited_at: 'credited_at - 1',
    credited_by: "'cli:karim'",
    scope: "scope || ' '",
    folded: "''",
  },
  audit: {
    at: 'at + 1',
    who: "'cli:karim'",
    action: "'payment.expire'",
    subject: "'another'",
    before: `'{"status":"FAILED"}'`,
    after: 'NULL',
  },
} as const;

/** What else a changed column contradicts. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  amount_paisa: ['paid_wrong'],
  fee_paisa: ['paid_wrong'],
  rest_paisa: ['credit_missing', 'rest_wrong'],
};

for (const engine of engines) {
  test(`${engine}: a store that nobody touched holds, and holds again`, async (t) => {
    const scene = await chainedShop(t, engine);
    const first = await verify(scene.core);
    t.like(first, { ok: true, found: 0, findings: [], pending: 0, since: null, unchecked: 0 });
    t.is(first.head.number, first.rows);
    t.true(first.rows > 6);
    t.deepEqual(await verify(scene.core), first);
    await pay(scene, 9);
    const more = await verify(scene.core, { expected: first.head });
    t.like(more, { ok: true, pending: 0 });
    t.true(more.rows > first.rows, 'what is not in the chain yet is put in before');
  });

  test(`${engine}: a changed column of a credit or an audit entry is found, and the other rows hold`, async (t) => {
    const { core } = await chainedShop(t, engine);
    const credit = await aCredit(core);
    const [entry] = await core.store.read((db) =>
      db.query.selectFrom('audit').where('subject', '=', credit.session_id).selectAll().execute(),
    );
    for (const [table, changes] of Object.entries(CHANGES)) {
      const { id, payment, at } =
        table === 'audit'
          ? { id: entry?.id, payment: credit.gateway_reference, at: entry?.at }
          : { id: credit.id, payment: credit.gateway_reference, at: credit.credited_at };
      const columns = Object.keys(changes).map((column) => `"${column}"`);
      await tamper(core, `CREATE TABLE kept AS SELECT * FROM ${table} WHERE id = '${id}'`);
      for (const [column, value] of Object.entries(changes)) {
        await tamper(core, `UPDATE ${table} SET "${column}" = ${value} WHERE id = '${id}'`);
        const { ok, findings } = await verify(core);
        t.false(ok);
        const names = findings.map(({ finding }) => finding);
        t.deepEqual(names, ['row_changed', ...(ALSO[column] ?? [])], column);
        t.like(findings[0], { finding: 'row_changed', table, id }, column);
        if (column !== 'subject') t.is(findings[0]?.payment, payment, column);
        if (!/at$/.test(column)) t.is(findings[0]?.at, dhakaIso(at ?? 0), column);
        t.regex(
          findings[0]?.message ?? '',
          /^The (credit txn|audit entry aud)_.* was changed after it was written$/,
        );
        const back = columns.map((name) => `${name} = (SELECT ${name} FROM kept)`).join(', ');
        await tamper(core, `UPDATE ${table} SET ${back} WHERE id = '${id}'`);
      }
      await tamper(core, 'DROP TABLE kept');
    }
    t.true((await verify(core)).ok, 'what is as it was again holds again');
  });

  test(`${engine}: deleted rows are named by id and time, and the payment that lost its credit by its number`, async (t) => {
    const { core } = await chainedShop(t, engine);
    const { id, session_id, credited_at, gateway_reference } = await aCredit(core);
    await tamper(core, `DELETE FROM transactions WHERE id = '${id}'`);
    const { findings, found } = await verify(core);
    t.is(found, 3);
    t.like(findings[0], { finding: 'row_deleted', table: 'transactions', id, at: dhakaIso(credited_at) });
    t.like(findings[1], { finding: 'credit_missing', table: 'sessions', payment: gateway_reference });
    t.is(findings[1]?.id, session_id);
    t.regex(findings[1]?.message ?? '', /is COMPLETED, but there is no credit for it/);
    t.like(findings[2], { finding: 'paid_wrong', table: 'sessions', payment: gateway_reference });
  });

  test(`${engine}: a credit that was slipped in, with or without its payment, is named`, async (t) => {
    const { core, clock, shop } = await chainedShop(t, engine);
    const session = await shop.order(70_000);
    const id = newRowId(core.random, clock.now() - 86_400_000, 'transaction');
    const columns = 'brand_id, proof_id, channel, reference, amount_paisa, credited_at, credited_by, scope';
    await tamper(
      core,
      `INSERT INTO transactions (id, session_id, ${columns}) SELECT '${id}', '${session}', brand_id, 'prf_1',
        channel, 'DHL60302ZX', 70000, credited_at, credited_by, scope FROM transactions LIMIT 1`,
    );
    const { findings, found } = await verify(core);
    t.is(found, 3);
    t.deepEqual(
      findings.map(({ finding, id: of }) => [finding, of]),
      [
        ['row_unknown', id],
        ['paid_wrong', session],
        ['credit_unfounded', id],
      ],
    );
    t.truthy(findings[0]?.payment);
    await tamper(core, `DELETE FROM sessions WHERE id = '${session}'`);
    const without = await verify(core);
    t.deepEqual(
      without.findings.map(({ finding, payment }) => [finding, payment]),
      [
        ['row_unknown', null],
        ['credit_unfounded', null],
      ],
    );
  });

  test(`${engine}: a payment that somebody set to COMPLETED is named`, async (t) => {
    const { core, shop } = await chainedShop(t, engine);
    const session = await shop.order(70_000);
    await tamper(core, `UPDATE sessions SET status = 'COMPLETED' WHERE id = '${session}'`);
    const { findings, ok } = await verify(core);
    t.false(ok);
    t.like(findings[0], { finding: 'credit_missing', id: session });
  });

  test(`${engine}: a changed entry is distinguished from a changed row, and later entries hold`, async (t) => {
    const { core } = await chainedShop(t, engine);
    const { id } = await aCredit(core);
    const of = `kind = 'credit' AND row_id = '${id}'`;
    await tamper(core, `UPDATE audit_chain SET hash = mark || mark WHERE ${of}`);
    const changed = await verify(core);
    t.deepEqual(
      changed.findings.map(({ finding }) => finding),
      ['entry_changed', 'entry_changed'],
      'its own link, and that of the next entry',
    );
    t.is(changed.findings[0]?.id, id);
  });

  test(`${engine}: an entry that was taken out is a gap, and its row is unknown`, async (t) => {
    const { core } = await chainedShop(t, engine);
    const { id } = await aCredit(core);
    const of = `kind = 'credit' AND row_id = '${id}'`;
    const rows = await core.store.read((db) =>
      db.execute<{ number: number }>(`SELECT number FROM audit_chain WHERE ${of}`, []),
    );
    await tamper(
      core,
      `DELETE FROM audit_chain WHERE ${of}`,
      `UPDATE transactions SET scope = 'x' WHERE id = '${id}'`,
    );
    const { findings } = await verify(core);
    // So near to the newest rows it is put in again, as a row that came late would be.
    t.deepEqual(
      findings.map(({ finding, id: at }) => [finding, at]),
      [['entries_missing', String((rows[0]?.number ?? 0) + 1)]],
    );
  });

  test(`${engine}: rows cut off the end with their entries are found by an end that was noted`, async (t) => {
    const scene = await chainedShop(t, engine);
    const { core, clock } = scene;
    const before = await verify(core);
    await pay(scene, 7);
    const noted = (await verify(core)).head;
    await tamper(
      core,
      `DELETE FROM transactions WHERE id IN (SELECT row_id FROM audit_chain WHERE number > ${before.head.number})`,
      `DELETE FROM audit WHERE id IN (SELECT row_id FROM audit_chain WHERE number > ${before.head.number})`,
      `UPDATE sessions SET status = 'PENDING', paid_paisa = 0 WHERE created_at >= ${clock.now()}`,
      `DELETE FROM audit_chain WHERE number > ${before.head.number}`,
    );
    t.true((await verify(core)).ok, 'nothing in the store tells');
    for (const expected of [noted, { ...before.head, hash: noted.hash }]) {
      const { ok, findings } = await verify(core, { expected });
      t.false(ok);
      t.like(findings[0], { finding: 'end_missing', id: `${expected.number}:${expected.hash}` });
    }
    t.true((await verify(core, { expected: before.head })).ok);
  });

  test(`${engine}: of a thousand things and more that are wrong all are counted`, async (t) => {
    const { core } = await chainedShop(t, engine);
    const old = (at: number) => `'aud_0000${String(at).padStart(20, '0')}', 1, 'x', 'y', 'z', NULL, NULL`;
    const values = Array.from({ length: 1_001 }, (_, at) => `(${old(at)})`).join(', ');
    await tamper(core, `INSERT INTO audit VALUES ${values}`);
    const { found, findings } = await verify(core);
    t.deepEqual([found, findings.length], [1_001, 1_000]);
  });
}

for (const engine of engines) {
  test(`${engine}: a credit out of nothing and a raised proof are found where what credits rest on is read again`, async (t) => {
    const scene = await chainedShop(t, engine);
    const { core, shop, clock } = scene;
    const deep = { isDeep: true };
    t.like(await verify(core, deep), { ok: true, found: 0 });
    // The amount of a proof is raised before it is claimed.
    const session = await shop.order(7_000_000);
    const reference = bkashId(clock.now(), 77);
    await shop.receive(bkashText({ taka: '50.00', trxId: reference, at: clock.now() }));
    await tamper(core, `UPDATE proofs SET amount_paisa = 7000000 WHERE reference = '${reference}'`);
    await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference });
    t.like(await verify(core), { ok: true }, 'the rows are as they were written');
    const raised = await verify(core, deep);
    t.deepEqual(
      raised.findings.map(({ finding }) => finding),
      ['credit_misread'],
    );
    t.regex(
      raised.findings[0]?.message ?? '',
      /was made by a rule, but parsing its text again returns another id or amount/,
    );
    // A row with the present time, and no SMS, claim or audit entry.
    const made = await shop.order(50_000);
    const id = newRowId(core.random, clock.now(), 'transaction');
    const proof = newRowId(core.random, clock.now(), 'proof');
    await tamper(
      core,
      `INSERT INTO transactions (id, session_id, brand_id, proof_id, channel, reference, scope, amount_paisa,
         fee_paisa, credited_at, credited_by)
       VALUES ('${id}', '${made}', '${shop.brand.brandId}', '${proof}', 'mfs_a', 'DHL0000ZZZ', '', 50000, 0,
         ${clock.now()}, 'rule')`,
      `UPDATE sessions SET status = 'COMPLETED', paid_paisa = 50000 WHERE id = '${made}'`,
    );
    const both = await verify(core, deep);
    const found = both.findings.map(({ finding, id: row }) => `${finding} ${row}`);
    t.true(found.includes(`credit_unaudited ${id}`), found.join());
    t.is(both.found, 2);
    await tamper(
      core,
      `INSERT INTO audit (id, at, who, action, subject)
       VALUES ('${newRowId(core.random, clock.now(), 'audit')}', ${clock.now()}, 'rule', 'payment.credit', '${made}')`,
    );
    const unproved = await verify(core, deep);
    t.true(unproved.findings.some((one) => one.finding === 'credit_unproved' && one.id === id));
  });
}

for (const engine of engines) {
  test(`${engine}: changed sums, rests and refunds are named, with their payment`, async (t) => {
    const scene = await chainedShop(t, engine);
    const { core, clock, shop } = scene;
    const [first, second] = [bkashId(clock.now(), 7), bkashId(clock.now(), 8)];
    const session = await shop.order(100_000, true);
    for (const trxId of [first, second]) {
      await shop.receive(bkashText({ taka: '300.00', trxId, at: clock.now() }));
      t.is(await answer(core, shop, session, trxId), 'part');
    }
    clock.advance(60 * MINUTE);
    await expireSessions(core);
    const refund = await refundSent(core, first);
    const [pending] = await createRefund(core, { of: second, note: 'returned goods', who: 'test' });
    t.like(await verify(core), { ok: true, findings: [] });
    const ofSession = `sessions WHERE id = '${session}'`;
    const ofRefund = `refunds WHERE id = '${refund}'`;
    const changes: readonly [change: string, ...findings: string[]][] = [
      ['paid_paisa = paid_paisa + 1', `${ofSession}`, 'paid_wrong'],
      ['paid_fee_paisa = 1', `${ofSession}`, 'paid_wrong'],
      ['refunded_paisa = 0', `${ofSession}`, 'refunded_wrong'],
      ['amount_paisa = amount_paisa - 1', `${ofSession}`, 'rest_wrong'],
      ['payee = null', ofRefund, 'refund_changed'],
      ["reference = 'DHL2'", ofRefund, 'refund_changed'],
      ['amount_paisa = 60001', ofRefund, 'refund_changed', 'refunded_wrong', 'refunded_too_much'],
      // To have it sent again.
      ["state = 'PENDING'", ofRefund, 'refund_changed', 'refunded_wrong'],
      ["state = 'COMPLETED'", `refunds WHERE id = '${pending?.id}'`, 'refunded_wrong', 'refund_unaudited'],
    ];
    for (const [change, of = '', ...expected] of changes) {
      const [table] = of.split(' ');
      const column = change.split(' ')[0] ?? '';
      await tamper(
        core,
        `CREATE TABLE kept AS SELECT * FROM ${of}`,
        `UPDATE ${of.replace(' ', ` SET ${change} `)}`,
      );
      const { findings } = await verify(core);
      t.deepEqual([...findings.map(({ finding }) => finding)], expected, change);
      for (const { message } of findings) t.regex(message, / payment [A-Z0-9]+/, message);
      const back = `UPDATE ${table} SET ${column} = (SELECT ${column} FROM kept) WHERE id = (SELECT id FROM kept)`;
      await tamper(core, back, 'DROP TABLE kept');
    }
    t.true((await verify(core)).ok, 'what is as it was again holds again');
    await tamper(core, `DELETE FROM ${ofRefund}`);
    const { findings } = await verify(core);
    t.deepEqual(
      findings.map(({ finding, id }) => [finding, id]),
      [
        ['refund_deleted', refund],
        ['refunded_wrong', session],
      ],
    );
  });

  test(`${engine}: a refund of a rule rests on its SMS, which is parsed again`, async (t) => {
    const { core, shop, paid, sent, clock } = await till(t, engine);
    const text = paid(50_000, 1);
    await shop.receive(text);
    const session = await shop.order(50_000);
    const claim = { brand: shop.brand, sessionId: session, method: 'mfs_a' as const };
    await verifyClaim(core, { ...claim, reference: idIn(text) });
    const [{ id } = { id: '' }] = await createRefund(core, { of: session, note: 'returned', who: 'test' });
    clock.advance(10 * MINUTE);
    const back = sent(50_000, 35, '01711000081');
    await shop.receive(back);
    const found = async () => {
      const { findings } = await verify(core, { isDeep: true });
      return findings.map((one) => [one.finding, one.id]);
    };
    t.deepEqual(await found(), []);
    await tamper(core, 'UPDATE sent_money SET amount_paisa = 1');
    t.deepEqual(await found(), [['refund_misread', id]]);
    await tamper(core, 'UPDATE sent_money SET amount_paisa = 50000');
    await tamper(
      core,
      `UPDATE sms SET body = replace(body, 'Tk 500.00', 'Tk 5.00') WHERE trx_id = '${idIn(back)}'`,
    );
    t.deepEqual(await found(), [['refund_misread', id]]);
    await tamper(core, `UPDATE sent_money SET source_id = NULL`);
    t.deepEqual(await found(), [['refund_unproved', id]]);
  });
}
