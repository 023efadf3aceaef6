/** Which addresses the guard lets through: every range at both its edges, and every way to write one. */
import test from 'ava';
import fc from 'fast-check';
import {
  isPublicAddress,
  parseIpLiteral,
  redactAddress,
  toEndpoint,
  webhookFault,
} from '../../../src/domain/notifications/address.js';

/** First and last address of each range that nobody may be sent to, and what lies just outside of it. */
const RANGES: readonly (readonly [
  first: string,
  last: string,
  before: string | null,
  after: string | null,
])[] = [
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::1', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::1', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::1', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::1', '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::1', null],
];

const CLOSED = [
  ...['169.254.169.254', '255.255.255.255', '127.0.0.1', '100.100.100.200', '192.0.0.192'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.7',
    '::ffff:0:10.0.0.7',
  ],
  ...['0:0:0:0:0:ffff:a9fe:a9fe', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1', '100::1'],
  ...['2002:7f00:1::', '2002:808:808::1', '2001:0:53aa:64c:0:7fff:a83f:f2d6', '2001:20::1', '5f00::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', 'fe80::1%eth0', '2606:4700::1%1'],
];
const OPEN = [
  '1.1.1.1',
  '11.22.33.44',
  '8.8.8.8',
  '103.4.145.245',
  '::ffff:8.8.8.8',
  '2606:4700::1111',
  '2a00::1',
];
const NO_ADDRESS = [
  ...['', 'localhost', '1.1.1', '1.1.1.1.1', '01.1.1.1', '0x8.8.8.8', '134744072', '8.8.8.8 ', '8.8.8.8/32'],
  ...['256.1.1.1', '[2606:4700::1111]', '2606:4700:::1', '2606:4700', ':', '8.8.8.8\n', '８.8.8.8'],
];

test('each closed range is closed from its first address to its last, and its neighbours are open', (t) => {
  for (const [first, last, before, after] of RANGES) {
    for (const ip of [first, last]) t.false(isPublicAddress(ip), ip);
    for (const ip of [before, after]) if (ip !== null) t.true(isPublicAddress(ip), ip);
  }
});

test('metadata services, tunnels, mapped addresses, zones and invalid addresses are closed', (t) => {
  for (const ip of [...CLOSED, ...NO_ADDRESS]) t.false(isPublicAddress(ip), ip);
  for (const ip of OPEN) t.true(isPublicAddress(ip), ip);
});

test('an IPv4 address mapped into IPv6 is judged as itself', (t) => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      t.is(isPublicAddress(`::ffff:${ip}`), isPublicAddress(ip), ip);
    }),
  );
  t.pass();
});

const faultOf = (url: string, allowPrivate = false) => webhookFault(new URL(url), allowPrivate);

test('an https address on the internet may be called', (t) => {
  for (const url of [
    ...['https://shop.example/hook?a=b', 'https://shop.example:8443/', 'https://shop.example:3000/'],
    ...[
      'https://localhost.example/',
      'https://lan.example/',
      'https://11.22.33.44/',
      'https://দোকান.example/',
    ],
    ...['https://[2606:4700::1111]/', 'https://[::ffff:8.8.8.8]/', 'https://shop.example:65535/'],
    'https://shop.example:1024/',
  ]) {
    t.is(faultOf(url), null, url);
  }
});

test('every spelling of a private address and every internal name is refused as what it is', (t) => {
  const loopback = 'must be public; 127.0.0.1 is a private or reserved address';
  for (const host of [
    ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '017700000001', '0177.0.0.1', '127.0.0.1.'],
    ...['①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1'],
  ]) {
    t.is(faultOf(`https://${host}/`), loopback, host);
  }
  for (const host of ['[::1]', '[::ffff:10.0.0.1]', '[::]', '[fd00:ec2::254]', '[64:ff9b::7f00:1]', '0']) {
    t.regex(faultOf(`https://${host}/`) ?? '', /^must be public; [\w.:]+ is a private/, host);
  }
  for (const host of [
    ...[
      'local',
      'lan',
      'home.arpa',
      'localhost',
      'LOCALHOST',
      'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
      'a.localhost',
      'printer.local',
      'db.internal',
      'nas.lan',
    ],
    ...['router.home.arpa', 'shop', 'metadata.google.internal'],
  ]) {
    t.regex(faultOf(`https://${host}/`) ?? '', /is a name for internal networks$/, host);
  }
  for (const host of ['localhost.', 'shop.example.', 'db.internal.']) {
    t.is(faultOf(`https://${host}/`), 'must not have a dot at the end of its host', host);
  }
});

test('other schemes, user names and the ports of internal services are refused', (t) => {
  for (const url of ['http://shop.example/', 'ftp://shop.example/', 'ws://shop.example/', 'data:,x']) {
    t.is(faultOf(url), 'must begin with https://', url);
  }
  for (const url of ['https://a@shop.example/', 'https://:b@shop.example/', 'https://a:b@shop.example/']) {
    t.regex(faultOf(url) ?? '', /^must not have a user name/, url);
    t.regex(faultOf(url, true) ?? '', /^must not have a user name/, url);
  }
  for (const port of [
    0, 1, 22, 25, 80, 444, 1023, 2049, 3306, 3389, 5432, 5900, 6379, 9200, 11_211, 27_017,
  ]) {
    t.regex(
      faultOf(`https://shop.example:${port}/`) ?? '',
      new RegExp(`^must not use port ${port};`),
      `${port}`,
    );
  }
});

test('for development any host and port may be called, over http too, and nothing but http', (t) => {
  for (const url of [
    ...[
      'http://127.0.0.1:9000/',
      'http://localhost/',
      'https://shop/',
      'https://[::1]:6379/',
      'https://nas.lan./',
    ],
  ]) {
    t.is(faultOf(url, true), null, url);
  }
  for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'unix:/run/x.sock']) {
    t.is(faultOf(url, true), 'must begin with https://', url);
  }
});

test('the literal of a host is what is dialled', (t) => {
  t.is(parseIpLiteral('[::1]'), '::1');
  t.is(parseIpLiteral('10.0.0.7'), '10.0.0.7');
  t.is(parseIpLiteral('shop.example'), null);
});

test('an endpoint is scheme, host and port, and nothing of the path', (t) => {
  t.is(toEndpoint('https://Shop.example/hook?a=b#c'), 'https://shop.example:443');
  t.is(toEndpoint('https://shop.example:443/other'), 'https://shop.example:443');
  t.is(toEndpoint('https://shop.example:8443'), 'https://shop.example:8443');
  t.is(toEndpoint('http://[::1]/'), 'http://[::1]:80');
  t.is(toEndpoint('no address'), 'no address');
});

test('a host longer than DNS knows is refused, however few characters are typed, in development too', (t) => {
  const cjk = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e00 + 97 * at)).join('');
  for (const host of [`${cjk}.com`, `${'a.'.repeat(126)}io`]) {
    const address = new URL(`https://${host}/`);
    t.true(address.hostname.length > 253);
    for (const allowPrivate of [false, true])
      t.regex(webhookFault(address, allowPrivate) ?? '', /at most 253/);
  }
  t.is(webhookFault(new URL(`https://${'a.'.repeat(125)}com/`), false), null);
});

const shown: [address: string, shown: string][] = [
  ['https://shop.example/hook', 'https://shop.example/hook'],
  ['https://shop.example:8443/a/b.php', 'https://shop.example:8443/a/b.php'],
  ['https://shop.example/cb.php?api=bk_secret&invoice=501', 'https://shop.example/cb.php?api=…&invoice=…'],
  ['https://shop.example/?token=a=b&x', 'https://shop.example/?token=…&…'],
  ['https://shop.example/?bk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=1', 'https://shop.example/?…'],
  ['https://shop.example/?bk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'https://shop.example/?…'],
  ['https://shop.example/hook/bk_secret/x?&=1', 'https://shop.example/hook/…/x?…'],
  [
    `https://shop.example/?${'a'.repeat(32)}=1&${'a'.repeat(33)}=1`,
    `https://shop.example/?${'a'.repeat(32)}=…&…`,
  ],
  ['https://user:secret@shop.example/#secret', 'https://shop.example/'],
  ['secret', '…'],
];
for (const [address, wanted] of shown) {
  test(`${address} is shown without what may be a key`, (t) => t.is(redactAddress(address), wanted));
}
