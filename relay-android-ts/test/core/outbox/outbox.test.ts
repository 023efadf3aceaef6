/** The outbox on its file: what it promises after a crash at each step, and what it tells the server. */
import test from 'ava';
import fc from 'fast-check';
import { encodeLine, Journal } from '../../../src/core/journal/journal.js';
import { nextStep, type OutboxEntry, OutboxState, PARTS_A_MINUTE } from '../../../src/core/outbox/outbox.js';
import { dispatch, NOW, openOutbox } from '../../helpers/dispatches.js';
import { MemoryFile } from '../../helpers/memory-file.js';

test('a repeated dispatch is taken once: in one answer, in two, and after it was sent and reported', async (t) => {
  const { outbox } = await openOutbox();
  t.is(await outbox.take([dispatch('a'), dispatch('a'), dispatch('b')], NOW), 2);
  t.is(await outbox.take([dispatch('a')], NOW), 0);
  await outbox.begin('a', NOW);
  await outbox.note('a', { state: 'SENT' });
  await outbox.told(outbox.reports());
  t.is(await outbox.take([dispatch('a')], NOW), 0);
  t.is(await outbox.take([dispatch('c')], NOW + 60_000), 1);
  t.is(await outbox.take([dispatch('a')], NOW + 60_000), 0);
});

test('killed before it was about to be sent: it is still to be sent', async (t) => {
  const { outbox, file } = await openOutbox();
  await outbox.take([dispatch('a')], NOW);
  const { outbox: next } = await openOutbox(file);
  t.deepEqual(next.next(NOW), { kind: 'send', dispatch: dispatch('a') });
  t.deepEqual(next.reports(), []);
});

test('killed between about to be sent and sent: it is UNKNOWN and is never sent again', async (t) => {
  const { outbox, file } = await openOutbox();
  await outbox.take([dispatch('a')], NOW);
  await outbox.begin('a', NOW);
  const { outbox: next } = await openOutbox(file);
  t.deepEqual(next.next(NOW), { kind: 'nothing' });
  t.deepEqual(
    next.reports().map(({ id, state }) => [id, state]),
    [['a', 'UNKNOWN']],
  );
});

test('a copy of the journal sends nothing that waited in it, and has a name of its own from then on', async (t) => {
  const { outbox, file } = await openOutbox(new MemoryFile(), 'here-1', 'here-');
  await outbox.take([dispatch('a')], NOW);
  const copied = new MemoryFile();
  copied.bytes = Uint8Array.from(file.bytes);
  const { outbox: copy } = await openOutbox(copied, 'there-2', 'there-');
  t.deepEqual(copy.next(NOW), { kind: 'nothing' });
  t.deepEqual(
    copy.reports().map(({ id, state }) => [id, state]),
    [['a', 'UNKNOWN']],
  );
  t.is(copy.holding([])?.journal, 'there-2');
  const { outbox: same } = await openOutbox(file, 'here-3', 'here-');
  t.deepEqual(same.next(NOW), { kind: 'send', dispatch: dispatch('a') });
  t.is(same.holding([])?.journal, 'here-1');
});

test('a torn sending record is ignored, since the phone is asked only after it is complete', async (t) => {
  const { outbox, file } = await openOutbox();
  await outbox.take([dispatch('a')], NOW);
  const line = encodeLine({ t: 'sending', id: 'a', at: NOW });
  const torn = new MemoryFile();
  torn.bytes = new Uint8Array([...file.bytes, ...line.subarray(0, line.length - 3)]);
  const { outbox: next } = await openOutbox(torn);
  t.is(next.next(NOW).kind, 'send');
});

test('a result is reported until the server has acknowledged it, even after a restart', async (t) => {
  const { outbox, file } = await openOutbox();
  await outbox.take([dispatch('a')], NOW);
  await outbox.begin('a', NOW);
  await outbox.note('a', { state: 'FAILED', error: 'x'.repeat(500) });
  const { outbox: next } = await openOutbox(file);
  const [report] = next.reports();
  t.deepEqual([report?.state, report?.error?.length], ['FAILED', 160]);
  t.true(next.isBusy);
  await next.told(next.reports());
  t.false(next.isBusy);
  t.deepEqual((await openOutbox(file)).outbox.reports(), []);
});

test('SENT may become DELIVERED and UNKNOWN may turn out; nothing else changes what was said', async (t) => {
  const { outbox } = await openOutbox();
  await outbox.take([dispatch('a'), dispatch('b')], NOW);
  t.true(await outbox.note('a', { state: 'SENT' }));
  t.false(await outbox.note('a', { state: 'FAILED', error: 'late' }));
  t.false(await outbox.note('a', { state: 'UNKNOWN', error: 'late' }));
  const sent = outbox.reports();
  t.true(await outbox.note('a', { state: 'DELIVERED' }));
  // The acknowledgement is of SENT; DELIVERED came while it was under way.
  await outbox.told(sent);
  t.deepEqual(
    outbox.reports().map(({ state }) => state),
    ['DELIVERED'],
  );
  t.true(await outbox.note('b', { state: 'UNKNOWN', error: 'silence' }));
  t.true(await outbox.note('b', { state: 'SENT' }));
  t.false(await outbox.note('nobody', { state: 'SENT' }));
});

test('lists the ids held in the journal except those that the same request reports', async (t) => {
  const { outbox } = await openOutbox();
  await outbox.take([dispatch('a'), dispatch('b'), dispatch('c')], NOW);
  await outbox.begin('b', NOW);
  await outbox.begin('c', NOW);
  await outbox.note('c', { state: 'SENT' });
  const reports = outbox.reports();
  t.deepEqual(outbox.holding(reports), { journal: 'journal-1', held: ['a', 'b'] });
  t.deepEqual(outbox.holding([]), { journal: 'journal-1', held: ['a', 'b', 'c'] });
  await outbox.told(reports);
  t.deepEqual(outbox.holding([]), { journal: 'journal-1', held: ['a', 'b'] });
});

test('a journal that holds more than can be said lets nothing be concluded', async (t) => {
  const { outbox } = await openOutbox();
  const many = Array.from({ length: 401 }, (_, number) => dispatch(`d${number}`));
  await outbox.take(many.slice(0, 400), NOW);
  t.is(outbox.holding([])?.held.length, 400);
  await outbox.take(many, NOW);
  t.is(outbox.holding([]), null);
});

test('a journal keeps its name over restarts; a new, a lost and a damaged one have another', async (t) => {
  const { outbox, file } = await openOutbox(new MemoryFile(), 'one');
  await outbox.take([dispatch('a'), dispatch('b')], NOW);
  t.is((await openOutbox(file, 'two')).outbox.holding([])?.journal, 'one');
  t.is((await openOutbox(new MemoryFile(), 'two')).outbox.holding([])?.journal, 'two');
  const damaged = file.bytes.slice();
  const second = damaged.indexOf(0x0a) + 30;
  damaged[second] = (damaged[second] ?? 0) ^ 1;
  file.bytes = new Uint8Array([...damaged, ...encodeLine({ t: 'sending', id: 'a', at: NOW })]);
  const third = await openOutbox(file, 'three');
  t.is(third.outbox.holding([])?.journal, 'three', 'what it has forgotten must not look as if it never came');
  t.is((await openOutbox(file, 'four')).outbox.holding([])?.journal, 'three');
});

test('a damaged last line may have said that an SMS was about to be sent: it is not sent a second time', async (t) => {
  const { outbox, file } = await openOutbox(new MemoryFile(), 'one');
  await outbox.take([dispatch('a')], NOW);
  await outbox.begin('a', NOW);
  file.bytes[file.bytes.length - 3] = 0x21;
  const found = file.bytes.slice();
  const { outbox: next } = await openOutbox(file, 'two');
  t.deepEqual(next.next(NOW), { kind: 'nothing' });
  t.deepEqual(next.reports(), [{ id: 'a', state: 'UNKNOWN', error: 'the journal of the agent was damaged' }]);
  t.is(next.holding([])?.journal, 'two');
  t.deepEqual(file.copies, [found]);
});

test('reported dispatches are forgotten long after they end, unreported ones never', async (t) => {
  const { outbox, file } = await openOutbox();
  await outbox.take([dispatch('told'), dispatch('untold')], NOW);
  await outbox.note('told', { state: 'EXPIRED' });
  await outbox.told(outbox.reports());
  await outbox.note('untold', { state: 'EXPIRED' });
  const later = NOW + 1_800_000 + 3_600_001;
  await outbox.take([dispatch('new', { expiresAt: later + 1 })], later);
  const state = new OutboxState();
  await Journal.open(file, state);
  t.deepEqual([...state.entries.keys()], ['untold', 'new']);
});

test('a rewritten journal says the same, without the texts of what is over', async (t) => {
  const file = new MemoryFile();
  const { outbox } = await openOutbox(file);
  await outbox.take([dispatch('a'), dispatch('b'), dispatch('c')], NOW);
  await outbox.begin('a', NOW + 5);
  await outbox.note('a', { state: 'SENT' });
  await outbox.told(outbox.reports());
  await outbox.note('a', { state: 'DELIVERED' });
  await outbox.begin('b', NOW + 6);
  const before = new OutboxState();
  await Journal.open(file, before);
  const after = new OutboxState();
  const rewritten = before.snapshot();
  for (const record of rewritten) after.apply(record);
  t.is(after.journal, before.journal);
  const bare = (state: OutboxState) =>
    [...state.entries.values()].map((entry) => ({ ...entry, dispatch: entry.dispatch.id }));
  t.deepEqual(bare(after), bare(before));
  t.false(JSON.stringify(rewritten).includes('text of a'));
  t.true(JSON.stringify(rewritten).includes('text of b'));
});

test('when the disk takes no writes nothing is begun, and what came of it is known all the same', async (t) => {
  const { outbox, file } = await openOutbox();
  await outbox.take([dispatch('a'), dispatch('b')], NOW);
  await outbox.begin('a', NOW);
  file.failAppendAfter = 3;
  await t.throwsAsync(outbox.begin('b', NOW));
  await t.throwsAsync(outbox.take([dispatch('c')], NOW));
  t.true(await outbox.note('a', { state: 'SENT' }));
  t.deepEqual(
    outbox.reports().map(({ id, state }) => [id, state]),
    [['a', 'SENT']],
  );
  t.deepEqual(outbox.holding(outbox.reports())?.held, ['b']);
});

function waiting(id: string, changes = {}): OutboxEntry {
  const entry = { takenAt: NOW, sendingAt: null, word: null, error: null, told: null };
  return { ...entry, dispatch: dispatch(id, changes) };
}

function sent(id: string, sendingAt: number, parts: number): OutboxEntry {
  return { ...waiting(id, { parts }), sendingAt, word: 'SENT' };
}

test('higher priority goes first, and among equals what came first', (t) => {
  const entries = [waiting('a'), waiting('b', { priority: 5 }), waiting('c', { priority: 5 })];
  const step = nextStep(entries, NOW);
  t.is(step.kind === 'send' && step.dispatch.id, 'b');
});

test('a dispatch that exceeds the limit of the minute waits, and nothing overtakes it', (t) => {
  const spent = [sent('x', NOW - 50_000, 12), sent('y', NOW - 10_000, 10)];
  const long = waiting('long', { parts: 8, priority: 1 });
  t.deepEqual(nextStep([...spent, long, waiting('short')], NOW), { kind: 'wait', ms: 10_000 });
  const step = nextStep([...spent, long, waiting('short')], NOW + 10_000);
  t.is(step.kind === 'send' && step.dispatch.id, 'long');
});

test('at the end of its time it is not sent, also when it waits for room', (t) => {
  t.deepEqual(nextStep([waiting('a', { expiresAt: NOW })], NOW), { kind: 'expire', id: 'a' });
  t.is(nextStep([waiting('a', { expiresAt: NOW + 1 })], NOW).kind, 'send');
  const full = sent('x', NOW, PARTS_A_MINUTE);
  t.deepEqual(nextStep([full, waiting('a', { expiresAt: NOW + 7_000 })], NOW), { kind: 'wait', ms: 7_000 });
});

test('a SIM that can send nothing holds up its own SMS only, until their time is over', (t) => {
  const limits = { canSend: (simSlot: number | null) => simSlot === 2 };
  const urgent = waiting('a', { simSlot: 1, priority: 9, expiresAt: NOW + 500 });
  const step = nextStep([urgent, waiting('b', { simSlot: 2 })], NOW, limits);
  t.is(step.kind === 'send' && step.dispatch.id, 'b');
  t.deepEqual(nextStep([waiting('c', { simSlot: 1 })], NOW, limits), { kind: 'wait', ms: 1_000 });
  t.deepEqual(nextStep([urgent], NOW, limits), { kind: 'wait', ms: 500 });
  t.deepEqual(nextStep([urgent], NOW + 500, limits), { kind: 'expire', id: 'a' });
});

test('a text that is longer than a minute allows goes alone', (t) => {
  const long = waiting('long', { parts: 30 });
  t.is(nextStep([long], NOW).kind, 'send');
  t.deepEqual(nextStep([sent('x', NOW - 1_000, 1), long], NOW), { kind: 'wait', ms: 59_000 });
});

test('a clock that was put back holds nothing up for longer than two minutes', (t) => {
  const ahead = sent('x', NOW + 30_000, PARTS_A_MINUTE);
  t.deepEqual(nextStep([ahead, waiting('a')], NOW), { kind: 'wait', ms: 90_000 });
  t.is(nextStep([sent('x', NOW + 3_600_000, PARTS_A_MINUTE), waiting('a')], NOW).kind, 'send');
});

test('no minute ever has more than 24 parts, and everything queued is sent', (t) => {
  const queue = fc.array(
    fc.record({ parts: fc.integer({ min: 1, max: 10 }), priority: fc.integer({ min: -2, max: 2 }) }),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(queue, (list) => {
      const far = { expiresAt: NOW + 86_400_000 };
      const entries = new Map(list.map((one, at) => [`d${at}`, waiting(`d${at}`, { ...one, ...far })]));
      const sends: { at: number; parts: number }[] = [];
      for (let now = NOW; ; ) {
        const step = nextStep(entries.values(), now);
        if (step.kind === 'nothing') break;
        if (step.kind === 'wait') now += step.ms;
        if (step.kind === 'send') {
          const { id, parts } = step.dispatch;
          sends.push({ at: now, parts });
          entries.set(id, sent(id, now, parts));
        }
      }
      t.is(sends.length, list.length);
      for (const { at } of sends) {
        const minute = sends.filter((one) => one.at >= at && one.at < at + 60_000);
        t.true(minute.reduce((sum, { parts }) => sum + parts, 0) <= PARTS_A_MINUTE);
      }
    }),
    { numRuns: 60 },
  );
});
