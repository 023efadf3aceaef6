/** What is forgotten after a time, and that nothing else ever is. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { chainOwnRows } from '../../../src/actions/audit/extend-chain.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { openRateWindows } from '../../../src/actions/core/rate-windows.js';
import { createLink } from '../../../src/actions/links/links.js';
import { loadLink, openLinkPayment } from '../../../src/actions/links/open-link-payment.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { showRefund } from '../../../src/actions/refunds/list-refunds.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { writeJobRuns } from '../../../src/actions/upkeep/job-runs.js';
import { prune } from '../../../src/actions/upkeep/prune.js';
import { insertMany } from '../../../src/store/compiled-rows.js';
import { putHealth } from '../../../src/store/tables/nodes.js';
import { countRoute } from '../../../src/store/tables/sms.js';
import { putTrust } from '../../../src/store/tables/sms-sources.js';
import { putWalletId } from '../../../src/store/tables/wallet-ids.js';
import { openBank } from '../../helpers/shop/bank.js';
import { pngLogo } from '../../helpers/shop/logos.js';
import { putAttempt, putNotification } from '../../helpers/shop/outbox.js';
import { putRelayRows } from '../../helpers/shop/relay-rows.js';
import { bkashId, bkashSent, bkashText, openShop, type Shop, WALLET } from '../../helpers/shop/shop.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';

const DAY_MS = 86_400_000;

const HEALTH = {
  source_id: 'nod_1',
  calls: 1,
  failures: '{}',
  last_failure_at: null,
  last_failure_kind: null,
  last_failure_detail: null,
  failing_since: null,
};

const RAN = { runs: 1, errors: 0, lastMs: 0, lastDone: 0, lastError: null };
const TRUST = { name: 'ebl', stamp: 'a', trusted_at: 1, trusted_by: 'cli:test' };

/** Every row of every table that the store really has, as text by table. */
async function tablesOf(core: Core): Promise<Record<string, readonly string[]>> {
  const names =
    core.store.engine === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()';
  return core.store.read(async (db) => {
    const tables: Record<string, readonly string[]> = {};
    for (const { name } of await db.execute<{ name: string }>(names, [])) {
      const rows = await db.execute<object>(`SELECT * FROM ${name}`, []);
      tables[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return tables;
  });
}

/** A shop with a logo has a payment link, and somebody has pressed its button. */
async function showOwnLink(core: Core): Promise<void> {
  const [brand, base, who] = ['Alo Store', 'https://pay.example.com', 'test'];
  await updateBrand(core, { brand, logo: pngLogo(), who });
  const { id } = await createLink(core, { brand, amount: '500', image: pngLogo(300, 300), base, who });
  const link = await loadLink(core, id);
  if (link === null) throw new Error('the link is gone');
  await openLinkPayment(core, { link, browser: 'anna', amount: '', values: new Map(), publicBase: base });
}

/** Two numbers of one wallet, of which each payment shows one, and an id that was learnt. */
async function addNumbers(core: Core, { merchantId: merchant_id }: Shop): Promise<void> {
  const wallet = { brand: 'Alo Store', channel: 'mfs_b', type: 'personal', isFurther: true, who: 'test' };
  for (const number of ['01811000001', '01811000002']) await setAccount(core, { ...wallet, number });
  const id = { channel: 'mfs_b', merchant_id, day: '2026-08-21', id: '75W022AA', at: 1 } as const;
  await core.store.write((db) => putWalletId.all(db, { ...id, learnt_from: 'balance', stored_at: 1 }));
  await core.store.write((db) => putTrust(db, TRUST));
}

/** What is kept for days: of a payment link, and of a create that the shop may repeat under this key. */
async function openShortLived(core: Core, { brand }: Shop, idempotencyKey: string): Promise<void> {
  await showOwnLink(core);
  const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
  await createSession(core, { brand, hosted: null, ...customer, amountPaisa: 50_000, idempotencyKey });
}

/** It goes (the payment that nobody touched, what was counted of that day, the key), and is opened anew. */
async function forgetShortLived(t: ExecutionContext<unknown>, core: Core, shop: Shop): Promise<void> {
  t.is(await prune(core), 4);
  await openShortLived(core, shop, 'order-18');
}

/** A transaction id of an exchange has paid that session. */
async function creditName(core: Core, session_id: string, brand_id: string): Promise<void> {
  const channel = 'exchange_pay';
  const name = { channel, name: 'M_P_1', scope: 'binance', session_id, brand_id } as const;
  await core.store.write((db) => insertMany(db, 'credited_names', [name], 'name'));
}

/** The tables whose rows go, some of them. */
const PRUNED = [
  'button_presses',
  'notifications',
  'attempts',
  'pairing_codes',
  'dispatches',
  'alerts',
  'alert_messages',
  'sms_gaps',
];

const idsOf = (
  core: Core,
  table: 'notifications' | 'attempts' | 'dispatches' | 'alerts' | 'alert_messages' | 'sms_gaps',
) =>
  core.store.read(async (db) => {
    const rows = await db.query.selectFrom(table).select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  });

/** @returns the status of a refund of those 500 taka, after the SMS of its transfer. */
async function sendBack(core: Core, shop: Shop, trxId: string): Promise<string | undefined> {
  const [refund] = await createRefund(core, { of: trxId, note: 'returned goods', who: 'test' });
  const sent = { amount: '500.00', to: '01900000001', balance: '98,226.19', at: core.clock.now() };
  await shop.receive(bkashSent(sent, bkashId(sent.at, 2)));
  return (await showRefund(core, refund?.id ?? '')).status;
}

for (const engine of engines) {
  test(`on ${engine}, what is long over goes, and nothing on which money rests or that still lasts`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const { brandId } = shop.brand;
    const bank = { bank_name: 'City Bank', holder: 'Alo Store' };
    const account = { brand: 'Alo Store', channel: 'bank', type: 'account', number: '1234567890' };
    await setAccount(core, { ...account, details: bank, who: 'test' });
    await addNumbers(core, shop);
    const trxId = bkashId(clock.now(), 1);
    const claim = { brand: shop.brand, sessionId: await shop.order(50_000), method: 'mfs_a' as const };
    await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
    await verifyClaim(core, { ...claim, reference: trxId });
    t.is(await sendBack(core, shop, trxId), 'COMPLETED');
    const slip = Buffer.from('%PDF-1.7');
    await claimBankTransfer(core, { sessionId: await shop.link(100), text: 'SLIP 7', slip });
    await takeUsdt(core, { brand: 'Alo Store', nodes: [{ url: 'http://127.0.0.1:1' }] });
    const cityBank = await openBank(core, shop);
    await cityBank.order();
    await cityBank.push();
    await openShortLived(core, shop, 'order-17');
    const session_id = await shop.order(50_000);
    await creditName(core, session_id, brandId);
    await core.store.write((db) => putHealth(db, { ...HEALTH, last_ok_at: clock.now() }));
    await writeJobRuns(core, { ...RAN, name: 'prune', lastAt: clock.now() });
    // What other actions have told the shop of is not what this test looks at.
    await core.store.write(async (db) => {
      await db.query.deleteFrom('attempts').execute();
      await db.query.deleteFrom('notifications').execute();
    });
    const start = clock.now();
    const put = async (id: string, state: 'PENDING' | 'DELIVERED' | 'FAILED', closed_at: number | null) => {
      await putNotification(core, { id, brand_id: brandId, created_at: start, state, closed_at });
      await putAttempt(core, { id: `att_${id}`, of: id, at: start });
    };
    await put('ntf_delivered', 'DELIVERED', start);
    await put('ntf_dead', 'FAILED', start);
    await put('ntf_due', 'PENDING', null);
    await put('ntf_due_again', 'PENDING', start);
    await putRelayRows(core, shop, start);
    const route = { sim: WALLET, channel: 'mfs_a', route: '+8801700000600 alphanumeric' } as const;
    await core.store.write((db) =>
      countRoute(db, { ...route, merchant_id: shop.merchantId, first_at: start }),
    );
    clock.advance(180 * DAY_MS);
    await put('ntf_replayed', 'DELIVERED', clock.now());
    await openRateWindows(core.store)?.take('requests', 'a caller', 1, 60_000);
    await forgetShortLived(t, core, shop);
    await chainOwnRows(core);
    const before = await tablesOf(core);
    for (const [name, rows] of Object.entries(before)) {
      t.true(rows.length > 0, `${name} has a row that could be lost`);
    }
    t.is(await prune(core), 0, 'nothing is older than the time yet');
    t.deepEqual(await tablesOf(core), before);

    // The code of the shop's phone lived for ten minutes after that.
    clock.advance(600_000 + 1);
    t.is(await prune(core), 7);
    t.deepEqual(await idsOf(core, 'dispatches'), ['dsp_waits']);
    t.deepEqual(await idsOf(core, 'alerts'), ['alr_lasts']);
    t.deepEqual(await idsOf(core, 'alert_messages'), ['of_alr_lasts']);
    t.deepEqual(await idsOf(core, 'sms_gaps'), ['gap_open']);
    t.deepEqual(await idsOf(core, 'notifications'), ['ntf_due', 'ntf_due_again', 'ntf_replayed']);
    t.deepEqual(await idsOf(core, 'attempts'), ['att_ntf_due', 'att_ntf_due_again', 'att_ntf_replayed']);
    const after = await tablesOf(core);
    t.deepEqual(after.pairing_codes, []);
    const untouched = Object.keys(before).filter((name) => !PRUNED.includes(name));
    for (const name of untouched) t.deepEqual(after[name], before[name], name);
  });

  test(`on ${engine}, a payment that may yet be completed keeps its last, and the next counts on`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await updateBrand(core, {
      brand: shop.brand.brandId,
      webhookUrl: 'https://shop.example.com/paid',
      who: 'test',
    });
    const session_id = await shop.link(100);
    const brand_id = shop.brand.brandId;
    for (const sequence of [1, 2, 3]) {
      const closed = { state: 'DELIVERED' as const, closed_at: clock.now() };
      await putNotification(core, { ...closed, id: `ntf_${sequence}`, brand_id, session_id, sequence });
    }
    clock.advance(180 * DAY_MS + 1);
    t.is(await prune(core), 2);
    t.deepEqual(await idsOf(core, 'notifications'), ['ntf_3']);
    t.is(await expireSessions(core), 1);
    const told = () =>
      core.store.read((db) =>
        db.query.selectFrom('notifications').select('sequence').orderBy('sequence').execute(),
      );
    t.deepEqual(await told(), [{ sequence: 3 }, { sequence: 4 }]);
    await core.store.write((db) =>
      db.query.updateTable('notifications').set({ state: 'FAILED', closed_at: clock.now() }).execute(),
    );
    clock.advance(180 * DAY_MS + 1);
    t.is(await prune(core), 2, 'one notification and the pairing code');
    t.deepEqual(await told(), [{ sequence: 4 }]);
    await core.store.write((db) => db.query.updateTable('sessions').set({ status: 'COMPLETED' }).execute());
    t.is(await prune(core), 1);
    t.deepEqual(await told(), []);
  });

  test(`on ${engine}, many go in small units of work, and two who do it at once lose nothing`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const { brandId } = (await openShop(core)).brand;
    const start = clock.now();
    for (let n = 0; n < 120; n += 1) {
      const id = `ntf_${n}`;
      await putNotification(core, { id, brand_id: brandId, state: 'DELIVERED', closed_at: start });
    }
    clock.advance(180 * DAY_MS + 1);
    let writes = 0;
    const write: typeof core.store.write = (work) => {
      writes += 1;
      return core.store.write(work);
    };
    const watched = { ...core, store: { ...core.store, write } };
    const [one, other] = await Promise.all([prune(watched), prune(watched)]);
    t.is(one + other, 120);
    t.true(writes >= 5, `${writes} units of work`);
    t.deepEqual(await idsOf(core, 'notifications'), []);
  });
}

test('KASHBOX_KEEP_DAYS sets how long they are kept, and 0 disables pruning', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock, env: { KASHBOX_KEEP_DAYS: '0' } });
  const { brandId } = (await openShop(core)).brand;
  await putNotification(core, { id: 'ntf_1', brand_id: brandId, state: 'FAILED', closed_at: clock.now() });
  clock.advance(3_650 * DAY_MS);
  t.is(await prune(core), 0);
  const shorter = { ...core, settings: { ...core.settings, keepDays: 3_650 } };
  t.is(await prune(shorter), 0);
  clock.advance(1);
  t.is(await prune(shorter), 1);
});
