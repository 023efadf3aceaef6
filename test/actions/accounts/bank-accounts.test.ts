/** Where a brand receives bank transfers, and what customers see beside a number. */
import test from 'ava';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { type SetAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { listDevices } from '../../../src/actions/devices/device-view.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { listMerchants } from '../../../src/actions/merchants/merchant-view.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { codeOf, hostedOrder, hostedScene, OPERATOR } from '../../helpers/shop/hosted.js';
import { answer } from '../../helpers/shop/scene.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const CITY = { bank_name: 'City Bank', holder: 'আমার দোকান' };
const BANK = { brand: 'Alo', channel: 'bank', number: '12345-67890', details: CITY, who: OPERATOR };
const WALLET = { brand: 'Alo', channel: 'mfs_a', type: 'personal', number: '01711000001', who: OPERATOR };

for (const engine of enginesOfTier) {
  test(`${engine}: the checkout page shows several bank accounts, each with its details`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
    const branch = { branch: 'Mirpur', routing: '123456789' };
    await setAccount(core, { ...BANK, type: 'city', details: { ...CITY, ...branch } });
    t.is((await setAccount(core, BANK)).type, 'account');
    const { methods } = (await loadCheckout(core, await hostedOrder(core, 'Alo', 50_000))) ?? {};
    t.deepEqual(methods, [
      {
        channel: 'bank',
        feePaisa: 0,
        totalPaisa: 50_000,
        accounts: [
          { type: 'account', number: '12345-67890', details: CITY },
          { type: 'city', number: '12345-67890', details: { ...CITY, ...branch } },
        ],
        usdt: null,
      },
    ]);
  });

  test(`${engine}: a known number changes only the given details, and a new number starts empty`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
    const first = await setAccount(core, { ...BANK, details: { ...CITY, branch: 'Mirpur' } });
    const change = (details: SetAccount['details'], number = BANK.number) =>
      setAccount(core, { ...BANK, number, details });
    t.deepEqual(await change({}), first);
    const moved = await change({ branch: 'Banani', holder: 'Alo Ltd' });
    t.is(moved.id, first.id);
    t.deepEqual(moved.details, { bank_name: 'City Bank', holder: 'Alo Ltd', branch: 'Banani' });
    t.deepEqual((await change({ branch: '' })).details, { bank_name: 'City Bank', holder: 'Alo Ltd' });
    t.is(await codeOf(change({ holder: '' })), 'invalid_input');
    t.is(await codeOf(change({}, '99999')), 'invalid_input', 'nobody knows whose number that is');
    const other = await change(CITY, '99999');
    t.not(other.id, first.id);
    t.deepEqual(
      (await listAccounts(core, { disabledToo: false })).map(({ number, details }) => ({ number, details })),
      [{ number: '99999', details: CITY }],
    );
    const audited = (await auditOf(core, first.id)).map(({ before, after }) => [before, after]);
    t.is(audited.length, 3);
    const moving = audited.find(([before]) => before?.includes('Mirpur'));
    t.deepEqual(moving, [
      JSON.stringify({ details: JSON.stringify({ ...CITY, branch: 'Mirpur' }) }),
      JSON.stringify({
        details: JSON.stringify({ bank_name: 'City Bank', holder: 'Alo Ltd', branch: 'Banani' }),
      }),
    ]);
  });

  test(`${engine}: a wallet may have the text of its QR code, and keeps it until it is cleared`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
    const plain = await setAccount(core, WALLET);
    t.deepEqual(plain.details, {});
    const drawn = await setAccount(core, { ...WALLET, details: { qr: 'https://qr.example/1' } });
    t.is(drawn.id, plain.id);
    t.deepEqual((await setAccount(core, WALLET)).details, { qr: 'https://qr.example/1' });
    t.deepEqual((await setAccount(core, { ...WALLET, details: { qr: '' } })).details, {});
  });

  test(`${engine}: a bank is offered by the hosted page alone, and no shop can verify by it`, async (t) => {
    const { core, shop } = await hostedScene(t, engine);
    const headless = await createSession(core, {
      brand: await brandContext(core, 'Alo Store'),
      hosted: null,
      cusName: 'Customer',
      cusEmail: '',
      amountPaisa: 50_000,
      metaJson: null,
    });
    t.deepEqual(
      headless.methods.map((method) => method.name),
      ['mfs_a'],
    );
    t.is(await answer(core, shop, headless.id, 'FT1', 'bank'), 'method_unavailable');
  });

  test(`${engine}: a brand that is paid by bank alone lacks no phone`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
    await setAccount(core, BANK);
    const states = async () => {
      const checks = await examine(core.home.folder, async () => core);
      return Object.fromEntries(checks.map((check) => [check.name, check.state]));
    };
    const alone = await states();
    t.is(alone.accounts, 'ok');
    t.is(alone.phones, undefined);
    await setAccount(core, WALLET);
    t.like(await states(), { phones: 'warn', 'account 01711000001': 'warn' });
  });
}

const wrong: [what: string, input: Partial<SetAccount>][] = [
  ['no bank name', { details: { holder: 'Alo' } }],
  ['no holder', { details: { bank_name: 'City Bank' } }],
  ['a type with spaces', { type: 'City Bank' }],
  ['a type of one letter', { type: 'c' }],
  ['a number of four', { number: '1234' }],
  ['a number of thirty-five', { number: '1'.repeat(35) }],
  ['a number with a double space', { number: '123  456 789' }],
  ['a number with a tab', { number: '123\t456 789' }],
  ['a number of spaces and four digits', { number: '1 2 3 4' }],
  ['a routing number of eight digits', { details: { ...CITY, routing: '12345678' } }],
  ['a bank name with a line break', { details: { ...CITY, bank_name: 'City\nBank' } }],
  ['a holder of 101 characters', { details: { ...CITY, holder: 'x'.repeat(101) } }],
  ['a QR text', { details: { ...CITY, qr: '000201' } }],
  ['a wallet with a bank name', { ...WALLET, details: { bank_name: 'City Bank' } }],
  ['a wallet without a type', { channel: 'mfs_a', number: WALLET.number, details: {} }],
  ['a wallet with 513 characters of QR', { ...WALLET, details: { qr: '1'.repeat(513) } }],
  ['a wallet with a control character in its QR', { ...WALLET, details: { qr: '0\u0000' } }],
];

test('rejects an invalid account and stores nothing', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
  for (const [what, input] of wrong) {
    t.is(await codeOf(setAccount(core, { ...BANK, ...input })), 'invalid_input', what);
  }
  t.deepEqual(await listAccounts(core, { disabledToo: true }), []);
});

test('a bank account may be typed with the spaces that banks print, and is kept without them', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
  t.is((await setAccount(core, { ...BANK, number: ' 123 456-7 890 ' })).number, '123456-7890');
  t.is((await setAccount(core, { ...BANK, number: '1234567890', details: CITY })).number, '1234567890');
});

test('a Rocket account written with its check digit is compared without it and shown with it', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
  const rocket = { brand: 'Alo', channel: 'mfs_c', type: 'personal', who: OPERATOR };
  t.is((await setAccount(core, { ...rocket, number: '01711-0000034' })).number, '01711000003');
  const numberOf = async () => {
    const methods = (await loadCheckout(core, await hostedOrder(core, 'Alo', 50_000)))?.methods ?? [];
    const account = methods.find(({ channel }) => channel === 'mfs_c')?.accounts[0];
    return [account?.number, account?.details.shown_number];
  };
  t.deepEqual(await numberOf(), ['01711000003', '017110000034']);
  await setAccount(core, { ...rocket, number: '01711000005' });
  t.deepEqual(await numberOf(), ['01711000005', undefined]);
});

test('numbers may be typed in Bengali digits: of wallets, banks, SIMs and people', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const made = await createMerchant(core, {
    name: 'Alo',
    mobile: '০১৭১২৩৪৫৬৭৮',
    allowIps: [],
    who: OPERATOR,
  });
  const merchant = made.merchant.id;
  t.is((await listMerchants(core))[0]?.mobile, '01712345678');
  t.is((await setAccount(core, { ...WALLET, number: '+৮৮০ ১৭১১-০০০০০১' })).number, '01711000001');
  const rocket = await setAccount(core, { ...WALLET, channel: 'mfs_c', number: '০১৭১১০০০০০৩৪' });
  t.deepEqual([rocket.number, rocket.details.shown_number], ['01711000003', '017110000034']);
  t.is((await setAccount(core, { ...BANK, number: '১২৩৪৫-৬৭৮৯০' })).number, '12345-67890');
  const sims = ['১=০১৭১১০০০০০১'];
  const phone = await enrollDevice(core, { merchant, name: 'counter-1', sims, who: OPERATOR });
  const [device] = await listDevices(core, {});
  t.is(device?.id, phone.device.id);
  t.deepEqual(device?.sims, [{ slot: 1, number: '01711000001' }]);
});
