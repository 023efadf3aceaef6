/** Payments by Bangla QR whose SMS name nobody: who is credited, who waits, and what a stranger gains. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { endHolds } from '../../../src/actions/claims/recheck-claims.js';
import type { Core } from '../../../src/actions/core/core.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { dhakaIso, dhakaText } from '../../../src/base/values/clock.js';
import { createSmsEngine } from '../../../src/channels/mfs/index.js';
import { personalPayload } from '../../helpers/shop/qr.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { walletPayment } from '../../helpers/shop/wallets.js';
import { engines } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Texts of weak money with a payer, which no wallet is known to write yet. */
const SHOWN = {
  channel: 'mfs_b',
  formats: [
    {
      id: 'qr-without-payer',
      kind: 'payment_received',
      settle: 'review',
      isWeak: true,
      texts: [
        'Payment - Bangla QR Successfully Received. Amount: {amount} Txn ID: {id} Balance: {balance} {date}',
      ],
      examples: [],
    },
    {
      id: 'qr-with-payer',
      kind: 'payment_received',
      settle: 'review',
      isWeak: true,
      texts: [
        'QR payment of {amount} from {payer} received.[ Ref: {ref}.] Txn ID: {id}. Balance: {balance} {date}',
      ],
      examples: [],
    },
  ],
} as const;

const taka = (paisa: number) => (paisa / 100).toFixed(2);

/** `21/08/2026 12:35` */
function written(at: number): string {
  const [date = '', hour = ''] = dhakaText(at).slice(0, 16).split(' ');
  return `${date.split('-').reverse().join('/')} ${hour}`;
}

async function till(
  t: Parameters<typeof scene>[0],
  engine: (typeof engines)[number],
  statements = new Map<string, readonly unknown[]>(),
) {
  const { clock, core: plain, shop } = await scene(t, engine);
  const core: Core = { ...recorded(plain, statements), smsEngine: async () => createSmsEngine([SHOWN]) };
  const account = { brand: shop.brand.name, channel: 'mfs_b', type: 'personal', number: WALLET, who: 'test' };
  await setAccount(core, { ...account, details: { qr: personalPayload(WALLET) } });
  let [delivered, balance] = [0, 100_000];
  const receive = async (...bodies: readonly string[]) => {
    const messages = bodies.map((body) => {
      delivered += 1;
      return { id: `q${delivered}`, sender: 'NAGAD', body, received_at: dhakaIso(clock.now()), sim_slot: 1 };
    });
    return syncDevice(core, { device: shop.device, messages, health: null });
  };
  /** The wallet's own text of money by QR. @param forged the sender knows no balance. */
  const qrText = (paisa: number, how: { payer?: string; ref?: string; forged?: true } = {}) => {
    delivered += 1;
    const id = `0001U${String(delivered).padStart(3, '0')}`;
    if (how.forged === undefined) balance += paisa;
    const left = how.forged === undefined ? balance : 7_777_700;
    const { payer } = how;
    if (payer === undefined) {
      const lines = [
        `Amount: Tk ${taka(paisa)}`,
        `Txn ID: ${id}`,
        `Balance: Tk ${taka(left)}`,
        written(clock.now()),
      ];
      return ['Payment - Bangla QR Successfully Received.', ...lines].join('\n');
    }
    const ref = how.ref === undefined ? '' : ` Ref: ${how.ref}.`;
    const end = `Txn ID: ${id}. Balance: Tk ${taka(left)} ${written(clock.now())}`;
    return `QR payment of Tk ${taka(paisa)} from ${payer} received.${ref} ${end}`;
  };
  const open = async (paisa: number) => {
    const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
    const made = await createSession(core, {
      brand: shop.brand,
      hosted: null,
      amountPaisa: paisa,
      ...customer,
    });
    clock.advance(20 * SECOND);
    return made;
  };
  /** Money that a rule believes, with which the chain of balances begins. */
  const begin = async () => {
    const paid = walletPayment('mfs_b', '10.00', clock.now());
    balance += 1_000;
    await receive(paid.text.replace(/Balance: Tk [\d,.]+/, `Balance: Tk ${taka(balance)}`));
    clock.advance(MINUTE);
  };
  const hosted = (paisa: number) => shop.link(paisa).finally(() => clock.advance(20 * SECOND));
  const type = (sessionId: string, text: string, from = 'a') =>
    claimCheckout(core, { sessionId, channel: 'mfs_b', text, isByCode: true, addressMark: from });
  const verify = (session: string, number: string) => answer(core, shop, session, number, 'mfs_b');
  const stateOf = async (session: string) => (await showPayment(core, session)).status;
  const reasons = async () =>
    (await listReviews(core, { state: 'OPEN', limit: 50 })).map((one) => one.reason);
  const endHold = async () => {
    clock.advance(4 * MINUTE);
    await endHolds(core);
  };
  return { clock, core, shop, receive, qrText, open, hosted, begin, type, verify, stateOf, reasons, endHold };
}

for (const engine of engines) {
  test(`${engine}: the only payment of the amount is credited when the balance follows`, async (t) => {
    const { receive, qrText, open, begin, stateOf, verify } = await till(t, engine);
    await begin();
    const { id, methods } = await open(64_000);
    const nagad = methods.find(({ name }) => name === 'mfs_b');
    t.regex(String(nagad?.qr_payload), /5406640\.00/);
    await receive(qrText(64_000));
    t.is(await stateOf(id), 'COMPLETED');
    const other = await open(64_000);
    t.is(await verify(other.id, '01712344838'), 'transaction_not_found', 'its money is spent');
  });

  test(`${engine}: digits that the customer types and the text shows credit it`, async (t) => {
    const { clock, receive, qrText, open, stateOf, verify } = await till(t, engine);
    const after = await open(64_000);
    await receive(qrText(64_000, { payer: '017***4838', forged: true }));
    t.is(await stateOf(after.id), 'PENDING');
    t.is(await verify(after.id, '4838'), 'completed');
    t.is(await verify(after.id, '4838'), 'completed', 'the same again');
    t.is(await verify(after.id, '01811000000'), 'session_completed');

    clock.advance(10 * MINUTE);
    const before = await open(50_000);
    clock.advance(2 * MINUTE);
    const text = qrText(50_000, { payer: '018***0001', forged: true });
    clock.advance(30 * SECOND);
    t.is(await verify(before.id, '+880 1811-110001'), 'transaction_not_found');
    await receive(text);
    t.is(await stateOf(before.id), 'COMPLETED');
  });

  test(`${engine}: two open payments of one amount do not settle by one text`, async (t) => {
    const { core, receive, qrText, open, begin, stateOf, verify, reasons, endHold } = await till(t, engine);
    await begin();
    const [first, second] = [await open(64_000), await open(64_000)];
    await receive(qrText(64_000, { payer: '017***4838' }));
    t.is(await verify(first.id, '4838'), 'transaction_not_found');
    t.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['PENDING', 'PENDING']);
    await endHold();
    t.deepEqual(await reasons(), ['several_payments']);
    t.deepEqual(await rows(core, 'transactions').then((all) => all.length), 0);
    const [review] = await listReviews(core, { state: 'OPEN', limit: 5 });
    await approveReview(core, { id: review?.id ?? '', note: 'seen in the app', who: 'test' });
    t.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['COMPLETED', 'PENDING']);
  });

  test(`${engine}: the reference in the text chooses between two payments`, async (t) => {
    const { receive, qrText, open, stateOf } = await till(t, engine);
    const [first, second] = [await open(64_000), await open(64_000)];
    await receive(qrText(64_000, { payer: '017***4838', ref: second.paymentReference ?? '', forged: true }));
    t.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['PENDING', 'COMPLETED']);
  });

  test(`${engine}: without a second witness the customer has three minutes to type a number`, async (t) => {
    const { clock, receive, qrText, open, stateOf, reasons, endHold, verify } = await till(t, engine);
    const { id } = await open(64_000);
    await receive(qrText(64_000, { forged: true }));
    clock.advance(MINUTE);
    t.is(await verify(id, '01712344838'), 'transaction_not_found', 'the text shows no payer');
    t.deepEqual(await reasons(), []);
    await endHold();
    t.deepEqual(await reasons(), ['payer_unknown']);
    t.is(await stateOf(id), 'PENDING');
  });

  test(`${engine}: a forged text with any single witness credits nothing`, async (t) => {
    const { clock, core, receive, qrText, open, begin, type, hosted, stateOf, endHold } = await till(
      t,
      engine,
    );
    await begin();
    const amount = await open(10_100);
    await receive(qrText(10_100, { forged: true }));
    const digits = await hosted(10_200);
    await type(digits, '4838');
    await receive(qrText(10_201, { payer: '017***4838', forged: true }));
    const reference = await open(10_300);
    await receive(
      qrText(10_301, { payer: '017***4838', ref: reference.paymentReference ?? '', forged: true }),
    );
    const balance = await open(10_400);
    await receive(qrText(10_401));
    const late = await open(10_500);
    clock.advance(3 * MINUTE);
    await receive(qrText(10_500, { payer: '017***4838', forged: true }).replace(/\d\d:\d\d$/, '00:01'));
    await endHold();
    for (const { id } of [amount, { id: digits }, reference, balance, late])
      t.is(await stateOf(id), 'PENDING');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: numbers that a stranger makes up take nothing, and a full number is believed`, async (t) => {
    const { clock, core, receive, qrText, hosted, type, stateOf } = await till(t, engine);
    const own = await hosted(64_000);
    for (let guess = 0; guess < 16; guess += 1) {
      const theirs = await hosted(64_000);
      await type(theirs, String(1_000 + guess), `stranger-${guess}`);
    }
    clock.advance(MINUTE);
    const shown = qrText(64_000, { payer: '01712344838', forged: true });
    await receive(shown);
    t.is((await type(own, '01712344838', 'payer')).outcome, 'completed');
    t.is(await stateOf(own), 'COMPLETED');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: money that strays shows that the code is also paid without payments`, async (t) => {
    const { clock, receive, qrText, open, begin, stateOf, reasons, endHold } = await till(t, engine);
    await begin();
    for (const paisa of [5_000, 5_100, 5_200]) await receive(qrText(paisa));
    clock.advance(70 * MINUTE);
    const { id } = await open(64_000);
    await receive(qrText(64_000));
    await endHold();
    t.is(await stateOf(id), 'PENDING');
    t.deepEqual(await reasons(), ['payer_unknown']);
  });

  test(`${engine}: money of a payment that has expired goes to review`, async (t) => {
    const { clock, core, receive, qrText, open, begin, stateOf, reasons } = await till(t, engine);
    await begin();
    const [sure, unsure] = [await open(64_000), await open(50_000)];
    const paid = qrText(64_000);
    clock.advance(MINUTE);
    const texts = [paid, qrText(50_000, { forged: true })];
    clock.advance(70 * MINUTE);
    await expireSessions(core);
    await receive(...texts);
    t.deepEqual(await reasons().then((all) => all.toSorted()), ['late', 'payer_unknown']);
    for (const { id } of [sure, unsure]) t.is(await stateOf(id), 'FAILED');
  });

  test(`${engine}: a number without money is approved by the reference in the SMS`, async (t) => {
    const { clock, core, receive, qrText, hosted, type, stateOf } = await till(t, engine);
    const sessionId = await hosted(64_000);
    clock.advance(70 * MINUTE);
    await expireSessions(core);
    t.is((await type(sessionId, '4838')).outcome, 'under_review');
    const [review] = await listReviews(core, { state: 'OPEN', limit: 5 });
    const approval = { id: review?.id ?? '', note: 'the app shows it', who: 'test' };
    await t.throwsAsync(approveReview(core, approval), { message: /reference is missing/ });
    const text = qrText(64_000);
    const [reference = ''] = /0001U\d+/.exec(text) ?? [];
    await receive(text);
    await approveReview(core, { ...approval, reference });
    t.is(await stateOf(sessionId), 'COMPLETED');
    t.like((await rows(core, 'transactions'))[0], { reference, amount_paisa: 64_000 });
  });

  test(`${engine}: every statement that settles weak money finds its rows by an index`, async (t) => {
    const statements = new Map<string, readonly unknown[]>();
    const { core, receive, qrText, open, begin, verify, reasons, endHold } = await till(
      t,
      engine,
      statements,
    );
    await begin();
    const [first] = [await open(64_000), await open(64_000)];
    statements.clear();
    await receive(qrText(64_000, { payer: '017***4838' }));
    await verify(first.id, '4838');
    await endHold();
    t.true(statements.size > 15);
    await findByIndex(t, core, new Map(statements));
    t.deepEqual(await reasons(), ['several_payments']);
  });

  test(`${engine}: while the merchant is suspended it waits, and settles afterwards`, async (t) => {
    const { core, shop, receive, qrText, open, begin, stateOf } = await till(t, engine);
    await begin();
    const { id } = await open(64_000);
    const merchant = { merchant: shop.brand.name, who: 'test' };
    await changeMerchantStatus(core, { ...merchant, status: 'SUSPENDED' });
    await receive(qrText(64_000));
    t.is(await stateOf(id), 'PENDING');
    await changeMerchantStatus(core, { ...merchant, status: 'ACTIVE' });
    t.is(await stateOf(id), 'COMPLETED');
  });
}
