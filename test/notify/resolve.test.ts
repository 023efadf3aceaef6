import test from 'ava';
import { pinnedAddresses } from '../../src/notify/guard.js';

const HOSTS = `127.0.0.1 localhost
11.22.33.44\tshop.example WWW.Shop.Example # our test shop
# 11.22.33.55 shop.example
not-an-address shop.example
2001:4860:4860::8888 shop.example
`;

test('a name in the hosts file has the addresses listed there', (t) => {
  t.deepEqual(pinnedAddresses(HOSTS, 'shop.example'), ['11.22.33.44', '2001:4860:4860::8888']);
  t.deepEqual(pinnedAddresses(HOSTS, 'www.shop.example'), ['11.22.33.44']);
  t.deepEqual(pinnedAddresses(HOSTS.replaceAll('\n', '\r\n'), 'localhost'), ['127.0.0.1']);
});

test('an unlisted name, a part of a name and a comment have no addresses', (t) => {
  for (const name of ['example', 'shop.example.org', 'test', '11.22.33.44', '']) {
    t.deepEqual(pinnedAddresses(HOSTS, name), [], name);
  }
});
