/** What goes into a request, and which changes of health are worth one. */
import test from 'ava';
import type { HealthReading } from '../../../src/core/health.js';
import { compareHealth, UNKNOWN_HEALTH } from '../../../src/core/health.js';
import type { QueuedMessage } from '../../../src/core/inbox/queue.js';
import { MAX_BODY_BYTES, packBatch } from '../../../src/core/sync/batch.js';
import { message, messages } from '../../helpers/messages.js';

const NOTHING_ELSE = { reports: [], outbox: null, waitMs: 0, resentSince: null, now: 1_000 };

function pack(waiting: readonly QueuedMessage[], health: HealthReading = UNKNOWN_HEALTH) {
  return packBatch(waiting, waiting.length, { ...health, problem: null }, '1.2.3', NOTHING_ELSE);
}

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
  t.is(parsed.sent_at, '1970-01-01T00:00:01.000Z', 'whatever the clock says');
  t.deepEqual(parsed.health, {
    battery: 80,
    charging: null,
    network: null,
    queued: 250 - taken.length,
    app_version: '1.2.3',
    problem: null,
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

test('only urgent changes count as a change of health', (t) => {
  const base = { battery: 50, charging: true, network: 'wifi', sims: [] } as const;
  t.is(compareHealth(base, { ...base, battery: 49 }), 'none');
  t.is(compareHealth(base, { ...base, battery: 20 }), 'changed');
  t.is(compareHealth(base, { ...base, charging: false }), 'changed');
  t.is(compareHealth(base, { ...base, sims: [{ slot: 1, number: null }] }), 'changed');
  t.is(compareHealth(base, { ...base, network: 'none' }), 'changed');
  t.is(compareHealth({ ...base, network: 'none' }, base), 'network_back');
});
