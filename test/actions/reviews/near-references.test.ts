/** What whoever approves is told: references that are alike, and money that was never seen. */
import test from 'ava';
import { approvePayment } from '../../../src/actions/reviews/decide-review.js';
import { showReview } from '../../../src/actions/reviews/list-reviews.js';
import { approvedLines, reviewSheet } from '../../../src/cli/text/review-text.js';
import { hostedScene, OPERATOR, onlyReview } from '../../helpers/shop/hosted.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

for (const engine of enginesOfTier) {
  test(`${engine}: near spellings of a bank reference that was credited are shown before and after approving`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock } = stage;
    await stage.bank(await stage.order(50_000), 'FT2611220102');
    const first = await stage.approve(await onlyReview(stage));
    t.deepEqual(first.looks_like, []);
    for (const spelling of [
      'FT-2611220102',
      'FT 2611 220102',
      'FT2611220102.',
      'FT26I122OiO2',
      'ft/26.11:22#0102',
    ]) {
      await stage.bank(await stage.order(50_000), spelling);
      const id = await onlyReview(stage);
      const shown = await showReview(core, id);
      t.deepEqual(
        shown.looks_like.map(({ reference, payment }) => [reference, payment]),
        [['FT2611220102', first.gateway_reference]],
        spelling,
      );
      const line = `Looks like FT2611220102, credited to payment ${first.gateway_reference} on `;
      t.true(reviewSheet(shown, clock.now()).some((one) => one.startsWith(line)));
      await stage.reject(id);
    }
    await stage.bank(await stage.order(50_000), 'FT-2611220102');
    const second = await stage.approve(await onlyReview(stage));
    t.is(second.payment_status, 'COMPLETED', 'the operator has looked');
    t.true(approvedLines(second).some((one) => one.startsWith('Looks like FT2611220102, ')));
  });

  test(`${engine}: another reference, and the reference that an operator corrects it to, are judged as what they are`, async (t) => {
    const stage = await hostedScene(t, engine);
    await stage.bank(await stage.order(50_000), 'FT2611220102');
    const first = await stage.approve(await onlyReview(stage));
    await stage.bank(await stage.order(50_000), 'FT2611220103');
    const id = await onlyReview(stage);
    t.deepEqual((await showReview(stage.core, id)).looks_like, []);
    const corrected = await stage.approve(id, { reference: 'FT 2611220102' });
    t.deepEqual(
      corrected.looks_like.map(({ payment }) => payment),
      [first.gateway_reference],
    );
  });

  test(`${engine}: an approval of an id that nothing here has seen says so, one of an SMS does not`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, shop, money } = stage;
    const word = { note: 'seen in the app', who: OPERATOR };
    const invented = await approvePayment(core, {
      payment: await stage.order(50_000),
      method: 'mfs_a',
      reference: 'DKM1000077',
      ...word,
    });
    t.true(invented.unseen);
    t.true(
      approvedLines(invented).includes('Kashbox has not seen this money: only your approval confirms it.'),
    );
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const seen = await approvePayment(core, {
      payment: await stage.order(50_000),
      method: 'mfs_a',
      reference: trxId,
      ...word,
    });
    t.false(seen.unseen);
    t.false(approvedLines(seen).some((line) => line.includes('Kashbox has not seen')));
    await stage.bank(await stage.order(50_000), 'FT2611220102');
    t.true((await stage.approve(await onlyReview(stage))).unseen, 'no machine sees money at a bank');
  });
}
