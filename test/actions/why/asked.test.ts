/** What else people ask `why` about: order numbers, e-mail addresses, missing SMS, money that came twice. */
import test, { type ExecutionContext } from 'ava';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { explainWhy } from '../../../src/actions/why/explain.js';
import { whyView } from '../../../src/cli/text/why-text.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const made = await scene(t, engine);
  const { core, shop, clock } = made;
  const why = async (asked: string) =>
    whyView(await explainWhy(core, { asked, sinceMs: clock.now() - 30 * DAY }), clock.now());
  /** The gateway reference of a session. */
  const numberOf = async (id: string) => (await why(id)).answers[0]?.payment?.gateway_reference ?? '';
  /** Claims under an id, as a customer's shop does. */
  const claim = (id: string, reference: string) => answer(core, shop, id, reference);
  return { ...made, why, numberOf, claim };
}

for (const engine of enginesOfTier) {
  test(`${engine}: the second transfer of a payer who has paid names the payment, and days later does not`, async (t) => {
    const { shop, clock, why, claim, money, numberOf } = await stage(t, engine);
    const order = await shop.order(50_000);
    const [first, second] = [money('500.00'), money('500.00')];
    await shop.receive(first.text, second.text);
    t.is(await claim(order, first.trxId), 'completed');
    const number = await numberOf(order);
    const [found] = (await why(second.trxId)).answers;
    t.is(found?.cause, 'unclaimed');
    t.true(
      found?.says.includes(
        `The same payer has paid this amount for payment ${number}, so probably paid twice.`,
      ),
    );
    t.notRegex(found?.says ?? '', /was claimed/);
    const [{ id } = { id: '' }] = found?.money ?? [];
    t.deepEqual(found?.next, [
      `kashbox payments show ${number}`,
      `kashbox refunds create ${second.trxId} --note "paid twice"`,
      `kashbox sms close ${id} --as other --note "WHY"`,
    ]);
    clock.advance(4 * DAY);
    const later = money('500.00');
    await shop.receive(later.text);
    t.notRegex((await why(later.trxId)).answers[0]?.says ?? '', /probably paid twice/);
  });

  test(`${engine}: an order number and an e-mail address find the payment, and parts of them do not`, async (t) => {
    const { core, shop, why } = await stage(t, engine);
    const open = (cusEmail: string, metaJson: string) =>
      createSession(core, {
        ...{ brand: shop.brand, hosted: null, cusName: 'Karim', amountPaisa: 9_900 },
        ...{ cusEmail, metaJson },
      });
    const one = await open('karim@example.com', '{"cart":{"order":"ORD-7781"}}');
    const other = await open('', '{"order":7782}');
    for (const asked of ['ord-7781', 'Karim@Example.com']) {
      t.deepEqual(
        (await why(asked)).answers.map(({ payment }) => payment?.id),
        [one.id],
        asked,
      );
    }
    t.deepEqual(
      (await why('7782')).answers.map(({ payment }) => payment?.id),
      [other.id],
    );
    t.is((await why('ORD-778')).answers[0]?.cause, 'never_seen');
  });

  test(`${engine}: an amount is found among the gaps of balances without a payment that asks for it`, async (t) => {
    const { core, shop, why, clock } = await stage(t, engine);
    await core.store.write((db) =>
      db.query
        .insertInto('sms_gaps')
        .values({
          ...{ id: 'gap_1', merchant_id: shop.merchantId, channel: 'mfs_a', recipient: WALLET },
          ...{ sms_id: 'sms_2', before_id: 'sms_1', missing_paisa: 114_000, since: clock.now() },
          ...{ found_at: clock.now() },
        })
        .execute(),
    );
    const { answers } = await why('1140');
    t.is(answers.length, 1);
    t.like(answers[0], {
      cause: 'missed_sms',
      payment: null,
      next: ['kashbox gaps list', 'kashbox devices list'],
    });
    t.regex(answers[0]?.says ?? '', /^The balances of 01711000001 show that Tk 1140\.00 came in/);
    t.is((await why('1141')).answers[0]?.cause, 'never_seen');
  });
}
