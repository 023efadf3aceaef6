/** Bangla QR payloads: which are taken for an account, and the code of one payment that is made from them. */
import test from 'ava';
import fc from 'fast-check';
import {
  checksum,
  type DataObject,
  dynamicPayload,
  findValue,
  parseObjects,
  parsePayload,
  type ReadPayload,
  writeObjects,
} from '../../../src/channels/qr-interbank/emv.js';
import { merchantAccount, payloadOf, printedObjects, printedPayload } from '../../helpers/shop/qr.js';

/** Of the EMVCo specification, merchant-presented mode, with a name in Chinese. */
const EMVCO_SAMPLE =
  '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN' +
  '5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***' +
  '0708A60086670902ME91320016A0112233449988770708123456786304A13A';

const objectsOf = (text: string) => {
  const read = parseObjects(text);
  return read.ok ? read.objects : [];
};
const faultsOf = (read: ReadPayload) => (read.ok ? [] : read.faults);
const changed = (change: (objects: DataObject[]) => DataObject[]) =>
  parsePayload(payloadOf(change([...printedObjects])));
const withValue = (id: string, value: string) => (objects: DataObject[]) =>
  objects.map((object) => (object.id === id ? { id, value } : object));
const without = (id: string) => (objects: DataObject[]) => objects.filter((object) => object.id !== id);

test('the checksum is CRC-16/CCITT-FALSE of the UTF-8 bytes', (t) => {
  t.is(checksum('123456789'), '29B1');
  t.is(checksum(EMVCO_SAMPLE.slice(0, -4)), 'A13A');
});

test('lengths count characters, so that names in other scripts can be read', (t) => {
  const additional = objectsOf(findValue(objectsOf(EMVCO_SAMPLE), '64') ?? '');
  t.is(findValue(additional, '01'), '最佳运输');
  t.is(writeObjects(objectsOf(EMVCO_SAMPLE)), EMVCO_SAMPLE);
});

test('a printed code is taken, and its first national merchant id is the number of the account', (t) => {
  t.deepEqual(parsePayload(`  ${printedPayload}\n`), {
    ok: true,
    payload: {
      text: printedPayload,
      name: 'DOKAN STORE',
      category: '5411',
      merchantIds: ['1750000000000000012'],
      personal: null,
    },
  });
  const cards = changed((objects) => [
    ...objects.slice(0, 2),
    { id: '02', value: '4000001234567890' },
    ...objects.slice(2),
  ]);
  t.deepEqual(cards.ok && cards.payload.merchantIds, ['1750000000000000012', '4000001234567890']);
});

test('a code that says nothing of its use may be used again and again', (t) => {
  t.true(changed(without('01')).ok);
});

const refusals: readonly (readonly [string, ReadPayload, RegExp])[] = [
  ['no such text', parsePayload('hello'), /not the text of an EMVCo QR code.*character 1 /],
  ['a link', parsePayload('https://example.com/pay?to=017'), /not the text of an EMVCo QR code/],
  ['nothing', parsePayload(''), /must begin with 000201/],
  [
    'the end is missing',
    parsePayload(printedPayload.slice(0, -2)),
    /cut off or damaged: .* from character \d+/,
  ],
  ['the checksum is missing', parsePayload(printedPayload.slice(0, -8)), /must end with its checksum/],
  ['a letter is wrong', parsePayload(printedPayload.replace('DOKAN', 'DOKAM')), /checksum is .* should be/],
  ['another format', changed(withValue('00', '02')), /begin with 000201/],
  ['an object twice', changed((all) => [...all, { id: '60', value: 'CTG' }]), /Object 60 comes twice/],
  ['of one payment', changed(withValue('01', '12')), /code of one payment/],
  ['an amount', changed((all) => [...all, { id: '54', value: '10.00' }]), /code of one payment/],
  ['neither 11 nor 12', changed(withValue('01', '13')), /must be 11 or 12, this has 13/],
  ['another country', changed(withValue('58', 'IN')), /country .* must be BD, this has IN/],
  ['no country', changed(without('58')), /must be BD, this has none/],
  ['another currency', changed(withValue('53', '840')), /must be 050, taka, this has 840/],
  ['no name', changed(without('59')), /name \(object 59\) is missing/],
  ['a long name', changed(withValue('59', 'A'.repeat(26))), /more than 25 characters/],
  ['no account', changed(without('26')), /names no merchant account/],
  ['no merchant id', changed(withValue('26', merchantAccount(''))), /names no merchant id/],
  ['a broken account', changed(withValue('26', '0099short')), /merchant account in object 26 cannot be read/],
  [
    'broken additional data',
    changed(withValue('62', '05xx')),
    /additional data \(object 62\) cannot be read/,
  ],
  [
    'full additional data',
    changed(withValue('62', `01${25}${'B'.repeat(25)}03${25}${'S'.repeat(25)}07${24}${'T'.repeat(24)}`)),
    /leaves no room for a payment's reference/,
  ],
];

for (const [name, read, fault] of refusals) {
  test(`a payload is refused and the fault is said: ${name}`, (t) => {
    t.false(read.ok);
    t.regex(faultsOf(read).join('\n'), fault);
  });
}

test('all that is wrong is said at once', (t) => {
  const faults = faultsOf(
    changed((all) => withValue('58', 'IN')(withValue('53', '840')(without('59')(all)))),
  );
  t.is(faults.length, 3);
});

test('a checksum in lower case is the same checksum', (t) => {
  const lower = printedPayload.slice(0, -4) + printedPayload.slice(-4).toLowerCase();
  t.not(lower, printedPayload);
  t.true(parsePayload(lower).ok);
});

test('the code of one payment has its amount and reference, and else what was printed', (t) => {
  const dynamic = dynamicPayload(printedPayload, { amountPaisa: 125_050, reference: 'K7PM2XQ4ABCD' });
  const objects = objectsOf(dynamic);
  t.is(findValue(objects, '01'), '12');
  t.is(findValue(objects, '54'), '1250.50');
  t.deepEqual(objectsOf(findValue(objects, '62') ?? ''), [
    { id: '01', value: 'BILL7' },
    { id: '05', value: 'K7PM2XQ4ABCD' },
    { id: '07', value: 'COUNTER1' },
  ]);
  const others = ({ id }: DataObject) => !['01', '54', '62', '63'].includes(id);
  t.deepEqual(objects.filter(others), printedObjects.filter(others));
  t.is(dynamic.slice(-4), checksum(dynamic.slice(0, -4)));
});

test('omits tips that a payer would add to the amount', (t) => {
  const tips = payloadOf([...printedObjects, { id: '55', value: '02' }, { id: '56', value: '5.00' }]);
  t.true(parsePayload(tips).ok);
  const objects = objectsOf(dynamicPayload(tips, { amountPaisa: 100, reference: 'A1' }));
  t.is(findValue(objects, '55'), undefined);
  t.is(findValue(objects, '56'), undefined);
});

test('a reference that no code can hold is a mistake of ours', (t) => {
  for (const reference of ['', 'A'.repeat(26), 'a b', 'ক']) {
    t.throws(() => dynamicPayload(printedPayload, { amountPaisa: 100, reference }), {
      instanceOf: TypeError,
    });
  }
});

const name = fc.string({ unit: fc.constantFrom('A', ' ', '7', 'ক', 'া', '最'), minLength: 1, maxLength: 25 });
const subfield = fc.string({ unit: fc.constantFrom('B', '1', '-', 'খ'), maxLength: 20 });

test('every account that is taken makes a sound code for every amount', (t) => {
  fc.assert(
    fc.property(
      fc.record({
        shop: name.filter((text) => text.trim() !== ''),
        merchant: fc.stringMatching(/^[0-9]{1,25}$/),
        bill: fc.option(subfield, { nil: undefined }),
        old: fc.option(subfield, { nil: undefined }),
        amountPaisa: fc.integer({ min: 1, max: 100_000_000 }),
        reference: fc.stringMatching(/^[0-9A-Z]{12}$/),
        isMarked: fc.boolean(),
      }),
      ({ shop, merchant, bill, old, amountPaisa, reference, isMarked }) => {
        const additional = [
          ...(bill === undefined ? [] : [{ id: '01', value: bill }]),
          ...(old === undefined ? [] : [{ id: '05', value: old }]),
        ];
        const text = payloadOf([
          { id: '00', value: '01' },
          ...(isMarked ? [{ id: '01', value: '11' }] : []),
          { id: '26', value: merchantAccount(merchant) },
          { id: '53', value: '050' },
          { id: '58', value: 'BD' },
          { id: '59', value: shop },
          ...(additional.length === 0 ? [] : [{ id: '62', value: writeObjects(additional) }]),
        ]);
        const printed = parsePayload(text);
        t.true(printed.ok, faultsOf(printed).join());
        const objects = objectsOf(dynamicPayload(text, { amountPaisa, reference }));
        const inner = objectsOf(findValue(objects, '62') ?? '');
        t.is(Math.round(Number(findValue(objects, '54')) * 100), amountPaisa);
        t.is(findValue(inner, '05'), reference);
        t.is(findValue(inner, '01'), bill);
        t.deepEqual(
          objects.map(({ id }) => id).toSorted(),
          objects.map(({ id }) => id),
        );
        // Only its being for one payment speaks against it.
        const again = parsePayload(payloadOf(objects.slice(0, -1)));
        t.deepEqual(faultsOf(again), [
          'It is the code of one payment: give the code that is printed for the counter',
        ]);
      },
    ),
  );
});

test('no text makes the reader throw', (t) => {
  const digits = fc.string({ unit: fc.constantFrom('0', '1', '2', '6', 'A', 'ক'), maxLength: 60 });
  fc.assert(fc.property(fc.oneof(fc.string(), digits), (text) => typeof parsePayload(text).ok === 'boolean'));
  t.pass();
});
