/**
 * What a customer was shown stays due: accounts that are replaced count for the payments that were open by
 * then.
 */
import test from 'ava';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { disableAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import type { Core } from '../../../src/actions/core/core.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import type { Channel } from '../../../src/domain/accounts/channels.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { hostedScene } from '../../helpers/shop/hosted.js';
import { MERCHANT_ID, payloadOf, printedObjects } from '../../helpers/shop/qr.js';
import { answer as answerFor, scene } from '../../helpers/shop/scene.js';
import { type Shop, WALLET } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const NEW = '01711000099';

/** As a request of now: the gate reads the brand each time. */
const answer = async (core: Core, shop: Shop, session: string, reference: string, method?: Channel) =>
  answerFor(core, { ...shop, brand: await brandContext(core, shop.brand.name) }, session, reference, method);

for (const engine of enginesOfTier) {
  test(`${engine}: money to the number that was shown pays, and replacing it reports its open payments`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const [early, alsoEarly] = [await shop.order(50_000), await shop.order(50_000)];
    clock.advance(10 * MINUTE);
    const account = { brand: shop.brand.name, channel: 'mfs_a', type: 'personal', number: NEW, who: 'test' };
    const { replaced } = await setAccount(core, account);
    t.like(replaced, { number: WALLET, open_payments: 2, until: '2026-08-21T13:35:00+06:00' });
    clock.advance(10 * MINUTE);
    const late = await shop.order(50_000);
    const [one, two] = [money('500.00'), money('500.00')];
    await shop.receive(one.text, two.text);
    t.is(await answer(core, shop, early, one.trxId), 'completed');
    t.is(
      await answer(core, shop, late, two.trxId),
      'proof_disagrees',
      'who was shown the new one pays there',
    );
    t.is(await answer(core, shop, alsoEarly, two.trxId), 'completed');
    t.is((await setAccount(core, account)).replaced, null, 'the same again replaces nothing');
  });

  test(`${engine}: an account that was disabled counts for what was opened before`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const early = await shop.order(50_000);
    clock.advance(5 * MINUTE);
    const [account] = await listAccounts(core, { disabledToo: false });
    await disableAccount(core, { id: account?.id ?? '', who: 'test' });
    clock.advance(1);
    const late = await shop.order(50_000);
    const [one, two] = [money('500.00'), money('500.00')];
    await shop.receive(one.text, two.text);
    t.is(await answer(core, shop, late, two.trxId), 'proof_disagrees');
    t.is(await answer(core, shop, early, one.trxId), 'completed');
  });

  test(`${engine}: a code that is replaced is believed of payments that showed it`, async (t) => {
    const { clock, core, shop } = await scene(t, engine);
    const bank = await openBank(core, shop);
    const [one, two] = [await bank.order(), await bank.order()];
    clock.advance(5 * MINUTE);
    const [before] = (await listAccounts(core, { disabledToo: false })).filter(
      ({ channel }) => channel === 'qr_interbank',
    );
    const other = printedObjects.map((object) =>
      object.id === '59' ? { id: '59', value: 'DOKAN & SONS' } : object,
    );
    const code = { brand: shop.brand.name, channel: 'qr_interbank', who: 'test' };
    const renewed = await setAccount(core, { ...code, details: { qr: payloadOf(other) } });
    t.is(renewed.id, before?.id ?? '', 'the same number is the same account');
    await bank.push({ merchant: MERCHANT_ID });
    t.is(await bank.verify(one.id, PAYER), 'RRN000000001');
    await disableAccount(core, { id: renewed.id, who: 'test' });
    await bank.push({ merchant: MERCHANT_ID });
    t.is(await bank.verify(two.id, PAYER), 'RRN000000002');
    clock.advance(5 * MINUTE);
    const late = await bank.order();
    t.is(await answer(core, shop, late.id, PAYER, 'qr_interbank'), 'method_unavailable');
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: the checkout page takes an id on an account that it showed before`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { clock, core, money, order, claim, shop } = stage;
    const [id, other] = [await order(50_000), await order(50_000)];
    clock.advance(5 * MINUTE);
    for (const { id: account } of await listAccounts(core, { disabledToo: false })) {
      await disableAccount(core, { id: account, who: 'test' });
    }
    clock.advance(5 * MINUTE);
    const { trxId, text } = money('500.00');
    t.is(await claim(id, trxId), 'waiting');
    await shop.receive(text);
    t.is((await loadCheckout(core, id))?.state, 'completed');
    t.is(await stage.bank(other, 'FT100'), 'under_review', 'the bank account was shown, too');
    const late = await order(50_000);
    t.is(await claim(late, money('500.00').trxId), 'over');
  });
}
