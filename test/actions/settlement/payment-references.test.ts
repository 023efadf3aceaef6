/** Money whose payer wrote the payment's reference: which payment it settles, and which it must not. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { type BrandContext, brandContext } from '../../../src/actions/brands/brand-context.js';
import { settleSuspended } from '../../../src/actions/claims/settle-suspended.js';
import type { Core } from '../../../src/actions/core/core.js';
import { updateDevice } from '../../../src/actions/devices/update-device.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { PAYMENT_REFERENCE } from '../../../src/base/values/ids.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { bkashText, WALLET } from '../../helpers/shop/shop.js';
import { nagad, upay } from '../../helpers/shop/sms.js';
import { walletId } from '../../helpers/shop/wallets.js';
import { engines } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function openPayment(core: Core, brand: BrandContext, amountPaisa: number) {
  const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
  return createSession(core, { brand, hosted: null, amountPaisa, ...customer });
}

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const on = await scene(t, engine);
  const { core, shop } = on;
  const open = async (paisa: number) => {
    const brand = await brandContext(core, shop.brand.name);
    const { id, paymentReference } = await openPayment(core, brand, paisa);
    return { id, ref: paymentReference ?? '' };
  };
  const stateOf = async (id: string) => {
    const { status, reason, transaction_id } = await showPayment(core, id);
    return [status, reason, transaction_id];
  };
  return { ...on, open, stateOf };
}

for (const engine of engines) {
  test(`${engine}: an SMS with the reference settles its payment, and nobody has typed anything`, async (t) => {
    const { core, shop, money, open, stateOf } = await stage(t, engine);
    const [one, other] = [await open(50_000), await open(50_000)];
    t.regex(one.ref, PAYMENT_REFERENCE);
    t.not(one.ref, other.ref);
    const paid = money('500.00', { ref: other.ref });
    await shop.receive(paid.text);
    t.deepEqual(await stateOf(other.id), ['COMPLETED', 'credited', paid.trxId]);
    t.deepEqual(await stateOf(one.id), ['PENDING', 'initiated', null]);
    t.deepEqual(await rows(core, 'claims'), []);
    t.is(await answer(core, shop, other.id, paid.trxId), 'completed');
    t.is(await answer(core, shop, one.id, paid.trxId), 'already_credited');
  });

  test(`${engine}: the reference may be among words, in lower case or with Bangla digits`, async (t) => {
    const { shop, money, open, stateOf } = await stage(t, engine);
    const bangla = (text: string) =>
      text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)));
    for (const write of [
      (ref: string) => ref.toLowerCase(),
      (ref: string) => bangla(ref),
      (ref: string) => `order ${ref}, thanks`,
      (ref: string) => `(${ref})`,
    ]) {
      const { id, ref } = await open(50_000);
      await shop.receive(money('500.00', { ref: write(ref) }).text);
      t.is((await stateOf(id))[0], 'COMPLETED', write(ref));
    }
    for (const write of [
      (ref: string) => `X${ref}`,
      (ref: string) => `${ref}ক`,
      (ref: string) => ref.slice(1),
    ]) {
      const { id, ref } = await open(50_000);
      await shop.receive(money('500.00', { ref: write(ref) }).text);
      t.is((await stateOf(id))[0], 'PENDING', write(ref));
    }
  });

  test(`${engine}: every wallet whose SMS repeats the reference settles by it`, async (t) => {
    const { core, clock, shop, open, stateOf } = await stage(t, engine);
    const at = clock.now();
    for (const channel of ['mfs_b', 'mfs_d'] as const) {
      await setAccount(core, {
        brand: shop.brand.name,
        channel,
        type: 'personal',
        number: WALLET,
        who: 'test',
      });
      const { id, ref } = await open(150_000);
      const trxId = walletId(channel, at);
      const [day, time] = ['21/08/2026', '12:35'];
      const body =
        channel === 'mfs_b'
          ? nagad({
              amount: 'Amount: Tk 1500.00',
              ref: `Ref: ${ref}`,
              id: `TxnID: ${trxId}`,
              at: `${day} ${time}`,
            })
          : upay({ ref: ` Ref-${ref}.`, id: trxId, at: `${day} ${time}.` });
      const sender = channel === 'mfs_b' ? 'NAGAD' : 'upay';
      const messages = [{ id: channel, sender, body, received_at: dhakaIso(at), sim_slot: 1 }];
      await syncDevice(core, { device: shop.device, messages, health: null });
      t.deepEqual(await stateOf(id), ['COMPLETED', 'credited', trxId], channel);
    }
  });

  test(`${engine}: less, more, another number and another kind do not settle`, async (t) => {
    const { core, clock, shop, money, open, stateOf } = await stage(t, engine);
    const less = await open(50_000);
    const short = money('499.99', { ref: less.ref });
    await shop.receive(short.text);
    t.deepEqual(await stateOf(less.id), ['PENDING', 'initiated', null]);
    // The page says what does not fit, as if the payer had typed the id.
    t.deepEqual(
      (await showPayment(core, less.id)).claims.map(({ reference, state, reason }) => [
        reference,
        state,
        reason,
      ]),
      [[short.trxId, 'REFUSED', 'amount']],
    );
    const more = await open(50_000);
    await shop.receive(money('500.01', { ref: more.ref }).text);
    t.deepEqual(await stateOf(more.id), ['PENDING', 'review', null]);
    t.deepEqual(
      (await rows(core, 'reviews')).map(({ reason }) => reason),
      ['overpaid'],
    );
    const kind = await open(50_000);
    const payment = bkashText({ taka: '500.00', trxId: 'DHL0ABC123', at: clock.now(), ref: kind.ref });
    await shop.receive(payment.replace('You have received Tk', 'You have received payment Tk'));
    t.is((await stateOf(kind.id))[0], 'PENDING');
    const number = await open(50_000);
    clock.advance(1_000);
    await setAccount(core, {
      brand: shop.brand.name,
      channel: 'mfs_a',
      type: 'personal',
      number: '01711000002',
      who: 'test',
    });
    clock.advance(2 * MINUTE);
    const moved = await open(50_000);
    await shop.receive(money('500.00', { ref: moved.ref }).text);
    t.is((await stateOf(moved.id))[0], 'PENDING');
    // This one was opened while the number was the shop's.
    await shop.receive(money('500.00', { ref: number.ref }).text);
    t.is((await stateOf(number.id))[0], 'COMPLETED');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: money names nothing where it names two payments, or moved before its payment was opened`, async (t) => {
    const { clock, core, shop, money, open, stateOf } = await stage(t, engine);
    const [one, two] = [await open(50_000), await open(50_000)];
    await shop.receive(money('500.00', { ref: `${one.ref} ${two.ref}` }).text);
    await shop.receive(money('500.00', { ref: one.ref, at: clock.now() - 4 * MINUTE }).text);
    t.deepEqual([(await stateOf(one.id))[0], (await stateOf(two.id))[0]], ['PENDING', 'PENDING']);
    t.deepEqual(await rows(core, 'claims'), []);
    // A wallet says the minute and its clock may be slow.
    await shop.receive(money('500.00', { ref: one.ref, at: clock.now() - 2 * MINUTE }).text);
    t.is((await stateOf(one.id))[0], 'COMPLETED');
  });

  test(`${engine}: two open payments of one reference, which a race can leave behind, are not settled by it`, async (t) => {
    const { core, shop, money, open, stateOf } = await stage(t, engine);
    const [one, two] = [await open(50_000), await open(50_000)];
    await core.store.write((db) =>
      db.query.updateTable('sessions').set({ payment_reference: one.ref }).where('id', '=', two.id).execute(),
    );
    const paid = money('500.00', { ref: one.ref });
    await shop.receive(paid.text);
    t.deepEqual([(await stateOf(one.id))[0], (await stateOf(two.id))[0]], ['PENDING', 'PENDING']);
    t.is(await answer(core, shop, two.id, paid.trxId), 'completed');
  });

  test(`${engine}: money for a closed payment goes to review, but not long afterwards`, async (t) => {
    const { clock, core, shop, money, open, stateOf } = await stage(t, engine);
    const { id, ref } = await open(50_000);
    clock.advance(2 * HOUR);
    await expireSessions(core);
    await shop.receive(money('500.00', { ref }).text);
    t.deepEqual(await stateOf(id), ['FAILED', 'expired', null]);
    t.deepEqual(
      (await rows(core, 'reviews')).map(({ session_id, reason }) => [session_id, reason]),
      [[id, 'late']],
    );
    const next = await open(50_000);
    clock.advance(2 * HOUR);
    await expireSessions(core);
    clock.advance(shop.brand.proofWindowHours * HOUR + 1);
    await shop.receive(money('500.00', { ref: next.ref }).text);
    t.is((await rows(core, 'reviews')).length, 1);
  });

  test(`${engine}: a second payment under one reference stays unclaimed, in one batch or in two`, async (t) => {
    const { core, shop, money, open, stateOf } = await stage(t, engine);
    const { id, ref } = await open(50_000);
    const first = money('500.00', { ref });
    await shop.receive(first.text, money('500.00', { ref }).text);
    await shop.receive(money('500.00', { ref }).text);
    t.deepEqual(await stateOf(id), ['COMPLETED', 'credited', first.trxId]);
    t.is((await rows(core, 'transactions')).length, 1);
    t.is((await rows(core, 'proofs')).length, 3);
    t.deepEqual(await rows(core, 'reviews'), []);
  });

  test(`${engine}: a reference of the payer takes precedence over a typed id unless its payment is over`, async (t) => {
    const { clock, core, shop, money, open, stateOf } = await stage(t, engine);
    const [named, typed] = [await open(50_000), await open(50_000)];
    const paid = money('500.00', { ref: named.ref });
    t.is(await answer(core, shop, typed.id, paid.trxId), 'transaction_not_found');
    await shop.receive(paid.text);
    t.is((await stateOf(named.id))[0], 'COMPLETED');
    t.deepEqual(
      (await showPayment(core, typed.id)).claims.map(({ state, reason }) => [state, reason]),
      [['REFUSED', 'already_credited']],
    );
    const over = await open(50_000);
    clock.advance(HOUR - 1);
    const open2 = await open(50_000);
    clock.advance(MINUTE);
    const late = money('500.00', { ref: over.ref });
    t.is(await answer(core, shop, open2.id, late.trxId), 'transaction_not_found');
    await shop.receive(late.text);
    t.deepEqual([(await stateOf(over.id))[0], (await stateOf(open2.id))[0]], ['FAILED', 'COMPLETED']);
    t.deepEqual(await rows(core, 'reviews'), []);
  });

  test(`${engine}: writing a stranger's reference pays only the stranger's payment`, async (t) => {
    const { core, shop, money, open, stateOf } = await stage(t, engine);
    const [own, strangers] = [await open(50_000), await open(50_000)];
    const paid = money('500.00', { ref: strangers.ref });
    await shop.receive(paid.text);
    t.is(await answer(core, shop, own.id, paid.trxId), 'already_credited');
    t.deepEqual(await stateOf(strangers.id), ['COMPLETED', 'credited', paid.trxId]);
    t.is((await stateOf(own.id))[0], 'PENDING');
    const dear = await open(90_000);
    const cheap = money('1.00', { ref: dear.ref });
    await shop.receive(cheap.text);
    t.is((await stateOf(dear.id))[0], 'PENDING');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: money that is too little counts as one try of its payment, money that is too much as none`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const { id, ref } = await open(50_000);
    const misses = async () => {
      const found = core.store.read((db) =>
        db.query.selectFrom('sessions').select(['id', 'misses']).execute(),
      );
      return (await found).find((one) => one.id === id)?.misses;
    };
    const less = money('499.99', { ref });
    t.is(await answer(core, shop, id, less.trxId), 'transaction_not_found');
    t.is(await misses(), 1);
    await shop.receive(less.text);
    t.is(await misses(), 1, 'it was claimed before');
    await shop.receive(money('499.98', { ref }).text);
    t.is(await misses(), 2);
    await shop.receive(money('500.01', { ref }).text);
    t.is(await misses(), 2, 'a person decides about it');
  });

  test(`${engine}: money for a suspended merchant's payment waits until the merchant is active again`, async (t) => {
    const { core, shop, money, open, stateOf } = await stage(t, engine);
    const { id, ref } = await open(50_000);
    await changeMerchantStatus(core, { merchant: shop.merchantId, status: 'SUSPENDED', who: 'test' });
    const paid = money('500.00', { ref });
    await shop.receive(paid.text);
    t.is((await stateOf(id))[0], 'PENDING');
    t.like((await showPayment(core, id)).claims, [{ state: 'WAITING', reason: 'not_seen_yet' }]);
    await changeMerchantStatus(core, { merchant: shop.merchantId, status: 'ACTIVE', who: 'test' });
    await settleSuspended(core, shop.merchantId);
    t.deepEqual(await stateOf(id), ['COMPLETED', 'credited', paid.trxId]);
  });

  test(`${engine}: money whose number becomes known later settles the payment that it names then`, async (t) => {
    const { clock, core, shop, money, open, stateOf } = await stage(t, engine);
    await updateDevice(core, { device: shop.deviceId, sims: ['2=01711000002'], who: 'test' });
    const { id, ref } = await open(50_000);
    const { text: body, trxId } = money('500.00', { ref });
    const message = { sender: 'bKash', body, received_at: dhakaIso(clock.now()) };
    await syncDevice(core, { device: shop.device, messages: [{ ...message, id: 'a' }], health: null });
    t.deepEqual(await stateOf(id), ['PENDING', 'review', null]);
    const again = { ...message, id: 'b', sim_slot: 1 };
    await syncDevice(core, { device: shop.device, messages: [again], health: null });
    t.deepEqual(await stateOf(id), ['COMPLETED', 'credited', trxId]);
    t.deepEqual(
      (await rows(core, 'reviews')).map(({ state }) => state),
      ['APPROVED'],
    );
  });
}
