/** When the pump calls, how often, and what stays in the queue. */
import test from 'ava';
import type { HttpReply } from '../../../src/core/ports.js';
import { settled } from '../../helpers/clock.js';
import { message } from '../../helpers/messages.js';
import { answered, confirmed, fail, results, startPump, storeAll, unreachable } from '../../helpers/pump.js';

test('an idle pump calls once at the start and then when the server asked for it', async (t) => {
  const { clock, line } = await startPump(t);
  t.deepEqual(line.requests, [[]]);
  await clock.advance(29_999);
  t.is(line.requests.length, 1);
  await clock.advance(1);
  t.is(line.requests.length, 2);
});

test('without a usable next_poll_ms the heartbeat comes every 60 s', async (t) => {
  const { clock, line } = await startPump(t, { reply: () => confirmed() });
  await clock.advance(180_000);
  t.is(line.requests.length, 4);
});

test('a full queue is delivered batch after batch without waiting', async (t) => {
  const { line, queue, clock } = await startPump(t, { waiting: 1_000 });
  await settled();
  t.is(queue.size, 0);
  t.is(line.requests.flat().length, 1_000);
  t.true(line.requests.every((ids) => ids.length <= 200));
  t.is(clock.nextInMs(), 30_000);
});

test('a new message is sent at once when idle', async (t) => {
  const { line, queue, pump } = await startPump(t);
  await queue.take('test', null, [message(7)]);
  pump.wake('news');
  await settled();
  t.deepEqual(line.requests, [[], [message(7).id]]);
});

test('a new message during back-off waits for it, and so does a Retry-After', async (t) => {
  const { line, queue, pump, clock } = await startPump(t, { reply: () => answered(503, {}, '20') });
  await queue.take('test', null, [message(7)]);
  pump.wake('news');
  pump.wake('network');
  await clock.advance(19_999);
  t.is(line.requests.length, 1);
  line.reply = storeAll;
  await clock.advance(1);
  t.deepEqual(line.requests, [[], [message(7).id]]);
  t.is(queue.size, 0);
});

test('failures wait longer and longer, and success starts over', async (t) => {
  const { line, clock, queue } = await startPump(t, { waiting: 1, reply: fail });
  const waits: (number | null)[] = [];
  for (let round = 0; round < 8; round++) {
    const wait = clock.nextInMs();
    waits.push(wait);
    await clock.advance(wait ?? 0);
  }
  t.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  line.reply = storeAll;
  await clock.advance(30_000);
  // The request without the message that has failed alone gets through, and then the message itself.
  await clock.advance(500);
  t.is(queue.size, 0);
  line.reply = fail;
  await clock.advance(30_000);
  t.is(clock.nextInMs(), 500);
});

test('a network that comes back ends the wait for it', async (t) => {
  const { line, pump, queue } = await startPump(t, { waiting: 1, reply: unreachable });
  line.reply = storeAll;
  pump.wake('network');
  await settled();
  t.is(queue.size, 0);
});

test('a lost pairing keeps the queue, is reported, and is checked again every minute', async (t) => {
  const { line, clock, queue, errors } = await startPump(t, {
    waiting: 3,
    reply: () => answered(401, { status: false, message: 'Invalid or revoked' }),
  });
  await clock.advance(180_000);
  t.deepEqual(errors, ['unpaired', 'unpaired', 'unpaired', 'unpaired']);
  t.is(queue.size, 3);
  t.is(line.renewals, 3);
  line.reply = storeAll;
  await clock.advance(60_000);
  t.is(queue.size, 0);
});

test('a rejected message becomes a dead letter with its reason, and the others are delivered', async (t) => {
  const bad = message(1).id;
  const { queue, deadLetters, deadFile, log } = await startPump(t, {
    waiting: 3,
    reply: (body) => confirmed({ results: results(body, new Map([[bad, 'too old']])) }),
  });
  t.is(queue.size, 0);
  t.true(deadLetters.has(bad));
  t.true(Buffer.from(deadFile.bytes).toString('utf8').includes('too old'));
  t.true(log.lines.some((line) => line.includes('too old') && line.includes('bKash')));
  t.false(
    log.lines.some((line) => line.includes('You have received')),
    'no body in the log',
  );
});

test('a message stays in the queue when its dead letter cannot be written', async (t) => {
  const { queue, deadFile, clock, line, errors } = await startPump(t);
  deadFile.failAppendAfter = 3;
  line.reply = (body) => confirmed({ results: body.messages.map(({ id }) => ({ id, state: 'rejected' })) });
  await queue.take('test', null, [message(1)]);
  await clock.advance(30_000);
  t.is(queue.size, 1);
  t.is(errors.at(-1), 'storage_failed');
  deadFile.failAppendAfter = undefined;
  await clock.advance(5_000);
  t.is(queue.size, 0);
});

/** What stands in the way objects to one message, with any status and any text; all others get through. */
const objections: readonly [what: string, reply: HttpReply][] = [
  ['413', answered(413, { status: false, message: 'too large' })],
  ['a 400 of HTML', { kind: 'answered', status: 400, retryAfter: null, body: '<html>Bad Request</html>' }],
  ['a 403 of HTML', { kind: 'answered', status: 403, retryAfter: null, body: '<html>Forbidden</html>' }],
  ['a 200 of HTML', { kind: 'answered', status: 200, retryAfter: null, body: '<html>Hello</html>' }],
  ['an own 500', answered(500, { status: false, message: 'Something unexpected went wrong' })],
];
for (const [what, objection] of objections) {
  test(`messages that get ${what} even alone block no others, are kept, retried and reported`, async (t) => {
    const bad = new Set([3, 130, 131].map((number) => message(number).id));
    const stored = new Set<string>();
    const { clock, queue, deadLetters, pump, line } = await startPump(t, {
      waiting: 200,
      reply: (body) => {
        if (body.messages.some(({ id }) => bad.has(id))) return objection;
        for (const { id } of body.messages) stored.add(id);
        return storeAll(body);
      },
    });
    await clock.advance(300_000);
    t.deepEqual([queue.size, stored.size, deadLetters.all()], [3, 197, []]);
    t.regex(pump.problem ?? '', /^cannot deliver 3 SMS, tried again \(HTTP \d+.*\)$/);
    await queue.take('test', null, [message(500)]);
    pump.wake('news');
    await clock.advance(1_000);
    t.true(stored.has(message(500).id), 'a new one goes past them within a second');
    for (const id of bad) {
      const tries = line.requests.filter((ids) => ids.includes(id)).length;
      t.true(tries > 8 && tries < 40, `${tries} tries`);
    }
    line.reply = storeAll;
    await clock.advance(60_000);
    t.deepEqual([queue.size, pump.problem], [0, null]);
  });
}

test('where all messages are stopped and nothing else, all go in few requests when the way is free', async (t) => {
  const { clock, queue, line } = await startPump(t, {
    waiting: 60,
    reply: (body) => (body.messages.length > 0 ? answered(403, {}) : storeAll(body)),
  });
  await clock.advance(3_600_000);
  t.is(queue.size, 60);
  const before = line.requests.length;
  line.reply = storeAll;
  await clock.advance(60_000);
  t.is(queue.size, 0);
  t.true(line.requests.length - before < 14, `${line.requests.length - before} requests`);
});

test('while nobody confirms anything all messages stay, and when the server is back all go at once', async (t) => {
  const { clock, queue, deadLetters, line, pump, errors } = await startPump(t, {
    waiting: 300,
    reply: () => answered(200, { status: true, results: [] }),
  });
  await clock.advance(3_600_000);
  t.deepEqual([queue.size, deadLetters.all(), pump.problem], [300, [], null]);
  t.deepEqual([...new Set(errors)], ['no_receipt']);
  t.true(line.requests.length < 200, `${line.requests.length} requests in an hour`);
  const before = line.requests.length;
  line.reply = storeAll;
  await clock.advance(60_000);
  t.is(queue.size, 0);
  t.true(line.requests.length - before < 14, `${line.requests.length - before} requests`);
});

test('a receipt of another answer lets go of nothing', async (t) => {
  const { clock, queue, line, pump } = await startPump(t, { waiting: 1 });
  t.is(queue.size, 0);
  const replayed = confirmed({ results: [{ id: message(0).id, state: 'stored' }] });
  const others = [message(1), message(2)];
  line.reply = () => replayed;
  await queue.take('test', null, others);
  pump.wake('news');
  await clock.advance(60_000);
  t.is(queue.size, 2);
  line.reply = ({ messages: [first] }) =>
    confirmed({
      results: first === undefined ? [] : [first, first].map(({ id }) => ({ id, state: 'stored' })),
    });
  await clock.advance(60_000);
  t.is(queue.size, 2, 'a receipt for the same message twice');
  line.reply = ({ messages: all }) =>
    confirmed({ results: all.slice(1).map(({ id }) => ({ id, state: 'stored' })) });
  await clock.advance(60_000);
  t.is(queue.size, 2, 'a receipt for fewer');
  line.reply = (body) => confirmed({ results: results(body).reverse() });
  pump.wake('news');
  await clock.advance(60_000);
  t.is(queue.size, 0, 'alone, each is confirmed');
});

test('a Retry-After says that the moment is wrong: the requests stay as large as they are', async (t) => {
  const { clock, line, queue } = await startPump(t, { waiting: 40, reply: () => answered(429, {}, '5') });
  await clock.advance(60_000);
  t.true(line.requests.every((ids) => ids.length === 40));
  line.reply = storeAll;
  await clock.advance(60_000);
  t.is(queue.size, 0);
});

test('there is never more than one request in flight, however often the pump is woken', async (t) => {
  let release = (): void => {};
  const { line, pump, queue } = await startPump(t);
  line.reply = (body) =>
    new Promise((resolve) => {
      release = () => resolve(storeAll(body));
    });
  for (let round = 0; round < 5; round++) {
    await queue.take('test', null, [message(round)]);
    pump.wake('news');
    pump.wake('network');
    await settled();
  }
  release();
  await settled();
  release();
  await settled();
  t.is(line.mostInFlight, 1);
  t.deepEqual(line.requests, [[], [message(0).id], [1, 2, 3, 4].map((number) => message(number).id)]);
  t.is(queue.size, 0);
});

test('stopping lets the request in flight finish and settles what it brought', async (t) => {
  let release = (): void => {};
  const { pump, queue, end } = await startPump(t, {
    waiting: 2,
    reply: (body) =>
      new Promise((resolve) => {
        release = () => resolve(storeAll(body));
      }),
  });
  pump.stop();
  await settled();
  t.is(end(), undefined);
  release();
  await settled();
  t.deepEqual(end(), { kind: 'stopped' });
  t.is(queue.size, 0);
});

test('a request that does not end is broken off five seconds after the stop, and its messages stay', async (t) => {
  const { pump, queue, end, clock } = await startPump(t, { waiting: 2, reply: () => new Promise(() => {}) });
  pump.stop();
  await clock.advance(4_999);
  t.is(end(), undefined);
  await clock.advance(1);
  t.deepEqual(end(), { kind: 'stopped' });
  t.is(queue.size, 2);
});

test('with once the pump ends when all is delivered, or at the first failure', async (t) => {
  const good = await startPump(t, { waiting: 500, once: true });
  await settled();
  t.deepEqual([good.end(), good.queue.size], [{ kind: 'drained' }, 0]);
  const bad = await startPump(t, { waiting: 1, once: true, reply: unreachable });
  t.deepEqual(bad.end(), { kind: 'failed', code: 'unreachable', reason: 'ECONNREFUSED' });
  t.is(bad.queue.size, 1);
});

test('with once a message that gets no answer alone leaves those behind it their turn', async (t) => {
  const huge = { ...message(0), body: 'x'.repeat(100_000) };
  const { queue, end, clock, pump } = await startPump(t, {
    once: true,
    before: [huge, message(1), message(2)],
    reply: (body) => {
      const hasHuge = body.messages.some(({ id }) => id === huge.id);
      return hasHuge ? answered(413, { status: false, message: 'too large' }) : storeAll(body);
    },
  });
  await clock.advance(60_000);
  t.deepEqual(queue.ids(), [huge.id]);
  t.deepEqual(end(), { kind: 'failed', code: 'server_error', reason: 'HTTP 413: too large' });
  t.is(pump.problem, null, 'two tries may be chance');
});
