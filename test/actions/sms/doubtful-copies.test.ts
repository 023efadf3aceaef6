/** An SMS that is in doubt, and another that says the same of that money and is in none. */
import test from 'ava';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

/** What apps that hand SMS on make of one, and what is wrong with it. */
const SPOILT: Record<string, (text: string, trxId: string) => { text: string; sender?: string }> = {
  'a mark of the SIM before it': (text) => ({ text: `[SIM1] ${text}` }),
  'the short code as its sender': (text) => ({ text, sender: '16247' }),
  'its id in small letters': (text, trxId) => ({ text: text.replace(trxId, trxId.toLowerCase()) }),
  'itself behind it': (text) => ({ text: `${text}\n${text}` }),
};

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const { core, shop, money, clock } = await scene(t, engine);
  let next = 0;
  const receive = async (body: string, { sender = 'bKash', slot = 1 } = {}) => {
    next += 1;
    const messages = [{ id: `m${next}`, sender, body, sim_slot: slot }];
    return (await syncDevice(core, { device: shop.device, messages, health: null })).results[0]?.state;
  };
  const reviews = async () => await rows(core, 'reviews');
  return { core, shop, money, clock, receive, reviews };
}

for (const engine of engines) {
  for (const [what, spoil] of Object.entries(SPOILT)) {
    test(`${engine}: money whose SMS came with ${what} settles when the clean SMS comes`, async (t) => {
      const { core, shop, money, receive, reviews } = await stage(t, engine);
      const { trxId, text } = money('500.00');
      const spoilt = spoil(text, trxId);
      t.is(await receive(spoilt.text, spoilt), 'stored');
      const asked = await shop.order(50_000);
      t.is(await answer(core, shop, asked, trxId), 'under_review');
      t.is(await receive(text), 'stored');
      t.like(await showPayment(core, asked), { status: 'COMPLETED', transaction_id: trxId });
      t.deepEqual(
        (await reviews()).map(({ state }) => state),
        ['APPROVED'],
      );
      t.is(await answer(core, shop, await shop.order(50_000), trxId), 'already_credited');
    });

    test(`${engine}: a claim after both SMS is credited at once, with ${what} or not`, async (t) => {
      const { core, shop, money, receive } = await stage(t, engine);
      const { trxId, text } = money('500.00');
      const spoilt = spoil(text, trxId);
      await receive(spoilt.text, { ...spoilt, slot: 2 });
      await receive(text);
      t.is(await answer(core, shop, await shop.order(50_000), trxId), 'completed');
      await receive(`${spoilt.text} `, spoilt);
      t.is((await rows(core, 'transactions')).length, 1);
    });
  }

  test(`${engine}: another amount resolves no doubt, and neither does another doubtful SMS`, async (t) => {
    const { core, shop, money, receive } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await receive(`[SIM1] ${text}`);
    await receive(`[SIM2] ${text}`);
    await receive(money('900.00', { trxId }).text);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'under_review');
    t.is(await answer(core, shop, await shop.order(90_000), trxId), 'proof_disagrees');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: words that may reverse the money need manual review, whatever SMS follows`, async (t) => {
    const { core, shop, money, receive } = await stage(t, engine);
    const said = [
      '. This transaction has been reversed.',
      '. It has been grabbed.',
      ' [not real]',
      `\n${money('900.00').text}`,
    ];
    for (const words of said) {
      const { trxId, text } = money('500.00');
      await receive(`${text}${words}`);
      await receive(text);
      t.is(await answer(core, shop, await shop.order(50_000), trxId), 'under_review', words);
    }
    const { trxId, text } = money('500.00');
    await receive(`Not yet yours: ${text}`);
    await receive(text);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'under_review');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: money decided in a review always needs manual review`, async (t) => {
    const { core, shop, money, receive, reviews } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await receive(`[SIM1] ${text}`);
    await answer(core, shop, await shop.order(50_000), trxId);
    const [review] = await reviews();
    await rejectReview(core, { id: review?.id ?? '', who: 'test', note: 'not in the app' });
    await receive(text);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'under_review');
    t.is((await rows(core, 'transactions')).length, 0);
  });
}
