/** The queue and the dead letters over a file that can fail. */
import test from 'ava';
import { DeadLetters } from '../../../src/core/inbox/dead-letters.js';
import { messageId, Queue } from '../../../src/core/inbox/queue.js';
import { encodeLine } from '../../../src/core/journal/journal.js';
import { MemoryFile } from '../../helpers/memory-file.js';
import { message, messages, row } from '../../helpers/messages.js';

test('the same SMS read twice has one id, and any difference makes another', (t) => {
  const id = messageId('dev_1', row(1));
  t.is(messageId('dev_1', { ...row(1), simSlot: 2 }), id);
  t.regex(id, /^[0-9a-f]{64}$/);
  const others = [
    messageId('dev_2', row(1)),
    messageId('dev_1', row(1, { key: 'other' })),
    messageId('dev_1', row(1, { sender: 'NAGAD' })),
    messageId('dev_1', row(1, { body: 'other' })),
    messageId('dev_1', row(1, { receivedAt: '2026-01-31T10:00:01.000+06:00' })),
    messageId('dev_1', row(1, { sender: 'a","b', body: 'c' })),
    messageId('dev_1', row(1, { sender: 'a', body: 'b","c' })),
  ];
  t.is(new Set([id, ...others]).size, others.length + 1);
});

test('messages, their order and the cursor are there again after reopening', async (t) => {
  const file = new MemoryFile();
  const queue = await Queue.open(file);
  await queue.take('folder', 'cursor 1', messages(3));
  await queue.settle([message(1).id]);
  const again = await Queue.open(file);
  t.deepEqual(again.head(10), [message(0), message(2)]);
  t.is(again.cursor('folder'), 'cursor 1');
  t.is(again.cursor('stdin'), null);
});

test('a crash in the middle of a take leaves neither its messages nor its cursor', async (t) => {
  const file = new MemoryFile();
  const queue = await Queue.open(file);
  await queue.take('folder', 'cursor 1', [message(0)]);
  const before = file.bytes.length;
  await queue.take('folder', 'cursor 2', [message(1), message(2)]);
  const whole = file.bytes;
  for (let cut = before; cut < whole.length; cut++) {
    const crashed = new MemoryFile();
    crashed.bytes = whole.slice(0, cut);
    const found = await Queue.open(crashed);
    t.deepEqual([found.size, found.cursor('folder')], [1, 'cursor 1']);
  }
});

test('when the disk takes no more writes messages are refused, but delivered ones still leave', async (t) => {
  const file = new MemoryFile();
  const queue = await Queue.open(file);
  await queue.take('folder', null, messages(2));
  file.failAppendAfter = 5;
  await t.throwsAsync(queue.take('folder', null, [message(5)]));
  t.false(await queue.settle([message(0).id]));
  t.deepEqual(queue.head(10), [message(1)]);
});

test('messages on hold are not at the head, but stay in the queue', async (t) => {
  const queue = await Queue.open(new MemoryFile());
  await queue.take('folder', null, messages(3));
  t.deepEqual(
    queue.head(1, (id) => id === message(0).id),
    [message(1)],
  );
  t.deepEqual(queue.get(message(0).id), message(0));
});

test('a thousand delivered messages leave a small file behind', async (t) => {
  const file = new MemoryFile();
  const queue = await Queue.open(file);
  for (let round = 0; round < 20; round++) {
    const some = Array.from({ length: 200 }, (_, index) => message(round * 200 + index));
    await queue.take('folder', `cursor ${round}`, some);
    await queue.settle(some.map(({ id }) => id));
  }
  t.true(file.replaces > 0);
  const again = await Queue.open(file);
  t.deepEqual([again.size, again.cursor('folder')], [0, 'cursor 19']);
});

test('a dead letter is kept once, with its newest reason, until the server has accepted it', async (t) => {
  const file = new MemoryFile();
  const letter = { message: message(1), reason: 'sender is missing', at: 5 };
  const deadLetters = await DeadLetters.open(file);
  await deadLetters.add([letter]);
  await deadLetters.add([{ ...letter, reason: 'sender is missing still', at: 6 }]);
  await deadLetters.add([{ ...letter, message: message(2) }]);
  const again = await DeadLetters.open(file);
  t.deepEqual(
    again.all().map(({ message: { id }, reason }) => [id, reason]),
    [
      [message(1).id, 'sender is missing still'],
      [message(2).id, 'sender is missing'],
    ],
  );
  t.is(again.problem(), 'the server refuses 2 SMS: kashbox-relay dead-letters list');
  await again.note('stored', [message(1).id, message(7).id]);
  const last = await DeadLetters.open(file);
  t.deepEqual([last.has(message(1).id), last.has(message(2).id)], [false, true]);
});

test('a dismissed dead letter is not reported again, even when it is rejected again', async (t) => {
  const file = new MemoryFile();
  const letter = { message: message(1), reason: 'sender is missing', at: 5 };
  const deadLetters = await DeadLetters.open(file);
  await deadLetters.add([letter]);
  await deadLetters.note('dismissed', [message(1).id, message(7).id]);
  await deadLetters.add([{ ...letter, at: 6 }]);
  const again = await DeadLetters.open(file);
  t.deepEqual([again.problem(), again.all().length], [null, 1]);
  await again.note('stored', [message(1).id]);
  await again.add([letter]);
  t.not(again.problem(), null, 'refused anew after it was taken');
});

test('dead letters written by earlier versions are read unchanged', async (t) => {
  const file = new MemoryFile();
  const letter = { message: message(1), reason: 'HTTP 400', at: 5 };
  file.bytes = encodeLine(letter);
  const deadLetters = await DeadLetters.open(file);
  t.deepEqual([deadLetters.all(), deadLetters.recovery.damaged, file.copies], [[letter], 0, []]);
});
