/** The ways to pay, by name, and the numbers of wallets in the ways people write them. */
import test from 'ava';
import fc from 'fast-check';
import {
  CHANNEL,
  CHANNELS,
  checkedNumber,
  isChannel,
  isMfsAccountType,
  isOnChain,
  isPayChannel,
  KINDS_OF_TYPE,
  MFS_ACCOUNT_TYPES,
  MFS_CHANNELS,
  mobileNumber,
  PAY_CHANNELS,
  walletNumber,
} from '../../../src/domain/accounts/channels.js';

const MFS = ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'];
const API = [...MFS, 'qr_interbank', 'exchange_pay', 'bep20'];

test('the channels in the order in which they are listed, and what each of them is', (t) => {
  t.deepEqual([...MFS_CHANNELS] as string[], MFS);
  t.deepEqual([...CHANNELS] as string[], API);
  t.deepEqual([...PAY_CHANNELS] as string[], [...API, 'bank']);
  for (const name of [...API, 'bank', 'mfs_e', 'toString', '', null, 7]) {
    t.is(isChannel(name), API.includes(name as string), String(name));
    t.is(isPayChannel(name), [...API, 'bank'].includes(name as string), String(name));
    const kind = isPayChannel(name) ? CHANNEL[name].kind : null;
    t.is(kind === 'sms', MFS.includes(name as string), String(name));
    t.is(kind === 'pull', name === 'exchange_pay' || name === 'bep20', String(name));
  }
});

const facts: readonly (readonly [channel: string, shown: string, wanted: object])[] = [
  ['mfs_a', 'bKash বিকাশ bK', { given: 'id', example: 'DH15ABC1K7' }],
  ['mfs_b', 'Nagad নগদ N', { given: 'id', example: '72KXP9QD' }],
  ['mfs_c', 'Rocket রকেট R', { given: 'id', example: '4123456789' }],
  ['mfs_d', 'Upay উপায় U', { given: 'id', example: '01KB7C9D2E' }],
  [
    'qr_interbank',
    'Bangla QR বাংলা কিউআর QR',
    { kind: 'push', given: 'number', example: '01712345678', isBinding: true },
  ],
  [
    'exchange_pay',
    'Binance Pay বাইন্যান্স পে B',
    {
      ...{ source: 'exchange', paidTo: 'personal', given: 'order', example: '312345678901234567' },
      ...{ hasManyIds: true, isSealed: true },
    },
  ],
  [
    'bep20',
    'USDT (BEP20) USDT (BEP20) T',
    { source: 'chain', given: 'hash', example: '0x9c2f…41e7', isBinding: true },
  ],
  ['bank', 'Bank transfer ব্যাংক ট্রান্সফার ৳', { kind: 'manual', given: 'reference' }],
];

for (const [channel, shown, wanted] of facts) {
  test(`customers pay on ${channel} by what its row says, and read its own names`, (t) => {
    if (!isPayChannel(channel)) return t.fail();
    const row = CHANNEL[channel];
    t.is(`${row.name.en} ${row.name.bn} ${row.mark}`, shown);
    t.like(row, wanted);
    const flags = ['hasManyIds', 'isBinding', 'isSealed', 'paidTo'].filter((name) => name in row);
    t.deepEqual(
      flags,
      ['hasManyIds', 'isBinding', 'isSealed', 'paidTo'].filter((name) => name in wanted),
    );
    t.is(isOnChain(channel), channel === 'bep20');
  });
}

test('each type of account takes the kinds of SMS of its own', (t) => {
  t.deepEqual(KINDS_OF_TYPE, {
    personal: ['received', 'cash_in'],
    agent: ['cash_out_received'],
    payment: ['payment_received'],
  });
  for (const type of ['personal', 'agent', 'payment']) t.true(isMfsAccountType(type));
  for (const type of ['', 'merchant', 'toString']) t.false(isMfsAccountType(type), type);
  for (const channel of MFS_CHANNELS) t.true(MFS_ACCOUNT_TYPES[channel].includes('personal'), channel);
});

const numbers = fc
  .tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 0, max: 99_999_999 }))
  .map(([operator, rest]) => `01${operator}${String(rest).padStart(8, '0')}`);

test('a mobile number is one in every way that people write it', (t) => {
  fc.assert(
    fc.property(numbers, (number) => {
      const bare = number.slice(1);
      const written = [number, `880${bare}`, `+880${bare}`, `+880 ${bare.slice(0, 4)}-${bare.slice(4)}`];
      for (const text of [...written, `(${number})`, ` ${number} `]) t.is(mobileNumber(text), number, text);
      for (const wrong of [`${number}1`, `1${number}`, number.slice(1), `+88${bare}`, `00880${bare}`]) {
        t.is(mobileNumber(wrong), null, wrong);
      }
    }),
  );
  for (const wrong of ['01211000000', '02711000000', '01711-00000x', '880880171100000', '+8800171100000']) {
    t.is(mobileNumber(wrong), null, wrong);
  }
});

test('a check digit belongs to accounts of Rocket alone, and to no SIM', (t) => {
  t.is(checkedNumber('mfs_c', '0171 1000-0008'), '017110000008');
  t.is(walletNumber('mfs_c', '0171 1000-0008'), '01711000000');
  for (const text of ['01711000000', '117110000008', '0171100000080', '01711000000x', 'x017110000008']) {
    t.is(checkedNumber('mfs_c', text), null, text);
  }
  for (const channel of MFS_CHANNELS.filter((name) => name !== 'mfs_c')) {
    t.is(checkedNumber(channel, '017110000008'), null, channel);
    t.is(walletNumber(channel, '017110000008'), null, channel);
    t.is(walletNumber(channel, ' 01711-000 000 '), '01711000000', channel);
  }
  t.is(walletNumber('mfs_a', '(01711)000000'), '01711000000');
});
