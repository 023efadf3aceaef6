/** Only a plain https website gives a domain to show, and only in signs that look like themselves. */
import test from 'ava';
import { readWebsite } from '../../../src/actions/brands/brand-look.js';

const domainOf = (typed: string) => {
  const read = readWebsite(typed);
  return read.ok ? read.domain : null;
};

test('the domain of a website is taken from its address, or from itself', (t) => {
  t.is(domainOf('https://alo.example'), 'alo.example');
  t.is(domainOf('HTTPS://Alo.Example/shop?x=1#y'), 'alo.example');
  t.is(domainOf('alo.example'), 'alo.example');
  t.is(domainOf('www.alo.com.bd/'), 'www.alo.com.bd');
});

test('other letters are shown in their ASCII form, so that none is taken for another', (t) => {
  t.is(domainOf('https://আলো.বাংলা'), 'xn--94b2g5c.xn--54b7fta0cc');
  t.is(domainOf('https://аlo.example'), 'xn--lo-6kc.example', 'its first letter is Cyrillic');
});

test('what is no https website with a name of its own is refused', (t) => {
  for (const typed of [
    'http://alo.example',
    'ftp://alo.example',
    'https://alo.example:8443',
    'https://alo.example@evil.example',
    'https://user:pw@evil.example',
    'https:\\\\evil.example',
    'https:///evil.example',
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://[::1]/',
    'localhost',
    'https://alo',
    'https://alo.example evil.example',
    'javascript:alert(1)',
    'https://<b>.example',
    '-alo.example',
    `https://${'a'.repeat(64)}.example`,
  ]) {
    t.is(domainOf(typed), null, typed);
  }
});
