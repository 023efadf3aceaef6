/**
 * Play and money never meet: what was played pays payments of its own test brand alone, and what is real pays
 * none of them, whoever sends which text where, and in whatever order.
 */
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { verifyPayment } from '../../../src/actions/claims/verify-claim.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { rotateKey } from '../../../src/actions/keys/keys.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { reparseSms } from '../../../src/actions/sms/reparse-sms.js';
import { takeSms } from '../../../src/actions/sms/take-sms.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { type engines, enginesOfTier } from '../../helpers/stores/engines.js';

const who = 'test';

async function worlds(t: ExecutionContext, engine: (typeof engines)[number]) {
  const on = await scene(t, engine);
  const { core, shop } = on;
  const keys = [];
  for (const name of ['One', 'Two']) {
    keys.push((await createBrand(core, { merchant: shop.merchantId, name, test: true, who })).brand_key);
  }
  const open = async (brand: string) => {
    const made = await createSession(core, {
      ...{ brand: await brandContext(core, brand), hosted: null, amountPaisa: 50_000 },
      ...{ cusName: 'Customer', cusEmail: '', metaJson: null },
    });
    return { id: made.id, ref: made.paymentReference ?? '' };
  };
  const stateOf = async (id: string) => (await showPayment(core, id)).status;
  /** Of every credit whether its payment and its SMS are of one world. */
  const credits = () =>
    core.store.read((db) =>
      db.query
        .selectFrom('transactions as t')
        .innerJoin('brands as b', 'b.id', 't.brand_id')
        .innerJoin('proofs as p', 'p.id', 't.proof_id')
        .innerJoin('sms as s', 's.id', 'p.source_id')
        .select(['b.merchant_id as owner', 'b.test_of', 's.merchant_id as told', 's.source'])
        .execute(),
    );
  const merchantOf = async (brand: string) => (await brandContext(core, brand)).merchantId;
  return { ...on, keys, open, stateOf, credits, merchantOf };
}

/** Ways to bring a text, and to claim what it names. */
const STEPS = ['play one', 'play two', 'relay named', 'relay played', 'claim', 'type played'] as const;

for (const engine of enginesOfTier) {
  test(`${engine}: played and relayed SMS in any order credit only payments of their own kind`, async (t) => {
    const { core, shop, money, open, credits } = await worlds(t, engine);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 9 }), async (steps) => {
        const [one, two, real] = [await open('One'), await open('Two'), await open(shop.brand.name)];
        const texts = ['never played'];
        const ids: string[] = [];
        const work = steps.map(async (step, at) => {
          const target = [one, two, real][at % 3] ?? real;
          switch (step) {
            case 'play one':
            case 'play two': {
              const play = at % 2 === 0 ? ('unclaimed' as const) : ('exact' as const);
              const payment = step === 'play one' ? one.id : two.id;
              const played = await simulatePayment(core, { payment, play, who });
              texts.push(played.text);
              ids.push(played.transaction_id);
              return;
            }
            case 'relay named': {
              const paid = money('500.00', { ref: target.ref });
              ids.push(paid.trxId);
              await shop.receive(paid.text);
              return;
            }
            case 'relay played':
              await shop.receive(texts.at(-1) ?? '');
              return;
            case 'type played': {
              const text = texts.at(-1) ?? '';
              await addSms(core, {
                merchant: shop.merchantId,
                recipient: WALLET,
                sender: 'bKash',
                text,
                who,
              });
              return;
            }
            case 'claim':
              for (const id of ids) await verifyPayment(core, target.id, 'mfs_a', id);
              return;
            default:
              step satisfies never;
          }
        });
        for (const done of await Promise.allSettled(work)) {
          if (done.status === 'rejected' && !isKashboxError(done.reason)) throw done.reason;
        }
        for (const { owner, test_of, told, source } of await credits()) {
          t.is(owner, told);
          t.is(test_of !== null, source === 'played');
        }
      }),
      { numRuns: engine === 'sqlite' ? 60 : 20 },
    );
    t.true((await credits()).length > 0);
  });

  test(`${engine}: a real SMS that names a test payment, or its id, pays nothing of it`, async (t) => {
    const { core, shop, money, open, stateOf } = await worlds(t, engine);
    const { id, ref } = await open('One');
    const paid = money('500.00', { ref });
    await shop.receive(paid.text);
    await t.throwsAsync(verifyPayment(core, id, 'mfs_a', paid.trxId), { code: 'transaction_not_found' });
    t.is(await stateOf(id), 'PENDING');
  });

  test(`${engine}: a played text that a real phone forwards pays nothing`, async (t) => {
    const { core, shop, open, stateOf } = await worlds(t, engine);
    const [played, real] = [await open('One'), await open(shop.brand.name)];
    const sms = await simulatePayment(core, { payment: played.id, play: 'unclaimed', channel: 'mfs_a', who });
    await shop.receive(sms.text);
    t.is(await stateOf(played.id), 'PENDING');
    // It has the sum, the sender and the shape of real money; only that it was invented speaks against it.
    const { outcome } = await verifyPayment(core, real.id, 'mfs_a', sms.transaction_id);
    t.is(outcome, 'under_review');
    const [forwarded] = await core.store.read((db) =>
      db.query.selectFrom('sms').where('source', '=', 'relay').selectAll().execute(),
    );
    t.is(forwarded?.settle, 'review');
    t.true(forwarded?.reasons.includes('played_here'));
    await reparseSms(core, { who });
    t.is((await showPayment(core, real.id)).paid, null);
    // Of its own brand it is worth what it was.
    t.is((await verifyPayment(core, played.id, 'mfs_a', sms.transaction_id)).outcome, 'completed');
  });

  test(`${engine}: money played for one test brand pays no payment of another`, async (t) => {
    const { core, open } = await worlds(t, engine);
    const [one, two] = [await open('One'), await open('Two')];
    const sms = await simulatePayment(core, { payment: one.id, play: 'unclaimed', who });
    await t.throwsAsync(verifyPayment(core, two.id, 'mfs_a', sms.transaction_id), {
      code: 'transaction_not_found',
    });
  });

  test(`${engine}: no SMS is stored in the other world, and nothing real belongs to a test brand`, async (t) => {
    const { core, shop, merchantOf, money } = await worlds(t, engine);
    const message = { id: 'm', sender: 'bKash', body: money('500.00').text, simSlot: null };
    const at = { receivedAtMs: core.clock.now() };
    const recipientOf = () => WALLET;
    const bring = (merchantId: string, source: Parameters<typeof takeSms>[1]['source']) =>
      takeSms(core, { merchantId, source, messages: [{ ...message, ...at }], recipientOf });
    await t.throwsAsync(bring(shop.merchantId, { kind: 'played' }), { code: 'state_refused' });
    const side = await merchantOf('One');
    await t.throwsAsync(bring(side, { kind: 'manual', who }), { code: 'state_refused' });
    await t.throwsAsync(bring(side, { kind: 'relay', deviceId: 'dev_1' }), { code: 'state_refused' });
    t.deepEqual(await core.store.read((db) => db.query.selectFrom('sms').select('id').execute()), []);
    // The merchant that was made for it is nobody's to name.
    const sms = { merchant: side, recipient: WALLET, sender: 'bKash', text: message.body, who };
    await t.throwsAsync(addSms(core, sms), { code: 'not_found' });
    await t.throwsAsync(enrollDevice(core, { merchant: side, name: 'p', sims: [`1=${WALLET}`], who }), {
      code: 'not_found',
    });
    for (const channel of ['mfs_a', 'bank', 'bep20']) {
      const account = { brand: 'One', channel, type: 'personal', number: WALLET, who };
      const error = await t.throwsAsync(setAccount(core, account));
      t.true(isKashboxError(error));
    }
  });

  test(`${engine}: keys of test brands begin as no others do, also after a rotation`, async (t) => {
    const { core, shop, keys } = await worlds(t, engine);
    for (const key of keys) t.regex(key, /^test_[0-9A-Za-z]{40}$/);
    t.regex((await rotateKey(core, { brand: 'One', overlapMs: 0, who })).brand_key, /^test_/);
    t.regex((await rotateKey(core, { brand: shop.brand.name, overlapMs: 0, who })).brand_key, /^bk_/);
  });
}
