/** An SMS that comes after a person has given its money to a payment, and says otherwise of whose it is. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { approvePayment, approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews, showReview } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { reviewSheet } from '../../../src/cli/text/review-text.js';
import { rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const who = 'test';

async function stage(t: ExecutionContext<unknown>, engine: (typeof engines)[number]) {
  const on = await scene(t, engine);
  const { core, shop } = on;
  const open = () =>
    createSession(core, {
      ...{ brand: shop.brand, hosted: null, amountPaisa: 50_000 },
      ...{ cusName: 'Customer', cusEmail: '', metaJson: null },
    });
  const give = (payment: string, reference: string) =>
    approvePayment(core, { payment, method: 'mfs_a', reference, note: 'the phone is offline', who });
  const waiting = () => listReviews(core, { state: 'OPEN', limit: 9 });
  return { ...on, open, give, waiting };
}

for (const engine of engines) {
  test(`${engine}: an SMS that names another payment than the one it was given to goes to review`, async (t) => {
    const { core, shop, money, open, give, waiting } = await stage(t, engine);
    const [first, second] = [await open(), await open()];
    const { trxId, text } = money('500.00', { ref: second.paymentReference ?? '' });
    await give(first.id, trxId);
    await shop.receive(text);
    const [review, ...others] = await waiting();
    t.deepEqual(others, []);
    t.like(review, { payment: second.id, reason: 'already_credited', reference: trxId });
    t.like(await showPayment(core, second.id), { status: 'PENDING', reason: 'review' });
    t.is((await showPayment(core, first.id)).status, 'COMPLETED');
    const shown = await showReview(core, review?.id ?? '');
    const told = shown.facts.map(({ text: says }) => says).join('\n');
    t.regex(told, /^Seen: 500\.00 BDT from 01900000001/);
    t.true(told.includes(`It was already credited to payment ${first.gatewayReference}.`), told);
    t.false(reviewSheet(shown, 0).join('\n').includes('verifications approve'));
    const alerts = await core.store.read((db) => db.query.selectFrom('alerts').select('kind').execute());
    t.deepEqual(alerts, [{ kind: 'review.waiting' }]);
    const again = { id: review?.id ?? '', note: 'twice', who, facts: shown.facts_version };
    await t.throwsAsync(approveReview(core, again), { code: 'already_credited' });
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: an SMS of money that came to a number of another brand disputes what it was given to`, async (t) => {
    const { core, shop, money, open, give, waiting } = await stage(t, engine);
    const brand = (await createBrand(core, { merchant: shop.merchantId, name: 'Second Store', who })).brand
      .name;
    await setAccount(core, { brand, channel: 'mfs_a', type: 'personal', number: '01711000066', who });
    const payment = await open();
    const { trxId, text } = money('500.00');
    await give(payment.id, trxId);
    await addSms(core, { merchant: shop.merchantId, recipient: '01711000066', sender: 'bKash', text, who });
    const [review] = await waiting();
    t.like(review, { payment: payment.id, reason: 'disputed' });
    t.regex(
      (await showReview(core, review?.id ?? '')).warnings.join('\n'),
      /received on 01711000066, and Alo Store receives bKash payments on 01711000001/,
    );
  });

  test(`${engine}: an SMS that agrees with an operator decision changes nothing and is shown`, async (t) => {
    const { core, shop, money, open, give, waiting } = await stage(t, engine);
    const payment = await open();
    const { trxId, text } = money('500.00', { ref: payment.paymentReference ?? '' });
    const { id } = await give(payment.id, trxId);
    await shop.receive(text);
    t.deepEqual(await waiting(), []);
    t.is((await rows(core, 'transactions')).length, 1);
    t.is((await showReview(core, id)).unseen, true);
  });
}
