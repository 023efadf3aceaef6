/** The queue and the dead letters over a file that can fail. */
import test from 'ava';
import { DeadLetters } from '../../src/core/dead-letters.js';
import { messageId } from '../../src/core/message.js';
import { Queue } from '../../src/core/queue.js';
import { nodeDigest } from '../../src/ports/node-clock.js';
import { MemoryFile } from '../helpers/memory-file.js';
import { message, messages, row } from '../helpers/messages.js';

test('the same SMS read twice has one id, and any difference makes another', (t) => {
  const id = messageId(nodeDigest, 'dev_1', row(1));
  t.is(messageId(nodeDigest, 'dev_1', { ...row(1), simSlot: 2 }), id);
  t.regex(id, /^[0-9a-f]{64}$/);
  const others = [
    messageId(nodeDigest, 'dev_2', row(1)),
    messageId(nodeDigest, 'dev_1', row(1, { key: 'other' })),
    messageId(nodeDigest, 'dev_1', row(1, { sender: 'NAGAD' })),
    messageId(nodeDigest, 'dev_1', row(1, { body: 'other' })),
    messageId(nodeDigest, 'dev_1', row(1, { receivedAt: '2026-01-31T10:00:01.000+06:00' })),
    messageId(nodeDigest, 'dev_1', row(1, { sender: 'a","b', body: 'c' })),
    messageId(nodeDigest, 'dev_1', row(1, { sender: 'a', body: 'b","c' })),
  ];
  t.is(new Set([id, ...others]).size, others.length + 1);
});

test('messages, their order and the cursor are there again after reopening', async (t) => {
  const file = new MemoryFile();
  const { queue } = await Queue.open(file);
  await queue.take('folder', 'cursor 1', messages(3));
  await queue.settle([message(1).id]);
  const again = (await Queue.open(file)).queue;
  t.deepEqual(again.head(10), [message(0), message(2)]);
  t.is(again.cursor('folder'), 'cursor 1');
  t.is(again.cursor('stdin'), null);
});

test('a crash in the middle of a take leaves neither its messages nor its cursor', async (t) => {
  const file = new MemoryFile();
  const { queue } = await Queue.open(file);
  await queue.take('folder', 'cursor 1', [message(0)]);
  const before = file.bytes.length;
  await queue.take('folder', 'cursor 2', [message(1), message(2)]);
  const whole = file.bytes;
  for (let cut = before; cut < whole.length; cut++) {
    const crashed = new MemoryFile();
    crashed.bytes = whole.slice(0, cut);
    const { queue: found } = await Queue.open(crashed);
    t.deepEqual([found.size, found.cursor('folder')], [1, 'cursor 1']);
  }
});

test('when the disk takes no more writes messages are refused, but delivered ones still leave', async (t) => {
  const file = new MemoryFile();
  const { queue } = await Queue.open(file);
  await queue.take('folder', null, messages(2));
  file.failAppendAfter = 5;
  await t.throwsAsync(queue.take('folder', null, [message(5)]));
  t.false(await queue.settle([message(0).id]));
  t.deepEqual(queue.head(10), [message(1)]);
});

test('messages without an answer go behind the others', async (t) => {
  const { queue } = await Queue.open(new MemoryFile());
  await queue.take('folder', null, messages(3));
  queue.postpone([message(0).id]);
  t.deepEqual(queue.head(3), [message(1), message(2), message(0)]);
});

test('a thousand delivered messages leave a small file behind', async (t) => {
  const file = new MemoryFile();
  const { queue } = await Queue.open(file);
  for (let round = 0; round < 20; round++) {
    const some = Array.from({ length: 200 }, (_, index) => message(round * 200 + index));
    await queue.take('folder', `cursor ${round}`, some);
    await queue.settle(some.map(({ id }) => id));
  }
  t.true(file.replaces > 0);
  const { queue: again } = await Queue.open(file);
  t.deepEqual([again.size, again.cursor('folder')], [0, 'cursor 19']);
});

test('a dead letter is kept with its reason, once', async (t) => {
  const file = new MemoryFile();
  const letter = { message: message(1), reason: 'sender is missing', at: 5 };
  const { deadLetters } = await DeadLetters.open(file);
  await deadLetters.add([letter]);
  const size = file.bytes.length;
  await deadLetters.add([letter]);
  t.is(file.bytes.length, size);
  const again = (await DeadLetters.open(file)).deadLetters;
  t.true(again.has(message(1).id));
  t.false(again.has(message(2).id));
});
