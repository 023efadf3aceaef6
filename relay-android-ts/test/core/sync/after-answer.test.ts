/** What answers mean and what follows from them: pure functions, no network. */
import { createHmac } from 'node:crypto';
import test from 'ava';
import type { HttpReply } from '../../../src/core/ports.js';
import { INITIAL_SYNC_PACE, planAfter } from '../../../src/core/sync/after-answer.js';
import { parseVerdict, type SyncVerdict } from '../../../src/core/sync/server-answer.js';
import { backoffMs, pollMs, retryAfterMs } from '../../../src/core/time/backoff.js';
import { nodeSeal } from '../../../src/ports/node-clock.js';
import { type Results, receipt, receipted } from '../../helpers/receipts.js';

const KEY = 'dk_test_0123456789';
const NOW = Date.UTC(2026, 0, 31, 4, 0, 0);

function answered(status: number, body: unknown, retryAfter: string | null = null): HttpReply {
  return {
    kind: 'answered',
    status,
    retryAfter,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** As a request with these messages and nothing else reads its answer. */
function read(reply: HttpReply, sent: readonly string[] = ['a']): SyncVerdict {
  return parseVerdict(reply, { sent, seal: (text) => nodeSeal(KEY, text) }, NOW);
}

function plan(reply: HttpReply, ids: readonly string[] = ['a'], pace = INITIAL_SYNC_PACE, random = 0.5) {
  return planAfter(read(reply, ids), { ids, isAlone: ids.length === 1 }, pace, random);
}

function own(results: Results['results'], extra: object = {}): HttpReply {
  return answered(200, receipted(KEY, { status: true, results: results ?? [], ...extra }));
}

const stored = (...ids: string[]) => ids.map((id) => ({ id, state: 'stored' }));

test('stored and duplicate messages leave, rejected ones become dead letters', (t) => {
  const results = [
    { id: 'a', state: 'stored' },
    { id: 'b', state: 'duplicate' },
    { id: 'c', state: 'rejected', reason: 'body may be at most 16384 characters' },
    { id: 'd', state: 'rejected' },
  ];
  const { taken, rejected, error } = plan(own(results), ['a', 'b', 'c', 'd']);
  t.deepEqual(taken, ['a', 'b']);
  t.deepEqual(rejected, [
    { id: 'c', reason: 'body may be at most 16384 characters' },
    { id: 'd', reason: 'no reason given' },
  ]);
  t.is(error, null);
});

/** Every status that a proxy, a firewall or a portal is known to answer with. */
const STATUSES = [
  ...[200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418],
  ...[421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 499],
  ...[500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 521, 522, 525, 530, 599, 0],
];

test('nothing but a receipt for just these messages lets go of one, whatever the status and the text', (t) => {
  const fake = { status: true, results: stored('a') };
  const refused = { status: true, results: [{ id: 'a', state: 'rejected' }] };
  const right = receipt(KEY, fake);
  const bodies: unknown[] = [
    ...['', '<html>', '[]', 'null', '{', { status: false }, { status: true }, fake, refused],
    { status: false, message: 'received_at is wrong', results: refused.results },
    ...[null, '', true, 'f'.repeat(64), right.toUpperCase(), right.slice(1)].map((one) => ({
      ...fake,
      receipt: one,
    })),
    { ...refused, receipt: right },
    receipted('dk_of_another_phone', fake),
    receipted(KEY, { status: true, results: [] }),
    receipted(KEY, { status: true, results: stored('b') }),
    receipted(KEY, { status: true, results: stored('a', 'b') }),
    receipted(KEY, { status: true, results: stored('a', 'a') }),
    receipted(KEY, { status: true, results: [{ id: 'a', state: 'a state of a later version' }] }),
    { ...receipted(KEY, fake), status: 'true' },
  ];
  for (const status of STATUSES) {
    for (const body of bodies) {
      const { taken, rejected, error } = plan(answered(status, body));
      t.deepEqual([taken, rejected], [[], []], `${status} ${JSON.stringify(body)}`);
      t.truthy(error, `${status} ${JSON.stringify(body)}`);
    }
    const isOwn = status === 200;
    t.deepEqual(plan(answered(status, receipted(KEY, fake))).taken, isOwn ? ['a'] : [], String(status));
  }
  for (const reply of [
    { kind: 'too_long' },
    { kind: 'unreachable', reason: 'ECONNRESET' },
    { kind: 'untrusted', reason: 'other' },
  ] as const) {
    const { taken, rejected, error } = plan(reply);
    t.deepEqual([taken, rejected], [[], []], reply.kind);
    t.truthy(error);
  }
});

test('malformed results confirm nothing, even when they are signed', (t) => {
  const pairs = '[[null,null],[null,null]]';
  const seal = createHmac('sha256', KEY).update(`kashbox-relay-receipt-v1\n${pairs}`).digest('hex');
  const { taken, error } = plan(answered(200, { status: true, results: [null, 'x'], receipt: seal }), [
    'a',
    'b',
  ]);
  t.deepEqual([taken, error?.code], [[], 'no_receipt']);
});

test('a missing confirmation is explained: older server, wrong or foreign receipt, newer server', (t) => {
  const reasons = [
    { status: true, results: stored('a') },
    { ...receipted(KEY, { status: true, results: stored('a') }), results: stored('b') },
    receipted(KEY, { status: true, results: stored('b') }),
    receipted(KEY, { status: true, results: [{ id: 'a', state: 'parked' }] }),
    '<html>',
  ].map((body) => plan(answered(200, body)).error);
  t.deepEqual(
    reasons.map((one) => one?.code),
    Array(5).fill('no_receipt'),
  );
  t.deepEqual(
    reasons.map((one) => one?.reason),
    [
      'the answer has no receipt; if the server runs an older Kashbox, update it',
      'the receipt is wrong; something between phone and server changes answers',
      'the receipt is for other SMS than were sent',
      'the server says more than this agent knows; update the agent',
      'HTTP 200, not in the form of Kashbox',
    ],
  );
});

test('401 and 403 from Kashbox itself are reported as a lost pairing and retried slowly', (t) => {
  for (const status of [401, 403]) {
    const { error, waitMs, wakeOn } = plan(
      answered(status, { status: false, message: 'Revoked' }),
      ['a'],
      INITIAL_SYNC_PACE,
      0,
    );
    t.deepEqual(error, { code: 'unpaired', reason: `HTTP ${status}: Revoked` });
    t.deepEqual([waitMs, wakeOn], [60_000, 'stop']);
    for (const body of [
      '<html>Forbidden</html>',
      '',
      { error: 'Forbidden' },
      { status: 403, message: 'Forbidden' },
    ]) {
      const other = plan(answered(status, body));
      t.deepEqual(other.error, { code: 'no_receipt', reason: `HTTP ${status}, not in the form of Kashbox` });
    }
  }
});

test('413 halves the batch at once down to one message, which then waits for itself', (t) => {
  const reply = answered(413, { status: false, message: 'No' });
  let sent = Array.from({ length: 200 }, (_, index) => String(index));
  let pace = INITIAL_SYNC_PACE;
  let requests = 0;
  while (sent.length > 1) {
    const next = plan(reply, sent, pace);
    t.deepEqual([next.error, next.suspect, next.waitMs, next.wakeOn], [null, null, 0, 'anything']);
    pace = next.pace;
    sent = sent.slice(0, pace.batchLimit);
    requests += 1;
  }
  t.is(requests, 8);
  const last = plan(reply, sent, pace);
  t.deepEqual([last.suspect, last.rejected], [{ id: '0', reason: 'HTTP 413: No' }, []]);
  t.deepEqual([last.waitMs, last.error?.code], [500, 'server_error']);
});

test('any other failure halves the batch, too, with a growing pause in between', (t) => {
  let sent = Array.from({ length: 200 }, (_, index) => String(index));
  let pace = INITIAL_SYNC_PACE;
  const waits: number[] = [];
  while (sent.length > 1) {
    const next = plan(answered(451, '<html>'), sent, pace, 0.999999);
    t.deepEqual([next.suspect, next.wakeOn], [null, 'stop']);
    waits.push(next.waitMs);
    pace = next.pace;
    sent = sent.slice(0, pace.batchLimit);
  }
  t.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  t.deepEqual(plan(answered(451, '<html>'), sent, pace).suspect?.id, '0');
});

test('a message sent with reports is not put on hold: the reports may have been the reason', (t) => {
  const verdict = read(answered(400, '<html>'));
  const next = planAfter(verdict, { ids: ['a'], isAlone: false }, INITIAL_SYNC_PACE, 0.5);
  t.deepEqual([next.suspect, next.pace.batchLimit], [null, 1]);
});

test('a heartbeat that fails loses nothing and waits', (t) => {
  for (const status of [400, 413]) {
    const next = plan(answered(status, { status: false, message: 'x' }), []);
    t.deepEqual([next.suspect, next.error?.code, next.waitMs], [null, 'server_error', 500]);
  }
});

test('the batch grows again after success', (t) => {
  t.deepEqual(plan(own(stored('a')), ['a'], { batchLimit: 1, failures: 2 }).pace, {
    batchLimit: 2,
    failures: 0,
  });
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
    const { waitMs, wakeOn, suspect } = plan(answered(status, {}, '30'));
    t.deepEqual([waitMs, wakeOn, suspect], [30_000, 'stop', null]);
  }
});

test('next_poll_ms is limited to 1 to 60 s, and invalid values use the heartbeat interval', (t) => {
  t.deepEqual(
    [5_000, 0, -1, 999_999, Number.NaN, '5', null, undefined].map(pollMs),
    [5_000, 1_000, 1_000, 60_000, 60_000, 60_000, 60_000, 60_000],
  );
  t.is(plan(own([], { next_poll_ms: 2_500 }), []).waitMs, 2_500);
});

test("the server's words are bounded and cannot paint on a terminal", (t) => {
  const message = `\u001b[31m\n${'x'.repeat(1000)}`;
  const verdict = read(answered(500, { status: false, message }));
  t.is(verdict.kind === 'failed' && verdict.reason, `HTTP 500: [31m ${'x'.repeat(195)}`);
});
