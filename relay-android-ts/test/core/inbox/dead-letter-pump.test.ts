/** Dead letters on their way back into the queue. */

import type { ExecutionContext } from 'ava';
import test from 'ava';
import { DeadLetterPump, type DeadLetterRequest, DeadLetters } from '../../../src/core/inbox/dead-letters.js';
import { Queue } from '../../../src/core/inbox/queue.js';
import { FakeClock, settled } from '../../helpers/clock.js';
import { MemoryFile } from '../../helpers/memory-file.js';
import { MemoryLog, message } from '../../helpers/messages.js';

const at = (hour: number) => ({ receivedAt: `2026-01-31T${hour}:00:00.000+06:00` });

async function open(t: ExecutionContext) {
  const [clock, log, file] = [new FakeClock(), new MemoryLog(), new MemoryFile()];
  const queue = await Queue.open(file);
  const deadLetters = await DeadLetters.open(new MemoryFile());
  const messages = [message(1, at(10)), message(2, at(11)), message(3, { receivedAt: 'some day' })];
  await deadLetters.add(messages.map((one) => ({ message: one, reason: 'no', at: 0 })));
  const requests: DeadLetterRequest[] = [];
  let news = 0;
  const takeRequests = async () => requests.splice(0);
  const onNews = () => {
    news += 1;
  };
  const pump = new DeadLetterPump({ queue, deadLetters, clock, log, takeRequests, onNews });
  t.teardown(() => pump.stop());
  return {
    pump,
    clock,
    log,
    file,
    queue,
    deadLetters,
    requests,
    ids: messages.map(({ id }) => id),
    news: () => news,
  };
}

test('a start queues every dead letter once and keeps it as a dead letter', async (t) => {
  const { pump, queue, deadLetters, ids, clock } = await open(t);
  await pump.begin();
  t.deepEqual(queue.ids(), ids);
  t.is(queue.head(1)[0]?.takenAt, clock.now());
  await pump.again(0);
  t.is(queue.size, 3);
  t.is(deadLetters.all().length, 3);
});

test('a resend request queues dead letters of its period and those without a valid time', async (t) => {
  const { pump, queue, deadLetters, ids } = await open(t);
  const untimed = [null, '1970-01-01T00:00:00+00:00'].map((receivedAt, n) => message(4 + n, { receivedAt }));
  await deadLetters.add(untimed.map((one) => ({ message: one, reason: 'no', at: 0 })));
  await pump.again(Date.parse('2026-01-31T11:00:00+06:00'));
  t.deepEqual(queue.ids(), [ids[1] ?? '', ids[2] ?? '', ...untimed.map(({ id }) => id)]);
});

test('requests of commands are done within seconds while the agent runs', async (t) => {
  const { pump, queue, deadLetters, requests, ids, clock, news } = await open(t);
  const running = pump.run();
  requests.push({ kind: 'retry', ids: ids.slice(0, 1) }, { kind: 'dismiss', ids: ids.slice(1) });
  await clock.advance(2_000);
  t.deepEqual(queue.ids(), ids.slice(0, 1));
  t.is(deadLetters.problem(), 'the server refuses 1 SMS: kashbox-relay dead-letters list');
  t.is(news(), 1);
  await clock.advance(60_000);
  t.is(news(), 1);
  pump.stop();
  await settled();
  await running;
});

test('a disk that takes no writes leaves them where they are, and says so', async (t) => {
  const { pump, queue, deadLetters, file, log } = await open(t);
  file.failAppendAfter = 3;
  await pump.begin();
  t.deepEqual([queue.size, deadLetters.all().length], [0, 3]);
  t.true(log.lines.some((line) => line.startsWith('warn dead letters cannot be put into the queue')));
});
