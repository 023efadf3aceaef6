import test from 'ava';
import type { Fault } from '../../helpers/outside/exchange-server.js';
import { HISTORY_PATH, paidRow } from '../../helpers/outside/exchange-server.js';
import { openGround } from './ground.js';

const HTML = '<html><body>502 Bad Gateway</body></html>';
const faults: [what: string, fault: Fault, kind: string][] = [
  ['an HTML page with status 200', { status: 200, body: HTML }, 'malformed'],
  ['an HTML page with status 403', { status: 403, body: HTML }, 'http_status'],
  ['504', { status: 504, body: '{"code":"000000","success":true,"data":[]}' }, 'http_status'],
  ['503 in HTML', { status: 503, body: HTML }, 'http_status'],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }, 'http_status'],
  ['429 in HTML', { status: 429, body: HTML }, 'rate_limited'],
  ['418', { status: 418, body: '{"code":-1003,"msg":"banned"}' }, 'rate_limited'],
  ['a code of too many calls', { status: 400, body: '{"code":-1003,"msg":"Too many"}' }, 'rate_limited'],
  ['an unknown code', { status: 400, body: '{"code":-1100,"msg":"Illegal"}' }, 'refused'],
  ['a code of success that is none', { status: 200, body: '{"code":"000001","success":true}' }, 'refused'],
  ['no success', { status: 200, body: '{"code":"000000","success":false,"data":[]}' }, 'refused'],
  ['no list', { status: 200, body: '{"code":"000000","success":true,"data":{}}' }, 'malformed'],
  ['nothing', { status: 200, body: '' }, 'malformed'],
  ['half an answer', { status: 200, body: '{"code":"000000","success":true,"data":[' }, 'malformed'],
  ['a list of texts', { status: 200, body: '{"code":"000000","success":true,"data":["x"]}' }, 'malformed'],
  ['a list of lists', { status: 200, body: '{"code":"000000","success":true,"data":[[]]}' }, 'malformed'],
  ['3 MB', { status: 200, body: `"${'x'.repeat(3_000_000)}"` }, 'too_large'],
  ['deep nesting', { status: 200, body: '['.repeat(200_000) }, 'malformed'],
];
for (const [what, fault, kind] of faults) {
  test(`${what} is a failed lookup, never "there is no such payment"`, async (t) => {
    const ground = await openGround(t);
    const { exchange, reader, history } = ground;
    exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: 'P_ROW_1' }));
    exchange.faults.push(fault);
    const look = await reader.lookup(history, ground.asking('P_ROW_1'));
    t.is(look.outcome, 'unavailable');
    const [tally] = reader.tallies();
    t.deepEqual(tally?.failures, { [kind]: 1 });
    t.is(tally?.lastFailure?.kind, kind);
    t.is(tally?.lastFailure?.at, ground.now);
  });
}

for (const fault of ['hang', 'trickle'] as const) {
  test(`an exchange that answers by a ${fault} times out`, async (t) => {
    const ground = await openGround(t, 300);
    const { exchange, reader, history } = ground;
    exchange.faults.push(fault);
    const look = await reader.lookup(history, ground.asking('P_ROW_1'));
    t.like(look, { outcome: 'unavailable', retryAfterS: 10 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    t.deepEqual(reader.tallies()[0]?.failures, { timeout: 1 });
  });
}

test('an unreachable exchange is reported as unreachable', async (t) => {
  const ground = await openGround(t);
  const away = { ...ground.history, baseUrl: 'http://127.0.0.1:1' };
  t.like(await ground.reader.lookup(away, ground.asking('P_ROW_1')), { outcome: 'unavailable' });
  t.deepEqual(ground.reader.tallies()[0]?.failures, { unreachable: 1 });
});

test('plain http to another machine is not called at all', async (t) => {
  const ground = await openGround(t);
  const away = { ...ground.history, baseUrl: 'http://exchange.example' };
  t.like(await ground.reader.lookup(away, ground.asking('P_ROW_1')), { outcome: 'unavailable' });
  t.deepEqual(ground.reader.tallies()[0]?.failures, { plain_http: 1 });
});

test('after a failure nobody asks for three seconds, then all is well again', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: 'P_ROW_1' }));
  exchange.faults.push({ status: 500, body: '' });
  for (let index = 0; index < 5; index += 1) {
    t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'unavailable');
  }
  t.is(exchange.asked.length, 1);
  ground.now += 3_000;
  t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'found');
  const [tally] = reader.tallies();
  t.is(tally?.calls, 2);
  t.is(tally?.lastOkAt, ground.now);
  t.deepEqual(reader.tallies(), []);
});

const silences: [what: string, retryAfter: (now: number) => string | null, seconds: number][] = [
  ['in seconds', () => '120', 120],
  ['until a moment', (now) => new Date(now + 120_000).toUTCString(), 120],
  ['without saying how long', () => null, 60],
];
for (const [what, retryAfter, seconds] of silences) {
  test(`the silence that the exchange asks for ${what} is kept`, async (t) => {
    const ground = await openGround(t);
    const { exchange, reader, history } = ground;
    const told = retryAfter(ground.now);
    const headers = told === null ? {} : { 'retry-after': told };
    exchange.faults.push({ status: 418, body: '{"code":-1003,"msg":"banned"}', headers });
    const first = await reader.lookup(history, ground.asking('P_ROW_1'));
    t.is(first.outcome === 'unavailable' && first.retryAfterS, seconds);
    ground.now += (seconds - 1) * 1_000;
    const last = await reader.lookup(history, ground.asking('P_ROW_1'));
    t.is(last.outcome === 'unavailable' && last.retryAfterS, 1);
    t.is(exchange.asked.length, 1);
    ground.now += 1_000;
    t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'not_found');
  });
}

test('a silence longer than any ban is not believed, and nobody is sent away for days', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.faults.push({ status: 429, body: '', headers: { 'retry-after': '999999999' } });
  const look = await reader.lookup(history, ground.asking('P_ROW_1'));
  t.is(look.outcome === 'unavailable' && look.retryAfterS, 3_600);
  ground.now += 3 * 24 * 3_600_000;
  t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'not_found');
});

test('when others have used up the weight of the account, the minute is waited for', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.otherWeight = 177_000;
  t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'not_found');
  ground.now += 4_000;
  const look = await reader.lookup(history, ground.asking('P_ROW_1'));
  t.is(look.outcome === 'unavailable' && look.retryAfterS, 51);
  t.is(exchange.at(HISTORY_PATH).length, 1);
  exchange.otherWeight = 0;
  ground.now += 51_000;
  t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'not_found');
});
