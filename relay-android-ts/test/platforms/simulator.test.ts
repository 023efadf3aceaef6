/** The simulated phone: what survives a crash at each step, what is no SMS, and how soon one is taken. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { messageId } from '../../src/core/inbox/queue.js';
import type { InboxPage } from '../../src/core/ports.js';
import { pipedPhone, simulatedPhone } from '../../src/platforms/simulator/simulator.js';
import { arrive, tempFolder, until } from '../helpers/agent.js';
import { settled } from '../helpers/clock.js';
import { MemoryLog, smsText } from '../helpers/messages.js';

const AT = '2026-01-31T10:00:00+06:00';

const sms = (number: number) => ({ sender: 'bKash', body: smsText(number), received_at: AT, sim_slot: 2 });

async function phoneOf(t: ExecutionContext) {
  const folder = await tempFolder(t);
  const log = new MemoryLog();
  const open = (once = false) => simulatedPhone({ inbox: folder, outbox: join(folder, 'out') }, once, log);
  return { folder, log, open, inbox: open().inbox };
}

const bodies = ({ rows }: InboxPage) => rows.map(({ body }) => body);
const idsOf = ({ rows }: InboxPage) => rows.map((row) => messageId('dev', row));

test('a file is moved only when its SMS is kept; killed before that, it is read again with its id', async (t) => {
  const { folder, open, inbox } = await phoneOf(t);
  await arrive(folder, 1, sms(1));
  await arrive(folder, 2, { sender: 'bKash', body: 'without a time' });
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [smsText(1), 'without a time']);
  t.like(page.rows[0], { simSlot: 2, receivedAt: AT });
  t.deepEqual((await readdir(folder)).sort(), ['1.json', '2.json', 'taken']);
  const again = open().inbox;
  const second = await again.since(null, 100);
  t.deepEqual(second, page);
  await again.kept(second, idsOf(second));
  t.deepEqual(await readdir(folder), ['taken']);
  t.deepEqual((await readdir(join(folder, 'taken'))).sort(), ['1.json', '2.json']);
  t.deepEqual(await again.since('any', 100), { rows: [], cursor: 'any', next: 'idle' });
});

test('a file may hold an array of SMS or one a line; it is moved once all are kept, and read again with their ids', async (t) => {
  const { folder, open, inbox, log } = await phoneOf(t);
  await arrive(folder, 1, [sms(1), { sender: 'x' }, sms(2)]);
  await writeFile(
    join(folder, '2.ndjson'),
    `${JSON.stringify(sms(3))}\n{"sender":\n\n${JSON.stringify(sms(4))}`,
  );
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [1, 2, 3, 4].map(smsText));
  t.is(new Set(idsOf(page)).size, 4);
  t.is(log.lines.length, 2);
  const again = open().inbox;
  const second = await again.since(null, 100);
  t.deepEqual(idsOf(second), idsOf(page));
  await again.kept(second, idsOf(second));
  t.deepEqual((await readdir(join(folder, 'taken'))).sort(), ['1.json', '2.ndjson']);
  t.is((await again.since(null, 100)).next, 'idle');
});

async function pipeOf(t: ExecutionContext) {
  const folder = await tempFolder(t);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const folders = { inbox: folder, outbox: join(folder, 'out') };
  return { input, output, ...pipedPhone(folders, { input, output, now: () => 0 }, new MemoryLog()) };
}

test('a line on stdin is answered only once it is kept, in order, and a bad line does not stop the others', async (t) => {
  const { input, output, inbox } = await pipeOf(t);
  let wakes = 0;
  inbox.onWake(() => {
    wakes += 1;
  });
  const text = `${JSON.stringify(sms(1))}\nnonsense\n${JSON.stringify({ ...sms(2), body: 'টাকা' })}\n`;
  const bytes = Buffer.from(text);
  // Cut inside a Bangla letter, as a pipe may.
  const cut = bytes.length - 8;
  input.write(bytes.subarray(0, cut));
  await settled();
  input.write(bytes.subarray(cut));
  await settled();
  t.true(wakes > 0);
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [smsText(1), 'টাকা']);
  t.is(output.read(), null);
  t.deepEqual(await inbox.since(null, 100), page, 'not kept, so the same again');
  await inbox.kept(page, ['id 1', 'id 2']);
  t.is(output.read()?.toString(), '{"queued":"id 1"}\n{"refused":"not a JSON object"}\n{"queued":"id 2"}\n');
  t.is((await inbox.since(null, 100)).next, 'idle');
  input.end(JSON.stringify(sms(3)));
  await settled();
  const last = await inbox.since(null, 100);
  t.deepEqual(bodies(last), [smsText(3)], 'a last line needs no line break');
  await inbox.kept(last, ['id 3']);
  t.is((await inbox.since(null, 100)).next, 'ended');
});

test('a line without end is refused and not gathered, and a fast feeder is made to wait', async (t) => {
  const { input, output, inbox } = await pipeOf(t);
  for (let part = 0; part < 40; part++) input.write('x'.repeat(10_000));
  input.write(`\n${JSON.stringify(sms(1))}\n`);
  await settled();
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [smsText(1)]);
  await inbox.kept(page, ['id 1']);
  t.regex(
    output.read()?.toString() ?? '',
    /^\{"refused":"a line is longer than 65536 characters"\}\n\{"queued":"id 1"\}\n$/,
  );
  let pushed = 0;
  while (pushed < 100_000 && input.write(`${JSON.stringify(sms(1))}\n`.repeat(100))) {
    pushed += 100;
    await settled();
  }
  t.true(pushed < 10_000, `${pushed} lines were taken`);
});

test('a page is as long as asked for, and with once the inbox ends when the folder is empty', async (t) => {
  const { folder, open } = await phoneOf(t);
  for (const number of [1, 2, 3]) await arrive(folder, number, sms(number));
  const { inbox } = open(true);
  const read: string[] = [];
  for (let page = await inbox.since(null, 2); page.next === 'more'; page = await inbox.since(null, 2)) {
    t.true(page.rows.length <= 2);
    read.push(...bodies(page));
    await inbox.kept(page, idsOf(page));
  }
  t.deepEqual(read, [1, 2, 3].map(smsText));
  t.is((await inbox.since(null, 2)).next, 'ended');
});

test('a new file under the name of a taken one is a new SMS; both are kept, and given again with their ids', async (t) => {
  const { folder, inbox } = await phoneOf(t);
  const ids: string[] = [];
  for (let copy = 0; copy < 2; copy += 1) {
    await arrive(folder, 'sms', sms(1));
    const page = await inbox.since(null, 100);
    await inbox.kept(page, idsOf(page));
    ids.push(...idsOf(page));
  }
  t.is(new Set(ids).size, 2);
  t.deepEqual((await readdir(join(folder, 'taken'))).sort(), ['2-sms.json', 'sms.json']);
  inbox.again(Date.parse(AT));
  const again = await inbox.since(null, 100);
  t.deepEqual(idsOf(again).sort(), ids.sort());
  inbox.again(Date.parse(AT) + 1);
  t.deepEqual(bodies(await inbox.since(null, 100)), [], 'they came before');
});

test('ignores half-written files, hidden files, folders and the health file', async (t) => {
  const { folder, inbox, log } = await phoneOf(t);
  await writeFile(join(folder, 'a.json.tmp'), '{"sender":');
  await writeFile(join(folder, '.b.json'), JSON.stringify(sms(1)));
  await writeFile(join(folder, 'health.json'), '{}');
  await mkdir(join(folder, 'c.json'));
  const page = await inbox.since(null, 100);
  t.deepEqual([page.rows, page.next, log.lines], [[], 'idle', []]);
});

test('an invalid file is logged without its text, blocks no other SMS and is not read again', async (t) => {
  const { folder, inbox, log } = await phoneOf(t);
  await writeFile(join(folder, '0.json'), 'no JSON at all');
  const bad = [
    5,
    [],
    null,
    {},
    { sender: '', body: 'b' },
    { sender: 'a' },
    { sender: 5, body: 'secret text' },
  ];
  const slots = [0, '1', 1.5].map((sim_slot) => ({ sender: 'a', body: 'secret text', sim_slot }));
  for (const [index, value] of [...bad, ...slots].entries()) await arrive(folder, `bad-${index}`, value);
  await arrive(folder, 'good', sms(1));
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [smsText(1)]);
  await inbox.kept(page, idsOf(page));
  t.deepEqual(await readdir(folder), ['taken']);
  t.is(log.lines.length, bad.length + slots.length + 1);
  t.false(log.lines.join().includes('secret text'));
});

test('an SMS with an invalid time has none, one without a time field just came', async (t) => {
  const { folder, inbox, log } = await phoneOf(t);
  const times = [null, '', 'yesterday', '2026-01-31T10:00:00', 5, '2026-13-41T10:00:00Z'];
  for (const [index, received_at] of times.entries())
    await arrive(folder, index, { sender: 'a', body: 'b', received_at });
  t.true((await inbox.since(null, 100)).rows.every(({ receivedAt }) => receivedAt === null));
  t.is(log.lines.filter((line) => line.includes('received_at')).length, times.length);
  const before = Date.now() - 1_000;
  await arrive(folder, 'now', { sender: 'a', body: 'b' });
  const now = (await inbox.since(null, 100)).rows.at(-1);
  t.regex(now?.receivedAt ?? '', /\+06:00$/);
  t.true(Date.parse(now?.receivedAt ?? '') >= before);
  t.is(now?.simSlot, null, 'a SIM slot that is not given is not guessed');
});

test('a new file calls for a look at once, and a health file does not', async (t) => {
  const { folder, inbox } = await phoneOf(t);
  let calls = 0;
  inbox.onWake(() => {
    calls += 1;
  });
  await inbox.since(null, 100);
  await arrive(folder, 'health', {});
  await arrive(folder, 'sms', sms(1));
  await until('it is called', () => calls > 0);
  t.is(calls, 1);
  inbox.close();
  await arrive(folder, 'other', sms(2));
  await inbox.since(null, 100);
  t.is(calls, 1);
});

test('battery and network come from health.json; what is unusable is unknown, a half-written file changes nothing', async (t) => {
  const { folder, open } = await phoneOf(t);
  const phone = open();
  const unknown = { battery: null, charging: null, network: null, sims: [] };
  t.deepEqual(await phone.readHealth(), unknown);
  await arrive(folder, 'health', {
    battery: 79.6,
    charging: true,
    network: 'wifi',
    sims: [{ slot: 1, number: '01700000000' }, { slot: 2 }, { slot: 'x' }],
  });
  const sims = [
    { slot: 1, number: '01700000000' },
    { slot: 2, number: null },
  ];
  const good = { battery: 80, charging: true, network: 'wifi' as const, sims };
  t.deepEqual(await phone.readHealth(), good);
  await writeFile(join(folder, 'health.json'), '{"battery":');
  t.deepEqual(await phone.readHealth(), good);
  await arrive(folder, 'health', { battery: 101, charging: 'yes', network: 'carrier pigeon' });
  t.deepEqual(await phone.readHealth(), unknown);
});
