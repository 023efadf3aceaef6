/** What may stand beside an account's number, and how it is kept. */
import test from 'ava';
import {
  BANK_DETAILS,
  BANK_TYPE,
  bankNumber,
  CHAIN_DETAILS,
  CODE_DETAILS,
  DEFAULT_BANK_TYPE,
  detailsText,
  EXCHANGE_DETAILS,
  NEEDED_BANK_DETAILS,
  parseAccountDetails,
  parseDetail,
  WALLET_DETAILS,
} from '../../../src/domain/accounts/account-details.js';

test('the same details are the same text, in whatever order they were given, and empty ones are left out', (t) => {
  const one = detailsText({ holder: 'Alo', bank_name: 'City', branch: '' });
  t.is(one, '{"bank_name":"City","holder":"Alo"}');
  t.is(detailsText({ bank_name: 'City', holder: 'Alo' }), one);
  t.deepEqual(parseAccountDetails(one), { bank_name: 'City', holder: 'Alo' });
  t.is(detailsText({}), '{}');
});

test('of each kind of account just these details can be said, and a bank account needs two of them', (t) => {
  t.deepEqual([...BANK_DETAILS], ['bank_name', 'holder', 'branch', 'routing']);
  t.deepEqual([...NEEDED_BANK_DETAILS], ['bank_name', 'holder']);
  t.deepEqual([...WALLET_DETAILS], ['holder', 'qr']);
  t.deepEqual([...CODE_DETAILS], ['qr']);
  t.deepEqual([...CHAIN_DETAILS], ['chain_id', 'network', 'token']);
  t.deepEqual([...EXCHANGE_DETAILS], ['driver', 'base_url']);
});

test('the short name of a bank account has 2 to 20 small letters, digits and dashes', (t) => {
  for (const name of [DEFAULT_BANK_TYPE, 'account', 'ab', 'city-2', 'x'.repeat(20)]) t.regex(name, BANK_TYPE);
  for (const name of ['', 'a', 'x'.repeat(21), 'City', 'a b', 'a_b', 'ab ', ' ab'])
    t.notRegex(name, BANK_TYPE);
});

test('Bangla names with joiners are taken, in one spelling; what cannot be seen is not', (t) => {
  const name = 'র\u200d্যাব ব্যাংক';
  t.deepEqual(parseDetail('bank_name', ` ${name} `), { ok: true, text: name.normalize('NFC') });
  t.deepEqual(parseDetail('holder', 'Cafe\u0301'), { ok: true, text: 'Café' });
  for (const text of ['a\nb', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'a\ud800b', 'a\u2028b']) {
    t.false(parseDetail('holder', text).ok, JSON.stringify(text));
  }
});

test('each detail has its limit, and an empty text means no value', (t) => {
  t.true(parseDetail('branch', 'x'.repeat(100)).ok);
  t.false(parseDetail('branch', 'x'.repeat(101)).ok);
  t.true(parseDetail('qr', '1'.repeat(512)).ok);
  t.false(parseDetail('qr', '1'.repeat(513)).ok);
  t.true(parseDetail('routing', '123456789').ok);
  for (const text of ['12345678', '1234567890', '12345678a', '১২৩৪৫৬৭৮৯']) {
    t.false(parseDetail('routing', text).ok, text);
  }
  t.deepEqual(parseDetail('routing', ' '), { ok: true, text: '' });
});

test('a bank account has 5 to 34 letters, digits and dashes, and is kept without the spaces in it', (t) => {
  t.is(bankNumber(' 123-45678-x '), '123-45678-x');
  t.is(bankNumber('1 23 456'), '123456');
  t.is(bankNumber('1'.repeat(34)), '1'.repeat(34));
  for (const text of ['1234', '1'.repeat(35), '123  456', '12\t345', '1 2 3 4', '১২৩৪৫৬', '12345;', ''])
    t.is(bankNumber(text), null, text);
});

test('the fault of a detail is named, and details of chains and exchanges have the limit of texts', (t) => {
  t.deepEqual(parseDetail('holder', 'a\nb'), {
    ok: false,
    fault: 'has a line break or an invisible character',
  });
  t.deepEqual(parseDetail('routing', '12'), { ok: false, fault: 'must be 9 digits' });
  for (const name of ['network', 'chain_id', 'token', 'driver', 'base_url'] as const) {
    t.deepEqual(parseDetail(name, 'x'.repeat(100)), { ok: true, text: 'x'.repeat(100) });
    const fault = 'may have at most 100 characters, this has 101';
    t.deepEqual(parseDetail(name, 'x'.repeat(101)), { ok: false, fault });
  }
});
