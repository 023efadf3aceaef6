/** Decisions that are taken at the same moment: money is credited once, and nothing stays in between. */
import test from 'ava';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { codeOf, hostedScene, onlyReview, pngOf } from '../../helpers/shop/hosted.js';
import { rows } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const count = (words: readonly string[], word: string) => words.filter((one) => one === word).length;

for (const engine of engines) {
  test(`${engine}: of twenty concurrent approvals one credits, and the others fail as already decided`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    await stage.bank(id, 'FT1');
    const review = await onlyReview(stage);
    const answers = await Promise.all(Array.from({ length: 20 }, () => codeOf(stage.approve(review))));
    t.is(count(answers, 'done'), 1);
    t.is(count(answers, 'state_refused'), 19);
    t.is((await rows(stage.core, 'transactions')).length, 1);
    t.is((await rows(stage.core, 'proofs')).length, 1);
  });

  test(`${engine}: two payments that claim one SMS are credited once, whoever approves first`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { text } = stage.money('501.00');
    await stage.shop.receive(text);
    const ids = [await stage.order(50_000), await stage.order(50_000)];
    for (const id of ids) t.is(await stage.claim(id, text), 'under_review');
    const reviews = await stage.open();
    const answers = await Promise.all(reviews.map((review) => codeOf(stage.approve(review.id))));
    t.deepEqual(answers.sort(), ['already_credited', 'done']);
    t.is((await rows(stage.core, 'transactions')).length, 1);
    const left = await onlyReview(stage);
    t.is((await stage.reject(left)).payment_status, 'FAILED');
  });

  test(`${engine}: one bank reference in two payments is credited once when both are approved at once`, async (t) => {
    const stage = await hostedScene(t, engine);
    const ids = [await stage.order(50_000), await stage.order(50_000)];
    for (const id of ids) await stage.bank(id, 'FT1');
    const reviews = await stage.open();
    const answers = await Promise.all(reviews.map((review) => codeOf(stage.approve(review.id))));
    t.deepEqual(answers.sort(), ['already_credited', 'done']);
    t.is((await rows(stage.core, 'transactions')).length, 1);
  });

  test(`${engine}: two claims of one payment that are rejected at once leave it failed`, async (t) => {
    const stage = await hostedScene(t, engine);
    for (let round = 0; round < 5; round += 1) {
      const id = await stage.order(50_000);
      await stage.bank(id, `FTA${round}`);
      await stage.bank(id, `FTB${round}`);
      const reviews = await stage.open();
      const answers = await Promise.all(reviews.map((review) => codeOf(stage.reject(review.id))));
      t.deepEqual(answers, ['done', 'done']);
      t.like(await showPayment(stage.core, id), { status: 'FAILED', reason: 'rejected' });
    }
  });

  test(`${engine}: an approval and a rejection at once end in one of the two, whole`, async (t) => {
    const stage = await hostedScene(t, engine);
    for (let round = 0; round < 5; round += 1) {
      const id = await stage.order(50_000);
      await stage.bank(id, `FTC${round}`);
      const review = await onlyReview(stage);
      const [approved, rejected] = await Promise.all([
        codeOf(stage.approve(review)),
        codeOf(stage.reject(review)),
      ]);
      t.deepEqual([approved, rejected].sort(), ['done', 'state_refused']);
      const { status } = await showPayment(stage.core, id);
      t.is(status, approved === 'done' ? 'COMPLETED' : 'FAILED');
    }
  });

  test(`${engine}: money by SMS and an approval at once complete the payment once`, async (t) => {
    const stage = await hostedScene(t, engine);
    for (let round = 0; round < 3; round += 1) {
      const id = await stage.order(50_000);
      await stage.bank(id, `FTD${round}`);
      const review = (await stage.open()).find((one) => one.payment === id)?.id ?? '';
      const { text } = stage.money('500.00');
      await stage.shop.receive(text);
      await Promise.all([codeOf(stage.approve(review)), stage.claim(id, text)]);
      t.is((await showPayment(stage.core, id)).status, 'COMPLETED');
      t.is((await rows(stage.core, 'transactions')).length, round + 1);
    }
  });

  test(`${engine}: the same form sent six times at once is one claim, and no more than five are taken`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    const same = await Promise.all(Array.from({ length: 6 }, () => stage.bank(id, 'FT1', pngOf(1_000))));
    t.deepEqual(new Set(same), new Set(['under_review']));
    t.is((await rows(stage.core, 'reviews')).length, 1);
    const others = await Promise.all(Array.from({ length: 8 }, (_, at) => stage.bank(id, `OTHER${at}`)));
    t.is(count(others, 'under_review'), 4);
    t.is(count(others, 'too_many_attempts'), 4);
  });
}
