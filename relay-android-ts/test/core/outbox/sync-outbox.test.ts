/** What goes with the messages of a sync: dispatches, reports, what is held, waiting there, sending again. */
import test from 'ava';
import type { HttpReply } from '../../../src/core/ports.js';
import { settled } from '../../helpers/clock.js';
import { dispatch } from '../../helpers/dispatches.js';
import { message } from '../../helpers/messages.js';
import { answered, confirmed, type Reply, results, startPump, unreachable } from '../../helpers/pump.js';

const SERVER_TIME = '2026-01-31T10:00:00+06:00';

/** As the server hands it out while the phone's clock stands at ten in Dhaka. */
function wire(id: string, changes: object = {}): object {
  const { number, message: text, parts, priority } = dispatch(id);
  const expires_at = '2026-01-31T10:30:00+06:00';
  return { id, number, message: text, sim_slot: 2, parts, priority, expires_at, ...changes };
}

function answer(extra: object = {}): Reply {
  return (body) => {
    const known = { results: results(body), next_poll_ms: 10_000, server_time: SERVER_TIME };
    return confirmed({ ...known, ...extra });
  };
}

test('received dispatches are stored before the next request, which lists them as held', async (t) => {
  const pump = await startPump(t, { reply: answer({ dispatches: [wire('a'), wire('b')] }) });
  t.is(pump.dispatches(), 1);
  t.deepEqual(pump.outbox.next(pump.clock.now()), { kind: 'send', dispatch: dispatch('a', { simSlot: 2 }) });
  pump.line.reply = answer();
  await pump.clock.advance(10_000);
  t.deepEqual(
    pump.line.bodies.map(({ outbox }) => outbox),
    [
      { journal: 'journal-1', held: [] },
      { journal: 'journal-1', held: ['a', 'b'] },
    ],
  );
});

test('a dispatch that makes no sense is left out and costs no other', async (t) => {
  const dispatches = [null, 'x', wire(''), wire('a', { parts: 0 }), wire('b', { expires_at: 'soon' })];
  const more = [wire('c', { sim_slot: 0 }), wire('d', { number: 5 }), wire('e', { sim_slot: null })];
  const { outbox } = await startPump(t, { reply: answer({ dispatches: [...dispatches, ...more] }) });
  t.deepEqual(outbox.holding([])?.held, ['e']);
});

test('the end of its time is moved onto a phone clock that is an hour behind', async (t) => {
  const late = { server_time: '2026-01-31T11:00:00+06:00', dispatches: [wire('a')] };
  const { outbox, clock } = await startPump(t, { reply: answer(late) });
  t.deepEqual(outbox.next(clock.now()), { kind: 'expire', id: 'a' });
});

test('reports are sent at once, again after a failure, and not after they are acknowledged', async (t) => {
  const { outbox, line, pump, clock } = await startPump(t);
  await outbox.take([dispatch('a'), dispatch('b')], clock.now());
  await outbox.note('a', { state: 'SENT' });
  await outbox.note('b', { state: 'FAILED', error: 'no credit' });
  line.reply = unreachable;
  pump.wake('news');
  await settled();
  line.reply = answer();
  await clock.advance(60_000);
  const told = [
    { id: 'a', state: 'SENT' },
    { id: 'b', state: 'FAILED', error: 'no credit' },
  ];
  t.deepEqual(
    line.bodies.slice(0, 4).map(({ reports }) => reports),
    [[], told, told, []],
  );
});

test('an answer without a receipt sends no SMS, forgets no report and follows no wish', async (t) => {
  const { outbox, line, pump, clock, dispatches, resends } = await startPump(t);
  await outbox.take([dispatch('a')], clock.now());
  await outbox.note('a', { state: 'SENT' });
  const told = { status: true, results: [], next_poll_ms: 1_000, server_time: '2027-01-31T10:00:00+06:00' };
  const asked = { dispatches: [wire('b')], resend_since: '2026-01-31T08:00:00+06:00' };
  for (const proof of [{}, { receipt: '' }, { receipt: 'f'.repeat(64) }, { receipt: null }]) {
    line.reply = () => answered(200, { ...told, ...asked, ...proof });
    pump.wake('news');
    await clock.advance(60_000);
  }
  t.deepEqual([dispatches(), resends], [0, []]);
  t.deepEqual(outbox.holding([])?.held, ['a']);
  t.deepEqual(outbox.reports(), [{ id: 'a', state: 'SENT', error: null }]);
  line.reply = answer(asked);
  await clock.advance(60_000);
  t.deepEqual([dispatches(), resends.length], [1, 1]);
  t.deepEqual(outbox.reports(), []);
});

test('a message that fails together with reports is tried once without them, and the reports stay', async (t) => {
  const { outbox, line, pump, queue, clock } = await startPump(t);
  line.reply = (body) => (body.reports.length > 0 ? answered(400, {}) : answer()(body));
  await outbox.take([dispatch('a')], clock.now());
  await outbox.note('a', { state: 'SENT' });
  await queue.take('test', null, [message(1)]);
  pump.wake('news');
  await clock.advance(10_000);
  t.is(queue.size, 0);
  t.is(outbox.reports().length, 1);
});

/** A server that holds requests with wait_ms until it is let go. */
function patient(): { readonly reply: Reply; readonly held: ((reply: HttpReply) => void)[] } {
  const held: ((reply: HttpReply) => void)[] = [];
  const reply: Reply = (body) =>
    body.wait_ms === undefined ? answer()(body) : new Promise((resolve) => held.push(resolve));
  return { reply, held };
}

test('without streams an idle request waits at the server, and the next follows at once', async (t) => {
  const { reply, held } = patient();
  const { line, pump, clock } = await startPump(t, { reply });
  pump.waitThere(true);
  await settled();
  t.is(line.bodies.at(-1)?.wait_ms, 25_000);
  await clock.advance(25_000);
  held.shift()?.(confirmed({ next_poll_ms: 10_000 }));
  await settled();
  t.is(held.length, 1, 'another waits there');
});

test('a new message cuts a waiting request short and goes at once, one request at a time', async (t) => {
  const { reply } = patient();
  const { line, pump, queue } = await startPump(t, { reply });
  pump.waitThere(true);
  await settled();
  await queue.take('test', null, [message(7)]);
  pump.wake('news');
  await settled();
  t.deepEqual(line.requests.slice(-2), [[message(7).id], []], 'and then one waits there again');
  t.is(line.mostInFlight, 1);
});

test('a server that does not wait is not asked in a tight loop', async (t) => {
  const { line, pump, clock } = await startPump(t, { reply: answer() });
  pump.waitThere(true);
  await clock.advance(60_000);
  t.true(line.bodies.length <= 15, `${line.bodies.length} requests`);
  t.true(line.bodies.some(({ wait_ms }) => wait_ms === 25_000));
});

test('once streams work again requests wait no more', async (t) => {
  const { reply, held } = patient();
  const { line, pump, clock } = await startPump(t, { reply });
  pump.waitThere(true);
  await settled();
  pump.waitThere(false);
  await clock.advance(25_000);
  held.shift()?.(confirmed({ next_poll_ms: 10_000 }));
  await clock.advance(10_000);
  t.is(line.bodies.at(-1)?.wait_ms, undefined);
});

test('a resend is reported as done once every message waiting at that time is delivered', async (t) => {
  const since = '2026-01-31T08:00:00+06:00';
  const { line, pump, queue, resends, clock } = await startPump(t, {
    reply: answer({ resend_since: since }),
  });
  t.deepEqual(resends, [Date.parse(since)]);
  await clock.advance(20_000);
  t.deepEqual(resends, [Date.parse(since)], 'one wish is followed once');
  t.true(line.bodies.every(({ resent_since }) => resent_since === undefined));
  await queue.take('test', null, [message(1)]);
  pump.reread(Date.parse(since));
  await settled();
  const told = line.bodies.map(({ messages, resent_since }) => [messages.length, resent_since]);
  t.deepEqual(told.at(-1), [1, undefined]);
  line.reply = answer();
  await clock.advance(20_000);
  const after = line.bodies.slice(told.length).map(({ resent_since }) => resent_since);
  t.deepEqual(after, [new Date(since).toISOString(), undefined]);
});

test('another wish takes the place of the one before', async (t) => {
  const first = await startPump(t, { reply: answer({ resend_since: '2026-01-31T08:00:00Z' }) });
  first.line.reply = answer({ resend_since: '2026-01-31T07:00:00Z' });
  await first.clock.advance(10_000);
  t.deepEqual(first.resends, [Date.UTC(2026, 0, 31, 8), Date.UTC(2026, 0, 31, 7)]);
  first.pump.reread(Date.UTC(2026, 0, 31, 8));
  await first.clock.advance(10_000);
  const told = first.line.bodies.map(({ resent_since }) => resent_since);
  t.true(told.length > 2);
  t.true(
    told.every((one) => one === undefined),
    'the old reading says nothing of the new wish',
  );
});
