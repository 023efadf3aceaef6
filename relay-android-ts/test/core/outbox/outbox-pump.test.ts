/** From the outbox to the phone: one at a time, each once, and a word for whatever comes of it. */
import test, { type ExecutionContext } from 'ava';
import { OutboxPump } from '../../../src/core/outbox/outbox-pump.js';
import type { Dispatch, Sender, SendOutcome } from '../../../src/core/ports.js';
import { FakeClock, settled } from '../../helpers/clock.js';
import { dispatch, openOutbox } from '../../helpers/dispatches.js';
import { MemoryLog } from '../../helpers/messages.js';

type Tell = (outcome: SendOutcome) => void;

class FakeSender implements Sender {
  canSend?: (simSlot: number | null) => boolean;
  readonly sent: string[] = [];
  readonly tells = new Map<string, Tell>();
  play: (dispatch: Dispatch, tell: Tell) => Promise<void> = async (_dispatch, tell) =>
    tell({ state: 'SENT' });

  send(one: Dispatch, tell: Tell): Promise<void> {
    this.sent.push(one.id);
    this.tells.set(one.id, tell);
    return this.play(one, tell);
  }

  close(): void {}
}

async function start(t: ExecutionContext) {
  const clock = new FakeClock();
  const { outbox, file } = await openOutbox();
  const sender = new FakeSender();
  let news = 0;
  const pump = new OutboxPump({
    outbox,
    sender,
    clock,
    log: new MemoryLog(),
    onNews: () => {
      news += 1;
    },
  });
  const running = pump.run();
  await settled();
  const stop = async (): Promise<void> => {
    pump.stop();
    await clock.advance(10_000);
    await running;
  };
  t.teardown(stop);
  const take = async (...dispatches: Dispatch[]): Promise<void> => {
    await outbox.take(dispatches, clock.now());
    pump.wake();
    await settled();
  };
  const words = () => outbox.reports().map(({ id, state }) => `${id} ${state}`);
  return { clock, outbox, file, sender, take, words, stop, news: () => news };
}

test('dispatches are sent at once in order of priority, and reported', async (t) => {
  const { sender, take, words, news } = await start(t);
  await take(dispatch('a'), dispatch('b', { priority: 9 }));
  t.deepEqual(sender.sent, ['b', 'a']);
  t.deepEqual(words(), ['a SENT', 'b SENT']);
  t.is(news(), 2);
});

test('that it is about to be sent is on the disk before the phone is asked', async (t) => {
  const { sender, take, file } = await start(t);
  let onDisk = '';
  sender.play = async () => {
    onDisk = new TextDecoder().decode(file.bytes);
  };
  await take(dispatch('a'));
  t.regex(onDisk, /"t":"sending","id":"a"/);
});

test('when that cannot be written the phone is not asked, until it can', async (t) => {
  const { sender, take, file, outbox, clock } = await start(t);
  await outbox.take([dispatch('a')], clock.now());
  file.failAppendAfter = 2;
  await take();
  t.deepEqual(sender.sent, []);
  file.failAppendAfter = undefined;
  await clock.advance(5_000);
  t.deepEqual(sender.sent, ['a']);
});

test('a phone that reports nothing times out as UNKNOWN; a late result still counts', async (t) => {
  const { sender, take, words, clock } = await start(t);
  sender.play = async () => {};
  await take(dispatch('a'));
  await clock.advance(89_000);
  t.deepEqual(words(), []);
  await clock.advance(1_000);
  t.deepEqual(words(), ['a UNKNOWN']);
  sender.tells.get('a')?.({ state: 'SENT' });
  await settled();
  t.deepEqual(words(), ['a SENT']);
});

test('a phone that hangs holds up the next for a minute, and is asked for neither again', async (t) => {
  const { sender, take, words, clock } = await start(t);
  sender.play = (one, tell) =>
    one.id === 'a' ? new Promise(() => {}) : Promise.resolve(tell({ state: 'SENT' }));
  await take(dispatch('a'), dispatch('b'));
  t.deepEqual(sender.sent, ['a']);
  await clock.advance(60_000);
  t.deepEqual(words(), ['b SENT']);
  await clock.advance(600_000);
  t.deepEqual(
    [sender.sent, words()],
    [
      ['a', 'b'],
      ['a UNKNOWN', 'b SENT'],
    ],
  );
});

test('SIMs that send at the same time do not wait for each other; each sends the next when it is free', async (t) => {
  const { sender, take, words, clock } = await start(t);
  const busy = new Set<number | null>();
  const ends = new Map<string, () => void>();
  let isWell = false;
  sender.canSend = (simSlot) => isWell && !busy.has(simSlot);
  sender.play = async ({ id, simSlot }, tell) => {
    busy.add(simSlot);
    await new Promise<void>((resolve) => ends.set(id, resolve));
    busy.delete(simSlot);
    tell({ state: 'SENT' });
  };
  await take(dispatch('a', { simSlot: 1 }), dispatch('b', { simSlot: 1 }), dispatch('c', { simSlot: 2 }));
  t.deepEqual(sender.sent, [], 'no modem works');
  isWell = true;
  await clock.advance(1_000);
  t.deepEqual(sender.sent, ['a', 'c']);
  ends.get('a')?.();
  await settled();
  t.deepEqual(sender.sent, ['a', 'c', 'b']);
  t.deepEqual(words(), ['a SENT']);
});

test('a sender that breaks leaves it open whether it was sent', async (t) => {
  const { sender, take, words } = await start(t);
  sender.play = () => Promise.reject(new Error('broken pipe'));
  await take(dispatch('a'));
  t.deepEqual(words(), ['a UNKNOWN']);
});

test('delivery is reported after sending', async (t) => {
  const { sender, take, words, outbox } = await start(t);
  await take(dispatch('a'));
  await outbox.told(outbox.reports());
  sender.tells.get('a')?.({ state: 'DELIVERED' });
  await settled();
  t.deepEqual(words(), ['a DELIVERED']);
});

test('24 parts leave in a minute, the next when there is room, and what is too late not at all', async (t) => {
  const { sender, take, words, clock } = await start(t);
  const soon = { expiresAt: clock.now() + 30_000 };
  await take(dispatch('a', { parts: 20 }), dispatch('b', { parts: 5 }), dispatch('c', { parts: 5, ...soon }));
  t.deepEqual(sender.sent, ['a']);
  await clock.advance(30_000);
  t.deepEqual(words(), ['a SENT', 'c EXPIRED']);
  await clock.advance(30_000);
  t.deepEqual(sender.sent, ['a', 'b']);
});

test('when stopped, the agent still waits a few seconds for pending results', async (t) => {
  const { sender, take, words, stop } = await start(t);
  sender.play = async () => {};
  await take(dispatch('a'), dispatch('b'));
  const stopping = stop();
  await settled();
  sender.tells.get('a')?.({ state: 'SENT' });
  await stopping;
  t.deepEqual(words(), ['a SENT']);
});
