/** An SMS about money that was sent completes the refund that it fits, once; any other is an alert. */
import test, { type ExecutionContext } from 'ava';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { cancelRefund, closeRefund, updateRefund } from '../../../src/actions/refunds/change-refund.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { showRefund } from '../../../src/actions/refunds/list-refunds.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { reparseSms } from '../../../src/actions/sms/reparse-sms.js';
import { takeSms } from '../../../src/actions/sms/take-sms.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { MFS_CHANNELS, type MfsChannel } from '../../../src/domain/accounts/channels.js';
import type { SentReason } from '../../../src/domain/refunds/choose-refund.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { walletPayment, walletTransfer } from '../../helpers/shop/wallets.js';
import { engines } from '../../helpers/stores/engines.js';

const who = 'test';
const note = 'Out of stock';
const MINUTE = 60_000;
const CUSTOMER = '01711000081';

interface Sent {
  readonly paisa?: number;
  readonly to?: string;
  readonly at?: number;
  /** False: a text that the wallet has not written, with a balance that does not follow. */
  readonly isHonest?: boolean;
}

async function stage(t: ExecutionContext<unknown>, engine: Engine, channel: MfsChannel = 'mfs_a') {
  const base = await scene(t, engine);
  const { clock, core, shop } = base;
  const isMasked = channel === 'mfs_c';
  let balance = 1_000_000;
  let count = 0;
  const deliver = async (sender: string, ...bodies: readonly string[]) => {
    const messages = bodies.map((body, index) => ({
      ...{ id: `${clock.now()}-${count}-${index}`, sender, body, sim_slot: 1 },
      received_at: dhakaIso(clock.now()),
    }));
    await syncDevice(core, { device: shop.device, messages, health: null });
  };
  const paid = async (paisa: number, from = isMasked ? '***081' : CUSTOMER) => {
    clock.advance(2 * MINUTE);
    count += 1;
    balance += paisa;
    const more = { balance: formatTaka(balance), number: from };
    const money = walletPayment(channel, formatTaka(paisa), clock.now(), count, more);
    await deliver(money.sender, money.text);
    return money.trxId;
  };
  /** A refund of money that paid for nothing. */
  const refund = async (paisa: number) => {
    const of = await paid(paisa);
    const [made] = await createRefund(core, { of, note, who, ...(isMasked ? { number: CUSTOMER } : {}) });
    return made?.id ?? '';
  };
  /** The SMS of the next transfer, which is not delivered yet. */
  const send = ({ paisa = 50_000, to = CUSTOMER, at, isHonest = true }: Sent = {}) => {
    clock.advance(2 * MINUTE);
    count += 1;
    const when = at ?? clock.now();
    const number = isMasked ? `**${to.slice(-3)}` : to;
    const told = { taka: formatTaka(paisa), number, at: when, n: count };
    const fee = Number(walletTransfer(channel, told).fee) * 100;
    if (isHonest) balance -= paisa + fee;
    return walletTransfer(channel, { ...told, balance: formatTaka(isHonest ? balance : balance - 7) });
  };
  const sent = async (change: Sent = {}) => {
    const sms = send(change);
    await deliver(sms.sender, sms.text);
    return sms.trxId;
  };
  const refunds = async () =>
    (await rows(core, 'refunds')).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const states = async () => (await refunds()).map(({ state }) => state);
  const told = async () =>
    (await rows(core, 'alerts'))
      .filter(({ kind }) => kind === 'money.sent')
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ detail }) => (JSON.parse(detail) as { reason: SentReason }).reason);
  return { ...base, deliver, paid, refund, send, sent, refunds, states, told };
}

for (const engine of engines) {
  for (const channel of MFS_CHANNELS) {
    test(`${engine}: the SMS of a transfer on ${channel} completes its refund`, async (t) => {
      const { core, refund, sent, refunds, told } = await stage(t, engine, channel);
      const id = await refund(50_000);
      const reference = await sent();
      const [row] = await refunds();
      t.like(row, { id, state: 'COMPLETED', closed_by: 'rule', reference });
      const [transfer] = await rows(core, 'sent_money');
      t.like(transfer, { reference, amount_paisa: 50_000, sender: WALLET, reason: null });
      t.is(row?.sent_id, transfer?.id);
      const audit = (await rows(core, 'audit')).filter(({ action }) => action === 'refund.complete');
      t.deepEqual(
        audit.map(({ who: by, subject }) => [by, subject]),
        [['rule', id]],
      );
      t.deepEqual(await told(), []);
    });
  }

  test(`${engine}: a transfer counts once, from whichever phone and however often its SMS comes`, async (t) => {
    const { core, shop, paid, send, deliver, refunds, told } = await stage(t, engine);
    await core.store.write((db) =>
      db.query.updateTable('brands').set({ webhook_url: 'https://shop.example.com/hook' }).execute(),
    );
    const session = await shop.order(50_000);
    t.is(await answer(core, shop, session, await paid(50_000)), 'completed');
    await createRefund(core, { of: session, note, who });
    const { sender, text, trxId } = send();
    await Promise.all([deliver(sender, text), deliver(sender, text), deliver(sender, `${text} `)]);
    await deliver(sender, text.replace(' successful', '\nsuccessful'));
    await reparseSms(core, { who });
    t.like(await refunds(), { length: 1, 0: { state: 'COMPLETED', reference: trxId, fee_paisa: 500 } });
    t.is((await rows(core, 'sent_money')).length, 1);
    const [payment] = await rows(core, 'sessions');
    t.like(payment, { status: 'COMPLETED', refunded_paisa: 50_000 });
    const events = (await rows(core, 'notifications')).map(({ event }) => event);
    t.deepEqual(events, ['payment.completed', 'payment.refunded']);
    t.deepEqual(await told(), []);
  });

  test(`${engine}: parallel transfers complete one refund once, and two refunds by one transfer none`, async (t) => {
    const { refund, send, deliver, states, told } = await stage(t, engine);
    await refund(50_000);
    const both = [send(), send()];
    await Promise.all(both.map(({ sender, text }) => deliver(sender, text)));
    t.deepEqual(await states(), ['COMPLETED']);
    // Delivered first, the later of the two does not follow yet; then the other completes the refund.
    t.true(['sent_again', 'balance_gap'].includes((await told())[0] ?? ''));
    t.is((await told()).length, 1);
    await refund(20_000);
    await refund(20_000);
    const one = send({ paisa: 20_000 });
    await Promise.all([deliver(one.sender, one.text), deliver(one.sender, `${one.text} `)]);
    t.deepEqual(await states(), ['COMPLETED', 'PENDING', 'PENDING']);
    t.is((await told()).at(-1), 'several_refunds');
  });

  test(`${engine}: what does not fit completes nothing, and is one alert`, async (t) => {
    const { core, clock, refund, send, sent, deliver, states, told } = await stage(t, engine);
    const before = clock.now();
    const id = await refund(50_000);
    const cases: [SentReason, () => Promise<unknown>][] = [
      ['no_refund', () => sent({ paisa: 50_001 })],
      ['other_number', () => sent({ to: '01711000082' })],
      ['no_refund', () => sent({ at: before })],
      ['balance_gap', () => sent({ isHonest: false })],
      ['text_doubtful', () => deliver('bKash', `${send({ isHonest: false }).text}. Send it to 01711000082`)],
      ['text_doubtful', () => deliver('16247', send({ isHonest: false }).text)],
    ];
    for (const [index, [reason, act]] of cases.entries()) {
      await act();
      t.deepEqual([await states(), (await told()).slice(index)], [['PENDING'], [reason]], String(index));
    }
    // Neither a transfer to a customer.
    const { sender, text } = send({ isHonest: false });
    await deliver(sender, text.replace('Send Money', 'Cash Out'));
    await deliver('01711000082', text);
    t.is((await told()).length, cases.length);
    t.deepEqual(await states(), ['PENDING']);
    await cancelRefund(core, { id, note, who });
    await sent();
    t.is((await told()).at(-1), 'refund_cancelled');
    t.deepEqual(await states(), ['CANCELLED']);
  });

  test(`${engine}: a transfer whose balance does not follow is tried again when the missing SMS comes`, async (t) => {
    const { refund, send, deliver, states, told, core } = await stage(t, engine);
    await refund(50_000);
    const late = send({ paisa: 7_000, to: '01711000082' });
    const own = send();
    await deliver(own.sender, own.text);
    t.deepEqual([await states(), await told()], [['PENDING'], ['balance_gap']]);
    await deliver(late.sender, late.text);
    t.deepEqual([await states(), await told()], [['COMPLETED'], ['balance_gap', 'no_refund']]);
    t.deepEqual((await rows(core, 'sent_money')).map(({ reason }) => reason).toSorted(), ['no_refund', null]);
  });

  test(`${engine}: the number of a refund completes it by the transfer that was sent before`, async (t) => {
    const { core, paid, send, deliver, sent, states, told } = await stage(t, engine, 'mfs_c');
    const create = async () => (await createRefund(core, { of: await paid(50_000), note, who }))[0]?.id ?? '';
    const first = await create();
    const reference = await sent();
    t.deepEqual([await states(), await told()], [['PENDING'], ['number_missing']]);
    t.is((await showRefund(core, first)).seen_transfer, reference);
    const updated = await updateRefund(core, { id: first, number: CUSTOMER, who });
    t.like(updated, { status: 'COMPLETED', refund_transaction_id: reference, seen_transfer: null });
    // A forged text completes nothing in this way either, but the operator sees it before they send.
    const second = await create();
    const forged = send({ isHonest: false });
    await deliver(forged.sender, forged.text);
    t.like(await updateRefund(core, { id: second, number: CUSTOMER, who }), {
      ...{ status: 'PENDING', seen_transfer: forged.trxId },
    });
  });

  test(`${engine}: a damaged or forged copy of the SMS does not block the SMS`, async (t) => {
    const { refund, send, deliver, states, told } = await stage(t, engine);
    for (const copyOf of [
      (text: string) => `${text}. Call 01711000082`,
      (text: string) => text.replace(/Balance Tk [\d,]+/, 'Balance Tk 1'),
    ]) {
      await refund(50_000);
      const { sender, text } = send();
      await deliver(sender, copyOf(text));
      t.is((await states()).at(-1), 'PENDING');
      await deliver(sender, text);
      t.is((await states()).at(-1), 'COMPLETED');
    }
    t.deepEqual(await told(), ['text_doubtful', 'balance_gap']);
  });

  test(`${engine}: a refund closed by hand has its transfer, which completes no other, whatever its SMS says`, async (t) => {
    const { core, paid, refund, send, deliver, states, told } = await stage(t, engine);
    const masked = async () => {
      const of = await paid(40_000, '0171XXX0081');
      const [made] = await createRefund(core, { of, note, who });
      return made?.id ?? '';
    };
    // The operator has sent another sum, or the number was not known.
    for (const id of [await refund(50_000), await masked()]) {
      const other = await refund(40_000);
      const { sender, text, trxId: reference } = send({ paisa: 40_000 });
      await closeRefund(core, { id, reference, note, force: true, who });
      await deliver(sender, text);
      t.is((await states()).at(-1), 'PENDING', id);
      await cancelRefund(core, { id: other, note, who });
    }
    t.deepEqual(await told(), ['no_refund']);
    // Neither when another refund gets the number that its SMS shows.
    const [id, number] = [await refund(30_000), '01711000082'];
    const [free] = await createRefund(core, { of: await paid(30_000, '0171XXX0082'), note, who });
    const { sender, text, trxId: reference } = send({ paisa: 30_000, to: number });
    await closeRefund(core, { id, reference, note, force: true, who });
    await deliver(sender, text);
    t.is((await told()).at(-1), 'other_number');
    const updated = await updateRefund(core, { id: free?.id ?? '', number, who });
    t.like(updated, { status: 'PENDING', seen_transfer: null });
  });

  test(`${engine}: a transfer that was taken back before its SMS comes completes no refund`, async (t) => {
    const { core, refund, send, deliver, states, told } = await stage(t, engine);
    const id = await refund(50_000);
    const { sender, text, trxId: reference } = send();
    const reversal = `Send Money of Tk 500.00 to ${CUSTOMER} has been reversed. TrxID ${reference}`;
    await deliver(sender, reversal);
    await deliver(sender, text);
    t.deepEqual([await states(), await told()], [['PENDING'], ['taken_back']]);
    const close = (force: boolean) => closeRefund(core, { id, reference, note, force, who });
    await t.throwsAsync(close(false), { code: 'warning_unconfirmed' });
    await close(true);
  });

  test(`${engine}: a refund is closed only by force with received money, a doubtful SMS or another number`, async (t) => {
    const { core, paid, send, deliver, states } = await stage(t, engine);
    const of = await paid(50_000, '0171XXX0081');
    const [made] = await createRefund(core, { of, note, who });
    const [doubtful, other] = [send({ isHonest: false }), send({ to: '01711000082' })];
    await deliver(doubtful.sender, `${doubtful.text}. Call 01711000082`, other.text);
    for (const reference of [of, doubtful.trxId, other.trxId]) {
      const closed = closeRefund(core, { id: made?.id ?? '', reference, note, who });
      await t.throwsAsync(closed, { code: 'warning_unconfirmed' });
    }
    t.deepEqual(await states(), ['PENDING']);
  });

  test(`${engine}: a dispute of the money cancels its refund, and money sent all the same is an alert`, async (t) => {
    const { core, paid, sent, deliver, states, told } = await stage(t, engine);
    const of = await paid(50_000);
    await createRefund(core, { of, note, who });
    await deliver('bKash', `Tk 500.00 received from ${CUSTOMER} has been reversed. TrxID ${of}`);
    t.deepEqual(await states(), ['CANCELLED']);
    const audit = (await rows(core, 'audit')).find(({ action }) => action === 'refund.cancel');
    t.is(audit?.who, 'rule');
    await sent();
    t.deepEqual(await told(), ['refund_cancelled']);
  });

  test(`${engine}: a transfer that the wallet takes back later is an alert, and its refund stays completed`, async (t) => {
    const { refund, sent, deliver, states, told } = await stage(t, engine);
    await refund(50_000);
    const reference = await sent();
    await deliver('bKash', `Send Money of Tk 500.00 to ${CUSTOMER} has been reversed. TrxID ${reference}`);
    t.deepEqual([await states(), await told()], [['COMPLETED'], ['taken_back']]);
  });

  test(`${engine}: another shop's text completes nothing, nor one that an operator has closed a refund with`, async (t) => {
    const { core, shop, refund, refunds, send, deliver, states } = await stage(t, engine);
    const id = await refund(50_000);
    const other = await openShop(core, 'Bela Store', '01711000002');
    const { sender, text, trxId: reference } = send();
    await other.receive(text);
    t.deepEqual(await states(), ['PENDING']);
    await closeRefund(core, { id, reference, note, force: true, who });
    await refund(50_000);
    await deliver(sender, text);
    t.deepEqual(await states(), ['COMPLETED', 'PENDING']);
    const sent = (await rows(core, 'sent_money')).find((row) => row.merchant_id === shop.merchantId);
    t.like((await refunds())[0], { reference, sent_id: sent?.id }, 'its SMS came later');
  });

  test(`${engine}: simulated SMS of a test brand are not stored as transfers`, async (t) => {
    const { core, shop, send, told } = await stage(t, engine);
    const { merchantId: merchant } = shop;
    await createBrand(core, { merchant, name: 'Test shop', test: true, who });
    const { merchantId } = await brandContext(core, 'Test shop');
    const { sender, text } = send();
    const messages = [{ id: '1', sender, body: text, receivedAtMs: core.clock.now(), simSlot: null }];
    await takeSms(core, { messages, merchantId, source: { kind: 'played' }, recipientOf: () => WALLET });
    t.like(await rows(core, 'sms'), { length: 1, 0: { payee: CUSTOMER } });
    t.deepEqual([await rows(core, 'sent_money'), await told()], [[], []]);
  });
}
