/** What a shop hears that asks again about a payment that is completed: its own money, and any other. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import {
  findCreditedMoney,
  refusalOfOther,
  toCreditedMoney,
} from '../../../src/actions/settlement/credit-proof.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

for (const engine of engines) {
  test(`${engine}: a payment by SMS knows its own reference on its own channel, and no other`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const account = { channel: 'mfs_b', type: 'personal', number: WALLET, who: 'test' };
    await setAccount(core, { brand: shop.brand.name, ...account });
    const [own, others] = [money('500.00'), money('500.00')];
    await shop.receive(own.text, others.text);
    const [session, other] = [await shop.order(50_000), await shop.order(50_000)];
    t.is(await answer(core, shop, session, own.trxId), 'completed');
    t.is(await answer(core, shop, session, own.trxId.toLowerCase()), 'completed');
    t.is(await answer(core, shop, session, others.trxId), 'session_completed', 'that money is free');
    t.is(await answer(core, shop, other, others.trxId), 'completed');
    t.is(await answer(core, shop, session, others.trxId), 'already_credited', 'and now it is spent');
    t.is(await answer(core, shop, session, '7NAGAD12', 'mfs_b'), 'session_completed');
    const credited = { id: session, credited_channel: 'mfs_a', credited_reference: own.trxId } as const;
    const by = (...[channel, reference]: [Parameters<typeof findCreditedMoney>[2], string | null]) =>
      core.store.read((db) => findCreditedMoney(db, credited, channel, reference));
    t.deepEqual(await by('mfs_a', own.trxId), { reference: own.trxId, units: null, receiver: null });
    t.is(await by('mfs_b', own.trxId), null);
    t.is(await by('mfs_a', null), null);
    t.is(await by('mfs_a', others.trxId), null);
    const nothing = { ...credited, credited_reference: null };
    t.is(await core.store.read((db) => findCreditedMoney(db, nothing, 'mfs_a', own.trxId)), null);
    const refused = (reference: string | null) =>
      core.store.read((db) =>
        refusalOfOther(db, { ...credited, merchant_id: shop.merchantId }, 'mfs_a', reference),
      );
    t.is(await refused(null), 'session_completed');
    t.is(await refused(own.trxId), 'session_completed', 'its own money is spent on nothing else');
    t.is(await refused(others.trxId), 'already_credited');
  });

  test(`${engine}: a payment by QR knows its payer, its bank's reference and its own code`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const bank = await openBank(core, shop);
    const [byPayer, byCode, other] = [await bank.order(), await bank.order(), await bank.order()];
    await bank.push({ reference: 'R1' });
    t.is(await bank.verify(byPayer.id, PAYER), 'R1');
    t.is(await bank.verify(byPayer.id, '5678'), 'R1');
    t.is(await bank.verify(byPayer.id, '01899999999'), 'session_completed');
    await bank.push({ reference: 'R2', bill: byCode.gatewayReference, payer: '01811111111' });
    t.is(await bank.verify(byCode.id, '01899999999'), 'R2', 'its own code was scanned: any number is fine');
    const credited = { id: byCode.id, credited_channel: 'qr_interbank', credited_reference: 'R2' } as const;
    const by = (reference: string | null) =>
      core.store.read((db) => findCreditedMoney(db, credited, 'qr_interbank', reference));
    t.deepEqual(await by('R2'), { reference: 'R2', units: null, receiver: null });
    t.is(await by(null), null, 'who names nothing is told nothing');
    await bank.push({ reference: 'R3', payer: undefined, bill: other.gatewayReference });
    t.is(await bank.verify(other.id, '01899999999'), 'R3', 'a bank that shows no payer');
  });
}

test('only what is counted in units has a receiver', (t) => {
  const proof = { id: 'p', channel: 'bep20', reference: '0x1', scope: '56', recipient: '0xabc' } as const;
  t.deepEqual(toCreditedMoney({ ...proof, units: '5' }), { reference: '0x1', units: '5', receiver: '0xabc' });
  t.deepEqual(toCreditedMoney(proof), { reference: '0x1', units: null, receiver: null });
  t.deepEqual(toCreditedMoney({ ...proof, units: null, recipient: null }).receiver, null);
});
