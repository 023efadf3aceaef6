/** Forgeries, money in doubt, money that a person decides on: what is said before anybody approves. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { sendToSeller } from '../../../src/actions/claims/send-to-seller.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { explainWhy } from '../../../src/actions/why/explain.js';
import { whyLines, whyView } from '../../../src/cli/text/why-text.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { hostedOrder } from '../../helpers/shop/hosted.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;
const CHEAT = '01799999999';

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const made = await scene(t, engine);
  const { core, shop, clock } = made;
  const why = async (asked: string) =>
    whyView(await explainWhy(core, { asked, sinceMs: clock.now() - 30 * DAY }), clock.now());
  const numberOf = async (id: string) => (await why(id)).answers[0]?.payment?.gateway_reference ?? '';
  const claim = (id: string, reference: string) => answer(core, shop, id, reference);
  const take = (sender: string, text: string, recipient = WALLET, merchant = shop.merchantId) =>
    addSms(core, { merchant, recipient, sender, text, who: 'test' });
  const onlyReview = async () => (await listReviews(core, { state: 'OPEN', limit: 9 }))[0]?.id ?? '';
  return { ...made, why, numberOf, claim, take, onlyReview };
}

/** Real in shape, and of another day than the text says, so that only a person may believe it. */
const DOUBTED = 'DHK4TYP001';

for (const engine of enginesOfTier) {
  test(`${engine}: a forgery is reported with its sender and never proposed for approval`, async (t) => {
    const { why, claim, take, money, shop } = await stage(t, engine);
    const { trxId, text } = money('78.00');
    await take(CHEAT, text);
    const [alone] = (await why(trxId.toLowerCase())).answers;
    t.is(alone?.cause, 'no_money');
    t.regex(
      alone?.says ?? '',
      new RegExp(`An SMS with ${trxId} came at 20.* from ${CHEAT} and is a forgery`),
    );
    t.regex(alone?.says ?? '', /it imitates a text of bKash\. This may be fraud\./);
    t.like(alone?.money[0], { kind: 'spoofed', sender: CHEAT, settle: 'never', reference: trxId });
    t.regex(alone?.next.join() ?? '', /^kashbox sms show sms_\w+$/);

    const order = await shop.order(7_800);
    t.is(await claim(order, trxId), 'transaction_not_found');
    for (const asked of [trxId, order]) {
      const { answers } = await why(asked);
      t.is(answers.length, 1, asked);
      t.like(answers[0], { cause: 'no_money', payment: { id: order } }, asked);
      t.true(answers[0]?.says.includes(`from ${CHEAT} and is a forgery`), asked);
      t.regex(answers[0]?.next[0] ?? '', /^kashbox sms show sms_/);
      t.false(
        answers[0]?.next.some((line) => line.includes('approve')),
        asked,
      );
    }
    t.regex(whyLines(await why(order)).join('\n'), /no money: a forgery/);
  });

  test(`${engine}: a claim on a forged SMS that is under review is proposed for rejection`, async (t) => {
    const { core, why, claim, take, money, shop, clock, onlyReview } = await stage(t, engine);
    const { trxId, text } = money('78.00');
    await take(CHEAT, text);
    const order = await shop.link(7_800);
    await claim(order, trxId);
    clock.advance(120_000);
    await sendToSeller(core, { sessionId: order, channel: 'mfs_a', text: trxId, note: '' });
    const review = await onlyReview();
    const [found] = (await why(trxId)).answers;
    t.is(found?.cause, 'under_review');
    t.regex(found?.says ?? '', /^It waits for your decision: customer asks\. An SMS with .* is a forgery/);
    t.deepEqual(
      found?.next.map((line) => line.split(' ').slice(1, 3).join(' ')),
      ['verifications show', 'sms show', 'verifications reject'],
    );
    t.true(found?.next[2]?.includes(review));
  });

  test(`${engine}: money that came counts more than a forgery that repeats its id, or a customer who asks`, async (t) => {
    const { why, claim, take, money, shop } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await take(CHEAT, text.replace('500.00', '5000.00'));
    await shop.receive(text);
    t.is((await why(trxId)).answers[0]?.cause, 'unclaimed');
    const asked = money('60.00');
    await take(CHEAT, `Bhai, I sent it, my id is ${asked.trxId}, please look`);
    const order = await shop.order(6_000);
    await claim(order, asked.trxId);
    const [found] = (await why(asked.trxId)).answers;
    t.is(found?.cause, 'not_seen');
    t.is(found?.money[0]?.sender, CHEAT);
    t.regex(found?.next.join() ?? '', /verifications approve/);
  });

  test(`${engine}: forgeries on the phones of other merchants explain nothing`, async (t) => {
    const { core, why, claim, take, money, shop } = await stage(t, engine);
    const other = await openShop(core, 'Other Store', '01711000055');
    await shop.receive();
    const { trxId, text } = money('500.00');
    await take(CHEAT, text, '01711000055', other.merchantId);
    const order = await shop.order(50_000);
    await claim(order, trxId);
    t.is((await why(order)).answers[0]?.cause, 'not_seen');
  });

  test(`${engine}: flags suspicious money or money on a number of another brand, and says to check it first`, async (t) => {
    const { why, money, shop, take, numberOf } = await stage(t, engine);
    await take('bKash', money('250.00', { trxId: DOUBTED }).text, '01711000077');
    const order = await shop.order(25_000);
    const number = await numberOf(order);
    const [unclaimed] = (await why(DOUBTED)).answers;
    const [same] = (await why(order)).answers;
    t.deepEqual([unclaimed?.cause, same?.cause], ['unclaimed', 'same_amount']);
    for (const found of [unclaimed, same]) {
      t.regex(found?.says ?? '', /The SMS is suspicious: .*Compare it with the wallet's own app\./);
      t.true(
        found?.says.includes(
          'It was received on 01711000077, and Alo Store receives bKash payments on 01711000001.',
        ),
      );
      t.regex(found?.next[0] ?? '', /^kashbox sms show sms_/);
      t.true(found?.next[1]?.startsWith(`kashbox verifications approve ${number} `), found?.next.join());
      t.true((found?.money[0]?.doubts ?? []).length > 0);
      t.is(found?.money[0]?.settle, 'review');
    }
    t.regex(whyLines(await why(order)).join('\n'), /unclaimed, needs review/);
    // Of two that fit, the one that nobody doubts.
    const good = money('250.00');
    await shop.receive(good.text);
    const [better] = (await why(order)).answers;
    t.true(better?.next[0]?.includes(`--reference=${good.trxId}`), better?.next.join());
    t.false(better?.says.includes('doubt'));
  });

  test(`${engine}: of payments of the same amount those are named that are paid on the number of the money`, async (t) => {
    const { core, why, money, shop, numberOf } = await stage(t, engine);
    const who = 'test';
    await createBrand(core, { merchant: 'Alo Store', name: 'Second', who });
    await setAccount(core, {
      brand: 'Second',
      channel: 'mfs_a',
      type: 'personal',
      number: '01711000088',
      who,
    });
    await hostedOrder(core, 'Second', 25_000);
    const own = await shop.order(25_000);
    const paid = money('250.00');
    await shop.receive(paid.text);
    const [found] = (await why(paid.trxId)).answers;
    t.deepEqual(found?.next, [
      `kashbox verifications approve ${await numberOf(own)} --channel mfs_a --reference=${paid.trxId} --note "WHY"`,
    ]);
    t.false(found?.says.includes('It was received'));
  });

  test(`${engine}: promotional SMS are not shown as evidence, and the relevant money is printed first`, async (t) => {
    const { why, money, shop, take, clock } = await stage(t, engine);
    const order = await shop.order(26_000);
    const paid = money('260.00');
    await shop.receive(paid.text);
    for (let n = 1; n <= 5; n += 1) {
      clock.advance(1000);
      await take('GP', `GP: Enjoy 5GB at 5${n} taka, dial *121#`);
      await take('bKash', `Eid Mubarak from all of us at number ${n}! New services wait.`);
    }
    const view = await why(order);
    t.is(view.answers[0]?.cause, 'same_amount');
    t.deepEqual(
      view.answers[0]?.money.filter(({ channel }) => channel === null),
      [],
    );
    const first = whyLines(view).find((line) => line.includes('Money'));
    t.true(first?.includes(`Tk 260.00, ${paid.trxId}`), first);
  });

  test(`${engine}: money under review is never reported as unclaimed, whatever the query`, async (t) => {
    const { core, why, claim, money, shop, onlyReview } = await stage(t, engine);
    const order = await shop.order(25_000);
    await shop.order(25_000);
    await shop.order(51_000);
    await shop.receive(money('250.00', { trxId: DOUBTED }).text);
    t.is(await claim(order, DOUBTED), 'under_review');
    for (const asked of ['250', DOUBTED, '01900000001', order]) {
      const { answers } = await why(asked);
      t.like(answers[0], { cause: 'under_review', payment: { id: order } }, asked);
      t.regex(answers[0]?.says ?? '', /The SMS is suspicious: /, asked);
      t.deepEqual(
        answers[0]?.next.map((line) => line.split(' ').slice(1, 3).join(' ')),
        ['verifications show', 'sms show', 'verifications approve', 'verifications reject'],
      );
      t.false(
        answers.some(({ cause }) => cause === 'unclaimed'),
        asked,
      );
      t.false(answers.some(({ says }) => says.includes('no payment uses it') && says.includes(DOUBTED)));
    }
    // Its amount is another one than that of its payment.
    await approveReview(core, { id: await onlyReview(), note: 'seen', who: 'test' });
    const [more, over] = [await shop.order(50_000), money('510.00')];
    await shop.receive(over.text);
    t.is(await claim(more, over.trxId), 'under_review');
    const { answers } = await why('510');
    t.like(answers[0], { cause: 'under_review', payment: { id: more } });
    t.false(answers.some(({ cause }) => cause === 'unclaimed'));
  });

  test(`${engine}: an id that was claimed in vain comes before the payment that other money has paid`, async (t) => {
    const { why, claim, money, shop, numberOf } = await stage(t, engine);
    const order = await shop.order(50_000);
    const [less, right] = [money('390.00'), money('500.00')];
    await shop.receive(less.text, right.text);
    await claim(order, less.trxId);
    t.is(await claim(order, right.trxId), 'completed');
    const number = await numberOf(order);
    const { answers } = await why(less.trxId);
    t.deepEqual(
      answers.map(({ cause }) => cause),
      ['unclaimed', 'credited'],
    );
    t.regex(answers[0]?.says ?? '', /^Tk 390\.00 .* and has paid nothing\. It was claimed for payment /);
    t.true(answers[0]?.says.includes(number));
    t.true(answers[1]?.says.includes(`${less.trxId} was also claimed for it, but has not paid it.`));
    t.is((await why(right.trxId)).answers[0]?.cause, 'credited');

    const near = `${less.trxId.slice(0, -1)}X`;
    const mistyped = (await why(near)).answers;
    t.is(mistyped[0]?.cause, 'unclaimed');
    for (const { says } of mistyped)
      t.regex(says, new RegExp(`^Kashbox does not know ${near}; ${less.trxId} is nearly the same\\.`));
    t.false((await why('390')).answers.some(({ says }) => says.includes('nearly the same')));
  });
}
