/**
 * Ids that strangers can guess or count up, of every wallet that has such: who is credited, and who is not.
 */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { endHolds, recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { type WalletPayment, walletId, walletPayment } from '../../helpers/shop/wallets.js';
import { engines } from '../../helpers/stores/engines.js';

const SECOND = 1_000;
const weak = ['mfs_b', 'mfs_c', 'mfs_d'] as const;
async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number], channel: MfsChannel) {
  const { clock, core, shop } = await scene(t, engine);
  await setAccount(core, { brand: shop.brand.name, channel, type: 'personal', number: WALLET, who: 'test' });
  let delivered = 0;
  const receive = async (...payments: readonly WalletPayment[]) => {
    const messages = payments.map(({ sender, text: body }) => {
      delivered += 1;
      const received_at = dhakaIso(core.clock.now());
      return { id: `w${delivered}`, sender, body, received_at, sim_slot: 1 };
    });
    return (await syncDevice(core, { device: shop.device, messages, health: null })).results;
  };
  const ask = (session: string, reference: string) => answer(core, shop, session, reference, channel);
  const stateOf = async (session: string) => (await showPayment(core, session)).status;
  const reasons = async () =>
    (await listReviews(core, { state: 'OPEN', limit: 50 })).map(({ payment, reason }) => ({
      payment,
      reason,
    }));
  const events = async () => (await listAlerts(core, { open: false, limit: 50 })).map(({ event }) => event);
  return { clock, core, shop, receive, ask, stateOf, reasons, events };
}

for (const engine of engines) {
  for (const channel of weak) {
    test(`${engine}, ${channel}: a claim a moment before its SMS settles by itself`, async (t) => {
      const { clock, receive, ask, shop, stateOf, events } = await stage(t, engine, channel);
      const session = await shop.order(50_000);
      clock.advance(60 * SECOND);
      const paid = walletPayment(channel, '500.00', clock.now());
      clock.advance(7 * SECOND);
      t.is(await ask(session, paid.trxId), 'transaction_not_found');
      clock.advance(6 * SECOND);
      t.deepEqual(
        (await receive(paid)).map(({ state }) => state),
        ['stored'],
      );
      t.is(await stateOf(session), 'COMPLETED');
      t.deepEqual(await events(), []);
    });

    test(`${engine}, ${channel}: who claims an id again after the money moved claimed it ahead all the same`, async (t) => {
      const { clock, receive, ask, shop } = await stage(t, engine, channel);
      const thief = await shop.order(50_000);
      const paid = walletPayment(channel, '500.00', clock.now() + 60 * SECOND);
      t.is(await ask(thief, paid.trxId), 'transaction_not_found');
      clock.advance(70 * SECOND);
      await receive(paid);
      t.is(await ask(thief, paid.trxId), 'under_review');
    });

    test(`${engine}, ${channel}: ids that were claimed ahead credit nobody, and who has paid is credited`, async (t) => {
      const { clock, core, receive, ask, shop, stateOf, reasons, events } = await stage(t, engine, channel);
      const victim = await shop.order(50_000);
      const thieves = [await shop.order(50_000), await shop.order(50_000), await shop.order(50_000)];
      clock.advance(60 * SECOND);
      const paidAt = clock.now() + 70 * SECOND;
      const paid = walletPayment(channel, '500.00', paidAt);
      // Ninety ids that will be given out, that of the payment among them.
      for (let n = 0; n < 90; n += 1) {
        const thief = thieves[Math.floor(n / 30)] ?? '';
        t.is(await ask(thief, walletId(channel, paidAt, n - 45)), 'transaction_not_found');
      }
      clock.advance(80 * SECOND);
      await receive(paid);
      for (const thief of thieves) t.not(await stateOf(thief), 'COMPLETED');
      t.deepEqual(
        (await reasons()).map(({ reason }) => reason),
        ['claimed_before_payment'],
      );
      t.is(await ask(victim, paid.trxId), 'completed', 'what was claimed ahead is no evidence');
      t.is((await rows(core, 'transactions')).length, 1);
      t.true((await events()).includes('security.transaction_id_guessing'));
    });

    test(`${engine}, ${channel}: ids that are claimed after the money moved and before its SMS are guesses, too`, async (t) => {
      const { clock, core, receive, ask, shop, stateOf, reasons, events } = await stage(t, engine, channel);
      clock.advance(60 * SECOND);
      const paid = walletPayment(channel, '500.00', clock.now());
      const sessions: string[] = [];
      clock.advance(2 * SECOND);
      for (let n = 0; n < 40; n += 1) {
        const session = await shop.order(50_000);
        sessions.push(session);
        await ask(session, walletId(channel, clock.now() - 2 * SECOND, n - 20));
      }
      clock.advance(5 * SECOND);
      await receive(paid);
      t.is((await rows(core, 'transactions')).length, 0, 'nobody can say who has paid');
      clock.advance(30 * SECOND);
      await endHolds(core);
      t.deepEqual(
        (await reasons()).map(({ reason }) => reason),
        ['may_be_guessed'],
      );
      for (const session of sessions) t.not(await stateOf(session), 'COMPLETED');
      t.true((await events()).includes('security.transaction_id_guessing'));
      const honest = await shop.order(50_000);
      t.is(await ask(honest, paid.trxId), 'under_review', 'a person decides between the two');
    });

    test(`${engine}, ${channel}: a text that is not a wallet id is never a guess, however often claimed`, async (t) => {
      const { clock, receive, ask, shop, stateOf, reasons } = await stage(t, engine, channel);
      const session = await shop.order(50_000);
      clock.advance(60 * SECOND);
      const paid = walletPayment(channel, '500.00', clock.now());
      clock.advance(2 * SECOND);
      for (const word of ['PAID', 'TAKA', '50000', '01733445566', '01733445567', 'DKQ4Z7PW2M', 'NUMBER']) {
        t.is(await ask(session, word), 'transaction_not_found');
        await ask(await shop.order(50_000), word);
      }
      t.is(await ask(session, paid.trxId), 'transaction_not_found');
      await receive(paid);
      t.is(await stateOf(session), 'COMPLETED');
      t.deepEqual(await reasons(), []);
    });

    test(`${engine}, ${channel}: thirty payments of one price in ten seconds, each claimed before its SMS, settle by themselves`, async (t) => {
      const { clock, core, receive, ask, shop, stateOf, reasons, events } = await stage(t, engine, channel);
      const sessions: string[] = [];
      for (let n = 0; n < 30; n += 1) sessions.push(await shop.order(50_000));
      clock.advance(60 * SECOND);
      const paid: WalletPayment[] = [];
      for (let n = 0; n < 30; n += 1) {
        paid.push(walletPayment(channel, '500.00', clock.now(), n));
        clock.advance(333);
      }
      clock.advance(SECOND);
      for (const [n, session] of sessions.entries()) {
        t.is(await ask(session, paid[n]?.trxId ?? ''), 'transaction_not_found');
      }
      for (const payment of paid.toSorted((one, other) => (one.trxId < other.trxId ? 1 : -1))) {
        clock.advance(200);
        await receive(payment);
      }
      for (const session of sessions) t.is(await stateOf(session), 'COMPLETED');
      t.is((await rows(core, 'transactions')).length, 30);
      t.deepEqual(await reasons(), []);
      t.deepEqual(await events(), []);
    });

    test(`${engine}, ${channel}: guessing ids of unclaimed money credits none of it`, async (t) => {
      const { clock, core, receive, ask, shop, events } = await stage(t, engine, channel);
      const paid = walletPayment(channel, '500.00', clock.now());
      clock.advance(5 * SECOND);
      await receive(paid);
      clock.advance(600 * SECOND);
      const at = clock.now() - 605 * SECOND;
      const outcomes: string[] = [];
      for (let n = -50; n <= 50; n += 1) {
        outcomes.push(await ask(await shop.order(50_000), walletId(channel, at, n)));
        clock.advance(50);
      }
      t.is(outcomes.filter((outcome) => outcome === 'completed').length, 0);
      t.is(outcomes.filter((outcome) => outcome === 'under_review').length, 1);
      t.is((await rows(core, 'transactions')).length, 0);
      t.true((await events()).includes('security.transaction_id_guessing'));
    });
  }

  test(`${engine}: ids of bKash cannot be guessed, so however many are claimed none is held`, async (t) => {
    const { clock, receive, ask, shop, stateOf, events } = await stage(t, engine, 'mfs_a');
    const session = await shop.order(50_000);
    const paid = walletPayment('mfs_a', '500.00', clock.now(), 7);
    for (let n = 100; n < 150; n += 1) {
      await ask(await shop.order(50_000), walletPayment('mfs_a', '500.00', clock.now(), n).trxId);
    }
    await ask(session, paid.trxId);
    await receive(paid);
    t.is(await stateOf(session), 'COMPLETED');
    t.deepEqual(await events(), []);
  });

  test(`${engine}: a claim that is held settles when the others turn out honest, and a poll does not hurt it`, async (t) => {
    const { clock, core, receive, ask, shop, stateOf } = await stage(t, engine, 'mfs_c');
    const sessions = await Promise.all(Array.from({ length: 6 }, () => shop.order(50_000)));
    clock.advance(60 * SECOND);
    const paid = sessions.map((_, n) => walletPayment('mfs_c', '500.00', clock.now(), n));
    clock.advance(5 * SECOND);
    for (const [n, session] of sessions.entries()) await ask(session, paid[n]?.trxId ?? '');
    const [first = '', firstPaid] = [sessions[0], paid[0]];
    if (firstPaid === undefined) return t.fail();
    await receive(firstPaid);
    t.is(await stateOf(first), 'PENDING');
    t.is(await ask(first, firstPaid.trxId), 'transaction_not_found');
    const held = (await rows(core, 'claims')).filter(({ reason }) => reason === 'held');
    t.deepEqual(
      held.map(({ state, reference }) => `${state} ${reference}`),
      [`WAITING ${firstPaid.trxId}`],
    );
    clock.advance(10 * SECOND);
    t.is((await recheckClaims(core)).waitMs, 20 * SECOND, 'it is looked at when its time is over');
    await receive(...paid.slice(1));
    t.is(await stateOf(first), 'COMPLETED');
    t.deepEqual(await recheckClaims(core), { taken: 0, waitMs: null });
  });

  test(`${engine}: a held claim is not checked again after its payment is completed otherwise`, async (t) => {
    const { clock, core, receive, ask, shop, stateOf } = await stage(t, engine, 'mfs_c');
    const sessions = await Promise.all(Array.from({ length: 6 }, () => shop.order(50_000)));
    const [first = ''] = sessions;
    clock.advance(60 * SECOND);
    const paid = sessions.map((_, n) => walletPayment('mfs_c', '500.00', clock.now(), n));
    clock.advance(5 * SECOND);
    for (const [n, session] of sessions.entries()) await ask(session, paid[n]?.trxId ?? '');
    await receive(...paid.slice(0, 1));
    const other = walletPayment('mfs_a', '500.00', clock.now(), 3);
    await receive(other);
    t.is(await answer(core, shop, first, other.trxId), 'completed');
    clock.advance(31 * SECOND);
    t.is((await recheckClaims(core)).taken, 1);
    t.deepEqual(await recheckClaims(core), { taken: 0, waitMs: null });
    t.is(await stateOf(first), 'COMPLETED');
  });
}

test('a thousand words that are not ids hide no guesses', async (t) => {
  const { clock, core, receive, ask, shop } = await stage(t, 'sqlite', 'mfs_c');
  clock.advance(60 * SECOND);
  const paid = walletPayment('mfs_c', '500.00', clock.now());
  clock.advance(2 * SECOND);
  for (let n = 0; n < 10; n += 1) {
    await ask(await shop.order(50_000), walletId('mfs_c', clock.now() - 2 * SECOND, n - 5));
  }
  let session = '';
  for (let n = 0; n < 1_001; n += 1) {
    if (n % 25 === 0) session = await shop.order(50_000);
    await ask(session, `WORD${n}`);
  }
  clock.advance(5 * SECOND);
  await receive(paid);
  clock.advance(40 * SECOND);
  await endHolds(core);
  t.is((await rows(core, 'transactions')).length, 0);
});
