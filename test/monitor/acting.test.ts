/** Keys that act: what they do in the store, what is refused, and how it looks in a real terminal. */
import { renameSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { claimBankTransfer } from '../../src/actions/claims/claim-bank-transfer.js';
import { verifyClaim } from '../../src/actions/claims/verify-claim.js';
import { type Core, openCore } from '../../src/actions/core/core.js';
import { approveReview } from '../../src/actions/reviews/decide-review.js';
import { showReview } from '../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../src/actions/sessions/list-payments.js';
import { readBoard } from '../../src/actions/upkeep/read-dashboard.js';
import { actOf, askAbout } from '../../src/monitor/ask.js';
import { panelsOf } from '../../src/monitor/panels.js';
import { type Snapshot, snapshotOf } from '../../src/monitor/snapshot.js';
import { remoteSource } from '../../src/monitor/source-remote.js';
import { storeSource } from '../../src/monitor/source-store.js';
import { type OpenTerminal, openTerminal } from '../helpers/programs/terminal.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { addBank, hostedOrder } from '../helpers/shop/hosted.js';
import { bkashId, bkashText, openShop, type Shop } from '../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, temporaryFolder, testClock } from '../helpers/stores/engines.js';
import { operator } from './frames.js';
import { openGapOf } from './gaps.js';

/** A payment of 500 taka for which so much came in, claimed; it waits for a person. */
async function reviewed(core: Core, shop: Shop, serial: number, taka: number): Promise<string> {
  const session = await shop.order(50_000);
  const reference = bkashId(core.clock.now(), serial);
  await shop.receive(bkashText({ taka: `${taka}.00`, trxId: reference, at: core.clock.now() }));
  await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference });
  const { oldest } = (await readBoard(core)).reviews;
  return oldest.find((review) => review.reference === reference)?.id ?? '';
}

for (const engine of enginesOfTier) {
  test(`${engine}: approving and rejecting do what the commands do, as who looks, and once`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const source = storeSource(async () => core, operator);
    const [yes, no] = [await reviewed(core, shop, 1, 600), await reviewed(core, shop, 2, 700)];
    const approve = {
      kind: 'approve',
      id: yes,
      note: 'আলো',
      reference: undefined,
      acceptLess: false,
    } as const;
    t.regex(await source.act(approve), /^Approved\. Payment [A-Z0-9]{12} of Customer is COMPLETED\.$/);
    t.like(await showReview(core, yes), {
      ...{ state: 'APPROVED', note: 'আলো', decided_by: 'test', payment_status: 'COMPLETED' },
    });
    t.regex(await source.act({ kind: 'reject', id: no, note: 'no' }), /^Rejected\. .* is FAILED\.$/);
    t.like(await showReview(core, no), { state: 'REJECTED', note: 'no', decided_by: 'test' });
    await t.throwsAsync(source.act(approve), {
      ...{ code: 'state_refused', message: /was approved already by test/ },
    });
    await t.throwsAsync(source.act({ kind: 'reject', id: no, note: 'again' }), {
      message: /rejected already/,
    });
  });

  test(`${engine}: a bank transfer is approved under the reference that was typed, and said to be unseen`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    await addBank(core, shop.brand.name);
    const sessionId = await hostedOrder(core, shop.brand.name, 50_000);
    await claimBankTransfer(core, { sessionId, text: 'FT 26-71', slip: null });
    const review = (await readBoard(core)).reviews.oldest[0];
    const ask = review === undefined ? '' : askAbout({ act: 'approve', review });
    if (typeof ask === 'string') return t.fail('nothing is asked');
    t.true(ask.question.join(' ').includes('only your approval'));
    const fields = ask.fields.map((field) => ({ ...field, text: field.name === 'note' ? 'seen' : 'FT2672' }));
    const source = storeSource(async () => core, operator);
    t.regex(await source.act(actOf({ ...ask, fields })), /COMPLETED\. Kashbox has not seen this money/);
    t.like(await showPayment(core, sessionId), { status: 'COMPLETED', transaction_id: 'FT2672' });
  });

  test(`${engine}: a notification is due again, and gaps are closed, all of a wallet`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const source = storeSource(async () => core, operator);
    const id = await deadNotification(core, shop);
    t.regex(
      await source.act({ kind: 'replay', id }),
      /^payment\.completed of payment [A-Z0-9]{12} is due again/,
    );
    t.like(await readBoard(core), { notifications: { due: 1, dead: 0 } });

    await core.store.write(async (db) => {
      for (const gap of ['gap_1', 'gap_2', 'gap_3'])
        await openGapOf(db, shop, { id: gap, alert: 'sms.gap:x' });
    });
    const close = (...ids: string[]) => source.act({ kind: 'close_gap', ids, note: 'savings' });
    t.is(await close('gap_1'), 'The gap is closed.');
    // Somebody has closed the first meanwhile.
    t.is(await close('gap_1', 'gap_2', 'gap_3'), '2 gaps are closed.');
    await t.throwsAsync(close('gap_2'), { code: 'state_refused', message: /closed already/ });
    await t.throwsAsync(close('gap_none'), { code: 'not_found' });
    const closed = await core.store.read((db) =>
      db.query.selectFrom('sms_gaps').where('closed_by', '=', 'test').select('id').execute(),
    );
    t.is(closed.length, 3);
  });
}

/** Of a payment that is completed, to an address that never answered. */
async function deadNotification(core: Core, shop: Shop): Promise<string> {
  const session = await shop.order(10_000);
  const reference = bkashId(core.clock.now(), 9);
  await shop.receive(bkashText({ taka: '100.00', trxId: reference, at: core.clock.now() }));
  const webhook = { webhook_url: 'https://shop.example.com/hook' };
  await core.store.write((db) =>
    db.query.updateTable('brands').set(webhook).where('id', '=', shop.brand.brandId).execute(),
  );
  await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference });
  return core.store.write(async (db) => {
    const dead = { state: 'FAILED', tries: 9, closed_at: core.clock.now() } as const;
    await db.query.updateTable('notifications').set(dead).execute();
    return (await db.query.selectFrom('notifications').select('id').executeTakeFirstOrThrow()).id;
  });
}

/** A busy shop and the dashboard of it; two verifications wait. */
async function dashboard(t: ExecutionContext, change: Partial<OpenTerminal> = {}) {
  const home = await temporaryFolder(t);
  const clock = testClock(Date.now() - 3_600_000);
  const core = await openCore({ folder: home, env: {}, clock });
  await busyShop(core, clock, 4);
  const { storeFile } = core.home;
  await core.close();
  const env = { TERM: 'tmux-256color', LANG: 'C.UTF-8', KASHBOX_HOME: home };
  const terminal = await openTerminal(t, { columns: 80, rows: 24, args: ['monitor'], env, ...change });
  await terminal.shows(/Reviews 2 waiting/);
  return { terminal, storeFile, open: () => openCore({ folder: home, env: {} }) };
}

test('keys are offered where they can be used, and nowhere to who has only device keys', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  await core.store.write((db) =>
    db.query.updateTable('notifications').set({ event: 'ping' }).where('id', '=', 'ntf_4').execute(),
  );
  const { phones, shop } = snapshotOf(await readBoard(core));
  const offered = (snapshot: Snapshot) =>
    panelsOf(snapshot, clock.now()).map(({ id, rows }) => [
      id,
      ...new Set(rows.map(({ offers }) => offers.map(({ key }) => key).join(''))),
    ]);
  t.deepEqual(offered({ phones, shop: null }), [['devices', '']]);
  t.deepEqual(Object.fromEntries(offered({ phones, shop }).map(([id, ...keys]) => [id, keys])), {
    devices: [''],
    payments: [''],
    reviews: ['ax'],
    unclaimed: [''],
    // A test is sent once.
    notifications: ['s', ''],
    alerts: [''],
    dispatches: [''],
    nodes: [''],
    jobs: [''],
  });
  const review = { kind: 'reject', id: 'rev_1', note: 'no' } as const;
  const remote = { url: new URL('https://127.0.0.1:1'), deviceKeys: 'k', fingerprint: null, ca: null };
  await t.throwsAsync(remoteSource(remote).act(review), { code: 'invalid_input' });
});

test('a review is approved with a Bangla note, what was done is said, and the list is read again', async (t) => {
  const { terminal, open } = await dashboard(t);
  await terminal.press('3', 'a');
  await terminal.shows(
    /Approve payment [A-Z0-9]{12} of Customer[\s\S]*BDT 925\.00[\s\S]*COMPLETED[\s\S]*Note: _/,
  );
  await terminal.press('-l', 'আলো ঠিক আছে');
  await terminal.shows(/Note: আলো ঠিক আছে_/);
  await terminal.press('Enter');
  await terminal.shows(/y approve/);
  await terminal.press('y');
  await terminal.shows(/Reviews 1 waiting[\s\S]*Approved\. Payment [A-Z0-9]{12} of Customer is COMPLETED/);
  await terminal.press('q');
  await terminal.shows(/ended with 0/);
  t.true(await terminal.isAsBefore());
  const core = await open();
  const decided = await core.store.read((db) =>
    db.query.selectFrom('reviews').where('state', '=', 'APPROVED').selectAll().execute(),
  );
  await core.close();
  t.like(decided, { length: 1, 0: { note: 'আলো ঠিক আছে' } });
  t.regex(decided[0]?.decided_by ?? '', /^cli:/);
});

test('the second user sees what the first decided; a store outage is reported and loses nothing typed', async (t) => {
  const { terminal, storeFile, open } = await dashboard(t);
  await terminal.press('3', 'x');
  await terminal.shows(/Reject payment[\s\S]*Note: _/);
  await terminal.press('-l', 'no such money');
  await terminal.shows(/Note: no such money_/);
  await terminal.press('Enter');
  await terminal.shows(/y reject/);
  renameSync(storeFile, `${storeFile}.aside`);
  await terminal.press('y');
  await terminal.shows(/file is gone[\s\S]*Note: no such money\s+[\s\S]*y reject/);
  renameSync(`${storeFile}.aside`, storeFile);
  const core = await open();
  const [first] = (await readBoard(core)).reviews.oldest;
  await approveReview(core, { id: first?.id ?? '', note: 'it is there', who: 'cli:rahim' });
  await core.close();
  await terminal.press('y');
  await terminal.shows(/was approved already by cli:rahim[\s\S]*y reject/);
  await terminal.press('Escape');
  t.regex(await terminal.shows(/q end/), /Reviews 1 waiting/);
});

test('a window that closes while it asks leaves everything as it was', async (t) => {
  const { terminal, open } = await dashboard(t);
  await terminal.press('3', 'a');
  await terminal.shows(/Note: _/);
  await terminal.press('-l', 'ok');
  await terminal.shows(/Note: ok_/);
  await terminal.press('Enter');
  await terminal.shows(/y approve/);
  await terminal.hangUp();
  const core = await open();
  t.is((await readBoard(core)).reviews.waiting, 2);
  await core.close();
});

test('Esc counts as a key of its own, however fast the next one is typed', async (t) => {
  const { terminal } = await dashboard(t);
  await terminal.press('Enter');
  await terminal.shows(/━━ Device ━/);
  await terminal.press('Escape', 'Tab', 'Enter');
  await terminal.shows(/━━ Payment ━/);
  await terminal.press('Escape', '3', 'a');
  await terminal.shows(/Approve payment/);
  t.pass();
});

test('the terminal rings once for a new review, the title counts it, and both stay away where they are not wanted', async (t) => {
  const { terminal, open } = await dashboard(t);
  const silent = await dashboard(t, { args: ['monitor', '--no-bell'] });
  const titled = '(6) Kashbox: 2 reviews, 1 phone offline, 1 alert, 2 notifications dead';
  while ((await terminal.title()) !== titled) await terminal.shows(/Reviews/);
  const [sent, unheard] = [await terminal.record(), await silent.terminal.record()];
  for (const one of [{ open }, silent]) {
    const core = await one.open();
    await core.store.write(async (db) => {
      const row = await db.query.selectFrom('reviews').selectAll().executeTakeFirstOrThrow();
      const another = { ...row, id: 'rev_new', reference: 'DKM4ABC123', proof_id: null };
      await db.query.insertInto('reviews').values(another).execute();
    });
    await core.close();
  }
  await terminal.shows(/Reviews 3 waiting/);
  await silent.terminal.shows(/Reviews 3 waiting/);
  t.true((await terminal.title()).startsWith('(7) Kashbox: 3 reviews'));
  await terminal.press('r');
  await terminal.press('?');
  await terminal.shows(/Help/);
  // A title ends with a sequence of its own, so that this is the only one.
  t.is(sent().split('\u0007').length, 2);
  t.false(unheard().includes('\u0007'));
});
