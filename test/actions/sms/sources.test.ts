/** Money that a sender of the operator's reports: stored, approved, trusted, and doubtful again. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkSenders } from '../../../src/actions/doctor/check-home.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { reportBalances } from '../../../src/actions/reports/report-balances.js';
import { approvePayment } from '../../../src/actions/reviews/decide-review.js';
import { listSms, showSms } from '../../../src/actions/sms/list-sms.js';
import { reparseSms } from '../../../src/actions/sms/reparse-sms.js';
import { distrustSource, listSources, trustSource } from '../../../src/actions/sms/trust-sources.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { createSmsEngine } from '../../../src/channels/mfs/index.js';
import { walletsOfMerchant } from '../../../src/store/tables/gaps.js';
import { rows, scene } from '../../helpers/shop/scene.js';
import { loaded, sourceFile } from '../../helpers/shop/sources.js';
import { engines } from '../../helpers/stores/engines.js';

const who = 'cli:test';
const MINUTE = 60_000;
const BANK_NUMBER = '0123456789012';

const credited = (taka: number) =>
  `Your account 5912*****1613 has been credited through NPSB for BDT ${taka}.00`;

/** A shop with a bank account and the files of two sources. `use` changes the files, as a restart would. */
async function till(t: Parameters<typeof scene>[0], engine: (typeof engines)[number]) {
  const { clock, core: plain, shop } = await scene(t, engine);
  let sms = createSmsEngine();
  const core: Core = { ...plain, smsEngine: async () => sms };
  const use = (...files: readonly object[]) => {
    sms = createSmsEngine(files.map(loaded));
  };
  const account = (number: string) =>
    setAccount(core, {
      ...{ brand: shop.brand.name, channel: 'bank', type: 'transfer', number, who },
      details: { bank_name: 'Sonali Bank', holder: 'Alo' },
    });
  let delivered = 0;
  const receive = async (sender: string, body: string, receivedAt = clock.now()) => {
    delivered += 1;
    const message = { id: `m${delivered}`, sender, body, received_at: dhakaIso(receivedAt), sim_slot: 1 };
    await syncDevice(core, { device: shop.device, messages: [message], health: null });
  };
  /** People approve the money of that many texts. */
  const approve = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      clock.advance(MINUTE);
      await receive('SONALI BANK', credited(1_000 + done));
      const reference = (await rows(core, 'proofs')).at(-1)?.reference ?? '';
      const payment = await shop.order((1_000 + done) * 100);
      await approvePayment(core, {
        payment,
        method: 'bank',
        reference,
        note: 'in the app',
        force: true,
        who,
      });
    }
  };
  use(sourceFile('sonali'), sourceFile('tallypay'));
  return { clock, core, shop, use, account, receive, approve };
}

const proofs = async (core: Core) =>
  (await rows(core, 'proofs')).map((row) => {
    const { channel, reference, amount_paisa, recipient, settle } = row;
    return { channel, reference, amount_paisa, recipient, settle };
  });
const alerts = (core: Core) =>
  core.store.read((db) =>
    db.query.selectFrom('alerts').where('kind', '=', 'sms.new_words').selectAll().execute(),
  );

for (const engine of engines) {
  test(`${engine}: money of a source waits on its own account, whichever phone has received it`, async (t) => {
    const { clock, core, account, receive } = await till(t, engine);
    await account(BANK_NUMBER);
    const at = clock.now();
    for (const time of [at, at, at + MINUTE]) await receive('SONALI BANK', credited(500), time);
    const [first, second, ...others] = await proofs(core);
    t.deepEqual(others, []);
    t.like(first, { channel: 'bank', amount_paisa: 50_000, recipient: BANK_NUMBER, settle: 'review' });
    t.regex(first?.reference ?? '', /^SMS-[A-Z2-9]{10}$/);
    t.not(second?.reference, first?.reference, 'the same words a minute later are another payment');
    const [stored] = await listSms(core, { limit: 10, search: '500.00' });
    t.like(stored, { channel: 'bank', settle: 'review' });
    t.deepEqual(stored?.reasons, ['kind_needs_person', 'source_untrusted']);
    t.is((await showSms(core, stored?.id ?? '')).source_name, 'sonali');
    const [, { recipient = '' } = {}] = await rows(core, 'sms');
    t.not(recipient, BANK_NUMBER, 'the SIM is not the account');
  });

  test(`${engine}: a text with a time and a balance is one payment, however often it comes`, async (t) => {
    const { clock, core, use, receive } = await till(t, engine);
    use(sourceFile('ebl'));
    const text = (taka: string) =>
      `AC 112***286 is credited with BDT ${taka} as NPSB FUND TRANSFER on 21-AUG-26 10:38:57 AM Balance is BDT 99999 Thanks. EBL Helpline 16230`;
    await receive('EBL', text('500'));
    await receive('ebl', text('500'), clock.now() + MINUTE);
    t.is((await proofs(core)).length, 1);
    await receive('EBL', text('501'));
    t.is((await proofs(core)).length, 2);
  });

  test(`${engine}: of several accounts the file has to name one, and doctor says so`, async (t) => {
    const { core, use, account, receive } = await till(t, engine);
    await receive('SONALI BANK', credited(5));
    t.is((await proofs(core))[0]?.recipient, null);
    t.deepEqual(await checkSenders(core), [], 'its file is not in the folder');
    await mkdir(core.home.formatsFolder, { recursive: true });
    const file = JSON.stringify(sourceFile('sonali'));
    await writeFile(join(core.home.formatsFolder, 'sonali.json'), file);
    const state = async () => (await checkSenders(core))[0]?.state;
    t.is(await state(), 'warn', 'no account');
    await account(BANK_NUMBER);
    t.is(await state(), 'ok');
    use(sourceFile('sonali', { account: '999' }));
    await receive('SONALI BANK', credited(6));
    t.is((await proofs(core))[1]?.recipient, null, 'no account has that number');
  });

  test(`${engine}: ten approved texts make a source worth trusting, for as long as its file is the same`, async (t) => {
    const { clock, core, use, account, receive, approve } = await till(t, engine);
    await account(BANK_NUMBER);
    await approve(7);
    const early = await t.throwsAsync(trustSource(core, { name: 'sonali', who }));
    t.regex(early?.message ?? '', /^7 of 10 approved/);
    await approve(3);
    await receive('SONALI BANK', credited(77));
    t.is((await proofs(core)).at(-1)?.settle, 'review');
    t.like(await trustSource(core, { name: 'sonali', who }), { trust: 'trusted', approved: 10, read: 11 });
    t.like(await reparseSms(core, { who }), { changed: 1, settled: [] });
    t.is((await proofs(core)).at(-1)?.settle, 'weak', 'money that waits is judged again');
    clock.advance(MINUTE);
    await receive('SONALI BANK', credited(78));
    t.is((await proofs(core)).at(-1)?.settle, 'weak');
    t.deepEqual((await rows(core, 'sms')).at(-1)?.reasons, '["kind_needs_person"]');
    clock.advance(MINUTE);
    await receive('SONALI BANK', `${credited(79).replace('NPSB', 'N\u200bPSB')}`);
    t.is((await proofs(core)).at(-1)?.settle, 'review', 'a doubted text is never weak');

    use(sourceFile('sonali', { senders: ['SONALI BANK', 'SONALI'] }));
    t.like((await listSources(core))[0], { trust: 'lapsed', approved: 10 });
    clock.advance(MINUTE);
    await receive('SONALI BANK', credited(80));
    t.is((await proofs(core)).at(-1)?.settle, 'review', 'the file has changed');
    t.like(await reparseSms(core, { who }), { settled: [] });
    t.deepEqual(
      (await proofs(core)).filter(({ settle }) => settle === 'weak'),
      [],
    );

    t.like(await trustSource(core, { name: 'sonali', who }), { trust: 'trusted' });
    await reparseSms(core, { who });
    t.is((await proofs(core)).filter(({ settle }) => settle === 'weak').length, 3);
    t.like(await distrustSource(core, { name: 'sonali', who }), { trust: 'none' });
    t.deepEqual(
      (await proofs(core)).filter(({ settle }) => settle === 'weak'),
      [],
    );
    await t.throwsAsync(distrustSource(core, { name: 'sonali', who }), { code: 'not_found' });
    await t.throwsAsync(trustSource(core, { name: 'nobody', who }), { code: 'not_found' });
    const audit = (await rows(core, 'audit')).map((row) => row.action);
    t.deepEqual(
      audit.filter((action) => action.includes('trust')),
      ['sms.trust', 'sms.trust', 'sms.distrust'],
    );
  });

  test(`${engine}: new words of a trusted source raise one alert a day, those of another none`, async (t) => {
    const { clock, core, receive, approve } = await till(t, engine);
    const news = (taka: number) => `BDT ${taka}.00 was credited to your account by Sonali eSheba`;
    await receive('SONALI BANK', news(1));
    await approve(10);
    await trustSource(core, { name: 'sonali', who });
    t.is((await alerts(core)).length, 0);
    await receive('SONALI BANK', news(2));
    await receive('SONALI BANK', news(3));
    await receive('SONALI BANK', 'Your OTP is 123456');
    t.is((await alerts(core)).length, 1);
    clock.advance(24 * 60 * MINUTE);
    await receive('SONALI BANK', news(4));
    const [, second, ...others] = await alerts(core);
    t.deepEqual(others, []);
    t.like(JSON.parse(second?.detail ?? '{}'), { source: 'sonali', title: 'Sonali Bank', texts: 4 });
    t.like((await listSources(core))[0], { unread: 4 });
  });

  test(`${engine}: money of a source on a wallet's channel is in no balance of that wallet`, async (t) => {
    const { clock, core, shop, use, receive } = await till(t, engine);
    use(sourceFile('tap', { channel: 'mfs_b' }));
    await receive('tap', 'Received Tk 500.00 from 01700000112. Balance Tk. 8915.90. TxID: ETRLQL6UP4930G.');
    t.like((await proofs(core))[0], { channel: 'mfs_b', reference: 'ETRLQL6UP4930G', settle: 'review' });
    t.deepEqual(await core.store.read((db) => walletsOfMerchant(db, shop.merchantId)), []);
    t.deepEqual(await reportBalances(core, { fromMs: clock.now() }), []);
  });

  test(`${engine}: a text that takes money of a source back disputes it`, async (t) => {
    const { core, receive } = await till(t, engine);
    await receive('TallyPay', 'Tk 1,898.57 received from 017***4838 via TallyPay QR. Txn ID: YY1Z85HTP');
    await receive('TallyPay', 'Payment of Tk 1,898.57 was reversed. Txn ID: YY1Z85HTP');
    const [proof] = await rows(core, 'proofs');
    t.truthy((proof as { disputed_by: string | null }).disputed_by);
  });
}
