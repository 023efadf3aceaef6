/** What a counter display shows: one open payment at a time, kept in the store, on both engines. */
import test, { type ExecutionContext } from 'ava';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import {
  clearDisplay,
  leaveDisplay,
  loadDisplay,
  requireDisplay,
  showOnDisplay,
  typeOnDisplay,
} from '../../../src/actions/links/display.js';
import { type CreateLink, createLink, disableLink, updateLink } from '../../../src/actions/links/links.js';
import { loadLink } from '../../../src/actions/links/open-link-payment.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { useFacts } from '../../../src/domain/strangers/budget.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { codeOf } from '../../helpers/shop/hosted.js';
import { rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';

const BASE = 'https://pay.example.com/kash';
const WHO = 'cli:operator';

async function counter(t: ExecutionContext<unknown>, engine: Engine, more: Partial<CreateLink> = {}) {
  const stage = await scene(t, engine);
  const { core, shop, money } = stage;
  const made = await createLink(core, {
    ...{ brand: shop.brand.name, display: true, base: BASE, who: WHO },
    ...more,
  });
  const link = await requireDisplay(core, made.id);
  const key = made.display_url?.slice(-32) ?? '';
  const show = (amountPaisa: number, idempotencyKey?: string) =>
    showOnDisplay(core, { link, amountPaisa, publicBase: BASE, idempotencyKey });
  const shown = async () => {
    const display = await loadDisplay(core, key);
    return [display?.payment?.state, display?.payment?.amountPaisa, display?.payerEnd];
  };
  const pay = async (sessionId: string, taka: string) => {
    const { text, trxId } = money(taka);
    await shop.receive(text);
    return (await claimCheckout(core, { sessionId, channel: 'mfs_a', text: trxId })).outcome;
  };
  return { ...stage, made, link, key, show, shown, pay };
}

for (const engine of engines) {
  test(`${engine}: an open payment is replaced only after it is cancelled or paid`, async (t) => {
    const { core, link, show, shown, pay, clock } = await counter(t, engine);
    const first = await show(25_000);
    t.is(await codeOf(show(30_000)), 'state_refused');
    t.deepEqual(await shown(), ['open', 25_000, null]);
    await leaveDisplay(core, link);
    t.deepEqual(await shown(), ['open', 25_000, null], 'only a cancel takes it away');
    t.is(await clearDisplay(core, link, 'api'), first.gatewayReference);
    t.is((await shown())[0], undefined);
    const second = await show(30_000);
    t.is(await pay(second.id, '300.00'), 'completed');
    t.deepEqual((await shown()).slice(0, 2), ['completed', 30_000]);
    t.is(await clearDisplay(core, link, 'api'), null, 'what is paid stays so');
    const third = await show(5_000);
    clock.advance(3 * 3_600_000);
    t.is((await shown())[0], 'expired');
    await show(6_000);
    t.deepEqual(await shown(), ['open', 6_000, null]);
    await leaveDisplay(core, link, third.id);
    t.deepEqual(await shown(), ['open', 6_000, null], 'a late word about another payment');
  });

  test(`${engine}: of amounts sent at one moment the display takes one`, async (t) => {
    const { core, show } = await counter(t, engine);
    const codes = await Promise.all([1_000, 2_000, 3_000, 4_000].map((paisa) => codeOf(show(paisa))));
    t.is(codes.filter((code) => code === 'state_refused').length, 3);
    const sessions = await core.store.read((db) => db.query.selectFrom('sessions').select('id').execute());
    t.is(sessions.length, 1, 'the others have opened nothing');
  });

  test(`${engine}: the same idempotency key is the same payment, also while it is open`, async (t) => {
    const { show, core, link } = await counter(t, engine);
    const first = await show(1_000, 'till-1');
    t.is((await show(1_000, 'till-1')).id, first.id);
    t.is(await codeOf(show(2_000, 'till-1')), 'idempotency_conflict');
    await clearDisplay(core, link, 'api');
    t.is((await show(1_000, 'till-1')).id, first.id);
  });

  test(`${engine}: a display is found by an index, and only by its newest key`, async (t) => {
    const { core, key, made, link } = await counter(t, engine);
    const statements = new Map<string, readonly unknown[]>();
    await loadDisplay(recorded(core, statements), key);
    await findByIndex(t, core, statements);
    t.is(await loadLink(core, made.id), null, 'customers have no page of it');
    t.is(await loadDisplay(core, key.slice(0, 31)), null);
    const heard = new Promise<void>((resolve) => core.moved.listen(link.id, resolve));
    const changed = await updateLink(core, { link: made.id, newDisplay: true, base: BASE, who: WHO });
    await heard;
    t.is(await loadDisplay(core, key), null);
    t.is((await loadDisplay(core, changed.display_url?.slice(-32) ?? ''))?.link.id, made.id);
    const links = await core.store.read((db) => db.query.selectFrom('payment_links').selectAll().execute());
    t.false(JSON.stringify([links, await rows(core, 'audit')]).includes(key), 'the key is nowhere');
  });
}

test('a display takes the amounts of its link, and what strangers may open in a day', async (t) => {
  const { core, link, show, key } = await counter(t, 'sqlite', { min: '10', max: '50' });
  t.is(await codeOf(show(999)), 'amount_out_of_range');
  t.is(await codeOf(show(5_001)), 'amount_out_of_range');
  const type = (typed: string) => typeOnDisplay(core, { link, typed, publicBase: BASE });
  t.deepEqual(await type('9'), { outcome: 'fault', fault: 'too_low' });
  t.deepEqual(await type('৫০'), { outcome: 'shown' });
  t.deepEqual(await type('40'), { outcome: 'shown' });
  t.is((await loadDisplay(core, key))?.payment?.amountPaisa, 5_000, 'that which was open');
  const { limits } = useFacts('payments');
  await core.store.write((db) =>
    db.query
      .updateTable('stranger_uses')
      .set({ used: limits.link ?? 0 })
      .execute(),
  );
  await clearDisplay(core, link, 'display');
  t.like(await type('40'), { outcome: 'over_budget' });
  await show(4_000);
});

test('a display that is disabled or made for customers is refused', async (t) => {
  const { core, shop, link, made, show } = await counter(t, 'sqlite');
  await disableLink(core, { link: made.id, base: BASE, who: WHO });
  t.is(await codeOf(show(1_000)), 'state_refused');
  const disabled = await requireDisplay(core, link.id);
  t.deepEqual(await typeOnDisplay(core, { link: disabled, typed: '5', publicBase: BASE }), {
    outcome: 'closed',
    state: 'DISABLED',
  });
  const asked = { brand: shop.brand.name, base: BASE, who: WHO };
  const plain = await createLink(core, { ...asked, amount: '5' });
  t.is(await codeOf(requireDisplay(core, plain.id)), 'not_found');
  t.is(await codeOf(requireDisplay(core, made.id, 'brd_of_another')), 'not_found');
  t.is(
    await codeOf(updateLink(core, { link: plain.id, newDisplay: true, base: BASE, who: WHO })),
    'invalid_input',
  );
  t.is(await codeOf(createLink(core, { ...asked, display: true, fields: ['size=Size'] })), 'invalid_input');
  t.is(await codeOf(createLink(core, asked)), 'invalid_input', 'only a display needs no amount');
});

test('a payment under review makes room for the next customer', async (t) => {
  const { core, link, show, shown, pay } = await counter(t, 'sqlite');
  const { id } = await show(1_000);
  t.is(await pay(id, '10.50'), 'under_review');
  t.is((await shown())[0], 'review');
  t.false(await cancelSession(core, id, 'display'));
  await show(2_000);
  t.deepEqual(await shown(), ['open', 2_000, null]);
  t.truthy(link);
});
