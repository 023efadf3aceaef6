/** GET /metrics: who may read it, and that its figures are true. */
import test, { type ExecutionContext } from 'ava';
import { buildApp } from '../../daemon/http/app.js';
import { openJobRecords } from '../../daemon/loops/job-records.js';
import { recordBackup } from '../../src/actions/backup/last-backup.js';
import { writeJobRuns } from '../../src/actions/upkeep/job-runs.js';
import { openLog } from '../../src/base/io/log.js';
import { putNotification } from '../helpers/shop/outbox.js';
import { enginesOfTier } from '../helpers/stores/engines.js';
import { type Api, type Call, openApi, refusal } from './api.js';

const TOKEN = 'metrics-token-of-this-test';
const ELSEWHERE = { remoteAddress: '192.0.2.7' };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const read = (api: Pick<Api, 'callBare'>, call: Call = {}) =>
  api.callBare('/metrics', { method: 'GET', ...call });

/** What a scrape says, one entry a series; those of the process itself left out. */
function seriesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith('kashbox_'));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

test('without a token it answers this machine and nobody else', async (t) => {
  const api = await openApi(t);
  for (const remoteAddress of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    t.is((await read(api, { remoteAddress })).statusCode, 200, remoteAddress);
  }
  const refused = '403 Metrics are available on this machine only';
  for (const remoteAddress of ['192.0.2.7', '10.0.0.9', '::2', '::ffff:10.0.0.9']) {
    t.is(refusal(await read(api, { remoteAddress })), refused, remoteAddress);
  }
  t.is(refusal(await read(api, { ...ELSEWHERE, ...bearer('') })), refused);
  t.is((await api.callBare('/metrics', { method: 'HEAD', ...ELSEWHERE })).statusCode, 403);
});

test('a request forwarded by a proxy on this machine is not local, whatever its headers say', async (t) => {
  const plain = await openApi(t);
  const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'];
  for (const name of [...forwarded, 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']) {
    t.is((await read(plain, { headers: { [name]: '127.0.0.1' } })).statusCode, 403, name);
  }
  const proxied = await openApi(t, { env: { KASHBOX_TRUST_PROXY: '127.0.0.1' } });
  t.is((await read(proxied)).statusCode, 403);
  t.is((await read(proxied, { headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode, 403);
  t.is((await read(proxied, { remoteAddress: '::1' })).statusCode, 200);
});

test('with a token others must send it, and those who guess are slowed down', async (t) => {
  const env = { KASHBOX_METRICS_TOKEN: TOKEN, KASHBOX_FAILED_AUTH_PER_MINUTE: '3' };
  const api = await openApi(t, { env });
  t.is((await read(api)).statusCode, 200);
  t.is((await read(api, { ...ELSEWHERE, ...bearer(TOKEN) })).statusCode, 200);
  const wrong = [{}, bearer('x'), bearer(`${TOKEN}x`)];
  for (const call of wrong) {
    const response = await read(api, { ...ELSEWHERE, ...call });
    t.is(refusal(response), '401 The metrics token is missing or wrong');
    t.regex(String(response.headers['www-authenticate']), /^Bearer/);
  }
  t.is((await read(api, { ...ELSEWHERE, ...bearer('y') })).statusCode, 429);
  t.is((await read(api, { ...ELSEWHERE, ...bearer(TOKEN) })).statusCode, 200, 'the right one is let in');
  t.false(api.logLines.join('').includes(TOKEN));
});

test('a token that is too short is refused', async (t) => {
  await t.throwsAsync(openApi(t, { env: { KASHBOX_METRICS_TOKEN: 'short' } }), {
    message: /^KASHBOX_METRICS_TOKEN must be 16 to 200/,
  });
});

test('is served outside the base path, like health', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay' } });
  t.is((await read(api)).statusCode, 200);
  t.is((await api.callBare('/pay/metrics', { method: 'GET' })).statusCode, 404);
});

for (const engine of enginesOfTier) {
  test(`on ${engine}, the figures of the store are true`, async (t) => {
    const api = await openApi(t, { engine });
    const { core, clock, shop } = api;
    await shop.order(50_000);
    await shop.order(50_000);
    await shop.receive('Hello');
    const empty = seriesOf((await read(api)).body);
    t.like(empty, {
      kashbox_sessions_open: 2,
      'kashbox_notifications{state="PENDING"}': 0,
      'kashbox_notifications{state="FAILED"}': 0,
      kashbox_notifications_oldest_due_seconds: 0,
      'kashbox_devices{state="ONLINE"}': 1,
      'kashbox_devices{state="OFFLINE"}': 0,
    });
    t.like(empty, {
      'kashbox_payments_opened_total{flow="headless"}': 2,
      'kashbox_payments_opened_total{flow="hosted"}': 0,
      'kashbox_payments_completed_total{channel="mfs_a"}': 0,
      'kashbox_payments_completed_paisa_total{channel="bank"}': 0,
      'kashbox_payments_failed_total{reason="expired"}': 0,
      'kashbox_sms_received_total{kind="notice"}': 1,
      kashbox_reviews_open: 0,
      kashbox_sms_gaps_open: 0,
      kashbox_store_takes_writes: 1,
    });
    t.is(empty.kashbox_backup_last_timestamp_seconds, 0, 'none was made');
    await recordBackup(core, { at: 1_500, file: '/backups/a.backup' });
    t.is(seriesOf((await read(api)).body).kashbox_backup_last_timestamp_seconds, 1.5);
    const { brandId: brand_id } = shop.brand;
    const now = clock.now();
    await putNotification(core, { id: 'ntf_1', brand_id, next_at: now + 1_000 });
    await putNotification(core, { id: 'ntf_2', brand_id, next_at: now + 5_000 });
    await putNotification(core, { id: 'ntf_3', brand_id, state: 'FAILED', closed_at: now });
    await putNotification(core, { id: 'ntf_4', brand_id, state: 'DELIVERED', closed_at: now });
    await putNotification(core, { id: 'ntf_5', brand_id, state: 'FAILED', event: 'ping', closed_at: now });
    t.is(seriesOf((await read(api)).body).kashbox_notifications_oldest_due_seconds, 0, 'due later');
    clock.advance(16 * 60_000);
    t.like(seriesOf((await read(api)).body), {
      'kashbox_notifications{state="PENDING"}': 2,
      'kashbox_notifications{state="FAILED"}': 1,
      kashbox_notifications_oldest_due_seconds: 16 * 60 - 1,
      'kashbox_devices{state="ONLINE"}': 0,
      'kashbox_devices{state="OFFLINE"}': 1,
    });
  });
}

test('a job is silent after three of its periods, and while its last run is in the future', async (t) => {
  const api = await openApi(t);
  const { core, clock } = api;
  const silent = async () => seriesOf((await read(api)).body)['kashbox_job_silent{job="expire-sessions"}'];
  t.is(await silent(), undefined, 'no daemon has run here');
  const run = { runs: 1, errors: 0, lastMs: 1, lastDone: 0, lastError: null };
  await writeJobRuns(core, { ...run, name: 'expire-sessions', lastAt: clock.now() });
  t.is(await silent(), 0);
  clock.advance(4 * 60_000);
  t.is(await silent(), 1);
  await writeJobRuns(core, { ...run, name: 'expire-sessions', lastAt: clock.now() });
  t.is(await silent(), 0);
  clock.advance(-2 * 86_400_000);
  t.is(await silent(), 1, 'the clock was set back');
});

/** The text of a scrape of a daemon whose jobs and attempts are these. */
async function openScraped(t: ExecutionContext<unknown>) {
  const { core, shop } = await openApi(t);
  const { log } = openLog('silent');
  const records = openJobRecords(core, log);
  const attempts = { delivered: 3, timeout: 1, blocked: 0 };
  const app = await buildApp(core, {
    log,
    figures: { jobs: records.all, attempts: () => attempts, lostLogLines: () => 7 },
  });
  t.teardown(() => app.close());
  const scrape = async () => app.inject({ method: 'GET', url: '/metrics' });
  return { records, scrape, shop };
}

test('the figures of this process are true at every scrape, and times are in seconds', async (t) => {
  const { records, scrape, shop } = await openScraped(t);
  records.record('prune', { at: 1_500, ms: 250, done: 4, error: null });
  records.record('prune', { at: 2_500, ms: 1_750, done: 0, error: 'no' });
  await scrape();
  const { body, headers } = await scrape();
  t.is(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  t.is(headers['cache-control'], 'no-store');
  const series = seriesOf(body);
  t.like(series, {
    'kashbox_job_runs_total{job="prune"}': 2,
    'kashbox_job_errors_total{job="prune"}': 1,
    'kashbox_job_last_run_timestamp_seconds{job="prune"}': 2.5,
    'kashbox_job_last_duration_seconds{job="prune"}': 1.75,
    'kashbox_job_runs_total{job="watch-devices"}': 0,
    'kashbox_notification_attempts_total{outcome="delivered"}': 3,
    'kashbox_notification_attempts_total{outcome="blocked"}': 0,
    kashbox_log_lines_lost_total: 7,
  });
  t.false('kashbox_job_last_run_timestamp_seconds{job="watch-devices"}' in series);
  t.regex(body, /^process_resident_memory_bytes \d+$/m);
  for (const secret of [shop.brandKey, shop.merchantId, shop.deviceId, 'Alo']) t.false(body.includes(secret));
  await records.close();
});

test('scrapes at the same time each get the whole', async (t) => {
  const { records, scrape } = await openScraped(t);
  records.record('prune', { at: 1_500, ms: 250, done: 4, error: null });
  // It is the first request, and the next ones count it.
  await scrape();
  const answers = await Promise.all(Array.from({ length: 20 }, scrape));
  const counts = answers.map(({ body }) => Object.keys(seriesOf(body)).length);
  t.deepEqual(new Set(counts).size, 1);
  await records.close();
});
