import test from 'ava';
import { signQuery } from '../../../src/channels/exchange-pay/binance/history.js';
import { newNonce, signOrderRequest } from '../../../src/channels/exchange-pay/binance/merchant.js';

test("a query is signed as the exchange's own example is", (t) => {
  const secret = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
  const query =
    'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000' +
    '&timestamp=1499827319559';
  t.is(signQuery(secret, query), 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71');
});

test('an order request is signed over time, nonce and body, each with a line end', (t) => {
  const signature = signOrderRequest('test-secret-key', {
    timestamp: '1700000000000',
    nonce: 'a'.repeat(32),
    body: '{"merchantTradeNo":"9825382937292"}',
  });
  t.is(
    signature,
    'E7628BE19C0965151F8FD9B7826C0CDBC5B74D68EBD2E2522F373F7B28016E1F' +
      'EF48612E42C3B015BBE8C36AE00C8B65BF79623484601459A879DFBAD7ED3802',
  );
});

test('a nonce is 32 letters, and another one each time', (t) => {
  const bytes = (value: number) => (size: number) => new Uint8Array(size).fill(value);
  for (const value of [0, 0x09, 0x5a, 0x99, 0xff]) t.regex(newNonce(bytes(value)), /^[a-z]{32}$/);
  const all = Array.from({ length: 256 }, (_, value) => newNonce(bytes(value)));
  t.is(new Set(all).size, 256);
});
