/** What `why` says of refunds, of payments in parts, of transfers and of money that was paid twice. */
import test, { type ExecutionContext } from 'ava';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { showReview } from '../../../src/actions/reviews/list-reviews.js';
import { listUnclaimed } from '../../../src/actions/upkeep/load-dashboard.js';
import { explainWhy } from '../../../src/actions/why/explain.js';
import { whyView } from '../../../src/cli/text/why-text.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { idIn, MINUTE, till } from '../../helpers/shop/balance-till.js';
import { answer, rows } from '../../helpers/shop/scene.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const [PAYER, OTHER] = ['01711000081', '01711000099'];
const note = 'Out of stock';

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const made = await till(t, engine);
  const { core, clock } = made;
  const why = async (text: string) => {
    const { answers } = whyView(await explainWhy(core, { asked: text, sinceMs: 0 }), clock.now());
    t.is(answers.length, 1, text);
    return answers[0];
  };
  return { ...made, why };
}

for (const engine of enginesOfTier) {
  test(`${engine}: a refund is said with its payment and with its transfer, before and after it is sent`, async (t) => {
    const { core, shop, paid, sent, why, clock } = await stage(t, engine);
    const text = paid(50_000, 1);
    await shop.receive(text);
    const order = await shop.order(50_000);
    t.is(await answer(core, shop, order, idIn(text)), 'completed');
    const [{ id } = { id: '' }] = await createRefund(core, {
      of: order,
      amountPaisa: 25_000,
      note,
      who: 'test',
    });
    const pending = await why(order);
    t.regex(
      pending?.says ?? '',
      /^It is credited: .* A refund is waiting: send Tk 250\.00 by bKash to 01711000081\.$/,
    );
    t.is(pending?.next.at(-1), `kashbox refunds show ${id}`);
    clock.advance(10 * MINUTE);
    const [back, other] = [sent(25_000, 35, PAYER), sent(1_000, 36, OTHER)];
    await shop.receive(back, other);
    const done = await why(order);
    t.true(done?.says.endsWith(`Tk 250.00 was sent back to ${PAYER} as ${idIn(back)}.`), done?.says);
    t.like(done?.refunds[0], { id, state: 'COMPLETED', amount: '250.00', payee: PAYER });
    const own = await why(idIn(back));
    t.is(own?.cause, 'sent');
    t.regex(
      own?.says ?? '',
      /^Tk 250\.00 was sent to 01711000081 at .*: it completed a refund of payment \w+\.$/,
    );
    t.deepEqual(own?.next, [`kashbox refunds show ${id}`]);
    const none = await why(idIn(other));
    t.regex(none?.says ?? '', /and completed no refund\. No refund of this sum was pending\.$/);
    t.is(none?.next[0], 'kashbox refunds list --pending');
    // The same for money that paid for nothing: it is closed while it goes back.
    const unclaimed = paid(7_000, 37);
    await shop.receive(unclaimed);
    const [free] = await createRefund(core, { of: idIn(unclaimed), note, who: 'test' });
    const closed = await why(idIn(unclaimed));
    t.true(closed?.says.endsWith(`A refund is waiting: send Tk 70.00 by bKash to ${PAYER}.`), closed?.says);
    t.deepEqual(closed?.next, [`kashbox refunds show ${free?.id}`]);
  });

  test(`${engine}: a payment in parts says what came and what is due, and whose the money is after its end`, async (t) => {
    const { core, shop, paid, why, clock } = await stage(t, engine);
    const [first, second] = [paid(30_000, 1), paid(30_000, 2)];
    await shop.receive(first, second);
    const order = await shop.order(100_000, true);
    t.is(await answer(core, shop, order, idIn(first)), 'part');
    const part = await why(order);
    t.like(part, { cause: 'paid_in_part', payment: { paid: '300.00', due: '700.00' } });
    const came = `It was paid in parts: Tk 300.00 by mfs_a ${idIn(first)}. Tk 700.00 of Tk 1000.00`;
    t.is(part?.says, `${came} is due.`);
    // Money of the same payer is the next part rather than paid twice.
    const next = await why(idIn(second));
    t.regex(next?.says ?? '', /of which a rest is due: this may be its next part\./);
    clock.advance(30 * 60 * MINUTE);
    const over = await why(order);
    t.true(
      over?.says.startsWith(`${came} was not paid. The money is the customer's. The payment has expired`),
    );
    const named = over?.payment?.gateway_reference;
    t.is(over?.next.at(-1), `kashbox refunds create ${named} --note "WHY"`);
  });

  test(`${engine}: money of a payer who has paid already is marked in the review and on the dashboard`, async (t) => {
    const { core, shop, paid, clock } = await stage(t, engine);
    const [first, second, other] = [paid(50_000, 1), paid(50_000, 2), paid(50_000, 3, OTHER)];
    await shop.receive(first, second, other);
    const order = await shop.order(50_000);
    t.is(await answer(core, shop, order, idIn(first)), 'completed');
    const { latest } = await listUnclaimed(core, 9);
    const [payment] = latest.flatMap(({ paid_before }) => (paid_before === null ? [] : [paid_before]));
    t.deepEqual(
      latest.map(({ reference, paid_before }) => [reference, paid_before]),
      [
        [idIn(other), null],
        [idIn(second), payment],
      ],
    );
    const { answers } = whyView(await explainWhy(core, { asked: payment ?? '', sinceMs: 0 }), clock.now());
    t.like(answers, [{ cause: 'credited' }, { money: [{ reference: idIn(second) }] }]);
    t.regex(answers[1]?.says ?? '', /so probably paid twice\./);
    // More than is due goes to a review.
    t.is(await answer(core, shop, await shop.order(40_000), idIn(second)), 'under_review');
    const [{ id } = { id: '' }] = await rows(core, 'reviews');
    const { facts } = await showReview(core, id);
    const fact = facts.find(({ code }) => code === 'paid_before');
    // A regular customer may buy the same again: it keeps nobody from approving.
    t.is(fact?.level, 'caution');
    t.regex(
      fact?.text ?? '',
      new RegExp(`^The same payer has paid this amount for payment ${payment} already`),
    );
  });
}
