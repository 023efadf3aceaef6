/**
 * Who tries out numbers of payers gets nobody's money, however many sessions are opened, cancelled or ended.
 */
import test from 'ava';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { rows } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';
import { scene, statusOf } from './ground.js';

const HOUR = 3_600_000;

for (const engine of engines) {
  test(`${engine}: four digits send a session opened after the push to review instead of paying it`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    await bank.push({ payer: '01711227777' });
    clock.advance(1);
    const { id } = await bank.order();
    t.is(await bank.verify(id, '7777'), 'under_review');
    const [review] = await listReviews(core, { state: 'OPEN', limit: 5 });
    t.like(review, { reason: 'opened_after_payment', seen_amount: '500.00' });
    t.is(await bank.verify(id, '01711227777'), 'RRN000000001', 'the whole number is another matter');
  });

  test(`${engine}: sessions that end take none of their guesses with them`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const sessions = [];
    for (let n = 0; n < 60; n += 1) sessions.push((await bank.order()).id);
    clock.advance(60_000);
    await bank.push({ payer: '01711227777' });
    clock.advance(60_000);
    const outcomes: string[] = [];
    let guess = 7_700;
    for (const [index, id] of sessions.entries()) {
      for (let tries = 0; tries < 5; tries += 1) outcomes.push(await bank.verify(id, String(guess++)));
      const reason = index % 2 === 0 ? 'cancelled' : 'expired';
      await core.store.write((db) =>
        db.query.updateTable('sessions').set({ status: 'FAILED', reason }).where('id', '=', id).execute(),
      );
    }
    t.is((await rows(core, 'transactions')).length, 0);
    t.deepEqual([...new Set(outcomes)].toSorted(), ['number_ambiguous', 'transaction_not_found']);
    const events = (await listAlerts(core, { open: false, limit: 5 })).map(({ event }) => event);
    t.deepEqual(events, ['security.transaction_id_guessing']);
  });

  test(`${engine}: numbers that were typed before the money moved lie in wait for nothing`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const thief = await bank.order();
    const honest = await bank.order();
    t.is(await bank.verify(thief.id, '5678'), 'transaction_not_found');
    clock.advance(60_000);
    const paid_at = dhakaIso(clock.now());
    clock.advance(4_000);
    t.is(await bank.verify(honest.id, '5678'), 'transaction_not_found');
    clock.advance(2_000);
    await bank.push({ paid_at });
    t.is(await statusOf(core, honest.id), 'COMPLETED credited');
    t.is(await statusOf(core, thief.id), 'PENDING initiated');
  });

  test(`${engine}: a full number is a guess where the bank hides most of it`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const sessions = await Promise.all(Array.from({ length: 20 }, () => bank.order()));
    clock.advance(60_000);
    await bank.push({ payer: '*5678' });
    clock.advance(60_000);
    for (const [n, { id }] of sessions.entries()) {
      for (let tries = 0; tries < 5; tries += 1) {
        await bank.verify(id, `0171234${String(5_600 + n * 5 + tries)}`);
      }
    }
    t.is((await rows(core, 'transactions')).length, 0);
    const reasons = (await listReviews(core, { state: 'OPEN', limit: 5 })).map(({ reason }) => reason);
    t.deepEqual(reasons, ['several_payers']);
  });

  test(`${engine}: two who claim at the same moment both settle when both pushes are there`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const [one, two] = [await bank.order(), await bank.order()];
    clock.advance(30_000);
    const paid_at = dhakaIso(clock.now());
    clock.advance(5_000);
    await bank.verify(one.id, '1111');
    await bank.verify(two.id, '2222');
    clock.advance(5_000);
    await bank.push({ payer: '01711111111', paid_at });
    t.is(await statusOf(core, one.id), 'PENDING initiated', 'the other number may be a guess still');
    await bank.push({ payer: '01711112222', paid_at });
    t.is(await statusOf(core, one.id), 'COMPLETED credited');
    t.is(await statusOf(core, two.id), 'COMPLETED credited');
  });

  test(`${engine}: thirty who pay one price in ten seconds and name four digits before their pushes, or amid them, are all paid`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const sessions: string[] = [];
    for (let n = 0; n < 30; n += 1) sessions.push((await bank.order()).id);
    clock.advance(60_000);
    const paid: { readonly payer: string; readonly paid_at: string }[] = [];
    for (let n = 0; n < 30; n += 1) {
      paid.push({ payer: `0171122${1_234 + n * 277}`, paid_at: dhakaIso(clock.now()) });
      clock.advance(333);
    }
    clock.advance(1_000);
    const claim = (n: number) => bank.verify(sessions[n] ?? '', paid[n]?.payer.slice(-4) ?? '');
    for (let n = 0; n < 30; n += 2) await claim(n);
    for (const [n, payment] of [...paid.entries()].toReversed()) {
      clock.advance(200);
      await bank.push(payment);
      if (n % 2 === 1) await claim(n);
    }
    for (const session of sessions) t.is(await statusOf(core, session), 'COMPLETED credited');
    t.deepEqual(await listReviews(core, { state: 'OPEN', limit: 5 }), []);
  });

  test(`${engine}: a number that was typed in vain concerns only payments of its time`, async (t) => {
    const { clock, core, bank } = await scene(t, engine);
    const lost = await bank.order();
    await bank.verify(lost.id, '9999');
    clock.advance(2 * HOUR);
    await expireSessions(core);
    const next = await bank.order();
    clock.advance(60_000);
    await bank.push();
    clock.advance(5_000);
    t.is(await bank.verify(next.id, '5678'), 'RRN000000001');
  });
}
