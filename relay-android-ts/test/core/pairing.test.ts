/** What a person types or scans to pair. */
import test from 'ava';
import { checkPairing, parsePairingLink, parsePairingReply } from '../../src/core/pairing.js';

const HEX = 'ab'.repeat(32);

test('the text of a QR code gives address, code and fingerprint', (t) => {
  const link = `kashbox://pair?url=https%3A%2F%2F192.168.0.5%3A8443&code=abcd-efgh&fp=${HEX.toUpperCase()}`;
  t.deepEqual(parsePairingLink(link), { url: 'https://192.168.0.5:8443', code: 'ABCD-EFGH', sha256: HEX });
  t.is(parsePairingLink('kashbox://pair?url=https://pay.example.com&code=ABCD-EFGH').sha256, null);
});

test('a fingerprint may have colons, and an address a path and a slash at its end', (t) => {
  const colons = HEX.match(/../g)?.join(':');
  t.deepEqual(checkPairing('https://pay.example.com/box/', 'ABCD-EFGH', colons), {
    url: 'https://pay.example.com/box',
    code: 'ABCD-EFGH',
    sha256: HEX,
  });
});

test('addresses without TLS, with secrets in them, and unusable parts are refused', (t) => {
  const refused: [string, string, string?][] = [
    ['http://192.168.0.5:8443', 'ABCD-EFGH'],
    ['ftp://192.168.0.5', 'ABCD-EFGH'],
    ['192.168.0.5:8443', 'ABCD-EFGH'],
    ['https://user:secret@192.168.0.5', 'ABCD-EFGH'],
    ['https://192.168.0.5/?a=b', 'ABCD-EFGH'],
    ['https://192.168.0.5', ''],
    ['https://192.168.0.5', 'AB CD'],
    ['https://192.168.0.5', 'ABCD-EFGH', 'abc'],
    ['https://192.168.0.5', 'ABCD-EFGH', `${HEX}00`],
  ];
  for (const [url, code, fingerprint] of refused) {
    t.throws(
      () => checkPairing(url, code, fingerprint),
      { name: 'RelayError' },
      `${url} ${code} ${fingerprint}`,
    );
  }
});

test('links of other kinds and links that were cut are refused', (t) => {
  for (const link of [
    '',
    'kashbox://pair',
    'kashbox://other?url=https://a&code=ABCD',
    'https://a/?url=https://b&code=ABCD-EFGH',
    'kashbox://pair?url=https%3A%2F%2Fa',
  ]) {
    t.throws(() => parsePairingLink(link), { name: 'RelayError' }, link);
  }
});

test('a key that could smuggle a header in is refused', (t) => {
  const answer = (key: unknown) => ({
    kind: 'answered' as const,
    status: 200,
    retryAfter: null,
    body: JSON.stringify({
      status: true,
      device: { id: 'dev_1', name: 'Counter\u001b[2J' },
      device_key: key,
    }),
  });
  t.deepEqual(parsePairingReply(answer('dk_12345678')), {
    deviceId: 'dev_1',
    deviceName: 'Counter [2J',
    deviceKey: 'dk_12345678',
  });
  for (const key of ['a\r\nX: y'.repeat(2), '', undefined, 5, 'টাকাটাকাটাকা'])
    t.throws(() => parsePairingReply(answer(key)));
});

test('only the server itself can say that a code is wrong', (t) => {
  const answer = (status: number, body: string) => ({
    kind: 'answered' as const,
    status,
    retryAfter: null,
    body,
  });
  const own = JSON.stringify({ status: false, message: 'The pairing code is wrong, used or expired' });
  t.throws(() => parsePairingReply(answer(401, own)), { message: /wrong, used or expired/ });
  t.throws(() => parsePairingReply(answer(401, '<html>Authorization Required</html>')), {
    message: 'The server could not pair (HTTP 401, not in the form of Kashbox)',
  });
});
