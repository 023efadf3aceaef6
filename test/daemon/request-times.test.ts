/** The histogram of requests: groups of routes, classes of answers, and no address of strangers. */
import test from 'ava';
import { BUCKETS, createRequestTimes, formatHistogram } from '../../daemon/request-times.js';
import { CREATE, HOSTED_CREATE, openApi } from './api.js';

const scraped = async (api: Awaited<ReturnType<typeof openApi>>) =>
  (await api.callBare('/metrics', { method: 'GET' })).body;
const countOf = (text: string, group: string, status: string) =>
  new RegExp(`_seconds_count{group="${group}",status="${status}"} (\\d+)`).exec(text)?.[1];

test('requests are counted by group and class, also behind a base path', async (t) => {
  for (const basePath of ['', '/pay']) {
    const api = await openApi(t, { env: { KASHBOX_BASE_PATH: basePath } });
    await api.call(`${basePath}${CREATE}`, { body: { cus_name: 'A', amount: '10' } });
    await api.callBare(`${basePath}${CREATE}`, { body: {} });
    await api.callBare(`${basePath}${HOSTED_CREATE}`, { body: {} });
    await api.callBare(`${basePath}/api/execute/nobody`, { method: 'GET' });
    await api.callBare('/api/v2/a-strangers-word', { method: 'GET' });
    await api.callBare('/healthz', { method: 'GET' });
    const text = await scraped(api);
    t.is(countOf(text, 'headless', '2xx'), '1', basePath);
    t.is(countOf(text, 'headless', '4xx'), '1', basePath);
    t.is(countOf(text, 'hosted', '4xx'), '1', basePath);
    t.is(countOf(text, 'checkout', '4xx'), '1', basePath);
    t.is(countOf(text, 'other', '4xx'), '1', basePath);
    t.is(countOf(text, 'other', '2xx'), '1', basePath);
    t.false(text.includes('stranger'));
  }
});

test('each request is in the first bucket that holds it and in all above, and the sum is in seconds', (t) => {
  const times = createRequestTimes('');
  for (const ms of [0.5, 1, 1.1, 200, 60_000]) times.note('/api/v2/payment/verify', 200, ms);
  times.note('/api/v2/payment/create', 201, 0);
  times.note('', 503, 7);
  const lines = formatHistogram('x', 'Help.', times.all()).split('\n');
  const labels = 'group="headless",status="2xx"';
  t.true(lines.includes(`x_bucket{${labels},le="0.001"} 3`));
  t.true(lines.includes(`x_bucket{${labels},le="0.0025"} 4`));
  t.true(lines.includes(`x_bucket{${labels},le="0.25"} 5`));
  t.true(lines.includes(`x_bucket{${labels},le="10"} 5`));
  t.true(lines.includes(`x_bucket{${labels},le="+Inf"} 6`));
  t.true(lines.includes(`x_count{${labels}} 6`));
  t.is(
    Number(lines.find((line) => line.startsWith(`x_sum{${labels}}`))?.split(' ')[1]).toFixed(4),
    '60.2026',
  );
  t.true(lines.includes('x_count{group="other",status="5xx"} 1'));
  t.is(lines.filter((line) => line.includes('_bucket')).length, 2 * (BUCKETS.length + 1));
});
