/** The owner's Bangla QR on a wallet account: what it must say, whose name is shown, and what is refused. */
import test from 'ava';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import QRCode from 'qrcode';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { type SetAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Core } from '../../../src/actions/core/core.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { setUpShop } from '../../../src/actions/merchants/set-up-shop.js';
import { CHARACTERS } from '../../../src/channels/qr-interbank/emv.js';
import { OPERATOR } from '../../helpers/shop/hosted.js';
import { payloadOf, personalObjects, personalPayload, printedPayload } from '../../helpers/shop/qr.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';

const NUMBER = '01712345678';
const OTHER = '01812345678';
const ACCOUNT = { brand: 'Alo', channel: 'mfs_a', type: 'personal', number: NUMBER, who: OPERATOR };
const OWN = personalPayload(NUMBER);

async function openAlo(t: Parameters<typeof openTestCore>[0], engine: 'sqlite' | 'postgres' = 'sqlite') {
  const core = await openTestCore(t, engine);
  await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
  return core;
}

for (const engine of enginesOfTier) {
  test(`${engine}: name, institution and signature are shown, from a text and from a picture`, async (t) => {
    const core = await openAlo(t, engine);
    const bangla = personalPayload(NUMBER, 'রহিম উদ্দিন');
    const qrImage = await QRCode.toBuffer(bangla, { scale: 4 });
    const account = await setAccount(core, { ...ACCOUNT, qrImage });
    t.deepEqual(account.details, { holder: 'রহিম উদ্দিন', qr: bangla });
    const shown = { name: 'রহিম উদ্দিন', institution_type: '03', institution: '1008', signed: true };
    t.deepEqual(account.personal_qr, shown);
    const [listed] = await listAccounts(core, { disabledToo: false });
    t.deepEqual(listed?.personal_qr, shown);
    const cleared = await setAccount(core, { ...ACCOUNT, details: { qr: '' } });
    t.is(cleared.id, account.id);
    t.is(cleared.personal_qr, null);
    t.deepEqual(cleared.details, { holder: 'রহিম উদ্দিন' });
  });
}

test('an own holder stays; the name of the code follows the code, and the older one is named', async (t) => {
  const core = await openAlo(t);
  const code = (name: string) => ({ details: { qr: personalPayload(NUMBER, name) } });
  t.is((await setAccount(core, { ...ACCOUNT, ...code('RAHIM') })).renamed_from, null);
  const renamed = await setAccount(core, { ...ACCOUNT, ...code('RAHIMA') });
  t.is(renamed.renamed_from, 'RAHIM');
  t.is(renamed.details.holder, 'RAHIMA');
  await setAccount(core, { ...ACCOUNT, details: { holder: 'Alo Store' } });
  const own = await setAccount(core, { ...ACCOUNT, ...code('RAHIM') });
  t.is(own.renamed_from, 'RAHIMA');
  t.is(own.details.holder, 'Alo Store');
  const other = await setAccount(core, { ...ACCOUNT, number: OTHER });
  t.deepEqual([other.details, other.personal_qr, other.renamed_from], [{}, null, null]);
});

test('letters of several spellings are kept as the checksum has them', async (t) => {
  const core = await openAlo(t);
  const composed = personalPayload(NUMBER, '\u09dcহিম');
  t.not(composed, composed.normalize('NFC'));
  t.is((await setAccount(core, { ...ACCOUNT, details: { qr: composed } })).details.qr, composed);
});

const spellings: readonly (readonly [channel: string, inCode: string, kept: string, shown: string | null])[] =
  [
    ['mfs_a', NUMBER, NUMBER, null],
    ['mfs_a', '8801712345678', NUMBER, null],
    ['mfs_a', '+8801712345678', NUMBER, null],
    ['mfs_c', '017123456789', NUMBER, '017123456789'],
    ['mfs_c', '88017123456789', NUMBER, '017123456789'],
  ];
for (const [channel, inCode, kept, shown] of spellings) {
  test(`the number may be left out, and ${inCode} on ${channel} is ${kept}`, async (t) => {
    const core = await openAlo(t);
    const typed = { ...ACCOUNT, channel, details: { qr: personalPayload(inCode) } };
    const account = await setAccount(core, { ...typed, number: undefined });
    t.is(account.number, kept);
    t.is(account.details.shown_number ?? null, shown);
    t.is((await setAccount(core, { ...typed, number: NUMBER })).id, account.id);
  });
}

test('a code that only the own app of the wallet reads is shown as it is', async (t) => {
  const core = await openAlo(t);
  const account = await setAccount(core, { ...ACCOUNT, details: { qr: 'https://qr.example/017' } });
  t.deepEqual([account.details, account.personal_qr], [{ qr: 'https://qr.example/017' }, null]);
  const merchant = { ...ACCOUNT, type: 'payment', details: { qr: printedPayload } };
  t.deepEqual((await setAccount(core, merchant)).details, { qr: printedPayload });
});

async function twoCodes(): Promise<Buffer> {
  const [one, other] = await Promise.all(
    [OWN, printedPayload].map(async (text) => PNG.sync.read(await QRCode.toBuffer(text, { scale: 4 }))),
  );
  if (one === undefined || other === undefined) throw new Error('no pictures');
  const both = new PNG({ width: one.width + other.width, height: Math.max(one.height, other.height) });
  both.data.fill(255);
  PNG.bitblt(one, both, 0, 0, one.width, one.height, 0, 0);
  PNG.bitblt(other, both, 0, 0, other.width, other.height, one.width, 0);
  return PNG.sync.write(both);
}

const blank = () =>
  Buffer.from(jpeg.encode({ data: Buffer.alloc(40_000, 255), width: 100, height: 100 }).data);
const drawn = (text: string) => QRCode.toBuffer(text, { scale: 4 });
const objectsWith = (id: string, value: string) =>
  personalObjects(NUMBER).map((object) => (object.id === id ? { id, value } : object));
const qr = (text: string) => ({ details: { qr: text } });

const wrong: readonly (readonly [string, () => Promise<Partial<SetAccount>>, RegExp, RegExp])[] = [
  [
    'of another person',
    async () => qr(personalPayload(OTHER)),
    /^This is the code of 01812345678, not of 01712345678$/,
    /^Take the picture from the app of the account that you set up/,
  ],
  [
    'of a bank account',
    async () => qr(personalPayload('1234567890123456')),
    /^This is the code of account 1234567890123456, which is not a bKash number/,
    /^Take the picture from the app/,
  ],
  [
    'of a merchant',
    async () => ({ qrImage: await drawn(printedPayload) }),
    /^This is a merchant's code \(category 5411\) of DOKAN STORE, not the code of a personal account/,
    /reported by a bank, not by the wallet's SMS: kashbox accounts set .*--channel qr_interbank --qr-image/,
  ],
  [
    'personal, given as that of a merchant',
    async () => ({ channel: 'qr_interbank', type: undefined, number: undefined, ...qr(OWN) }),
    /^This is the code of the personal account 01712345678 of KARIM MIA, not of a merchant/,
    /wallet's SMS, not by a bank: kashbox accounts set .*--type personal --number 01712345678 --qr-image/,
  ],
  [
    'of a bank account, given as that of a merchant',
    async () => ({
      ...{ channel: 'qr_interbank', type: undefined, number: undefined },
      ...qr(personalPayload('1234567890123456')),
    }),
    /^This is the code of the personal account 1234567890123456/,
    /^Get a merchant code from your bank/,
  ],
  [
    'personal, given for an agent',
    async () => ({ type: 'agent', ...qr(OWN) }),
    /^This is the code of a personal account, not of an account of type agent/,
    /--type personal/,
  ],
  [
    'damaged picture',
    async () => ({ qrImage: (await drawn(OWN)).subarray(0, 200) }),
    /^qr-image: The picture is damaged/,
    /PNG or JPEG/,
  ],
  ['no code', async () => ({ qrImage: blank() }), /^qr-image: No QR code can be read/, /PNG or JPEG/],
  ['two codes', async () => ({ qrImage: await twoCodes() }), /^qr-image: .*several QR codes/, /PNG or JPEG/],
  [
    'a wrong letter',
    async () => qr(OWN.replace('KARIM', 'KAHIM')),
    /checksum is .* should be/,
    /complete text/,
  ],
  [
    'cut off',
    async () => qr(OWN.slice(0, 120)),
    /It is cut off or damaged/,
    /complete text with --qr-payload/,
  ],
  ['of one payment', async () => qr(payloadOf(objectsWith('01', '12'))), /code of one payment/, /^Take/],
  [
    'of another country',
    async () => qr(payloadOf(objectsWith('58', 'IN'))),
    /must be BD, this has IN/,
    /^Take/,
  ],
  ['of another currency', async () => qr(payloadOf(objectsWith('53', '356'))), /must be 050/, /^Take/],
  [
    'without room',
    async () =>
      qr(
        payloadOf(
          objectsWith('62', `01${25}${'B'.repeat(25)}02${25}${'S'.repeat(25)}03${25}${'T'.repeat(25)}`),
        ),
      ),
    /no room for a payment's reference/,
    /^Take/,
  ],
];
for (const [what, input, message, hint] of wrong) {
  test(`a code is refused with its reason and a remedy, and nothing is stored: ${what}`, async (t) => {
    const core = await openAlo(t);
    const refused = await t.throwsAsync<Error & { code: string; hint: string }>(
      setAccount(core, { ...ACCOUNT, ...(await input()) }),
      { code: 'invalid_input', message },
    );
    t.regex(refused?.hint ?? '', hint);
    t.deepEqual(await listAccounts(core, { disabledToo: true }), []);
  });
}

test('a shop is not set up with the code of somebody else', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const wallet = { channel: 'mfs_a', type: 'personal', number: NUMBER };
  const plan = (text: string) => ({ name: 'Alo', accounts: [{ ...wallet, qr: text }] });
  await t.throwsAsync(setUpShop(core, plan(personalPayload(OTHER)), OPERATOR), {
    message: /not of 01712345678/,
  });
  const { accounts } = await setUpShop(core, plan(OWN), OPERATOR);
  t.is(accounts[0]?.personal_qr?.name, 'KARIM MIA');
});

test('the doctor names a stored code that cannot be read, and the phone that the account lacks', async (t) => {
  const core: Core = await openAlo(t);
  const account = await setAccount(core, {
    ...ACCOUNT,
    details: { qr: personalPayload(NUMBER, undefined, { counting: CHARACTERS }) },
  });
  const states = async () => {
    const checks = await examine(core.home.folder, async () => core);
    return checks.filter(({ name }) => name.includes(NUMBER)).map(({ name, state }) => `${name}: ${state}`);
  };
  t.deepEqual(await states(), [`account ${NUMBER}: warn`]);
  await enrollDevice(core, { merchant: 'Alo', name: 'counter-1', sims: [`1=${NUMBER}`], who: OPERATOR });
  t.deepEqual(await states(), []);
  const details = JSON.stringify({ qr: OWN.slice(0, -4) });
  await core.store.write((db) => db.query.updateTable('accounts').set({ details }).execute());
  t.deepEqual(await states(), [`QR code of ${NUMBER}: warn`]);
  t.is((await listAccounts(core, { disabledToo: false }))[0]?.id, account.id);
});
