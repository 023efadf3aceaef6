/** SMS of several modems as one inbox: each stays in its storage until the server has it. */
import test from 'ava';
import { InboxError } from '../../../src/core/errors.js';
import { messageId } from '../../../src/core/inbox/queue.js';
import type { InboxPage } from '../../../src/core/ports.js';
import { ModemInbox } from '../../../src/platforms/modem/modem-inbox.js';
import { FakeClock } from '../../helpers/clock.js';
import { FakeModem } from '../../helpers/fake-modem.js';
import { MemoryLog } from '../../helpers/messages.js';

function inboxOf(once = false) {
  const [one, two] = [new FakeModem(1), new FakeModem(2)];
  const log = new MemoryLog();
  const clock = new FakeClock();
  const inbox = new ModemInbox([one, two], once, clock, log);
  const idsOf = (page: InboxPage) => page.rows.map((row) => messageId('dev', row));
  /** Reads, and keeps what was read. @returns the ids */
  const take = async (limit = 100) => {
    const page = await inbox.since(null, limit);
    const ids = idsOf(page);
    await inbox.kept(page, ids);
    return ids;
  };
  return { one, two, inbox, idsOf, take, log, clock };
}

const bodies = ({ rows }: InboxPage) => rows.map(({ simSlot, body }) => `${simSlot} ${body}`);

test('SMS of all modems come with their SIM, centre and type of sender, each once', async (t) => {
  const { one, two, inbox, take } = inboxOf();
  one.receive('a');
  two.receive('a');
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), ['1 text a', '2 text a']);
  t.like(page.rows[0], { smsc: '+8801700000600', senderType: 'alphanumeric', sender: 'bKash' });
  t.is((await take()).length, 2);
  t.is((await take()).length, 0);
});

test('returns SMS again that could not be written to disk', async (t) => {
  const { one, inbox } = inboxOf();
  one.receive('a');
  const [first, second] = [await inbox.since(null, 9), await inbox.since(null, 9)];
  t.deepEqual(bodies(first), bodies(second));
});

test('a storage is emptied of what the server has, and of nothing else', async (t) => {
  const { one, inbox, take } = inboxOf();
  one.receive('a');
  one.receive('b');
  const [a = ''] = await take(1);
  await take();
  t.is(one.stored.length, 2);
  await inbox.delivered([a]);
  t.deepEqual(
    one.stored.map(({ place }) => place),
    ['b'],
  );
});

test('a storage that could not be emptied is emptied later, and nothing is given twice', async (t) => {
  const { one, inbox, take } = inboxOf();
  one.receive('a');
  const ids = await take();
  one.removeFault = new Error('busy');
  await inbox.delivered(ids);
  t.is((await take()).length, 0);
  one.removeFault = null;
  t.is((await take()).length, 0);
  t.deepEqual(one.stored, []);
});

test('the same SMS in two places is one message, and both places are emptied', async (t) => {
  const { one, inbox, take } = inboxOf();
  one.receive('a', 'same');
  one.receive('b', 'same');
  const ids = await take();
  t.is(new Set(ids).size, 1);
  await inbox.delivered(ids);
  t.deepEqual(one.stored, []);
});

test('another SMS in the place of one that was removed is new', async (t) => {
  const { one, inbox, take } = inboxOf();
  one.receive('a', 'first');
  await inbox.delivered(await take());
  one.receive('a', 'second');
  t.is((await take()).length, 1);
});

test('an unreadable modem does not block the other, and an error is raised only when all fail', async (t) => {
  const { one, two, inbox, take } = inboxOf();
  one.fault = new InboxError('the modem is not plugged in', 'no device');
  two.receive('a');
  t.is((await take()).length, 1);
  two.fault = new Error('broken');
  await t.throwsAsync(inbox.since(null, 9), { instanceOf: InboxError });
  one.fault = null;
  one.receive('b');
  t.is((await take()).length, 1);
});

test('a modem that takes long holds up the other for a moment only, and its SMS come later', async (t) => {
  const { one, two, inbox, clock, take } = inboxOf();
  let goOn = (): void => {};
  one.listHangs = new Promise((resolve) => {
    goOn = resolve;
  });
  one.receive('a');
  two.receive('b');
  const page = inbox.since(null, 9);
  await clock.advance(2000);
  t.deepEqual(bodies(await page), ['2 text b']);
  const later = inbox.since(null, 9);
  goOn();
  t.deepEqual(bodies(await later), ['1 text a', '2 text b']);
  t.is((await take()).length, 2);
  t.is((await take()).length, 0);
});

test('a modem that is away says once that it could not be emptied', async (t) => {
  const { one, two, inbox, take, log } = inboxOf();
  one.receive('a');
  await inbox.delivered(await take());
  one.receive('b');
  const ids = await take();
  one.removeFault = one.fault = new Error('unplugged');
  await inbox.delivered(ids);
  for (let polls = 0; polls < 5; polls += 1) await take();
  const said = () => log.lines.filter((line) => line.includes('stay in the modem')).length;
  t.is(said(), 1);
  one.removeFault = one.fault = null;
  await take();
  t.deepEqual([one.stored, two.stored], [[], []]);
  one.receive('c');
  one.removeFault = new Error('busy');
  await inbox.delivered(await take());
  t.is(said(), 2);
});

test('a page is as long as asked for, and once means until all is read', async (t) => {
  const { one, inbox, take } = inboxOf(true);
  for (const place of ['a', 'b', 'c']) one.receive(place);
  const page = await inbox.since(null, 2);
  t.deepEqual([page.rows.length, page.next], [2, 'more']);
  await take();
  t.is((await inbox.since(null, 2)).next, 'ended');
});

test('when the server misses an SMS, what it has not answered for is given again', async (t) => {
  const { one, inbox, take } = inboxOf();
  one.receive('a');
  one.receive('b');
  const [a = ''] = await take(1);
  await take();
  await inbox.delivered([a]);
  inbox.again();
  t.deepEqual(bodies(await inbox.since(null, 9)), ['1 text b']);
});
