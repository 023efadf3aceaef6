/** The waiting room by itself: its breath, its end, and what it costs when nobody waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { HEARTBEAT, HELLO, openPageSubscribers, UPDATED } from '../../../daemon/checkout/page-subscribers.js';
import { openLog } from '../../../src/base/io/log.js';
import { createTopic } from '../../../src/base/values/topic.js';
import { testClock } from '../../helpers/stores/engines.js';

function room(options: { maxStreams?: number; heartbeatMs?: number; pollMs?: number } = {}) {
  const clock = testClock();
  const moved = createTopic();
  const looks: (readonly string[])[] = [];
  const finds: string[] = [];
  const read = (async (work: (db: unknown) => unknown) => {
    // The one query that the room makes, with the ids that it asks for.
    const builder = {
      selectFrom: () => builder,
      where: (first: unknown, _operator?: unknown, ids?: readonly string[]) => {
        if (first === 'id' && ids !== undefined) looks.push(ids);
        return builder;
      },
      select: () => builder,
      execute: async () => finds.map((id) => ({ id })),
    };
    return work({ query: builder });
  }) as never;
  const { log } = openLog('silent');
  const opened = openPageSubscribers({ clock, moved, store: { read } as never }, log, {
    maxStreams: 100,
    heartbeatMs: 1_000_000,
    pollMs: 1_000_000,
    ...options,
  });
  const stream = () => {
    const said: string[] = [];
    return { said, write: (text: string) => said.push(text), end: (text: string) => said.push(`${text}END`) };
  };
  return { ...opened, clock, moved, looks, finds, stream };
}

const until = (closeAt: number) => ({ isWaiting: false, closeAt });

test('a waiting customer is notified once that the payment changed state, then never again', (t) => {
  const { enter, moved, clock, stream } = room();
  const [mine, theirs] = [stream(), stream()];
  enter('a', until(clock.now() + 1), mine);
  enter('b', until(clock.now() + 1), theirs);
  moved.tell('a');
  moved.tell('a');
  t.deepEqual(mine.said, [`${UPDATED}END`]);
  t.deepEqual(theirs.said, []);
  t.true(HELLO.endsWith('\n\n'));
});

test('a subscriber that left is removed and frees its place', (t) => {
  const { enter, hasRoom, moved, clock, stream } = room({ maxStreams: 1 });
  const gone = stream();
  const leave = enter('a', until(clock.now() + 1), gone);
  t.false(hasRoom());
  leave();
  leave();
  t.true(hasRoom());
  moved.tell('a');
  t.deepEqual(gone.said, []);
});

test('one timer breathes for all, and ends those whose time is over', async (t) => {
  const { enter, clock, stream, hasRoom } = room({ heartbeatMs: 5, maxStreams: 2 });
  const [long, short] = [stream(), stream()];
  enter('a', until(clock.now() + 60_000), long);
  enter('b', until(clock.now()), short);
  clock.advance(1);
  while (long.said.length < 2) await sleep(5);
  t.deepEqual(long.said.slice(0, 2), [HEARTBEAT, HEARTBEAT]);
  t.is(HEARTBEAT, 'event: ping\ndata: 1\n\n', 'an event, since no script sees a comment');
  t.deepEqual(short.said, ['END']);
  t.true(hasRoom());
});

test('one query asks for everybody, its length a power of two, and only while somebody waits', async (t) => {
  const { enter, looks, finds, clock, stream } = room({ pollMs: 5 });
  const streams = Array.from({ length: 5 }, stream);
  const leaves = streams.map((one, at) => enter(`s${at}`, until(clock.now() + 60_000), one));
  while (looks.length < 1) await sleep(5);
  t.deepEqual(looks[0], ['s0', 's1', 's2', 's3', 's4', 's0', 's0', 's0']);
  finds.push('s3');
  while (streams[3]?.said.length === 0) await sleep(5);
  t.deepEqual(
    streams.map(({ said }) => said.length),
    [0, 0, 0, 1, 0],
  );
  for (const leave of leaves) leave();
  const before = looks.length;
  await sleep(50);
  t.is(looks.length, before);
});
