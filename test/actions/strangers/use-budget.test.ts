/** What people without a key cause: within a budget, and without harm to those who have paid. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { verifyAudit } from '../../../src/actions/audit/verify-audit.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { createLink } from '../../../src/actions/links/links.js';
import { openLinkPayment, readLink } from '../../../src/actions/links/open-link-payment.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/move-session.js';
import { quoteOnDemand } from '../../../src/actions/sessions/quote-session.js';
import { readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { playMoney } from '../../../src/actions/test-payments/play-money.js';
import { prune } from '../../../src/actions/upkeep/prune.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { useFacts } from '../../../src/domain/strangers/budget.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { walletId, walletPayment } from '../../helpers/shop/wallets.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const who = 'test';
const BASE = 'https://pay.example.com';
const DAY = 86_400_000;

async function linkScene(t: ExecutionContext, engine: Engine) {
  const stage = await scene(t, engine);
  const { core, shop } = stage;
  const brand = shop.brand.name;
  const made = await createLink(core, { brand, amount: '600', fields: ['name=Name'], base: BASE, who });
  let browsers = 0;
  /** A press by somebody who was never here before. */
  const press = async (addressMark: string) => {
    const link = await readLink(core, made.id);
    if (link === null) throw new Error('the link is gone');
    browsers += 1;
    const typed = { browser: `browser ${browsers}`, amount: '', values: new Map([['name', 'Mallory']]) };
    return openLinkPayment(core, { link, ...typed, publicBase: BASE, addressMark });
  };
  const open = async (addressMark: string) => {
    const opened = await press(addressMark);
    if (opened.outcome !== 'opened') throw new Error(opened.outcome);
    return opened.session;
  };
  const limits = async () =>
    (await listAlerts(core, { open: false, limit: 99 }))
      .filter(({ event }) => event === 'strangers.limit')
      .map(({ detail }) => detail);
  const offers = async (session: string) =>
    (await readCheckout(core, session))?.methods.map(({ channel }) => channel) ?? [];
  return { ...stage, made, press, open, limits, offers };
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, 600 presses of a link hold no amount, and USDT are offered to everybody`, async (t) => {
    const { core, shop, open, offers } = await linkScene(t, engine);
    await takeUsdt(core, { brand: shop.brand.name, nodes: [] });
    const presses = useFacts('payments').limits.address ?? 0;
    for (let n = 0; n < 600; n += 1) await open(n < presses ? 'one' : 'another');
    const held = await core.store.read((db) => db.query.selectFrom('quotes').selectAll().execute());
    t.deepEqual(held, []);
    t.true((await offers(await open('customer'))).includes('bep20'));
    t.true((await offers(await shop.link(60_000))).includes('bep20'), 'a payment by key is quoted at once');
  });

  test(`on ${engine}, a link’s payment has its amount in USDT once its customer asks, and keeps it`, async (t) => {
    const { clock, core, shop, open, limits } = await linkScene(t, engine);
    await takeUsdt(core, { brand: shop.brand.name, nodes: [] });
    const session = await open('customer');
    const usdtOf = async (id: string) =>
      (await readCheckout(core, id))?.methods.find(({ channel }) => channel === 'bep20')?.usdt;
    const ask = (sessionId: string, addressMark = 'customer') =>
      quoteOnDemand(core, { sessionId, channel: 'bep20', addressMark });
    t.is(await usdtOf(session), null);
    t.deepEqual(await ask(session), { outcome: 'quoted' });
    t.deepEqual(await usdtOf(session), { rate: 1_200_000, amount: 50_000 });
    t.deepEqual(await ask(session), { outcome: 'quoted' });
    t.deepEqual(await usdtOf(session), { rate: 1_200_000, amount: 50_000 }, 'the same again');
    const most = useFacts('amounts').limits.address ?? 0;
    for (let n = 0; n < most; n += 1) t.is((await ask(await open('one'), 'one')).outcome, 'quoted');
    const late = await open('one');
    t.like(await ask(late, 'one'), { outcome: 'over_budget' });
    t.is(await usdtOf(late), null, 'nothing more is held');
    t.like(await ask(await open('two'), 'two'), { outcome: 'quoted' }, 'of another address it is');
    t.like(await limits(), [{ use: 'amounts', scope: 'address', limit: most }]);
    clock.advance(3_600_000);
    t.deepEqual(await ask(late, 'two'), { outcome: 'over' });
    t.deepEqual(await ask(await shop.link(60_000), 'two'), { outcome: 'quoted' }, 'a payment by key has one');
  });

  test(`on ${engine}, one address has a daily limit of verifications, with one alert`, async (t) => {
    const { clock, core, shop, open, limits } = await linkScene(t, engine);
    const bank = { bank_name: 'City Bank', holder: 'Alo' };
    await setAccount(core, {
      ...{ brand: shop.brand.name, channel: 'bank', type: 'city', number: '1234567890', details: bank, who },
    });
    const transfer = (sessionId: string, text: string, addressMark: string) =>
      claimBankTransfer(core, { sessionId, text, slip: null, addressMark });
    const most = useFacts('verifications').limits.address ?? 0;
    let refused = 0;
    for (let session = 0; session < 30; session += 1) {
      const id = await open('one');
      for (let n = 0; n < 5; n += 1) {
        const claimed = await transfer(id, `REF${session}X${n}`, 'one');
        if (claimed.outcome === 'over_budget') refused += 1;
        else t.is(claimed.outcome, 'under_review');
      }
    }
    t.is(refused, 150 - most);
    t.is((await listReviews(core, { state: 'OPEN', limit: 999 })).length, most);
    const told = (await listAlerts(core, { open: false, limit: 999 })).map(({ event }) => event);
    t.is(told.filter((event) => event === 'review.waiting').length, most);
    t.like(await limits(), [{ use: 'verifications', scope: 'address', limit: most, brand: 'Alo Store' }]);
    t.is((await transfer(await open('other'), 'REFOTHER', 'other')).outcome, 'under_review');
    clock.advance(DAY);
    t.is((await transfer(await open('one'), 'REFNEXT', 'one')).outcome, 'under_review', 'the next day');
  });

  test(`on ${engine}, an address that used up its ids is credited for one whose SMS is here`, async (t) => {
    const { core, shop, money, open, limits } = await linkScene(t, engine);
    const claim = (sessionId: string, text: string) =>
      claimCheckout(core, { sessionId, channel: 'mfs_a', text, addressMark: 'one' });
    const most = useFacts('ids').limits.address ?? 0;
    let claimed = 0;
    while (claimed < most) {
      const id = await open('one');
      for (let n = 0; n < 25 && claimed < most; n += 1, claimed += 1) {
        t.is((await claim(id, `DKQ${String(claimed).padStart(7, '0')}`)).outcome, 'waiting');
      }
    }
    const session = await open('one');
    const { trxId, text } = money('600.00');
    t.like(await claim(session, trxId), { outcome: 'over_budget' });
    t.like(await limits(), [{ use: 'ids', scope: 'address' }]);
    await shop.receive(text);
    t.is((await claim(session, trxId)).outcome, 'completed');
  });

  test(`on ${engine}, 16 invented Rocket ids send no payment of others to review`, async (t) => {
    const { clock, core, shop, open } = await linkScene(t, engine);
    const channel = 'mfs_c';
    await setAccount(core, { brand: shop.brand.name, channel, type: 'personal', number: WALLET, who });
    const guessing = await open('one');
    const claim = (sessionId: string, text: string, addressMark: string) =>
      claimCheckout(core, { sessionId, channel, text, addressMark });
    for (let n = 0; n < 16; n += 1) {
      const at = clock.now() - 60_000 - n * 1_000;
      t.is((await claim(guessing, walletId(channel, at), 'one')).outcome, 'waiting');
    }
    for (let customer = 0; customer < 3; customer += 1) {
      clock.advance(60_000);
      const session = customer === 2 ? await shop.link(60_000) : await open(`customer ${customer}`);
      const paid = walletPayment(channel, '600.00', clock.now());
      clock.advance(7_000);
      t.is((await claim(session, paid.trxId, `customer ${customer}`)).outcome, 'waiting');
      const message = { id: `w${customer}`, sender: paid.sender, body: paid.text, sim_slot: 1 };
      const messages = [{ ...message, received_at: dhakaIso(clock.now()) }];
      await syncDevice(core, { device: shop.device, messages, health: null });
      await recheckClaims(core);
      t.is((await showPayment(core, session)).status, 'COMPLETED');
    }
    t.deepEqual(await listReviews(core, { state: 'OPEN', limit: 9 }), []);
  });

  test(`on ${engine}, ids that one merchant’s tests play say nothing of another merchant’s money`, async (t) => {
    const { core, shop, clock } = await scene(t, engine);
    const other = await openShop(core, 'Mallory Shop', '01811000009');
    await createBrand(core, { merchant: other.merchantId, name: 'Mallory tests', test: true, who });
    const played = await createSession(core, {
      ...{ brand: await brandContext(core, 'Mallory tests'), hosted: null, amountPaisa: 60_000 },
      ...{ cusName: 'Mallory', cusEmail: '', metaJson: null },
    });
    const sms = await playMoney(core, { payment: played.id, play: 'unclaimed', channel: 'mfs_a', who });
    const session = await shop.order(60_000);
    clock.advance(1_000);
    // By chance the wallet gives that very id.
    await shop.receive(sms.text);
    const claimed = await claimCheckout(core, {
      sessionId: session,
      channel: 'mfs_a',
      text: sms.transaction_id,
    });
    t.is(claimed.outcome, 'over', 'a headless payment has no page');
    const hosted = await shop.link(60_000);
    const text = sms.transaction_id;
    t.is((await claimCheckout(core, { sessionId: hosted, channel: 'mfs_a', text })).outcome, 'completed');
  });

  test(`on ${engine}, a test brand has a daily limit of played payments`, async (t) => {
    const { core, shop, clock } = await scene(t, engine);
    await createBrand(core, { merchant: shop.merchantId, name: 'Tests', test: true, who });
    const brand = await brandContext(core, 'Tests');
    const open = () =>
      createSession(core, {
        ...{ brand, hosted: null, amountPaisa: 60_000, cusName: 'Anna', cusEmail: '', metaJson: null },
      });
    const most = useFacts('plays').limits.brand ?? 0;
    const { id: payment } = await open();
    const play = () => playMoney(core, { payment, play: 'unclaimed', channel: 'mfs_a', who });
    for (let n = 0; n < most; n += 1) await play();
    const error = await t.throwsAsync(play(), { code: 'day_limit_reached' });
    t.regex(error?.message ?? '', /reached its daily limit of simulated payments/);
    clock.advance(DAY);
    const { id: tomorrow } = await open();
    t.is((await playMoney(core, { payment: tomorrow, play: 'unclaimed', who })).outcome, 'waiting');
  });

  test(`on ${engine}, payments of links that nobody has touched are forgotten after a week`, async (t) => {
    const { clock, core, shop, money, open } = await linkScene(t, engine);
    for (let n = 0; n < 120; n += 1) await open('one');
    const paid = await open('customer');
    const { trxId, text } = money('600.00');
    await shop.receive(text);
    t.is(
      (await claimCheckout(core, { sessionId: paid, channel: 'mfs_a', text: trxId })).outcome,
      'completed',
    );
    const claimed = await open('customer');
    await claimCheckout(core, { sessionId: claimed, channel: 'mfs_a', text: 'DKQ7ZZZZZ1' });
    const ordered = await shop.link(60_000);
    const sessions = async () => {
      const rows = await core.store.read((db) => db.query.selectFrom('sessions').select('id').execute());
      return rows.map(({ id }) => id).sort();
    };
    clock.advance(DAY);
    await expireSessions(core);
    await prune(core);
    t.is((await sessions()).length, 123, 'not yet');
    clock.advance(7 * DAY);
    await prune(core);
    t.deepEqual(await sessions(), [paid, claimed, ordered].sort());
    const links = await core.store.read((db) =>
      db.query.selectFrom('link_payments').select('session_id').execute(),
    );
    t.deepEqual(links.map(({ session_id }) => session_id).sort(), [paid, claimed].sort());
    const signal = new AbortController().signal;
    const verified = await verifyAudit(core, { expected: null, signal, onRows: () => {} });
    t.deepEqual(verified.findings, []);
    t.true(verified.ok);
  });

  test(`on ${engine}, one address has a daily limit of link payments, others are unaffected`, async (t) => {
    const { press, limits, made } = await linkScene(t, engine);
    const most = useFacts('payments').limits.address ?? 0;
    for (let n = 0; n < most; n += 1) t.is((await press('one')).outcome, 'opened');
    const refused = await press('one');
    t.like(refused, { outcome: 'over_budget' });
    t.true(refused.outcome === 'over_budget' && refused.retryAfterS > 0 && refused.retryAfterS <= 86_400);
    await press('one');
    t.is((await press('two')).outcome, 'opened');
    t.like(await limits(), [{ use: 'payments', scope: 'address', link: made.id }]);
  });
}
