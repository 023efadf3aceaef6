/** Wallet addresses as operators paste them. */
import test from 'ava';
import { parseAddress } from '../../../src/channels/bep20/address.js';
import { findNetwork, NETWORKS } from '../../../src/channels/bep20/networks.js';

/** The examples of EIP-55. */
const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
];

function faultOf(text: string): string {
  const read = parseAddress(text);
  return read.ok ? 'none' : read.fault;
}

test('an address is kept with its checksum, however it was pasted', (t) => {
  for (const address of CHECKSUMMED) {
    const upper = `0x${address.slice(2).toUpperCase()}`;
    for (const typed of [address, ` ${address}\n`, address.toLowerCase(), upper]) {
      t.deepEqual(parseAddress(typed), { ok: true, address }, typed);
    }
  }
});

test('one letter in the wrong case is a wrong checksum', (t) => {
  t.regex(faultOf('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), /checksum does not fit/);
  t.regex(faultOf('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d358'), /checksum does not fit/, 'a wrong digit');
});

test('an invalid address returns a format hint', (t) => {
  const [address = ''] = CHECKSUMMED;
  const none = ['', '0x', address.slice(2), address.slice(0, -1), `${address}0`, `0X${address.slice(2)}`];
  const odd = [`${address.slice(0, -1)}g`, `${address.slice(0, 20)} ${address.slice(20)}`, 'shop.eth'];
  const icap = 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS';
  for (const text of [...none, ...odd, icap, `0x${'a'.repeat(64)}`]) {
    t.is(faultOf(text), 'must be 0x and 40 characters of 0-9 and a-f', text);
  }
});

test("the zero address and the token's own contract are nobody's wallet", (t) => {
  t.regex(faultOf(`0x${'0'.repeat(40)}`), /zero address/);
  for (const { token } of NETWORKS) {
    t.regex(faultOf(token), /contract of the token/);
    t.regex(faultOf(token.toLowerCase()), /contract of the token/);
  }
});

test('the official tokens are written with their checksums, and public nodes are called by https', (t) => {
  t.deepEqual(
    NETWORKS.map(({ chainId, token, decimals }) => [chainId, token, decimals]),
    [
      [56, '0x55d398326f99059fF775485246999027B3197955', 18],
      [97, '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd', 18],
    ],
  );
  for (const { publicNodes } of NETWORKS) t.true(publicNodes.every((url) => url.startsWith('https://')));
  t.is(findNetwork(1), undefined);
});
