/** Payment links from their making to their last payment, on both engines. */
import test, { type ExecutionContext } from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { findLinkImage, type LinkDetails } from '../../../src/actions/links/link-details.js';
import {
  type CreateLink,
  createLink,
  disableLink,
  linkPages,
  showLink,
  updateLink,
} from '../../../src/actions/links/links.js';
import { loadLink, openLinkPayment } from '../../../src/actions/links/open-link-payment.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { exportPages } from '../../../src/actions/sessions/export-payments.js';
import { findPayment } from '../../../src/actions/sessions/find-payment.js';
import { listPayments, showPayment } from '../../../src/actions/sessions/list-payments.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { DEFAULT_CUSTOMER, PLACEHOLDER_EMAIL } from '../../../src/domain/sessions/session.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { codeOf } from '../../helpers/shop/hosted.js';
import { jpegLogo, pngLogo } from '../../helpers/shop/logos.js';
import { rows, scene } from '../../helpers/shop/scene.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';

const BASE = 'https://pay.example.com/kash';
const WHO = 'cli:operator';

async function linkScene(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await scene(t, engine);
  const { core, shop, money } = stage;
  const create = (more: Partial<CreateLink> = {}) =>
    createLink(core, { brand: shop.brand.name, amount: '500', base: BASE, who: WHO, ...more });
  const press = async (id: string, browser = 'anna', typed: Readonly<Record<string, string>> = {}) => {
    const link = await loadLink(core, id);
    if (link === null) throw new Error(`no link ${id}`);
    const { amount = '', quantity = '', ...fields } = typed;
    return openLinkPayment(core, {
      link,
      browser,
      amount,
      quantity,
      values: new Map(Object.entries(fields)),
      publicBase: BASE,
    });
  };
  const opened = async (...args: Parameters<typeof press>) => {
    const result = await press(...args);
    return result.outcome === 'opened' ? result.session : result.outcome;
  };
  const pay = async (sessionId: string, taka = '500.00') => {
    const { text, trxId } = money(taka);
    await shop.receive(text);
    const { outcome } = await claimCheckout(core, { sessionId, channel: 'mfs_a', text: trxId });
    return [outcome, trxId] as const;
  };
  return { ...stage, create, press, opened, pay };
}

for (const engine of engines) {
  test(`${engine}: pressing twice opens one payment, pressing after paying opens another`, async (t) => {
    const { clock, create, opened, pay } = await linkScene(t, engine);
    const link = await create({ fields: ['size=Size'] });
    const first = await opened(link.id, 'anna', { size: 'M' });
    t.is(await opened(link.id, 'anna', { size: ' M ' }), first);
    t.not(await opened(link.id, 'anna', { size: 'L' }), first);
    t.not(await opened(link.id, 'babu', { size: 'M' }), first);
    const other = await create({ fields: ['size=Size'] });
    t.not(await opened(other.id, 'anna', { size: 'M' }), first);
    const twice = await Promise.all([1, 2, 3, 4].map(() => opened(link.id, 'carla', { size: 'M' })));
    t.is(new Set(twice).size, 1, 'at the same moment');
    await pay(first);
    const second = await opened(link.id, 'anna', { size: 'M' });
    t.not(second, first, 'what is paid is over');
    clock.advance(3 * 3_600_000);
    t.not(await opened(link.id, 'anna', { size: 'M' }), second, 'what has run out is over');
  });

  test(`${engine}: only what is paid counts, and two who pay for the last one both have paid`, async (t) => {
    const { core, create, press, opened, pay } = await linkScene(t, engine);
    const link = await create({ count: 2 });
    const [anna, babu, carla] = await Promise.all(
      ['anna', 'babu', 'carla'].map((who) => opened(link.id, who)),
    );
    t.is((await pay(anna ?? ''))[0], 'completed');
    t.is((await press(link.id, 'dalia')).outcome, 'opened', 'one is left, whoever has a page open');
    const both = await Promise.all([pay(babu ?? ''), pay(carla ?? '')]);
    t.deepEqual(
      both.map(([outcome]) => outcome),
      ['completed', 'completed'],
    );
    t.like(await showLink(core, link.id, BASE), { state: 'PAID', count: 2, paid: 3, opened: 4 });
    t.deepEqual(await press(link.id, 'emon'), { outcome: 'closed', state: 'PAID' });
    t.is((await rows(core, 'transactions')).length, 3);
  });

  test(`${engine}: the queries for a page or a payment of a link use an index`, async (t) => {
    const { core, create, opened, pay } = await linkScene(t, engine);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const { id } = await create({ count: 5 });
    const link = await loadLink(watched, id);
    if (link === null) return t.fail();
    const input = { link, browser: 'babu', amount: '', values: new Map(), publicBase: BASE };
    t.is((await openLinkPayment(watched, input)).outcome, 'opened');
    const session = await opened(id);
    await pay(session);
    t.is((await loadCheckout(watched, session))?.state, 'completed');
    await findByIndex(t, core, statements);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: a payment of a link is one like any other, and says what was entered`, async (t) => {
    const { core, shop, create, opened, pay } = await linkScene(t, engine);
    const fields = ['name*=Your name', 'email=E-mail', 'size=মাপ'];
    const link = await create({ title: 'Red sari', fields });
    t.regex(link.id, /^[2-9a-hj-kmnp-tv-z]{12}$/);
    t.is(link.url, `${BASE}/pay/${link.id}`);
    t.like(link, { state: 'ACTIVE', amount: '500.00', title: 'Red sari', opened: 0, paid: 0 });
    const session = await opened(link.id, 'anna', { name: ' Rahima ', email: 'r@example.com', size: 'XL' });
    const checkout = await loadCheckout(core, session);
    t.like(checkout, { state: 'open', amountPaisa: 50_000, cusName: 'Rahima', addresses: null });
    const values = [
      { label: 'Your name', value: 'Rahima' },
      { label: 'E-mail', value: 'r@example.com' },
      { label: 'মাপ', value: 'XL' },
    ];
    t.deepEqual(checkout?.link, { id: link.id, title: 'Red sari', values });
    const [outcome, trxId] = await pay(session);
    t.is(outcome, 'completed');
    const record = await findPayment(core, { brand: shop.brand, reference: trxId });
    t.like(record, { status: 'COMPLETED', cusName: 'Rahima', cusEmail: 'r@example.com' });
    t.deepEqual(JSON.parse(record.metaJson ?? ''), {
      link: link.id,
      fields: { name: 'Rahima', email: 'r@example.com', size: 'XL' },
    });
    t.like(await showPayment(core, session), { link: link.id, entered: values, flow: 'hosted' });
    const other = await shop.link(50_000);
    const all = await listPayments(core, { limit: 10 });
    t.deepEqual(all.map(({ id }) => id).sort(), [session, other].sort());
    for (const named of [link.id, link.id.toUpperCase(), link.url, `${link.url}?fbclid=x`]) {
      const found = await listPayments(core, { link: named, limit: 10 });
      t.deepEqual(
        found.map(({ id, link: of }) => [id, of]),
        [[session, link.id]],
        named,
      );
    }
    t.is(await codeOf(listPayments(core, { link: 'x'.repeat(12), limit: 1 })), 'not_found');
    const exported = [];
    for await (const page of exportPages(core, { link: link.id })) exported.push(...page);
    t.like(exported, [{ id: session, link: link.id, status: 'COMPLETED' }]);
    t.is(exported.length, 1);
    t.like(await showLink(core, link.id, BASE), { opened: 1, paid: 1, state: 'ACTIVE' });
  });

  test(`${engine}: a link payment notifies the shop like any other, with the entered fields`, async (t) => {
    const { core, shop, create, opened, pay } = await linkScene(t, engine);
    const webhookUrl = 'https://shop.example.com/hook';
    await updateBrand(core, { brand: shop.brand.name, webhookUrl, who: WHO });
    const link = await create({ fields: ['size*=Size'] });
    const [, trxId] = await pay(await opened(link.id, 'anna', { size: 'M' }));
    const [told, ...others] = await rows(core, 'notifications');
    t.is(others.length, 0);
    t.like(JSON.parse((told as { content: string }).content), {
      event: 'payment.completed',
      transaction_id: trxId,
      amount: '500.00',
      meta_data: { link: link.id, fields: { size: 'M' } },
    });
  });

  test(`${engine}: where nobody says who pays, the payment has the name that others have`, async (t) => {
    const { core, create, opened } = await linkScene(t, engine);
    const link = await create({ fields: ['size=Size'] });
    const session = await opened(link.id);
    t.like(await showPayment(core, session), { cus_name: DEFAULT_CUSTOMER, entered: [] });
    const [stored] = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
    t.like(stored, { cus_email: PLACEHOLDER_EMAIL, success_url: null, cancel_url: null, flow: 'hosted' });
    t.deepEqual(JSON.parse(stored?.meta_data ?? ''), { link: link.id, fields: {} });
  });

  test(`${engine}: a link that has ended opens nothing, and what is open may be paid`, async (t) => {
    const { clock, core, shop, create, press, opened, pay } = await linkScene(t, engine);
    const until = clock.now() + 1_000;
    const [ending, closing, plain] = [await create({ until }), await create(), await create()];
    const open = await Promise.all([ending, closing, plain].map(({ id }) => opened(id)));
    clock.advance(1_000);
    t.deepEqual(await press(ending.id, 'babu'), { outcome: 'closed', state: 'ENDED' });
    const disabled = await disableLink(core, { link: closing.url, base: BASE, who: WHO });
    t.is(disabled.state, 'DISABLED');
    t.deepEqual(await press(closing.id, 'babu'), { outcome: 'closed', state: 'DISABLED' });
    t.deepEqual(await disableLink(core, { link: closing.id, base: BASE, who: WHO }), disabled);
    const become = (status: 'ACTIVE' | 'SUSPENDED') =>
      changeMerchantStatus(core, { merchant: shop.brand.name, status, who: WHO });
    await become('SUSPENDED');
    t.deepEqual(await press(plain.id, 'babu'), { outcome: 'closed', state: 'SUSPENDED' });
    await become('ACTIVE');
    t.is((await press(plain.id, 'babu')).outcome, 'opened');
    for (const session of open) t.is((await pay(session))[0], 'completed');
    const audited = (await rows(core, 'audit')).filter(({ action }) => action.startsWith('link.'));
    t.deepEqual(
      audited.map(({ action, who }) => [action, who]),
      [...['link.create', 'link.create', 'link.create'], 'link.disable'].map((action) => [action, WHO]),
    );
  });

  test(`${engine}: a link that ends between its page and the press opens nothing`, async (t) => {
    const { clock, core, create } = await linkScene(t, engine);
    const made = await create({ until: clock.now() + 1_000 });
    const link = await loadLink(core, made.id);
    if (link === null) return t.fail();
    t.is(link.state, 'ACTIVE');
    clock.advance(1_000);
    const input = { link, browser: 'anna', amount: '', values: new Map(), publicBase: BASE };
    t.deepEqual(await openLinkPayment(core, input), { outcome: 'closed', state: 'ENDED' });
    t.deepEqual(await listPayments(core, { limit: 10 }), []);
  });

  test(`${engine}: an amount of the customer's choice keeps its limits`, async (t) => {
    const { core, create, press, opened, pay } = await linkScene(t, engine);
    const link = await create({ amount: undefined, min: '100', max: '5000', fields: ['note*=Note'] });
    t.like(link, { amount: null, min: '100.00', max: '5000.00' });
    t.deepEqual(await press(link.id, 'anna', { amount: '99.99' }), {
      outcome: 'faults',
      faults: { amount: 'too_low', quantity: null, fields: new Map([['note', 'empty']]) },
    });
    for (const amount of ['-500', '1e3', '5000.01', '']) {
      t.is((await press(link.id, 'anna', { amount, note: 'x' })).outcome, 'faults', amount);
    }
    t.deepEqual(await listPayments(core, { limit: 10 }), []);
    const session = await opened(link.id, 'anna', { amount: '১,২৫০.৫০', note: 'x' });
    t.is((await pay(session, '1250.50'))[0], 'completed');
  });

  test(`${engine}: the pieces that a customer chooses are paid and kept, and nothing else is taken`, async (t) => {
    const { core, create, press, opened, pay } = await linkScene(t, engine);
    const link = await create({ amount: '12.50', quantity: 5, fields: ['size=Size'] });
    t.is(link.quantity, 5);
    for (const [quantity, fault] of [
      ['0', 'out_of_range'],
      ['6', 'out_of_range'],
      ['9'.repeat(20), 'out_of_range'],
      ['-1', 'unreadable'],
      ['1.5', 'unreadable'],
      ['1e1', 'unreadable'],
      ['9'.repeat(21), 'unreadable'],
      ['two', 'unreadable'],
    ] as const) {
      const faults = { amount: null, quantity: fault, fields: new Map() };
      t.deepEqual(await press(link.id, 'anna', { quantity }), { outcome: 'faults', faults }, quantity);
    }
    const three = await opened(link.id, 'anna', { quantity: ' ৩ ', size: 'M' });
    t.is(await opened(link.id, 'anna', { quantity: '3', size: 'M' }), three);
    t.not(await opened(link.id, 'anna', { quantity: '4', size: 'M' }), three);
    const shown = await showPayment(core, three);
    t.like(shown, { amount: '37.50' });
    t.deepEqual(shown.entered, [
      { label: 'Quantity', value: '3' },
      { label: 'Size', value: 'M' },
    ]);
    t.is((await pay(three, '37.50'))[0], 'completed');
    const one = await showPayment(core, await opened(link.id, 'anna'));
    t.like(one, { amount: '12.50', entered: [{ label: 'Quantity', value: '1' }] });
    const plain = await create({ amount: '12.50' });
    t.like(await showPayment(core, await opened(plain.id, 'anna', { quantity: '3' })), {
      amount: '12.50',
      entered: [],
    });
  });

  test(`${engine}: what a link shows can be changed, its price cannot`, async (t) => {
    const { core, create } = await linkScene(t, engine);
    const [image, other] = [pngLogo(300, 200), jpegLogo(200, 300)];
    const made = await create({ quantity: 2, image, description: ' Handwoven\r\n5.5 metres ' });
    t.like(made, { description: 'Handwoven\n5.5 metres', image: { type: 'png', width: 300, height: 200 } });
    const change = (more: LinkDetails) => updateLink(core, { link: made.id, base: BASE, who: WHO, ...more });
    const fileOf = async () => (await loadLink(core, made.id))?.image?.file ?? '';
    const first = await fileOf();
    t.deepEqual(await findLinkImage(core, first), image);
    t.like(await change({ image: other, quantity: 9 }), { quantity: 9, image: { type: 'jpg' } });
    t.is(await findLinkImage(core, first), null);
    const last = await fileOf();
    t.deepEqual(await findLinkImage(core, last), other);
    t.like(await change({ image: null, quantity: 1, description: '' }), {
      ...{ image: null, quantity: null, description: '', amount: '500.00' },
    });
    t.is(await findLinkImage(core, last), null);
    t.is(await codeOf(change({})), 'invalid_input');
  });

  test(`${engine}: details that do not fit a link are refused with the reason`, async (t) => {
    const { create } = await linkScene(t, engine);
    const open = { amount: undefined, min: '100', max: '5000' };
    t.deepEqual((await create({ ...open, suggest: ' ১০০, 500,1000' })).suggest, [
      '100.00',
      '500.00',
      '1000.00',
    ]);
    for (const [says, more] of [
      [/quantity needs a fixed amount/, { ...open, quantity: 2 }],
      [/quantity must be/, { quantity: 1_001 }],
      [/at most 10,|at most 10\b/, { amount: '100000', quantity: 11 }],
      [/"quantity" of its own/, { quantity: 2, fields: ['quantity=How many'] }],
      [/suggest needs a link/, { suggest: '500' }],
      [/99 is outside the limits/, { ...open, suggest: '99' }],
      [/"x" is not an amount/, { ...open, suggest: '100,x' }],
      [/more than 6 amounts/, { ...open, suggest: '100,200,300,400,500,600,700' }],
      [/at most 1000 characters/, { description: 'x'.repeat(1_001) }],
      [/invisible character/, { description: 'a\u202eb' }],
      [/image has 199 x 300 pixels/, { image: pngLogo(199, 300) }],
      [/image is too long/, { image: pngLogo(901, 300) }],
      [/image is not a PNG/, { image: Buffer.from('<svg/>') }],
      [/image is larger than 300 KB/, { image: Buffer.alloc(300_001) }],
    ] as const) {
      const error = await t.throwsAsync(create(more), undefined, String(says));
      t.regex(`${error?.message} ${(error as { hint?: string } | undefined)?.hint}`, says);
    }
  });

  test(`${engine}: lists have the newest first, of a brand where one is named`, async (t) => {
    const { clock, core, create } = await linkScene(t, engine);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await create()).id);
      clock.advance(1_000);
    }
    const list = async (more: object) => {
      const all = [];
      for await (const page of linkPages(core, { base: BASE, limit: 10, ...more })) all.push(...page);
      return all.map(({ id }) => id);
    };
    t.deepEqual(await list({}), ids);
    t.deepEqual(await list({ brand: 'Alo Store', sinceMs: clock.now() - 2_000 }), ids.slice(0, 2));
    t.deepEqual(await list({ untilMs: clock.now() - 2_000 }), ids.slice(2));
    await t.throwsAsync(list({ brand: 'Nobody' }), { code: 'not_found' });
  });

  test(`${engine}: rejects an invalid link and writes nothing`, async (t) => {
    const { clock, core, create } = await linkScene(t, engine);
    const wrong: readonly Partial<CreateLink>[] = [
      { amount: undefined },
      { amount: undefined, min: '5' },
      { amount: '500', min: '5', max: '6' },
      { amount: undefined, min: '6', max: '5' },
      { amount: '0.99' },
      { amount: '1000000.01' },
      { amount: '-5' },
      { amount: '1e3' },
      { amount: '5.005' },
      { title: 'x'.repeat(101) },
      { title: 'two\nlines' },
      { title: '\u202eevil' },
      { until: clock.now() },
      { count: 0 },
      { count: 1.5 },
      { fields: ['size'] },
      { fields: ['size=Size', 'size*=Other'] },
      { fields: Array.from({ length: 9 }, (_, n) => `f${n}=Field`) },
    ];
    for (const more of wrong) {
      const refused = await t.throwsAsync(create(more), { name: 'KashboxError' }, JSON.stringify(more));
      t.regex(String((refused as { hint?: unknown }).hint), /\w/);
    }
    t.is(await codeOf(create({ brand: 'Nobody' })), 'not_found');
    t.deepEqual(
      await core.store.read((db) => db.query.selectFrom('payment_links').selectAll().execute()),
      [],
    );
  });
}
