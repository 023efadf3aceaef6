/** Whoever tries keys that nobody has is told of: once an hour for each address, and of few of them. */
import test from 'ava';
import { listAlerts } from '../../../../src/actions/alerts/list-alerts.js';
import { until } from '../../../helpers/until.js';
import { CREATE, openApi } from '../../api.js';

const HOUR = 3_600_000;

test('an address over its failures raises one alert an hour, and a shop with a valid key none', async (t) => {
  const { core, clock, call, callBare } = await openApi(t, { env: { KASHBOX_FAILED_AUTH_PER_MINUTE: '3' } });
  const guess = (remoteAddress: string) =>
    callBare(CREATE, {
      headers: { 'brand-key': 'bk_nobody' },
      body: { cus_name: 'R', amount: 5 },
      remoteAddress,
    });
  const addresses = async () =>
    (await listAlerts(core, { open: false, limit: 100 })).map(({ event, detail }) =>
      'address' in detail ? detail.address : event,
    );
  for (let n = 0; n < 3; n += 1) t.is((await guess('203.0.113.9')).statusCode, 401);
  t.deepEqual(await addresses(), []);
  for (let n = 0; n < 5; n += 1) t.is((await guess('203.0.113.9')).statusCode, 429);
  t.is(
    (await call(CREATE, { body: { cus_name: 'R', amount: 5 }, remoteAddress: '203.0.113.9' })).statusCode,
    200,
  );
  await until(async () => (await addresses()).length === 1);
  t.deepEqual(await addresses(), ['203.0.113.9']);
  clock.advance(HOUR);
  t.is((await guess('203.0.113.9')).statusCode, 429);
  await until(async () => (await addresses()).length === 2);
  // A botnet: the hour has one of them already.
  for (let n = 0; n < 30; n += 1) for (let m = 0; m < 4; m += 1) await guess(`198.51.100.${n}`);
  await until(async () => (await addresses()).length === 21);
  t.is((await addresses()).length, 21);
});
