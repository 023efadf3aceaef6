/** Money under an id that was not forecast: what speaks for it, and that no stranger can bring that about. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { showSms } from '../../../src/actions/sms/list-sms.js';
import { dhakaIso, dhakaText } from '../../../src/base/values/clock.js';
import { putWalletId } from '../../../src/store/tables/wallet-ids.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { NAGAD, nagad, ROCKET, rocket } from '../../helpers/shop/sms.js';
import { engines } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
/** Ids that Nagad gives out in two years. */
const ODD = ['79A022AA', '79A022BB', '79A022CC', '79A022DD'] as const;

interface StoredSms {
  readonly trx_id: string;
  readonly settle: string;
  readonly reasons: string;
}

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const { core, shop, clock } = await scene(t, engine);
  for (const channel of ['mfs_b', 'mfs_c'] as const) {
    await setAccount(core, { brand: 'Alo Store', channel, type: 'personal', number: WALLET, who: 'test' });
  }
  const [, month, day] = dhakaText(clock.now()).split(/\D/);
  const written = () => `${day}/${month}/2026 ${dhakaText(clock.now()).slice(11, 16)}`;
  let next = 0;
  const receive = async (...texts: readonly { sender: string; body: string }[]) => {
    const messages = texts.map(({ sender, body }) => {
      next += 1;
      return { id: `m${next}`, sender, body, sim_slot: 1, received_at: clock.now() };
    });
    await syncDevice(core, { device: shop.device, messages, health: null });
    clock.advance(MINUTE);
  };
  const money = (id: string, amount: string, balance: string) => ({
    sender: NAGAD,
    body: nagad({
      id: `TxnID: ${id}`,
      amount: `Amount: Tk ${amount}`,
      balance: `Balance: Tk ${balance}`,
      at: written(),
    }),
  });
  const read = async (id: string) => {
    const stored = (await rows(core, 'sms')) as unknown as StoredSms[];
    const sms = stored.find(({ trx_id }) => trx_id === id);
    return [sms?.settle, ...(JSON.parse(sms?.reasons ?? '[]') as string[])];
  };
  const pay = async (paisa: number, id: string, method: 'mfs_b' | 'mfs_c' = 'mfs_b') => {
    const session = await shop.order(paisa);
    return { session, outcome: await answer(core, shop, session, id, method) };
  };
  const approve = async () => {
    const open = (await rows(core, 'reviews')) as unknown as { id: string; state: string }[];
    const id = open.find(({ state }) => state === 'OPEN')?.id ?? '';
    await approveReview(core, { id, note: 'seen in the app', who: 'operator' });
  };
  return { core, shop, clock, receive, money, read, pay, approve, written };
}

for (const engine of engines) {
  test(`${engine}: an id that was not forecast counts if the balance follows from the SMS before it`, async (t) => {
    const { core, receive, money, read, pay } = await stage(t, engine);
    await receive(money('75W022AA', '50.00', '8431.25'));
    await receive(money(ODD[0], '100.00', '8531.25'));
    t.deepEqual(await read(ODD[0]), ['auto', 'balance_follows']);
    await receive(money(ODD[1], '100.00', '8631.24'));
    t.deepEqual(await read(ODD[1]), ['review', 'id_range']);
    const { session, outcome } = await pay(10_000, ODD[0]);
    t.is(outcome, 'completed');
    t.like(await showPayment(core, session), { status: 'COMPLETED', transaction_id: ODD[0] });
  });

  test(`${engine}: of SMS that come together each may follow from the one before it`, async (t) => {
    const { clock, receive, money, read } = await stage(t, engine);
    const [first, second] = [money('75W022AA', '50.00', '8431.25'), money(ODD[0], '100.00', '8531.25')];
    clock.advance(MINUTE);
    const out = {
      sender: NAGAD,
      body: second.body.replace('Money Received', 'Send Money Successful').replace('Sender', 'Receiver'),
    };
    const third = money(ODD[1], '20.00', '8551.25');
    await receive(third, second, first, { ...out, body: out.body.replace(ODD[0], '75W022ZZ') });
    t.deepEqual(await read(ODD[0]), ['auto', 'balance_follows']);
    t.deepEqual(await read(ODD[1]), ['auto', 'balance_follows']);
  });

  test(`${engine}: texts that follow from each other and from nothing that is trusted go to review`, async (t) => {
    const { receive, money, read, pay } = await stage(t, engine);
    await receive(money('75W022AA', '50.00', '8431.25'));
    await receive(money(ODD[0], '100.00', '5000.00'));
    await receive(money(ODD[1], '100.00', '5100.00'));
    t.deepEqual(await read(ODD[0]), ['review', 'id_range']);
    t.deepEqual(await read(ODD[1]), ['review', 'id_range']);
    t.is((await pay(10_000, ODD[1])).outcome, 'under_review');
  });

  test(`${engine}: an id that an operator approved makes the ids after it known`, async (t) => {
    const { core, receive, money, read, pay, approve } = await stage(t, engine);
    await receive(money(ODD[0], '100.00', '5000.00'));
    t.is((await pay(10_000, ODD[0])).outcome, 'under_review');
    await receive(money(ODD[1], '100.00', '7000.00'));
    t.deepEqual(await read(ODD[1]), ['review', 'id_range']);
    await approve();
    await receive(money(ODD[2], '100.00', '9000.00'));
    t.deepEqual(await read(ODD[2]), ['auto', 'id_near_accepted']);
    t.is((await pay(10_000, ODD[2])).outcome, 'completed');
    const checks = await examine(core.home.folder, async () => core);
    const check = checks.find(({ name }) => name === 'ids of Nagad');
    t.is(check?.state, 'warn');
    t.regex(`${check?.message}`, /79A022AA on 2026-08-21; within 60 days/);
    t.regex(`${check?.remedy}`, /Update Kashbox/);
    t.like(await showSms(core, ` ${ODD[2].toLowerCase()}.`), { trx_id: ODD[2] });
    await t.throwsAsync(showSms(core, '79A099ZZ'), { message: /There is no SMS/ });
    await receive(money('7CA022DD', '100.00', '9900.00'));
    t.deepEqual(await read('7CA022DD'), ['review', 'id_range']);
  });

  test(`${engine}: an id that the rule has credited makes others known if its balance followed`, async (t) => {
    const { clock, receive, read, pay } = await stage(t, engine);
    const at = () => `21-AUG-26 ${dhakaText(clock.now()).slice(11, 16)}:00 pm`;
    const text = (id: string, amount: string, balance: string) => ({
      sender: ROCKET,
      body: rocket({ id, amount: `Tk${amount}`, balance: `Tk${balance}`, at: at() }),
    });
    // The last ids that are forecast for that day, and those behind them.
    await receive(text('7075000000', '70.00', '1,000.00'));
    t.is((await pay(7_000, '7075000000', 'mfs_c')).outcome, 'completed');
    await receive(text('7090000000', '80.00', '5,000.00'));
    t.deepEqual(await read('7090000000'), ['review', 'id_range']);
    await receive(text('7075000100', '90.00', '6,000.00'));
    await receive(text('7075000200', '60.00', '6,060.00'));
    t.is((await pay(6_000, '7075000200', 'mfs_c')).outcome, 'completed');
    await receive(text('7090000001', '80.00', '9,000.00'));
    t.deepEqual(await read('7090000001'), ['auto', 'id_near_accepted']);
  });

  test(`${engine}: what one merchant approved says nothing about another's money, what was imported does`, async (t) => {
    const { core, clock, receive, money, pay, approve } = await stage(t, engine);
    await receive(money(ODD[0], '100.00', '5000.00'));
    await pay(10_000, ODD[0]);
    await approve();
    const other = await openShop(core, 'Beta Store', '01711000077');
    const bring = async (id: string) => {
      const { sender, body } = money(id, '100.00', '7000.00');
      const sms = { id, sender, body, sim_slot: 1, received_at: dhakaIso(clock.now()) };
      await syncDevice(core, { device: other.device, messages: [sms], health: null });
      const stored = (await rows(core, 'sms')) as unknown as StoredSms[];
      return stored.find(({ trx_id }) => trx_id === id)?.settle;
    };
    t.is(await bring(ODD[1]), 'review');
    const imported = {
      channel: 'mfs_b',
      merchant_id: '',
      day: '2026-08-21',
      learnt_from: 'imported',
    } as const;
    const point = { ...imported, id: '79A02000', at: clock.now(), stored_at: clock.now() };
    await core.store.write((db) => putWalletId.all(db, point));
    t.is(await bring(ODD[2]), 'auto');
  });
}
