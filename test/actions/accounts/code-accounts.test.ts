/** The merchant's printed QR code as an account: from its text or from a picture. */
import test from 'ava';
import QRCode from 'qrcode';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { accountAdvice, type SetAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { OPERATOR } from '../../helpers/shop/hosted.js';
import { MERCHANT_ID, payloadOf, printedObjects, printedPayload } from '../../helpers/shop/qr.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';

const CODE = { brand: 'Alo', channel: 'qr_interbank', who: OPERATOR };
const alo = { name: 'Alo', allowIps: [], who: OPERATOR };

for (const engine of enginesOfTier) {
  test(`${engine}: number and name are those in the code, whether it came as text or as a picture`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, alo);
    const qrImage = await QRCode.toBuffer(printedPayload, { scale: 4 });
    const account = await setAccount(core, { ...CODE, qrImage });
    t.like(account, { type: 'qr', number: MERCHANT_ID });
    t.deepEqual(account.details, { holder: 'DOKAN STORE', qr: printedPayload });
    const again = await setAccount(core, { ...CODE, details: { qr: ` ${printedPayload}\n` } });
    t.is(again.id, account.id);
    t.is((await setAccount(core, { ...CODE, qrImage, number: MERCHANT_ID })).id, account.id);
    const renamed = printedObjects.map((one) =>
      one.id === '59' ? { id: '59', value: 'DOKAN & SONS' } : one,
    );
    const changed = await setAccount(core, { ...CODE, details: { qr: payloadOf(renamed) } });
    t.is(changed.id, account.id);
    t.is(changed.details.holder, 'DOKAN & SONS');
    const [advice] = await accountAdvice(core, changed);
    t.regex(advice ?? '', /kashbox acquirers create/);
  });
}

const one = printedPayload.replace('DOKAN', 'DOKAM');
const wrong: [what: string, input: Partial<SetAccount>, says: RegExp][] = [
  ['no code', {}, /^The QR code is missing/],
  ['an empty text', { details: { qr: '' } }, /^The QR code is missing/],
  ['a code with a wrong letter', { details: { qr: one } }, /checksum/],
  ['a text that is no payment code', { details: { qr: 'https://example.com' } }, /EMVCo/],
  ['a picture that is none', { qrImage: Buffer.from('not a picture') }, /^qr-image: The picture must be/],
  ['both', { qrImage: Buffer.alloc(1), details: { qr: printedPayload } }, /both given/],
  [
    'another number',
    { number: '123', details: { qr: printedPayload } },
    /^number "123" is not in the QR code/,
  ],
  ['another type', { type: 'personal', details: { qr: printedPayload } }, /^type "personal"/],
  ['a branch', { details: { qr: printedPayload, branch: 'Mirpur' } }, /^branch does not belong/],
];
test('a code that cannot be used is refused by what is wrong with it, and leaves no account', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await createMerchant(core, alo);
  for (const [what, input, says] of wrong) {
    await t.throwsAsync(
      setAccount(core, { ...CODE, ...input }),
      { code: 'invalid_input', message: says },
      what,
    );
  }
  t.deepEqual(await listAccounts(core, { disabledToo: true }), []);
});
