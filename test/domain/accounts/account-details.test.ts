/** What may stand beside an account's number, and how it is kept. */
import test from 'ava';
import {
  bankNumber,
  detailsText,
  readDetail,
  readDetails,
} from '../../../src/domain/accounts/account-details.js';

test('the same details are the same text, in whatever order they were given, and empty ones are left out', (t) => {
  const one = detailsText({ holder: 'Alo', bank_name: 'City', branch: '' });
  t.is(one, '{"bank_name":"City","holder":"Alo"}');
  t.is(detailsText({ bank_name: 'City', holder: 'Alo' }), one);
  t.deepEqual(readDetails(one), { bank_name: 'City', holder: 'Alo' });
  t.is(detailsText({}), '{}');
});

test('Bangla names with joiners are taken, in one spelling; what cannot be seen is not', (t) => {
  const name = 'র\u200d্যাব ব্যাংক';
  t.deepEqual(readDetail('bank_name', ` ${name} `), { ok: true, text: name.normalize('NFC') });
  t.deepEqual(readDetail('holder', 'Cafe\u0301'), { ok: true, text: 'Café' });
  for (const text of ['a\nb', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'a\ud800b', 'a\u2028b']) {
    t.false(readDetail('holder', text).ok, JSON.stringify(text));
  }
});

test('each detail has its limit, and an empty text stands for none', (t) => {
  t.true(readDetail('branch', 'x'.repeat(100)).ok);
  t.false(readDetail('branch', 'x'.repeat(101)).ok);
  t.true(readDetail('qr', '1'.repeat(512)).ok);
  t.false(readDetail('qr', '1'.repeat(513)).ok);
  t.true(readDetail('routing', '123456789').ok);
  for (const text of ['12345678', '1234567890', '12345678a', '১২৩৪৫৬৭৮৯']) {
    t.false(readDetail('routing', text).ok, text);
  }
  t.deepEqual(readDetail('routing', ' '), { ok: true, text: '' });
});

test('a bank account has 5 to 34 letters, digits and dashes, and is kept without the spaces in it', (t) => {
  t.is(bankNumber(' 123-45678-x '), '123-45678-x');
  t.is(bankNumber('1 23 456'), '123456');
  t.is(bankNumber('1'.repeat(34)), '1'.repeat(34));
  for (const text of ['1234', '1'.repeat(35), '123  456', '12\t345', '1 2 3 4', '১২৩৪৫৬', '12345;', ''])
    t.is(bankNumber(text), null, text);
});

test('what is wrong with a detail is said, and details of chains and exchanges have the limit of texts', (t) => {
  t.deepEqual(readDetail('holder', 'a\nb'), {
    ok: false,
    fault: 'has a line break or an invisible character',
  });
  t.deepEqual(readDetail('routing', '12'), { ok: false, fault: 'must be 9 digits' });
  for (const name of ['network', 'chain_id', 'token', 'driver', 'base_url'] as const) {
    t.deepEqual(readDetail(name, 'x'.repeat(100)), { ok: true, text: 'x'.repeat(100) });
    const fault = 'may have at most 100 characters, this has 101';
    t.deepEqual(readDetail(name, 'x'.repeat(101)), { ok: false, fault });
  }
});
