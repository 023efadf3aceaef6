/** What answers mean and what follows from them: pure functions, no network. */
import test from 'ava';
import { backoffMs, pollMs, retryAfterMs } from '../../src/core/backoff.js';
import { MAX_BODY_BYTES, packBatch } from '../../src/core/batch.js';
import { compareHealth, UNKNOWN_HEALTH } from '../../src/core/health.js';
import type { QueuedMessage } from '../../src/core/message.js';
import { FIRST_PACE, planAfter } from '../../src/core/plan.js';
import type { HealthReading, HttpReply } from '../../src/core/ports.js';
import { readVerdict, type Verdict } from '../../src/core/verdict.js';
import { message, messages } from '../helpers/messages.js';

const NOW = Date.UTC(2026, 0, 31, 4, 0, 0);

const NOTHING_ELSE = { reports: [], outbox: null, waitMs: 0, resentSince: null };

function pack(waiting: readonly QueuedMessage[], health: HealthReading = UNKNOWN_HEALTH) {
  return packBatch(waiting, waiting.length, { ...health, trouble: null }, '1.2.3', NOTHING_ELSE);
}

function answered(status: number, body: unknown, retryAfter: string | null = null): HttpReply {
  return {
    kind: 'answered',
    status,
    retryAfter,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function accepted(results: unknown, extra: object = {}): Verdict {
  return readVerdict(answered(200, { status: true, results, ...extra }), NOW);
}

test('stored and duplicate messages leave, rejected ones become dead letters, the rest stays', (t) => {
  const verdict = accepted([
    { id: 'a', state: 'stored' },
    { id: 'b', state: 'duplicate' },
    { id: 'c', state: 'rejected', reason: 'too old' },
    { id: 'd', state: 'whatever a later version says' },
    { id: 'not asked', state: 'stored' },
    null,
    'x',
    { state: 'stored' },
  ]);
  const plan = planAfter(verdict, ['a', 'b', 'c', 'd', 'e'], FIRST_PACE, 0.5);
  t.deepEqual(plan.taken, ['a', 'b']);
  t.deepEqual(plan.rejected, [{ id: 'c', reason: 'too old' }]);
  t.deepEqual(plan.unanswered, ['d', 'e']);
  t.is(plan.error, null);
});

test('an answer for none of the messages is a failure with back-off, not a tight loop', (t) => {
  const plan = planAfter(accepted([]), ['a', 'b'], { batchLimit: 200, failures: 3 }, 0.5);
  t.is(plan.error?.code, 'no_progress');
  t.deepEqual(plan.unanswered, ['a', 'b']);
  t.deepEqual([plan.pace.failures, plan.waitMs, plan.wakeOn], [4, 4_000, 'stop']);
});

test('anything but a good JSON answer keeps every message', (t) => {
  const bad: HttpReply[] = [
    answered(200, ''),
    answered(200, '<html>'),
    answered(200, '[]'),
    answered(200, { status: false }),
    answered(200, { status: 'true', results: [{ id: 'a', state: 'stored' }] }),
    answered(204, ''),
    answered(302, ''),
    answered(500, { status: false, message: 'x' }),
    answered(0, ''),
    { kind: 'too_long' },
    { kind: 'unreachable', reason: 'ECONNRESET' },
    { kind: 'untrusted', reason: 'other' },
    answered(401, {}),
    answered(403, {}),
    answered(404, {}),
    answered(429, {}),
  ];
  for (const reply of bad) {
    const plan = planAfter(readVerdict(reply, NOW), ['a'], FIRST_PACE, 0.5);
    t.deepEqual([plan.taken, plan.rejected], [[], []], JSON.stringify(reply));
    t.not(plan.error, null);
  }
});

test('401 and 403 are told as a lost pairing and tried again slowly', (t) => {
  for (const status of [401, 403]) {
    const plan = planAfter(readVerdict(answered(status, { message: 'Revoked' }), NOW), ['a'], FIRST_PACE, 0);
    t.deepEqual(plan.error, { code: 'unpaired', reason: `HTTP ${status}: Revoked` });
    t.deepEqual([plan.waitMs, plan.wakeOn], [60_000, 'stop']);
  }
});

test('413 and 400 halve the batch down to one, and that one becomes a dead letter', (t) => {
  for (const status of [400, 413, 422]) {
    const verdict = readVerdict(answered(status, { message: 'No' }), NOW);
    let sent = Array.from({ length: 200 }, (_, index) => String(index));
    let pace = FIRST_PACE;
    let requests = 0;
    while (sent.length > 1) {
      const plan = planAfter(verdict, sent, pace, 0.5);
      t.deepEqual([plan.rejected, plan.waitMs, plan.wakeOn], [[], 0, 'anything']);
      pace = plan.pace;
      sent = sent.slice(0, pace.batchLimit);
      requests += 1;
    }
    t.is(requests, 8);
    t.deepEqual(planAfter(verdict, sent, pace, 0.5).rejected, [{ id: '0', reason: `HTTP ${status}: No` }]);
  }
});

test('a server that refuses everything meets a growing pause between dead letters', (t) => {
  const verdict = readVerdict(answered(400, {}), NOW);
  let pace = { batchLimit: 1, failures: 0 };
  const waits: number[] = [];
  for (let round = 0; round < 8; round++) {
    const plan = planAfter(verdict, ['a'], pace, 0.999999);
    waits.push(plan.waitMs);
    pace = plan.pace;
  }
  t.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('a refused heartbeat loses nothing and waits', (t) => {
  const plan = planAfter(readVerdict(answered(400, {}), NOW), [], FIRST_PACE, 0.5);
  t.deepEqual([plan.rejected, plan.error?.code, plan.waitMs], [[], 'server_error', 500]);
});

test('the batch grows again after success', (t) => {
  const plan = planAfter(
    accepted([{ id: 'a', state: 'stored' }]),
    ['a'],
    { batchLimit: 1, failures: 2 },
    0.5,
  );
  t.deepEqual(plan.pace, { batchLimit: 2, failures: 0 });
});

test('back-off has full jitter below a ceiling that doubles from 1 to 60 s', (t) => {
  t.deepEqual(
    [1, 2, 6, 7, 100].map((failures) => backoffMs(failures, 0.5)),
    [500, 1_000, 16_000, 30_000, 30_000],
  );
  t.is(backoffMs(50, 0), 0);
});

test('Retry-After is honoured in seconds and as a date, and never for more than an hour', (t) => {
  t.is(retryAfterMs('7', NOW), 7_000);
  t.is(retryAfterMs(new Date(NOW + 9_000).toUTCString(), NOW), 9_000);
  t.is(retryAfterMs('999999', NOW), 3_600_000);
  for (const unusable of [null, '', 'soon', '-5', new Date(NOW - 60_000).toUTCString()]) {
    t.is(retryAfterMs(unusable, NOW), null, String(unusable));
  }
  for (const status of [429, 503]) {
    const plan = planAfter(readVerdict(answered(status, {}, '30'), NOW), ['a'], FIRST_PACE, 0.5);
    t.deepEqual([plan.waitMs, plan.wakeOn], [30_000, 'stop']);
  }
});

test('next_poll_ms is bounded to 1 to 60 s, and the heartbeat stands in for nonsense', (t) => {
  t.deepEqual(
    [5_000, 0, -1, 999_999, Number.NaN, '5', null, undefined].map(pollMs),
    [5_000, 1_000, 1_000, 60_000, 60_000, 60_000, 60_000, 60_000],
  );
  t.is(planAfter(accepted([], { next_poll_ms: 2_500 }), [], FIRST_PACE, 0.5).waitMs, 2_500);
});

test("the server's words are bounded and cannot paint on a terminal", (t) => {
  const verdict = readVerdict(answered(500, { message: `\u001b[31m\n${'x'.repeat(1000)}` }), NOW);
  t.is(verdict.kind === 'failed' && verdict.reason, `HTTP 500: [31m ${'x'.repeat(195)}`);
});

test('a request is JSON as the server reads it, with at most 200 messages', (t) => {
  const { messages: taken, body } = pack(messages(250), {
    ...UNKNOWN_HEALTH,
    battery: 80,
    sims: [{ slot: 1, number: null }],
  });
  t.true(taken.length <= 200);
  const parsed = JSON.parse(body);
  t.deepEqual(parsed.messages[0], {
    id: message(0).id,
    sender: 'bKash',
    body: message(0).body,
    received_at: '2026-01-31T10:00:00.000+06:00',
    sim_slot: 1,
  });
  t.deepEqual(parsed.reports, []);
  t.deepEqual(parsed.health, {
    battery: 80,
    charging: null,
    network: null,
    queued: 250 - taken.length,
    app_version: '1.2.3',
    trouble: null,
    sims: [{ slot: 1, number: null }],
  });
  t.is(pack(messages(250).map((sms) => ({ ...sms, body: 'x' }))).messages.length, 200);
});

test('a request stays below 48 KiB of UTF-8 and is filled up to there', (t) => {
  const long = messages(200).map((sms) => ({ ...sms, body: 'টাকা "$&" '.repeat(60) }));
  const { messages: taken, body } = pack(long);
  const bytes = Buffer.byteLength(body);
  t.true(bytes <= MAX_BODY_BYTES && bytes > MAX_BODY_BYTES * 0.9, `${bytes} bytes`);
  t.deepEqual(
    JSON.parse(body).messages.map((sms: { body: string }) => sms.body),
    taken.map((sms) => sms.body),
  );
});

test('a message that is too long for any request goes alone', (t) => {
  const huge = { ...message(1), body: 'x'.repeat(100_000) };
  t.deepEqual(pack([huge, message(2)]).messages, [huge]);
  t.deepEqual(pack([message(2), huge]).messages, [message(2)]);
});

test('an unknown SIM slot is left out instead of guessed', (t) => {
  const { body } = pack([{ ...message(1), simSlot: null }]);
  t.false('sim_slot' in JSON.parse(body).messages[0]);
});

test('only changes that somebody should hear of at once count as a change of health', (t) => {
  const base = { battery: 50, charging: true, network: 'wifi', sims: [] } as const;
  t.is(compareHealth(base, { ...base, battery: 49 }), 'none');
  t.is(compareHealth(base, { ...base, battery: 20 }), 'changed');
  t.is(compareHealth(base, { ...base, charging: false }), 'changed');
  t.is(compareHealth(base, { ...base, sims: [{ slot: 1, number: null }] }), 'changed');
  t.is(compareHealth(base, { ...base, network: 'none' }), 'changed');
  t.is(compareHealth({ ...base, network: 'none' }, base), 'network_back');
});
