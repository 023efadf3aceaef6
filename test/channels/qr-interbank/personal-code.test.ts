/** Codes of personal accounts, and both ways of counting lengths: read, written the same way, and scanned. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import QRCode from 'qrcode';
import {
  BYTES,
  CHARACTERS,
  type Counting,
  type DataObject,
  dynamicPayload,
  findPersonalAccount,
  findValue,
  isPersonalCode,
  parseObjects,
  parsePayload,
  type ReadPayload,
} from '../../../src/channels/qr-interbank/emv.js';
import { decodeQrImage } from '../../../src/channels/qr-interbank/image.js';
import {
  merchantAccount,
  payloadOf,
  personalObjects,
  personalPayload,
  printedObjects,
  printedPayload,
} from '../../helpers/shop/qr.js';

const NUMBER = '01712345678';
const PAID = { amountPaisa: 125_050, reference: '6F76F' };

function objectsOf(text: string, counting: Counting): readonly DataObject[] {
  const read = parseObjects(text, counting);
  if (!read.ok) throw new Error(`not read from ${read.at} on: ${text}`);
  return read.objects;
}

const faultsOf = (read: ReadPayload) => (read.ok ? '' : read.faults.join('\n'));

test('a personal code is read with its account, name and institution', (t) => {
  const text = personalPayload(NUMBER);
  t.deepEqual(findPersonalAccount(text), {
    name: 'KARIM MIA',
    institutionType: '03',
    institution: '1008',
    account: NUMBER,
    isSigned: true,
  });
  t.true(isPersonalCode(text));
  t.is(findPersonalAccount(personalPayload(NUMBER, undefined, { signature: null }))?.isSigned, false);
  t.is(findPersonalAccount(printedPayload), null);
  t.false(isPersonalCode(printedPayload));
});

test('a Bangla name is read whether its length counts bytes or characters, and written the same way', (t) => {
  for (const counting of [BYTES, CHARACTERS]) {
    for (const name of ['রহিম উদ্দিন', 'José Ñandú']) {
      const text = personalPayload(NUMBER, name, { counting });
      t.is(findPersonalAccount(text)?.name, name.normalize('NFC'));
      const dynamic = dynamicPayload(text, PAID);
      t.is(findValue(objectsOf(dynamic, counting), '59'), name);
      const lengths = /59(\d\d)/.exec(dynamic)?.[1];
      t.is(Number(lengths), counting.split(name).length);
    }
  }
});

test('where both readings end well, the one that swallows nothing is kept', (t) => {
  const objects = personalObjects(NUMBER, 'রহিম').map((object) =>
    object.id === '60' ? { id: '60', value: 'FENI' } : object,
  );
  const text = payloadOf(objects, BYTES);
  t.is(findValue(objectsOf(text, CHARACTERS), '59'), 'রহিম6004FENI');
  t.is(findPersonalAccount(text)?.name, 'রহিম');
  const numbered = personalPayload(NUMBER, 'ক77', { counting: CHARACTERS });
  t.is(findPersonalAccount(numbered)?.name, 'ক77');
});

test('a merchant code whose lengths count bytes is used, too', (t) => {
  const objects = printedObjects.map((one) =>
    one.id === '59' ? { id: '59', value: 'করিম স্টোর' } : one.id === '64' ? { id: '64', value: 'bn' } : one,
  );
  const text = payloadOf(objects, BYTES);
  t.false(parseObjects(text, CHARACTERS).ok);
  const read = parsePayload(text);
  t.is(read.ok && read.payload.name, 'করিম স্টোর');
  t.is(findValue(objectsOf(dynamicPayload(text, PAID), BYTES), '59'), 'করিম স্টোর');
});

test('name, account and signature stay as they were signed, and a label names the payment', (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const name = 'রহিম উদ্দিন';
  const signature = sign(null, Buffer.from(name + NUMBER), privateKey).toString('base64');
  const dynamic = dynamicPayload(personalPayload(NUMBER, name, { signature }), PAID);
  const objects = objectsOf(dynamic, BYTES);
  t.is(findValue(objects, '01'), '12');
  t.is(findValue(objects, '54'), '1250.50');
  t.deepEqual(objectsOf(findValue(objects, '62') ?? '', BYTES), [
    { id: '06', value: '6F76F' },
    { id: '08', value: '***' },
  ]);
  const inner = (id: string, field: string) =>
    findValue(objectsOf(findValue(objects, id) ?? '', BYTES), field) ?? '';
  const signed = Buffer.from((findValue(objects, '59') ?? '') + inner('26', '03'));
  const carried = Buffer.from(inner('80', '01') + inner('81', '01'), 'base64');
  t.true(verify(null, signed, publicKey, carried));
  t.false(verify(null, Buffer.from(`${name}01812345678`), publicKey, carried));
});

const without = (id: string) => personalObjects(NUMBER).filter((object) => object.id !== id);
const withValue = (id: string, value: string) =>
  personalObjects(NUMBER).map((object) => (object.id === id ? { id, value } : object));
const full = `01${25}${'B'.repeat(25)}03${25}${'S'.repeat(25)}07${24}${'T'.repeat(24)}`;
const whole = personalPayload(NUMBER, 'রহিম উদ্দিন');

const refusals: readonly (readonly [string, string, RegExp])[] = [
  ['another scheme', payloadOf(withValue('26', merchantAccount(NUMBER))), /no account of bd\.org\.bb\.npsb/],
  ['no account', payloadOf(without('26')), /no account of bd\.org\.bb\.npsb/],
  ['an account without a number', personalPayload(''), /a number of at most 19 digits/],
  ['a number of 20 digits', personalPayload('1'.repeat(20)), /a number of at most 19 digits/],
  [
    'of one payment',
    dynamicPayload(whole, PAID),
    /code of one payment: give the one without an amount that the app shows/,
  ],
  ['another country', payloadOf(withValue('58', 'IN')), /must be BD, this has IN/],
  ['another currency', payloadOf(withValue('53', '356')), /must be 050, taka, this has 356/],
  ['no room', payloadOf(withValue('62', full)), /no room for a payment's reference/],
  ['cut off', whole.slice(0, -30), /cut off or damaged: it cannot be read from character \d+/],
  ['a wrong letter', whole.replace('DHAKA', 'DHAKB'), /checksum is .* should be/],
];

for (const [name, text, fault] of refusals) {
  test(`a personal code is refused and the fault is named: ${name}`, (t) => {
    t.regex(faultsOf(parsePayload(text)), fault);
    t.is(findPersonalAccount(text), null);
  });
}

async function scannedTwice(text: string): Promise<(string | undefined)[]> {
  const bytes = await QRCode.toBuffer(text, { errorCorrectionLevel: 'M', scale: 4, margin: 4 });
  const own = await decodeQrImage(bytes);
  const png = PNG.sync.read(bytes);
  const other = jsqr.default(new Uint8ClampedArray(png.data), png.width, png.height);
  return [own.ok ? own.text : undefined, other?.data];
}

const letters = fc.constantFrom('A', ' ', '7', 'é', 'Ñ', 'ক', 'া', '্', '\u09dc');
const person = fc.record({
  name: fc.string({ unit: letters, minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ''),
  number: fc.stringMatching(/^(\+?88)?01[3-9][0-9]{8}$/),
  label: fc.option(fc.stringMatching(/^[A-Z0-9]{1,25}$/), { nil: undefined }),
  foreign: fc.uniqueArray(fc.constantFrom('27', '61', '64', '65', '82', '91', '99'), { maxLength: 4 }),
  text: fc.string({ unit: letters, minLength: 1, maxLength: 12 }),
  amountPaisa: fc.integer({ min: 1, max: 100_000_000 }),
  isInBytes: fc.boolean(),
  isTurned: fc.boolean(),
});

test('every personal code makes a dynamic one that keeps the rest, in its order and its counting', async (t) => {
  await fc.assert(
    fc.asyncProperty(person, async (made) => {
      const counting = made.isInBytes ? BYTES : CHARACTERS;
      const additional = `${made.label === undefined ? '' : `06${String(made.label.length).padStart(2, '0')}${made.label}`}0803***`;
      const foreign = made.foreign.map((id) => ({
        id,
        value: id === '27' ? merchantAccount('1234') : made.text,
      }));
      const [format, initiation, ...rest] = personalObjects(made.number, made.name).map((object) =>
        object.id === '62' ? { id: '62', value: additional } : object,
      );
      if (format === undefined || initiation === undefined) throw new Error('no objects');
      const others = [...rest, ...foreign].toSorted((one, other) => Number(one.id) - Number(other.id));
      const objects = [format, initiation, ...(made.isTurned ? others.toReversed() : others)];
      const text = payloadOf(objects, counting);
      t.is(faultsOf(parsePayload(text)), '');
      t.is(findPersonalAccount(text)?.account, made.number);

      const dynamic = dynamicPayload(text, { amountPaisa: made.amountPaisa, reference: 'K7PM2' });
      const written = objectsOf(dynamic, counting);
      const kept = ({ id }: DataObject) => !['01', '54', '62', '63'].includes(id);
      t.deepEqual(written.filter(kept), objects.filter(kept));
      const inner = objectsOf(findValue(written, '62') ?? '', counting);
      t.deepEqual([findValue(inner, '06'), findValue(inner, '08')], ['K7PM2', '***']);
      t.is(Math.round(Number(findValue(written, '54')) * 100), made.amountPaisa);
      t.regex(faultsOf(parsePayload(dynamic)), /^It is the code of one payment[^\n]*$/);
      t.deepEqual(await scannedTwice(dynamic), [dynamic, dynamic]);
    }),
    { numRuns: 40 },
  );
});
