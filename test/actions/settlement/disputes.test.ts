/** Money that goes back: a later text about a known id puts it before a person, also when it was credited. */
import test from 'ava';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { listNotifications } from '../../../src/actions/notifications/notifications.js';
import { approveReview, rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews, showReview } from '../../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const reversal = (trxId: string) =>
  `Tk 500.00 received from 01900000001 has been reversed. Fee Tk 0.00. Balance Tk 98,231.19. TrxID ${trxId} at 21/08/2026 12:50`;

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const base = await scene(t, engine);
  const { core, shop } = base;
  await updateBrand(core, {
    brand: shop.brand.name,
    webhookUrl: 'https://shop.example.com/hook',
    who: 'test',
  });
  const events = async (session: string) => {
    const all = await listNotifications(core, { failed: false, limit: 50 });
    return all
      .filter((one) => one.payment === session)
      .map(({ event }) => event)
      .toSorted();
  };
  const open = () => listReviews(core, { state: 'OPEN', limit: 10 });
  const alerts = async () =>
    (await listAlerts(core, { open: false, limit: 10 }))
      .map(({ event }) => event)
      .filter((event) => event !== 'review.waiting');
  return { ...base, events, open, alerts };
}

for (const engine of engines) {
  test(`${engine}: an SMS that reverses money sends its claim to review`, async (t) => {
    const { core, shop, money, open, alerts } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    await shop.receive(reversal(trxId));
    const session = await shop.order(50_000);
    t.is(await answer(core, shop, session, trxId), 'under_review');
    const [review] = await open();
    t.like(review, { reason: 'disputed', payment: session });
    const shown = await showReview(core, review?.id ?? '');
    t.is(shown.sms?.body, text);
    t.is(shown.contrary?.body, reversal(trxId));
    t.deepEqual(await alerts(), [], 'nobody was credited with it');
  });

  test(`${engine}: a text that came before its money disputes that money and none that comes with it`, async (t) => {
    const { core, shop, money } = await stage(t, engine);
    const [one, other] = [money('500.00'), money('500.00')];
    await shop.receive(reversal(other.trxId));
    await shop.receive(one.text, other.text);
    t.is(await answer(core, shop, await shop.order(50_000), one.trxId), 'completed');
    t.is(await answer(core, shop, await shop.order(50_000), other.trxId), 'under_review');
  });

  test(`${engine}: an SMS that names credited money in any wording creates a review`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const wordings = [
      'Tk 500.00 has been deducted from your account against a wrong transaction. Balance Tk 1.00.',
      'Tk 500.00 moved to suspense. Balance Tk 1.00.',
      'আপনার অ্যাকাউন্ট থেকে ৫০০.০০ টাকা কেটে নেওয়া হয়েছে।',
      'Do not use the Tk 500.00 of this transaction until further notice.',
      'Tk 500.00 received from 01900000001 has been grabbed.',
    ];
    for (const [index, wording] of wordings.entries()) {
      const { trxId, text } = money('500.00');
      const session = await shop.order(50_000);
      await shop.receive(text);
      t.is(await answer(core, shop, session, trxId), 'completed');
      await shop.receive(`${wording} TrxID ${trxId} at 21/08/2026 12:50`);
      t.is((await open()).length, index + 1, wording);
    }
  });

  test(`${engine}: unknown words before the money are distinguished from parts of its own message`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const [odd, torn] = [money('500.00'), money('500.00')];
    await shop.receive(`Tk 500.00 moved to suspense. TrxID ${odd.trxId} at 21/08/2026 12:50`);
    await shop.receive(torn.text.slice(torn.text.indexOf('Balance')));
    await shop.receive(odd.text, torn.text, `${torn.text} `);
    t.is(await answer(core, shop, await shop.order(50_000), odd.trxId), 'under_review');
    t.is(await answer(core, shop, await shop.order(50_000), torn.trxId), 'completed');
    await shop.receive(torn.text.slice(torn.text.indexOf('Fee')));
    await shop.receive(
      torn.text.replace('You have received Tk 500.00 from ', 'Tk 500.00 has been sent to you by '),
    );
    await shop.receive(
      `Congratulations! You have received Cashback Tk 5.00. Balance Tk 9.00. TrxID ${torn.trxId} at 21/08/2026 12:50`,
    );
    t.deepEqual(
      (await open()).map(({ reason }) => reason),
      ['disputed'],
    );
  });

  test(`${engine}: texts overtake each other: one that takes back may come before what it takes back`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await answer(core, shop, session, trxId);
    await shop.receive(reversal(trxId));
    await shop.receive(text);
    t.is((await showPayment(core, session)).status, 'PENDING');
    t.deepEqual(
      (await open()).map(({ reason }) => reason),
      ['disputed'],
    );
  });

  test(`${engine}: of several payments that arrive at once only the one that was taken back is disputed`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const [before, back, after] = [money('500.00'), money('500.00'), money('500.00')];
    const sessions = [await shop.order(50_000), await shop.order(50_000), await shop.order(50_000)] as const;
    await answer(core, shop, sessions[0], before.trxId);
    await answer(core, shop, sessions[1], back.trxId);
    await answer(core, shop, sessions[2], after.trxId);
    await shop.receive(reversal(back.trxId));
    await shop.receive(before.text, back.text, after.text);
    const statuses = [];
    for (const id of sessions) statuses.push((await showPayment(core, id)).status);
    t.deepEqual(statuses, ['COMPLETED', 'PENDING', 'COMPLETED']);
    t.deepEqual(
      (await open()).map(({ payment }) => payment),
      [sessions[1]],
    );
  });

  test(`${engine}: a text that only confirms what arrives later disputes nothing`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await answer(core, shop, session, trxId);
    await shop.receive(`${text} `, text);
    t.is((await showPayment(core, session)).status, 'COMPLETED');
    t.deepEqual(await open(), []);
  });

  test(`${engine}: a dispute of a completed payment notifies operator and shop, and an operator closes it`, async (t) => {
    const { core, shop, money, events, open, alerts } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await answer(core, shop, session, trxId);
    await shop.receive(text);
    t.deepEqual(await events(session), ['payment.completed']);
    await shop.receive(reversal(trxId));
    await shop.receive(reversal(trxId).replace('Tk 500.00 received', 'Tk 500.00 that was received'));
    t.is((await showPayment(core, session)).status, 'COMPLETED', 'what was told stays told');
    t.deepEqual(await events(session), ['payment.completed', 'payment.disputed']);
    t.deepEqual(await alerts(), ['payment.disputed']);
    const [review, ...others] = await open();
    t.like(review, { reason: 'disputed', payment: session, payment_status: 'COMPLETED' });
    t.deepEqual(others, []);
    await rejectReview(core, { id: review?.id ?? '', note: 'went back, order stopped', who: 'test' });
    t.deepEqual(await open(), []);
    t.like(await showPayment(core, session), { status: 'COMPLETED', transaction_id: trxId });
    t.is(await answer(core, shop, session, trxId), 'completed');
    const disputed = (await rows(core, 'notifications')).find(({ event }) => event === 'payment.disputed');
    t.like(JSON.parse(disputed?.content ?? ''), {
      event: 'payment.disputed',
      session_id: session,
      status: 'COMPLETED',
      transaction_id: trxId,
    });
  });

  test(`${engine}: a disputed payment that was approved returns to review and may be approved again`, async (t) => {
    const { core, shop, money, open } = await stage(t, engine);
    const { trxId, text } = money('500.01');
    const session = await shop.order(50_000);
    await shop.receive(text);
    t.is(await answer(core, shop, session, trxId), 'under_review');
    const [asked] = await open();
    await approveReview(core, { id: asked?.id ?? '', note: 'fine', who: 'test' });
    await shop.receive(reversal(trxId));
    const [again] = await open();
    t.like(again, { id: asked?.id, reason: 'disputed', decided_by: null, note: null });
    await approveReview(core, { id: again?.id ?? '', note: 'it is there', who: 'test' });
    t.is((await showPayment(core, session)).status, 'COMPLETED');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: another amount under the same id is not a repetition`, async (t) => {
    const { core, shop, money, alerts } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await shop.receive(text);
    t.is(await answer(core, shop, session, trxId), 'completed');
    await shop.receive(text.replace('98,731.19', '98,731.20'));
    t.deepEqual(await alerts(), [], 'the same money in other words');
    await shop.receive(text.replace('Tk 500.00', 'Tk 50.00'));
    t.deepEqual(await alerts(), ['payment.disputed']);
  });

  test(`${engine}: another sum disputes the money also where its text has the id in small letters`, async (t) => {
    const { core, shop, money, alerts } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'completed');
    await shop.receive(text.replace('Tk 500.00', 'Tk 50.00').replace(trxId, trxId.toLowerCase()));
    t.deepEqual(await alerts(), ['payment.disputed']);
  });

  test(`${engine}: an SMS of another SIM or merchant, or an offer, reverses nothing`, async (t) => {
    const { clock, core, shop, money, alerts } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await shop.receive(text);
    await answer(core, shop, session, trxId);
    const other = await openShop(core, 'Other Store', '01911000009');
    await other.receive(reversal(trxId));
    const { takeSms } = await import('../../../src/actions/sms/take-sms.js');
    const sent = `Send Money Tk 500.00 to 01711000001 successful. Ref rent. Fee Tk 5.00. Balance Tk 1,000.00. TrxID ${trxId} at 21/08/2026 12:35`;
    for (const [recipient, body] of [
      ['01611000077', sent],
      ['01711000001', 'Get 50% cashback! Offer till 31/08/2026. Visit bka.sh/x'],
    ] as const) {
      await takeSms(core, {
        merchantId: shop.merchantId,
        source: { kind: 'manual', who: 'test' },
        messages: [
          { id: dhakaIso(clock.now()), sender: 'bKash', body, receivedAtMs: clock.now(), simSlot: null },
        ],
        recipientOf: () => recipient,
      });
    }
    t.deepEqual(await alerts(), []);
    t.is((await showPayment(core, session)).status, 'COMPLETED');
  });

  test(`${engine}: form webhooks get no dispute event, as the shop would book the payment again`, async (t) => {
    const { core, shop, money, events, alerts } = await stage(t, engine);
    await updateBrand(core, { brand: shop.brand.name, webhookFormat: 'form', who: 'test' });
    const { trxId, text } = money('500.00');
    const session = await shop.order(50_000);
    await shop.receive(text);
    await answer(core, shop, session, trxId);
    await shop.receive(reversal(trxId));
    t.deepEqual(await alerts(), ['payment.disputed']);
    t.deepEqual(await events(session), ['payment.completed']);
  });
}
