/** Several numbers of one wallet: how they are set up, which one a payment shows, and what counts. */
import test, { type ExecutionContext } from 'ava';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { disableAccount, type SetAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { createLink } from '../../../src/actions/links/links.js';
import { loadLink, openLinkPayment } from '../../../src/actions/links/open-link-payment.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { hostedOrder } from '../../helpers/shop/hosted.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';
import { findByIndex, planOf, recorded } from '../../helpers/stores/plans.js';

const SECOND = '01711000002';
const MINUTE = 60_000;

/** A shop with two numbers, whose phone has both SIMs. */
async function twoNumbers(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await scene(t, engine);
  const { core, clock, shop } = stage;
  const sim = { device_id: shop.deviceId, slot: 2, number: SECOND, since: 0 };
  await core.store.write((db) => db.query.insertInto('device_sims').values(sim).execute());
  const brand = shop.brand.name;
  const account = { brand, channel: 'mfs_a', type: 'personal', who: 'test' };
  const set = (number: string, change: Partial<SetAccount> = {}) =>
    setAccount(core, { ...account, number, ...change });
  clock.advance(1);
  await set(SECOND, { isFurther: true });
  /** Opens a payment as the brand is now. @returns its id and the number that it shows. */
  const order = async (taka: number) => {
    const session = await createSession(core, {
      ...{ brand: await brandContext(core, brand), hosted: null, cusName: 'Customer', cusEmail: '' },
      ...{ amountPaisa: taka * 100, metaJson: null },
    });
    const wallet = session.methods.find(({ name }) => name === 'mfs_a');
    return { id: session.id, shown: String(wallet?.personal) };
  };
  let delivered = 0;
  /** The phone brings the text from the SIM of that number. */
  const receive = (number: string, text: string) => {
    delivered += 1;
    const sms = { id: `n${delivered}`, sender: 'bKash', body: text, received_at: dhakaIso(clock.now()) };
    const messages = [{ ...sms, sim_slot: number === SECOND ? 2 : 1 }];
    return syncDevice(core, { device: shop.device, messages, health: null });
  };
  return { ...stage, brand, set, order, receive };
}

for (const engine of engines) {
  test(`${engine}: a further number replaces none, and without --add another one is refused`, async (t) => {
    const { core, brand, set } = await twoNumbers(t, engine);
    const numbers = async () =>
      (await listAccounts(core, { brand, disabledToo: false })).map((a) => a.number);
    t.deepEqual(await numbers(), [WALLET, SECOND]);
    await t.throwsAsync(set('01711000003'), { message: /2 personal numbers on mfs_a: 0171.*, 0171/ });
    t.is((await set(SECOND, { details: { holder: 'Alo' } })).details.holder, 'Alo');
    t.deepEqual(await numbers(), [WALLET, SECOND], 'one of them may be changed');
    const [, second] = await listAccounts(core, { brand, disabledToo: false });
    await disableAccount(core, { id: second?.id ?? '', who: 'test' });
    t.is((await set('01711000003')).replaced?.number, WALLET, 'the only one is replaced as before');
    const bank = { channel: 'bank', type: 'account', details: { bank_name: 'City', holder: 'Alo' } };
    await t.throwsAsync(set('1234567890', { ...bank, isFurther: true }), {
      message: /one account of a type/,
    });
    await t.throwsAsync(set('1234567890', { ...bank, dayLimit: '5' }), { message: /has no limits/ });
  });

  test(`${engine}: limits are stored with the number, and listed with what came in`, async (t) => {
    const { core, clock, brand, set, receive, money } = await twoNumbers(t, engine);
    const list = async () => {
      const [first] = await listAccounts(core, { brand, disabledToo: false });
      const { day_limit, month_limit, in_today, in_month } = first ?? {};
      return [day_limit, month_limit, in_today, in_month];
    };
    t.deepEqual(await list(), [null, null, '0.00', '0.00']);
    await set(WALLET, { dayLimit: '5000', monthLimit: '20000.50' });
    await receive(WALLET, money('500.00').text);
    await receive(SECOND, money('70.00').text);
    await receive(WALLET, money('30.00', { at: clock.now() - 24 * 60 * MINUTE }).text);
    t.deepEqual(await list(), ['5000.00', '20000.50', '500.00', '530.00']);
    await set(WALLET, { dayLimit: '' });
    t.deepEqual((await list()).slice(0, 2), [null, '20000.50'], 'what is not given stays');
    await t.throwsAsync(set(WALLET, { dayLimit: '0' }), { message: /above 0/ });
    clock.advance(24 * 60 * MINUTE);
    t.deepEqual((await list()).slice(2), ['0.00', '530.00']);
    clock.advance(11 * 24 * 60 * MINUTE);
    t.deepEqual((await list()).slice(2), ['0.00', '0.00'], 'another month');
  });

  test(`${engine}: payments are spread by what their numbers may still receive`, async (t) => {
    const { core, brand, set, order, receive, money } = await twoNumbers(t, engine);
    for (const number of [WALLET, SECOND]) await set(number, { dayLimit: '1000' });
    const [one, other] = await Promise.all([order(600), order(600)]);
    t.deepEqual([one.shown, other.shown].sort(), [WALLET, SECOND], 'two of one moment see each other');
    await receive(WALLET, money('300.00').text);
    t.is((await order(400)).shown, SECOND, 'what came in counts, and open payments');
    for (const shown of [WALLET, SECOND, WALLET]) t.is((await order(500)).shown, shown, 'the most room');
    const alerts = (await listAlerts(core, { open: false, limit: 50 })).filter(
      ({ event }) => event === 'account.limit',
    );
    t.is(alerts.length, 2, 'once a day and number');
    t.like(alerts[1]?.detail, { brand, number: WALLET, amount: '500.00', room: '100.00' });
  });

  test(`${engine}: a payment keeps the number that it shows, and money on the others counts, too`, async (t) => {
    const { core, clock, shop, order, receive, money, set } = await twoNumbers(t, engine);
    const first = await order(500);
    const second = await order(500);
    t.not(first.shown, second.shown);
    const { shown_accounts } = await showPayment(core, first.id);
    t.deepEqual(shown_accounts, [{ channel: 'mfs_a', type: 'personal', number: first.shown }]);
    clock.advance(MINUTE);
    await set('01711000003', { isFurther: true });
    const { trxId, text } = money('500.00');
    await receive(second.shown, text);
    t.is(await answer(core, shop, first.id, trxId), 'completed');
  });

  test(`${engine}: every statement of a choice finds its rows by an index`, async (t) => {
    const { core, set, brand } = await twoNumbers(t, engine);
    await set(WALLET, { dayLimit: '1000' });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const context = await brandContext(core, brand);
    const customer = { hosted: null, cusName: 'Customer', cusEmail: '', metaJson: null };
    const { id } = await createSession(watched, { ...customer, brand: context, amountPaisa: 200_000 });
    await watched.store.read((db) =>
      watched.accounts.shownIn(db, {
        ...{ id, brand_id: context.brandId, accounts_stamp: context.accountsVersion, created_at: 0 },
      }),
    );
    const sums = [...statements].filter(([sql]) => /from "sms".*"kind" in/.test(sql));
    t.is(sums.length, 2);
    for (const [sql, values] of engine === 'sqlite' ? sums : []) {
      t.regex(await core.store.read((db) => planOf(db, sql, values)), /COVERING INDEX sms_income/);
    }
    await findByIndex(t, core, statements);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: page and links show the chosen number; without a choice nothing is read`, async (t) => {
    const { core, clock, brand, set, order } = await twoNumbers(t, engine);
    const numbersOn = async (id: string) =>
      (await loadCheckout(core, id))?.methods.flatMap(({ accounts }) => accounts.map(({ number }) => number));
    const [one, two] = [await hostedOrder(core, brand, 50_000), await hostedOrder(core, brand, 50_000)];
    const shown = [await numbersOn(one), await numbersOn(two)];
    t.deepEqual(shown.flat().sort(), [WALLET, SECOND].sort());
    const link = await createLink(core, { brand, amount: '500', base: 'https://pay.example', who: 'test' });
    const loaded = await loadLink(core, link.id);
    if (loaded === null) return t.fail('no link');
    const input = { link: loaded, browser: 'anna', amount: '', values: new Map(), publicBase: '' };
    const opened = await openLinkPayment(core, input);
    if (opened.outcome !== 'opened') return t.fail(opened.outcome);
    t.is((await numbersOn(opened.session))?.length, 1);

    const accounts = await listAccounts(core, { brand, disabledToo: false });
    const chosen = accounts.find(({ number }) => number === shown[0]?.[0]);
    await disableAccount(core, { id: chosen?.id ?? '', who: 'test' });
    t.deepEqual(await numbersOn(one), shown[1], 'a disabled number is not shown');
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const context = await brandContext(core, brand);
    const customer = { hosted: null, cusName: 'Customer', cusEmail: '', metaJson: null };
    const only = await createSession(watched, { ...customer, brand: context, amountPaisa: 50_000 });
    t.false([...statements.keys()].some((sql) => sql.includes('"sms"')));
    clock.advance(MINUTE);
    await set('01711000003', { isFurther: true });
    t.deepEqual(
      (await showPayment(core, only.id)).shown_accounts,
      [],
      'a number that was added later changes nothing',
    );
    t.not((await order(500)).shown, '');
  });

  test(`${engine}: a payment from before a further number was added shows its own`, async (t) => {
    const { core, clock, brand, set } = await twoNumbers(t, engine);
    const [first] = await listAccounts(core, { brand, disabledToo: false });
    await disableAccount(core, { id: first?.id ?? '', who: 'test' });
    const before = await hostedOrder(core, brand, 50_000);
    clock.advance(MINUTE);
    await set('01711000003', { isFurther: true });
    const methods = (await loadCheckout(core, before))?.methods;
    t.deepEqual(
      methods?.[0]?.accounts.map(({ number }) => number),
      [SECOND],
    );
  });

  test(`${engine}: doctor warns from 90% of a limit on`, async (t) => {
    const { core, set, receive, money } = await twoNumbers(t, engine);
    await set(SECOND, { monthLimit: '1000' });
    const found = async () =>
      (await examine(core.home.folder, async () => core)).find(({ name }) => name === `limit of ${SECOND}`);
    await receive(SECOND, money('899.00').text);
    t.is(await found(), undefined);
    await receive(SECOND, money('1.00').text);
    t.like(await found(), {
      state: 'warn',
      message: 'it received 900.00 BDT this month, and its limit is 1000.00',
    });
  });
}
