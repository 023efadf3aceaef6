/** Acquirers whose map, signature or addresses are mended, and references that two of them gave out. */
import test, { type ExecutionContext } from 'ava';
import { createAcquirer, revokeAcquirer, updateAcquirer } from '../../../src/actions/acquirers/acquirers.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { rows } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';

async function scene(t: ExecutionContext<unknown>, engine: Engine) {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  const bank = await openBank(core, shop);
  const update = (change: object) =>
    updateAcquirer(core, { acquirer: bank.acquirer.id, who: 'test', ...change });
  return { core, shop, bank, update };
}

const lastAudit = async (core: Parameters<typeof rows>[0]) => {
  const all = (await rows(core, 'audit')).flatMap((row) => ('action' in row ? [row] : []));
  return all.filter(({ action }) => action === 'acquirer.update').at(-1);
};

for (const engine of enginesOfTier) {
  test(`${engine}: a map that is mended is read by from the next push on, with the key and secret of before`, async (t) => {
    const { core, bank, update } = await scene(t, engine);
    const map = { reference: 'tran', amount: 'total' };
    const view = await update({ map });
    t.like(view.map, { ...map, payer: null, status: null });
    const { map: _old, ...others } = bank.acquirer;
    t.like(view, others, 'all else stays');
    t.is((await bank.take('{"tran":"T1","total":500}')).state, 'stored');
    const audit = await lastAudit(core);
    t.like(audit, { subject: bank.acquirer.id, who: 'test' });
    t.regex(audit?.after ?? '', /tran/);
    t.regex(audit?.before ?? '', /SUCCESS/);
    t.false(`${audit?.before}${audit?.after}`.includes('secret'));
  });

  test(`${engine}: fields not given stay unchanged, and equal values are not written`, async (t) => {
    const { core, bank, update } = await scene(t, engine);
    await update({ signatureHeader: 'X-Bank', signaturePrefix: 'v1=' });
    const view = await update({ signatureEncoding: 'base64', allowIps: ['192.0.2.1'] });
    t.deepEqual(view.signature, { header: 'x-bank', encoding: 'base64', prefix: 'v1=' });
    t.deepEqual(view.allow_ips, ['192.0.2.1']);
    t.deepEqual(view.map, bank.acquirer.map);
    const before = (await rows(core, 'audit')).length;
    t.deepEqual(await update({ allowIps: ['192.0.2.1'], auth: 'hmac' }), view);
    t.is((await rows(core, 'audit')).length, before);
    t.deepEqual((await update({ allowIps: [] })).allow_ips, []);
    await t.throwsAsync(update({}), { code: 'invalid_input', message: 'Nothing to change was given' });
  });

  test(`${engine}: rules that would not hold together are refused, and nothing is changed`, async (t) => {
    const { core, shop, bank, update } = await scene(t, engine);
    await t.throwsAsync(update({ auth: 'ip' }), { message: 'allow-ip is missing' });
    await t.throwsAsync(update({ auth: 'basic', signaturePrefix: 'v1=' }), { code: 'invalid_input' });
    await t.throwsAsync(update({ map: { amount: 'a' } }), { message: /^The map is not valid: reference/ });
    await createAcquirer(core, { merchant: shop.merchantId, name: 'other', auth: 'hmac', who: 'test' });
    await t.throwsAsync(update({ name: 'other' }), { code: 'already_exists' });
    t.is((await update({ name: 'City Bank' })).name, 'City Bank');
    t.deepEqual((await update({ allowIps: ['0.0.0.0/0'] })).allow_ips, ['0.0.0.0/0'], 'beside a signature');
    await t.throwsAsync(update({ auth: 'ip' }), { message: /^allow-ip 0\.0\.0\.0\/0 is too wide/ });
    t.deepEqual((await update({ auth: 'ip', allowIps: ['192.0.2.1'] })).signature, null);
    await t.throwsAsync(update({ allowIps: [] }), { message: 'allow-ip is missing' });
    await revokeAcquirer(core, { acquirer: bank.acquirer.id, who: 'test' });
    await t.throwsAsync(update({ name: 'Back' }), { code: 'state_refused' });
    await t.throwsAsync(update({ acquirer: 'nobody', name: 'X' }), { code: 'not_found' });
  });

  test(`${engine}: of a reference that two banks gave out, the free money of the due amount is meant`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const other = await openBank(core, shop, { name: 'other-bank' });
    const [one, two, three] = [await bank.order(), await bank.order(), await bank.order()];
    const note = 'seen in the statement';
    // One number fits two payments of each order, so a person decides all three.
    await bank.push({ reference: 'R1', payer: '*5678' });
    await other.push({ reference: 'R1', payer: '*5678', amount: '700.00' });
    await bank.push({ reference: 'R2', payer: '*5678' });
    await other.push({ reference: 'R2', payer: '*5678' });
    t.is(await bank.verify(one.id, PAYER), 'under_review');
    t.is(await bank.verify(two.id, '01812345678'), 'under_review');
    t.is(await bank.verify(three.id, '01912345678'), 'under_review');
    const reviews = await core.store.read((db) =>
      db.query.selectFrom('reviews').orderBy('session_id').select(['id', 'session_id']).execute(),
    );
    const approve = (order: { readonly id: string }, reference: string) => {
      const id = reviews.find(({ session_id }) => session_id === order.id)?.id ?? '';
      return approveReview(core, { id, reference, note, who: 'test' });
    };
    await t.throwsAsync(approve(one, 'R2'), {
      code: 'invalid_input',
      message: 'Several banks reported money with reference R2: city-bank, other-bank',
    });
    t.is((await rows(core, 'transactions')).length, 0);
    await approve(one, 'R1');
    const scope = async () =>
      (await core.store.read((db) => db.query.selectFrom('transactions').selectAll().execute()))
        .map((row) => [row.session_id, row.scope, row.amount_paisa] as const)
        .filter(([session]) => session === one.id || session === two.id);
    t.deepEqual(await scope(), [[one.id, bank.acquirer.id, 50_000]]);
    await approve(two, 'R1');
    t.is(
      (await scope()).find(([session]) => session === two.id)?.[1],
      other.acquirer.id,
      'the one left free',
    );
    await t.throwsAsync(approve(three, 'R1'), { code: 'already_credited' });
  });
}
