/** SMS of a wallet over an SMS centre, or with a type of sender, that the SIM does not know from it. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { updateDevice } from '../../../src/actions/devices/update-device.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { MIN_SAMPLES } from '../../../src/actions/settlement/sms-centres.js';
import { listSms, showSms } from '../../../src/actions/sms/list-sms.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const OWN = '+8801700000600';
const OTHER = '+8801900000999';

async function modemScene(t: ExecutionContext, engine: Engine, env = {}) {
  const on = await scene(t, engine, env);
  const { core, shop, money } = on;
  let serial = 0;
  /** Pays an order by an SMS over this centre. @returns the payment's id. */
  const pay = async (smsc: string | null, senderType: string | null = 'alphanumeric') => {
    const brand = await brandContext(core, 'Alo Store');
    const about = { cusName: 'Customer', cusEmail: '', metaJson: null, hosted: null };
    const { id } = await createSession(core, { brand, amountPaisa: 50_000, ...about });
    const { trxId, text } = money('500.00');
    serial += 1;
    const message = {
      id: `m${serial}`,
      sender: 'bKash',
      body: text,
      received_at: dhakaIso(core.clock.now()),
    };
    const messages = [{ ...message, sim_slot: 1, smsc, sender_type: senderType }];
    const { results } = await syncDevice(core, { device: shop.device, messages, health: null });
    t.is(results[0]?.state, 'stored');
    await answer(core, { ...shop, brand }, id, trxId);
    return id;
  };
  const stateOf = async (id: string) => {
    const { status, reason } = await showPayment(core, id);
    return status === 'PENDING' ? `${status} ${reason}` : status;
  };
  const learn = async (count = MIN_SAMPLES) => {
    for (let at = 0; at < count; at += 1) await pay(OWN);
  };
  return { ...on, pay, stateOf, learn };
}

for (const engine of engines) {
  test(`${engine}: once a SIM knows the centre of a wallet, an SMS from another one goes to review`, async (t) => {
    const { core, pay, stateOf, learn } = await modemScene(t, engine);
    await learn();
    t.is(await stateOf(await pay(OWN)), 'COMPLETED');
    const id = await pay(OTHER);
    t.is(await stateOf(id), 'PENDING review');
    const [sms] = await listSms(core, { limit: 1 });
    t.like(sms, { settle: 'review', payment: null });
    const { reasons, smsc, sender_type } = await showSms(core, sms?.id ?? '');
    t.true(reasons.includes('other_route'));
    t.deepEqual([smsc, sender_type], [OTHER, 'alphanumeric']);
  });

  test(`${engine}: a number that calls itself by the wallet's name is another type of sender`, async (t) => {
    const { pay, stateOf, learn } = await modemScene(t, engine);
    await learn();
    t.is(await stateOf(await pay(OWN, 'international')), 'PENDING review');
  });

  test(`${engine}: while a SIM is new, several centres may take turns, and all are known then`, async (t) => {
    const { pay, stateOf, learn } = await modemScene(t, engine);
    await learn(MIN_SAMPLES - 1);
    t.is(await stateOf(await pay(OTHER)), 'COMPLETED');
    t.is(await stateOf(await pay(OTHER)), 'COMPLETED');
    t.is(await stateOf(await pay(OWN)), 'COMPLETED');
  });

  test(`${engine}: approving a payment makes its centre known, rejecting it does not`, async (t) => {
    const { core, pay, stateOf, learn } = await modemScene(t, engine);
    await learn();
    const first = await pay(OTHER);
    t.is(await stateOf(await pay(OTHER)), 'PENDING review', 'what waits teaches nothing');
    const review = (await listReviews(core, { state: 'OPEN', limit: 9 })).find(
      ({ payment }) => payment === first,
    );
    await approveReview(core, { id: review?.id ?? '', note: 'seen in the app', who: 'operator' });
    t.is(await stateOf(first), 'COMPLETED');
    t.is(await stateOf(await pay(OTHER)), 'COMPLETED');
  });

  test(`${engine}: SMS of phones, which report no centre, are judged as before`, async (t) => {
    const { pay, stateOf, learn } = await modemScene(t, engine);
    await learn();
    t.is(await stateOf(await pay(null, null)), 'COMPLETED');
  });

  test(`${engine}: another SIM learns for itself`, async (t) => {
    const { clock, core, shop, pay, stateOf, learn } = await modemScene(t, engine);
    await learn();
    clock.advance(60_000);
    const change = { device: shop.deviceId, who: 'operator' };
    const other = '01711000002';
    await setAccount(core, {
      brand: 'Alo Store',
      channel: 'mfs_a',
      type: 'personal',
      number: other,
      who: 'test',
    });
    await updateDevice(core, { ...change, sims: [`1=${other}`] });
    clock.advance(60_000);
    t.is(await stateOf(await pay(OTHER)), 'COMPLETED');
  });
}

test('only money from a reported centre teaches a route, for each number or slot', async (t) => {
  const { clock, core, shop, money } = await modemScene(t, 'sqlite');
  await updateDevice(core, {
    device: shop.deviceId,
    sims: ['1=01711000001', '2=01711000002'],
    who: 'operator',
  });
  clock.advance(60_000);
  const receive = async (body: string, about: object) => {
    const messages = [{ id: body.slice(-30), sender: 'bKash', body, ...about }];
    await syncDevice(core, { device: shop.device, messages, health: null });
  };
  const routes = async () => {
    const all = await core.store.read((db) => db.query.selectFrom('sms_centres').selectAll().execute());
    return all.map(({ sim, channel, route, seen }) => [sim, channel, route, Number(seen)]);
  };
  await receive(money('500.00').text, { sim_slot: 1 });
  await receive('Your OTP is 123456', { sim_slot: 1, smsc: OWN });
  await receive('Hello', { sender: '01711000077', sim_slot: 1, smsc: OWN });
  t.deepEqual(await routes(), []);
  await receive(money('500.00').text, { sim_slot: 1, smsc: OWN });
  await receive(money('500.00').text, { sim_slot: 7, smsc: OWN, sender_type: 'alphanumeric' });
  await receive(money('500.00').text, { smsc: OWN });
  await receive(money('500.00').text, { smsc: OWN });
  const known = await routes();
  t.is(known.length, 3);
  t.deepEqual(known[0], [known[0]?.[0], 'mfs_a', OWN, 1]);
  t.deepEqual(known.slice(1), [
    [`${shop.deviceId} 7`, 'mfs_a', `${OWN} alphanumeric`, 1],
    [`${shop.deviceId} 0`, 'mfs_a', OWN, 2],
  ]);
});

test('an SMS without money, or already in doubt, is not doubted for its centre', async (t) => {
  const { core, shop, money, learn } = await modemScene(t, 'sqlite');
  await learn();
  const bodies = ['Your OTP is 123456', `${money('500.00').text}. It has been grabbed.`];
  for (const [at, body] of bodies.entries()) {
    const messages = [{ id: `n${at}`, sender: 'bKash', body, sim_slot: 1, smsc: OTHER }];
    await syncDevice(core, { device: shop.device, messages, health: null });
    const [sms] = await listSms(core, { limit: 1 });
    t.false((await showSms(core, sms?.id ?? '')).reasons.includes('other_route'), body);
  }
});

test('the setting lets such texts pay', async (t) => {
  const { pay, stateOf, learn } = await modemScene(t, 'sqlite', { KASHBOX_SMS_CENTRE: 'ignore' });
  await learn();
  t.is(await stateOf(await pay(OTHER)), 'COMPLETED');
});
