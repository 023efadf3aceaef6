/** How the agent listens for the server's call, and what it does when it cannot. */
import test, { type ExecutionContext } from 'ava';
import type { HttpReply, ServerLine, StreamEnd } from '../../../src/core/ports.js';
import type { SyncVerdict } from '../../../src/core/sync/server-answer.js';
import { EventText, WakeChannel } from '../../../src/core/wake/wake-channel.js';
import { FakeClock, settled } from '../../helpers/clock.js';

const ACCEPTED: SyncVerdict = {
  kind: 'accepted',
  results: [],
  nextPollMs: 10_000,
  serverTime: null,
  dispatches: [],
  resendSince: null,
};

class FakeLine implements ServerLine {
  readonly deviceId = 'dev_test';
  opened = 0;
  say: (text: string) => void = () => {};
  end: (end: StreamEnd) => void = () => {};
  /** What a stream is answered with at once; null keeps it open. */
  answer: StreamEnd | null = null;

  async sync(): Promise<HttpReply> {
    throw new Error('a channel does not sync');
  }

  async renew(): Promise<void> {}

  seal(): string {
    return '';
  }

  events(onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd> {
    this.opened += 1;
    this.say = onText;
    if (this.answer !== null) return Promise.resolve(this.answer);
    return new Promise((resolve) => {
      this.end = resolve;
      stop.addEventListener('abort', () => resolve({ kind: 'closed' }));
    });
  }
}

async function listen(t: ExecutionContext, answer: StreamEnd | null = null) {
  const clock = new FakeClock();
  const line = new FakeLine();
  line.answer = answer;
  let calls = 0;
  let longPoll = false;
  const channel = new WakeChannel({
    line,
    clock,
    random: () => 0.5,
    onCall: () => {
      calls += 1;
    },
    onLongPoll: (wanted) => {
      longPoll = wanted;
    },
  });
  const running = channel.run();
  await settled();
  t.teardown(async () => {
    channel.stop();
    await running;
  });
  return { clock, line, channel, calls: () => calls, longPoll: () => longPoll };
}

test('an open stream calls once, for what was queued before, and then at each wake', async (t) => {
  const { line, calls } = await listen(t);
  t.is(calls(), 0);
  line.say(': hello\n\n');
  t.is(calls(), 1);
  line.say('event: wake\ndata: {"reason":"dis');
  t.is(calls(), 1, 'half an event is none');
  line.say('patch"}\n\n: keepalive\n\n');
  t.is(calls(), 2);
  line.say('event: other\ndata: {}\n\n');
  t.is(calls(), 2);
});

test('a stream that ends or falls silent is opened again after a second, however often', async (t) => {
  const { line, clock, longPoll } = await listen(t);
  for (const end of [
    { kind: 'closed' },
    { kind: 'silent' },
    { kind: 'closed' },
    { kind: 'silent' },
  ] as const) {
    const before = line.opened;
    line.say(':\n\n');
    line.end(end);
    await clock.advance(999);
    t.is(line.opened, before);
    await clock.advance(1);
    t.is(line.opened, before + 1);
    t.false(longPoll());
  }
});

test('a server that cannot be reached is tried ever more slowly; from the third time on syncs wait there', async (t) => {
  const { line, clock, longPoll } = await listen(t, { kind: 'unreachable', reason: 'ECONNREFUSED' });
  const waits: (number | null)[] = [];
  const polls: boolean[] = [];
  for (let round = 0; round < 8; round++) {
    waits.push(clock.nextInMs());
    polls.push(longPoll());
    await clock.advance(clock.nextInMs() ?? 0);
  }
  t.deepEqual(waits, [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  t.deepEqual(polls, [false, false, true, true, true, true, true, true]);
  line.answer = null;
  await clock.advance(30_000);
  line.say(':\n\n');
  t.false(longPoll(), 'until a stream opens');
});

for (const status of [401, 403, 404, 503]) {
  test(`a server that answers ${status} has syncs wait there, and is asked for a stream every five minutes`, async (t) => {
    const { line, clock, longPoll } = await listen(t, { kind: 'refused', status });
    t.true(longPoll());
    await clock.advance(299_000);
    t.is(line.opened, 1);
    await clock.advance(1_000);
    t.is(line.opened, 2);
  });
}

test('a key that is taken again, or another one, is worth a stream at once; a proxy that said 403 is not', async (t) => {
  const { line, clock, channel } = await listen(t, { kind: 'refused', status: 403 });
  await clock.advance(60_000);
  channel.note(ACCEPTED);
  await settled();
  t.is(line.opened, 1, 'the sync was never refused, so nothing has changed');
  channel.note({ kind: 'unpaired', reason: 'HTTP 401' });
  await settled();
  t.is(line.opened, 1);
  line.answer = null;
  channel.note(ACCEPTED);
  await settled();
  t.is(line.opened, 2);
});

test('an endless line is discarded, and the next event is received', (t) => {
  const heard: string[] = [];
  const text = new EventText((name) => heard.push(name));
  for (let part = 0; part < 100; part++) text.push('x'.repeat(1_000));
  text.push('\n\nevent: wake\r\ndata: {}\r\n\r\n');
  t.deepEqual(heard, ['wake']);
});
