/** What a payment link takes: amounts, the seller's fields, and who is led to which payment. */
import test from 'ava';
import {
  linkMeta,
  linkStateAt,
  MAX_VALUE,
  openerMark,
  parseFieldValue,
  parseLinkAmount,
  parseLinkField,
  parseLinkValues,
} from '../../../src/domain/links/link.js';

const CHOSEN = { minPaisa: 10_000, maxPaisa: 50_000_000 };

test('an amount is read in digits of both scripts, with commas and as people write taka', (t) => {
  const right: readonly (readonly [string, number])[] = [
    ['100', 10_000],
    [' 100.5 ', 10_050],
    ['১০০.৫০', 10_050],
    ['৫,০০,০০০', 50_000_000],
    ['500,000', 50_000_000],
    ['৳ ৫০০', 50_000],
    ['500/-', 50_000],
    ['৫০০ টাকা', 50_000],
    ['Tk. 500.50', 50_050],
    ['৫০০/- টাকা', 50_000],
    ['BDT 1,000', 100_000],
  ];
  for (const [typed, paisa] of right) t.deepEqual(parseLinkAmount(CHOSEN, typed), { ok: true, paisa }, typed);
  const wrong = {
    empty: ['', '  ', '৳'],
    unreadable: [
      '-500',
      '+500',
      '1e3',
      '0x100',
      'Infinity',
      'NaN',
      '500 $',
      'USDT 500',
      '500 - 600',
      '5 00',
      '1,00',
      '.5',
      '500.',
    ],
    too_many_decimals: ['100.005', '100.5000001'],
    too_low: ['99.99', '0', '0.00'],
    too_high: ['500000.01', '9'.repeat(15), '9'.repeat(400)],
  } as const;
  for (const [fault, texts] of Object.entries(wrong)) {
    for (const typed of texts) {
      t.deepEqual(parseLinkAmount(CHOSEN, typed), { ok: false, fault: fault as 'empty' }, typed.slice(0, 20));
    }
  }
});

test('of a fixed amount nothing counts that a browser sends', (t) => {
  const fixed = { minPaisa: 50_000, maxPaisa: 50_000 };
  for (const typed of ['', '1', '-5', 'x']) {
    t.deepEqual(parseLinkAmount(fixed, typed), { ok: true, paisa: 50_000 });
  }
});

test('fields are NAME=LABEL, and NAME*=LABEL where they must be filled in', (t) => {
  t.deepEqual(parseLinkField('size=Size'), {
    ok: true,
    field: { name: 'size', label: 'Size', isRequired: false },
  });
  t.deepEqual(parseLinkField('name*= আপনার নাম '), {
    ok: true,
    field: { name: 'name', label: 'আপনার নাম', isRequired: true },
  });
  t.deepEqual(parseLinkField('sum=1=2'), {
    ok: true,
    field: { name: 'sum', label: '1=2', isRequired: false },
  });
  const wrong = ['', 'size', '=Size', '*=Size', 'Size=Size', 'si ze=Size', '__proto__=x', 'a**=b', '1a=b'];
  const long = [`${'a'.repeat(33)}=x`, `a=${'x'.repeat(61)}`, 'a=', 'a=  ', 'a=two\nlines', 'a=\u202eevil'];
  for (const text of [...wrong, ...long]) t.false(parseLinkField(text).ok, text);
});

test('a value is one line of at most 200 characters, as it was typed', (t) => {
  const field = { name: 'a', label: 'A', isRequired: true };
  const optional = { ...field, isRequired: false };
  t.deepEqual(parseFieldValue(field, '  ঢাকা '), { ok: true, value: 'ঢাকা' });
  t.deepEqual(parseFieldValue(field, ' '), { ok: false, fault: 'empty' });
  t.deepEqual(parseFieldValue(optional, ' '), { ok: true, value: '' });
  t.deepEqual(parseFieldValue(field, '😀'.repeat(MAX_VALUE)), { ok: true, value: '😀'.repeat(MAX_VALUE) });
  t.deepEqual(parseFieldValue(field, 'x'.repeat(MAX_VALUE + 1)), { ok: false, fault: 'too_long' });
  for (const text of ['a\nb', 'a\0b', 'a\u0007b', 'a\u001b[31m', 'a\u2028b', 'a\u202eb', 'a\ud800b']) {
    t.deepEqual(parseFieldValue(field, text), { ok: false, fault: 'control' }, JSON.stringify(text));
  }
  t.deepEqual(parseFieldValue(field, '<script>"\'&'), { ok: true, value: '<script>"\'&' });
});

test('names of a program are names like any other', (t) => {
  const values = new Map([
    ['constructor', 'a'],
    ['tostring', 'b'],
  ]);
  t.deepEqual(parseLinkValues(linkMeta('m4k8r2w9xh5c', values)), values);
  t.is(parseLinkValues(null).size, 0);
  t.false(parseLinkValues(linkMeta('m4k8r2w9xh5c', new Map())).has('constructor'));
});

test('the state of a link says why it takes no payment', (t) => {
  const link = { ends_at: 100, disabled_at: null, max_payments: 2, merchant_status: 'ACTIVE' } as const;
  t.is(linkStateAt(link, 1, 99), 'ACTIVE');
  t.is(linkStateAt(link, 1, 100), 'ENDED');
  t.is(linkStateAt(link, 2, 99), 'PAID');
  t.is(linkStateAt(link, 3, 99), 'PAID');
  t.is(linkStateAt({ ...link, max_payments: null }, 3, 99), 'ACTIVE');
  t.is(linkStateAt({ ...link, merchant_status: 'SUSPENDED' }, 0, 99), 'SUSPENDED');
  t.is(linkStateAt({ ...link, disabled_at: 1 }, 3, 100), 'DISABLED');
});

test('one opener is one browser with the same entries, in whatever order', (t) => {
  const [one, two] = [
    ['a', '1'],
    ['b', '2'],
  ] as const;
  const mark = openerMark('browser', 500, new Map([one, two]));
  t.is(mark, openerMark('browser', 500, new Map([two, one])));
  const others = [
    openerMark('other', 500, new Map([one, two])),
    openerMark('browser', 501, new Map([one, two])),
    openerMark('browser', 500, new Map([one])),
    openerMark('browser', 500, new Map([['a', '1","b","2'] as const])),
  ];
  t.is(new Set([mark, ...others]).size, 5);
});
