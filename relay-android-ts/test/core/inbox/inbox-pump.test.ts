/** From the inbox to the disk: what is read is kept before anybody hears of it. */
import test, { type ExecutionContext } from 'ava';
import { InboxError } from '../../../src/core/errors.js';
import { DeadLetters } from '../../../src/core/inbox/dead-letters.js';
import { InboxPump } from '../../../src/core/inbox/inbox-pump.js';
import { Queue } from '../../../src/core/inbox/queue.js';
import type { Inbox, InboxPage, InboxRow } from '../../../src/core/ports.js';
import { FakeClock, settled } from '../../helpers/clock.js';
import { MemoryFile } from '../../helpers/memory-file.js';
import { MemoryLog, message, row } from '../../helpers/messages.js';

/** A phone's SMS store as a later platform will read it: by row number, and once more from the start. */
class NumberedInbox implements Inbox {
  readonly name = 'numbered';
  readonly rows: InboxRow[] = [];
  readonly kepts: (readonly string[])[] = [];
  broken = false;
  error = new Error('permission missing');
  wake = (): void => {};

  async since(cursor: string | null, limit: number): Promise<InboxPage> {
    if (this.broken) throw this.error;
    const from = Number(cursor ?? 0);
    const rows = this.rows.slice(from, from + limit);
    return { rows, cursor: String(from + rows.length), next: rows.length === limit ? 'more' : 'idle' };
  }

  async kept(_page: InboxPage, ids: readonly string[]): Promise<void> {
    this.kepts.push(ids);
  }

  onWake(wake: () => void): void {
    this.wake = wake;
  }

  readonly agains: number[] = [];

  again(fromMs: number): void {
    this.agains.push(fromMs);
  }

  close(): void {}
}

async function startPump(t: ExecutionContext, inbox: NumberedInbox, file = new MemoryFile()) {
  const clock = new FakeClock();
  const log = new MemoryLog();
  const queue = await Queue.open(file);
  const deadLetters = await DeadLetters.open(new MemoryFile());
  let news = 0;
  const rereads: number[] = [];
  const problems: (string | null)[] = [];
  const pump = new InboxPump({
    inbox,
    queue,
    deadLetters,
    clock,
    log,
    deviceId: () => 'dev_test',
    pollMs: 1_000,
    onNews: () => {
      news += 1;
    },
    onReread: (since) => rereads.push(since),
    onProblem: (problem) => problems.push(problem),
  });
  const running = pump.run(false);
  await settled();
  t.teardown(async () => {
    pump.stop();
    await running;
  });
  return { pump, clock, log, queue, deadLetters, file, rereads, problems, news: () => news };
}

test('SMS are read page by page and kept with the cursor behind them', async (t) => {
  const inbox = new NumberedInbox();
  inbox.rows.push(...Array.from({ length: 450 }, (_, number) => row(number)));
  const { queue, news } = await startPump(t, inbox);
  t.is(queue.size, 450);
  t.is(queue.cursor('numbered'), '450');
  t.is(inbox.kepts.flat().length, 450);
  t.is(news(), 3);
});

test('an inbox that wakes us is read at once, another at its interval', async (t) => {
  const inbox = new NumberedInbox();
  const { queue, clock } = await startPump(t, inbox);
  inbox.rows.push(row(1));
  await clock.advance(999);
  t.is(queue.size, 0);
  await clock.advance(1);
  t.is(queue.size, 1);
  inbox.rows.push(row(2));
  inbox.wake();
  await settled();
  t.is(queue.size, 2);
});

test('an idle inbox costs no write', async (t) => {
  const { clock, file } = await startPump(t, new NumberedInbox());
  const appends = file.appends;
  await clock.advance(60_000);
  t.is(file.appends, appends);
});

test('reading SMS again that are queued or dead letters adds nothing', async (t) => {
  const inbox = new NumberedInbox();
  const { queue, deadLetters } = await startPump(t, inbox);
  await deadLetters.add([{ message: message(1), reason: 'too old', at: 0 }]);
  inbox.rows.push(row(1), row(2), row(2), row(3));
  inbox.wake();
  await settled();
  t.deepEqual(
    queue.head(10).map(({ id }) => id),
    [message(2).id, message(3).id],
  );
  t.is(inbox.kepts.flat().length, 4);
});

test('when disk writes fail, SMS stay in the inbox unconfirmed and are queued later', async (t) => {
  const inbox = new NumberedInbox();
  const { queue, clock, file, log } = await startPump(t, inbox);
  const told = inbox.kepts.length;
  file.failAppendAfter = 4;
  inbox.rows.push(row(1));
  await clock.advance(1_000);
  t.deepEqual([queue.size, inbox.kepts.length], [0, told]);
  t.true(log.lines.some((line) => line.startsWith('warn SMS cannot be taken')));
  file.failAppendAfter = undefined;
  await clock.advance(5_000);
  t.deepEqual([queue.size, inbox.kepts.length > told], [1, true]);
});

test('an inbox that cannot be read is tried again', async (t) => {
  const inbox = new NumberedInbox();
  inbox.broken = true;
  inbox.rows.push(row(1));
  const { queue, clock } = await startPump(t, inbox);
  inbox.broken = false;
  await clock.advance(5_000);
  t.is(queue.size, 1);
});

test('a second reading is over when the inbox has nothing more, and is asked for once', async (t) => {
  const inbox = new NumberedInbox();
  const { pump, rereads, clock } = await startPump(t, inbox);
  inbox.rows.push(...Array.from({ length: 450 }, (_, number) => row(number)));
  inbox.broken = true;
  pump.again(5_000);
  await settled();
  t.deepEqual([inbox.agains, rereads], [[5_000], []], 'a fault is no end');
  inbox.broken = false;
  await clock.advance(5_000);
  t.deepEqual(rereads, [5_000]);
  await clock.advance(60_000);
  t.deepEqual(rereads, [5_000]);
});

test('a lasting fault is logged once in ten minutes, a different one at once', async (t) => {
  const inbox = new NumberedInbox();
  inbox.broken = true;
  const { clock, log } = await startPump(t, inbox);
  await clock.advance(599_000);
  t.is(log.lines.length, 1);
  await clock.advance(10_000);
  t.is(log.lines.length, 2);
});

test('an inbox problem is reported when it changes and when it ends, without file names', async (t) => {
  const inbox = new NumberedInbox();
  inbox.broken = true;
  inbox.error = new InboxError('cannot read SMS: Termux:API does not answer', 'open the app once');
  const { clock, problems } = await startPump(t, inbox);
  await clock.advance(60_000);
  t.deepEqual(problems, ['cannot read SMS: Termux:API does not answer']);
  inbox.error = Object.assign(new Error("EACCES: permission denied, open '/home/x'"), { code: 'EACCES' });
  await clock.advance(5_000);
  inbox.broken = false;
  await clock.advance(5_000);
  inbox.broken = true;
  inbox.error = new InboxError('x'.repeat(300), '');
  await clock.advance(5_000);
  t.deepEqual(problems.slice(1), ['cannot take in SMS (EACCES)', null, 'x'.repeat(200)]);
});
