/** Two messages that a forwarder joined in one text: neither is taken, whoever claims one meets a person. */
import test from 'ava';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

for (const engine of engines) {
  test(`${engine}: a claim on one of two messages in one SMS goes to review`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [mine, other] = [money('500.00'), money('750.00')];
    const early = await shop.order(50_000);
    t.is(await answer(core, shop, early, mine.trxId), 'transaction_not_found');
    await shop.receive(`${mine.text} ${other.text}`);
    t.is(await answer(core, shop, early, mine.trxId), 'under_review', 'the claim that waited');
    t.is(await answer(core, shop, await shop.order(75_000), other.trxId), 'under_review', 'a later one');
    const reviews = await rows(core, 'reviews');
    t.deepEqual(
      reviews.map((review) => `${review.reference} ${review.reason}`).sort(),
      [`${mine.trxId} sms_doubtful`, `${other.trxId} sms_doubtful`].sort(),
    );
    t.is((await rows(core, 'transactions')).length, 0);
    t.is((await listSms(core, { limit: 5 })).length, 1, 'one text is one line, however many ids it names');
  });

  test(`${engine}: an id that a payer typed into the reference credits nobody by itself`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const stolen = money('500.00');
    const trap = money('1.00', { ref: `TrxID ${stolen.trxId}` });
    await shop.receive(trap.text);
    const victim = await shop.order(50_000);
    t.not(await answer(core, shop, victim, stolen.trxId), 'completed');
    t.is((await rows(core, 'transactions')).length, 0);
  });
}
