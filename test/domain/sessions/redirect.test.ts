/** The way back to the shop (spec 4.1 and 6): which address, which parameters, nothing of it lost. */
import test from 'ava';
import fc from 'fast-check';
import {
  type ReturnFacts,
  type ReturnParameters,
  returnAddress,
  returnParameters,
  reviewFacts,
  withParameters,
} from '../../../src/domain/sessions/redirect.js';

const facts: ReturnFacts = {
  status: 'COMPLETED',
  channel: 'mfs_a',
  transactionId: 'DKL7CD1EF2',
  paidPaisa: 50_050,
  feePaisa: 925,
};
const QUERY =
  'paymentMethod=mfs_a&transactionId=DKL7CD1EF2&paymentAmount=500.50&paymentFee=9.25&status=completed';

test('4.1 redirect: the five parameters, in their order, with two decimals and a status in lower case', (t) => {
  t.deepEqual(returnParameters(facts), [
    ['paymentMethod', 'mfs_a'],
    ['transactionId', 'DKL7CD1EF2'],
    ['paymentAmount', '500.50'],
    ['paymentFee', '9.25'],
    ['status', 'completed'],
  ]);
});

test('4.1 redirect: while nothing is paid the amount is 0.00 and the method may be empty', (t) => {
  const nothing: ReturnFacts = {
    status: 'FAILED',
    channel: null,
    transactionId: 'AB12CD34EF56',
    paidPaisa: 0,
    feePaisa: 0,
  };
  t.deepEqual(returnParameters(nothing), [
    ['paymentMethod', ''],
    ['transactionId', 'AB12CD34EF56'],
    ['paymentAmount', '0.00'],
    ['paymentFee', '0.00'],
    ['status', 'failed'],
  ]);
});

test('3 redirect: under review it is what is asked for, and of a hosted payment by bank whatever was claimed', (t) => {
  const claimed = {
    channel: 'mfs_a',
    transactionId: 'AB12CD34EF56',
    amountPaisa: 50_000,
    feePaisa: 925,
  } as const;
  const told = (flow: 'hosted' | 'headless') => returnParameters(reviewFacts({ ...claimed, flow }));
  const rest = [
    ['transactionId', 'AB12CD34EF56'],
    ['paymentAmount', '500.00'],
    ['paymentFee', '9.25'],
    ['status', 'pending'],
  ];
  t.deepEqual(told('hosted'), [['paymentMethod', 'bank'], ...rest] as never);
  t.deepEqual(told('headless'), [['paymentMethod', 'mfs_a'], ...rest] as never);
});

test('6 redirect: completed and pending go to success_url, failed to cancel_url', (t) => {
  const addresses = { successUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/cart' };
  t.is(returnAddress(addresses, 'COMPLETED'), addresses.successUrl);
  t.is(returnAddress(addresses, 'PENDING'), addresses.successUrl);
  t.is(returnAddress(addresses, 'FAILED'), addresses.cancelUrl);
});

const joined: [address: string, result: string][] = [
  ['https://shop.example/', `https://shop.example/?${QUERY}`],
  ['https://shop.example/paid?', `https://shop.example/paid?${QUERY}`],
  ['https://shop.example/paid?order=7', `https://shop.example/paid?order=7&${QUERY}`],
  ['https://shop.example/paid?order=7&', `https://shop.example/paid?order=7&${QUERY}`],
  ['https://shop.example/paid?q=why?', `https://shop.example/paid?q=why?&${QUERY}`],
  ['https://shop.example/paid?a[]=1&a[]=%20', `https://shop.example/paid?a[]=1&a[]=%20&${QUERY}`],
  ['https://shop.example/paid#top', `https://shop.example/paid?${QUERY}#top`],
  ['https://shop.example/paid?order=7#/a?b', `https://shop.example/paid?order=7&${QUERY}#/a?b`],
  // What the shop has under a name of ours is not true: readers take the first or the last of two.
  ['https://shop.example/paid?status=success&order=7', `https://shop.example/paid?order=7&${QUERY}`],
  ['https://shop.example/paid?%73tatus=success&transactionId=%zz', `https://shop.example/paid?${QUERY}`],
  [
    'https://shop.example/paid?my_status=1&Status=2&paymentFee',
    `https://shop.example/paid?my_status=1&Status=2&${QUERY}`,
  ],
  ['https://shop.example/#/paid?order=7', `https://shop.example/?${QUERY}#/paid?order=7`],
];
for (const [address, result] of joined) {
  test(`the parameters are appended to ${address} and nothing else of it is lost`, (t) => {
    t.is(withParameters(address, returnParameters(facts)), result);
  });
}

test('the value of a parameter stays in its parameter', (t) => {
  const parameters: ReturnParameters = [['transactionId', 'a&status=completed#x?y="<ক \r\n']];
  const { href, searchParams, hash } = new URL(withParameters('https://shop.example/?a=b', parameters));
  t.is(searchParams.get('transactionId'), 'a&status=completed#x?y="<ক \r\n');
  t.deepEqual([searchParams.get('status'), hash], [null, '']);
  t.notRegex(href, /[\r\n"<]/);
});

test('from any address on, the shop reads its own query first, then ours, at the same place', (t) => {
  const addresses = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true });
  const texts = fc.string({ unit: 'grapheme' });
  const given = fc.array(fc.tuple(texts, texts), { minLength: 1 });
  fc.assert(
    fc.property(addresses, given, (address, parameters) => {
      const before = new URL(address);
      // What the shop calls as we do is replaced, which other tests show.
      const own = [...before.searchParams.keys()].map((name) => name.trim());
      fc.pre(!parameters.some(([name]) => own.includes(name)));
      const after = new URL(withParameters(before.href, parameters));
      t.deepEqual([...after.searchParams], [...before.searchParams, ...parameters]);
      t.deepEqual([after.origin, after.pathname], [before.origin, before.pathname]);
      t.is(after.hash, before.hash);
    }),
  );
});

test('the way back of a test payment says that it is one, behind the five parameters', (t) => {
  t.deepEqual(returnParameters(facts, { isTest: true }).slice(5), [['test', 'true']]);
  t.deepEqual(returnParameters(facts, { otherNames: ['trx'], isTest: true }).slice(5), [
    ['trx', 'DKL7CD1EF2'],
    ['test', 'true'],
  ]);
  t.is(returnParameters(facts, { isTest: false }).length, 5);
});
