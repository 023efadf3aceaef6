import test from 'ava';
import { credentialsOf, isIpAllowed, isIpRange } from '../../src/domain/access.js';

test('credentials come in the order of the spec, each once', (t) => {
  const places = {
    queryApiKey: 'six',
    bodyApiKey: 'five',
    secretKey: 'four',
    apiKey: 'three',
    authorization: 'Bearer two',
    brandKey: 'one',
  };
  t.deepEqual(credentialsOf(places), ['one', 'two', 'three', 'four', 'five', 'six']);
  t.deepEqual(credentialsOf({ brandKey: 'same', apiKey: 'same' }), ['same']);
});

test('what is no credential is passed over', (t) => {
  t.deepEqual(credentialsOf({}), []);
  t.deepEqual(
    credentialsOf({
      brandKey: '  ',
      authorization: 'Basic dXNlcjpwdw==',
      apiKey: ['a'],
      bodyApiKey: 5,
      secretKey: 'x'.repeat(201),
    }),
    [],
  );
  t.deepEqual(credentialsOf({ authorization: 'bearer   key' }), ['key'], 'the scheme is case-insensitive');
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

test('a range is an address or a CIDR', (t) => {
  t.true(isIpRange('10.0.0.0/8'));
  t.true(isIpRange('::1'));
  for (const text of ['example.com', '1', '10.1', '0x7f000001', '10.0.0.0/33', '/8', ''])
    t.false(isIpRange(text), text);
});
