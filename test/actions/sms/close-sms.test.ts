/** Money that an operator has closed pays for nothing until it is opened again. */
import test from 'ava';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { reportBalances } from '../../../src/actions/reports/report-balances.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { closeSms, reopenSms } from '../../../src/actions/sms/close-sms.js';
import { listSms, showSms } from '../../../src/actions/sms/list-sms.js';
import { listUnclaimed } from '../../../src/actions/upkeep/read-dashboard.js';
import { explainWhy } from '../../../src/actions/why/explain.js';
import { whyView } from '../../../src/cli/text/why-text.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const at = await scene(t, engine);
  const { core, shop } = at;
  let next = 0;
  const receive = async (body: string) => {
    const messages = [{ id: `m${next++}`, sender: 'bKash', body, sim_slot: 1 }];
    await syncDevice(core, { device: shop.device, messages, health: null });
  };
  const close = (id: string) => closeSms(core, { id, note: 'Sent back on Monday', who: 'test' });
  const reopen = (id: string) => reopenSms(core, { id, note: 'It was order 7 after all', who: 'test' });
  const claim = async (trxId: string) => answer(core, shop, await shop.order(50_000), trxId);
  return { ...at, receive, close, reopen, claim };
}

for (const engine of engines) {
  test(`${engine}: closed money is unclaimed no more, and every face says why`, async (t) => {
    const { core, clock, money, receive, close, reopen } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await receive(text);
    const { id } = await close(trxId.toLowerCase());
    t.is((await listUnclaimed(core, 10)).count, 0);
    t.deepEqual(await listSms(core, { unmatched: true, limit: 10 }), []);
    t.like(await showSms(core, trxId), { id, closed: 'Sent back on Monday' });
    const [day] = await reportBalances(core, { fromMs: clock.now() });
    t.like(day, { in: '500.00', unclaimed: '0.00' });
    const why = async () =>
      whyView(await explainWhy(core, { asked: trxId, sinceMs: 0 }), clock.now()).answers[0];
    t.like(await why(), { cause: 'closed' });
    t.regex((await why())?.says ?? '', /closed with the note "Sent back on Monday"/);
    t.like((await rows(core, 'audit')).at(-1), { action: 'sms.close', who: 'test', subject: id });
    await reopen(id);
    t.is((await listUnclaimed(core, 10)).count, 1);
    t.like(await why(), { cause: 'unclaimed' });
  });

  test(`${engine}: a claim of closed money goes to review and cannot be approved until it is reopened`, async (t) => {
    const { core, shop, money, receive, close, reopen } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await receive(text);
    await close(trxId);
    const payment = await shop.order(50_000);
    t.is(await answer(core, shop, payment, trxId), 'under_review');
    const [review] = await rows(core, 'reviews');
    const approve = () =>
      approveReview(core, { id: review?.id as string, note: 'Seen', who: 'test', force: true });
    await t.throwsAsync(approve, { message: /was closed and settles no payment: Sent back on Monday/ });
    t.deepEqual(await rows(core, 'transactions'), []);
    await reopen(trxId);
    await approve();
    t.like(await showPayment(core, payment), { status: 'COMPLETED', transaction_id: trxId });
    await t.throwsAsync(close(trxId), { message: /has paid for payment/ });
  });

  test(`${engine}: of a claim and a closing at the same moment one wins`, async (t) => {
    const { core, shop, money, receive, close } = await stage(t, engine);
    for (let round = 0; round < 6; round += 1) {
      const { trxId, text } = money('500.00');
      await receive(text);
      const payment = await shop.order(50_000);
      const [closed, claimed] = await Promise.allSettled([close(trxId), answer(core, shop, payment, trxId)]);
      const outcome = claimed.status === 'fulfilled' ? claimed.value : claimed.reason;
      t.is(outcome, closed.status === 'fulfilled' ? 'under_review' : 'completed');
    }
  });
}

test('refuses to close money that is spent, under review, closed or missing, and to reopen open money', async (t) => {
  const { core, shop, money, receive, close, reopen, claim } = await stage(t, 'sqlite');
  const open = money('500.00');
  await receive(open.text);
  await t.throwsAsync(reopen(open.trxId), { code: 'state_refused' });
  await close(open.trxId);
  await t.throwsAsync(close(open.trxId), { message: /closed already: Sent back/ });
  await reopen(open.trxId);
  t.is(await claim(open.trxId), 'completed');
  await t.throwsAsync(close(open.trxId), { code: 'state_refused' });
  const more = money('700.00');
  await receive(more.text);
  t.is(await answer(core, shop, await shop.order(50_000), more.trxId), 'under_review');
  await t.throwsAsync(close(more.trxId), { message: /is under manual review/ });
  await t.throwsAsync(close('DKQ4TW1CE2'), { code: 'not_found' });
  await t.throwsAsync(closeSms(core, { id: more.trxId, note: 'WHY', who: 'test' }), {
    code: 'invalid_input',
  });
});

test('another copy of its SMS opens no closed money', async (t) => {
  const { money, receive, close, claim } = await stage(t, 'sqlite');
  const { trxId, text } = money('500.00');
  await receive(`[SIM1] ${text}`);
  await close(trxId);
  await receive(text);
  t.is(await claim(trxId), 'under_review');
});
