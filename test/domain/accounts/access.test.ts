import test from 'ava';
import {
  extractCredentials,
  isIpAllowed,
  isIpRange,
  isTooWide,
} from '../../../src/domain/accounts/access.js';

test('credentials come in the order of the spec, each once, other gateways’ names before api_key', (t) => {
  const places = {
    queryApiKey: 'eight',
    bodyApiKey: 'seven',
    legacy: { 'sohojpay-api-key': 'six', 'x-api-key': 'five', 'secret-key': 'four', 'api-key': 'three' },
    authorization: 'Bearer two',
    brandKey: 'one',
  };
  const wanted = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
  t.deepEqual(extractCredentials(places), wanted);
  t.deepEqual(extractCredentials({ brandKey: 'same', legacy: { 'api-key': 'same' } }), ['same']);
});

test('ignores invalid credentials', (t) => {
  t.deepEqual(extractCredentials({}), []);
  t.deepEqual(
    extractCredentials({
      brandKey: '  ',
      authorization: 'Basic dXNlcjpwdw==',
      legacy: { 'api-key': ['a'], 'secret-key': 'x'.repeat(201) },
      bodyApiKey: 5,
    }),
    [],
  );
  t.deepEqual(
    extractCredentials({ authorization: 'bearer   key' }),
    ['key'],
    'the scheme is case-insensitive',
  );
});

test('an address list lets in what it names, in either spelling of an IPv4 address', (t) => {
  const ranges = ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'];
  for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.200', '2001:db8::1']) {
    t.true(isIpAllowed(ip, ranges), ip);
  }
  for (const ip of ['203.0.113.8', '198.51.101.1', '2001:db9::1', 'not an address', '']) {
    t.false(isIpAllowed(ip, ranges), ip);
  }
  t.true(isIpAllowed('192.0.2.1', []), 'no list, no restriction');
});

test('a range that is wider than anybody has is too wide, in every spelling', (t) => {
  for (const range of [
    '0.0.0.0/0',
    '0.0.0.0/00',
    '128.0.0.0/1',
    '64.0.0.0/2',
    '10.0.0.0/7',
    '::/0',
    '8000::/1',
  ]) {
    t.true(isTooWide(range), range);
  }
  for (const range of ['::ffff:0:0/96', '::/64', '::ffff:128.0.0.0/97']) t.true(isTooWide(range), range);
  for (const range of ['10.0.0.0/8', '203.0.113.7', '0.0.0.0/32', 'fc00::/7', '2001:db8::/32', '::1/128']) {
    t.false(isTooWide(range), range);
  }
  t.false(isTooWide('::ffff:10.0.0.0/104'));
});

test('a range is an address or a CIDR', (t) => {
  t.true(isIpRange('10.0.0.0/8'));
  t.true(isIpRange('::1'));
  for (const text of ['example.com', '1', '10.1', '0x7f000001', '10.0.0.0/33', '/8', ''])
    t.false(isIpRange(text), text);
});

test('a single address lets in itself alone, of either family, and a key of 200 characters is looked up', (t) => {
  t.true(isIpAllowed('2001:db8::1', ['2001:db8::1']));
  t.false(isIpAllowed('2001:db8::2', ['2001:db8::1']));
  t.false(isIpAllowed('2001:db8::1:0:1', ['2001:db8::2:0:1']));
  t.false(isIpAllowed('203.0.113.6', ['203.0.113.7']));
  t.deepEqual(extractCredentials({ brandKey: 'x'.repeat(200) }), ['x'.repeat(200)]);
  for (const authorization of ['Basic Bearer key', 'xBearer key']) {
    t.deepEqual(extractCredentials({ authorization }), [], authorization);
  }
  t.deepEqual(extractCredentials({ authorization: '  Bearer key ' }), ['key']);
  for (const text of ['10.0.0.0/16', '10.0.0.0/8']) t.true(isIpRange(text), text);
  for (const text of ['10.0.0.0/8x', '10.0.0.0/8/8']) t.false(isIpRange(text), text);
});
