/** The simulated phone: what survives a crash at each step, and what is no SMS. */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import type { InboxPage } from '../../../src/core/ports.js';
import { folderSimulator, stdinSimulator } from '../../../src/platforms/simulator/simulator.js';
import { FolderInbox } from '../../../src/platforms/simulator/simulator-folder.js';
import { StdinInbox } from '../../../src/platforms/simulator/simulator-stdin.js';
import { parseSms } from '../../../src/platforms/simulator/sms-json.js';
import { tempFolder } from '../../helpers/agent.js';
import { settled } from '../../helpers/clock.js';
import { MemoryLog, smsText } from '../../helpers/messages.js';

const AT = '2026-01-31T10:00:00+06:00';

function sms(number: number): object {
  return { sender: 'bKash', body: smsText(number), received_at: AT, sim_slot: 2 };
}

async function drop(folder: string, name: string, content: unknown): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(join(folder, `${name}.tmp`), text);
  await rename(join(folder, `${name}.tmp`), join(folder, name));
}

async function inboxOf(t: ExecutionContext) {
  const folder = await tempFolder(t);
  const log = new MemoryLog();
  return { folder, log, open: (once = false) => new FolderInbox(folder, once, log) };
}

function bodies(page: InboxPage): string[] {
  return page.rows.map((row) => row.body);
}

test('a file may hold one SMS, an array or lines, and is moved only when its SMS are kept', async (t) => {
  const { folder, open } = await inboxOf(t);
  await drop(folder, '1.json', sms(1));
  await drop(folder, '2.json', [sms(2), sms(3)]);
  await drop(folder, '3.ndjson', `${JSON.stringify(sms(4))}\n\n${JSON.stringify(sms(5))}`);
  const inbox = open();
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [1, 2, 3, 4, 5].map(smsText));
  t.is(page.rows[0]?.simSlot, 2);
  t.deepEqual((await readdir(folder)).sort(), ['1.json', '2.json', '3.ndjson', 'taken']);
  await inbox.kept(page);
  t.deepEqual(await readdir(folder), ['taken']);
  t.deepEqual((await readdir(join(folder, 'taken'))).sort(), ['1.json', '2.json', '3.ndjson']);
  const after = await inbox.since(page.cursor, 100);
  t.deepEqual([after.rows, after.cursor, after.next], [[], page.cursor, 'idle']);
});

test('killed before the SMS were kept: they are read again with the same keys', async (t) => {
  const { folder, open } = await inboxOf(t);
  await drop(folder, '1.json', { sender: 'bKash', body: 'without a time' });
  const first = await open().since(null, 100);
  const second = await open().since(null, 100);
  t.deepEqual(first.rows, second.rows);
  t.is(first.rows.length, 1);
});

test('killed after the SMS were kept and before the file was moved: it is moved and not read again', async (t) => {
  const { folder, open } = await inboxOf(t);
  await drop(folder, '1.json', sms(1));
  const { cursor } = await open().since(null, 100);
  await drop(folder, '2.json', sms(2));
  const page = await open().since(cursor, 100);
  t.deepEqual(bodies(page), [smsText(2)]);
  t.deepEqual(await readdir(join(folder, 'taken')), ['1.json']);
});

test('a file that is longer than a page is read page by page, also across a restart', async (t) => {
  const { folder, open } = await inboxOf(t);
  await drop(
    folder,
    '1.json',
    Array.from({ length: 25 }, (_, number) => sms(number)),
  );
  await drop(folder, '2.json', sms(99));
  let cursor: string | null = null;
  const read: string[] = [];
  for (let restart = 0; restart < 4; restart++) {
    const inbox = open();
    const page: InboxPage = await inbox.since(cursor, 10);
    read.push(...bodies(page));
    cursor = page.cursor;
    await inbox.kept(page);
  }
  t.deepEqual(read, [...Array.from({ length: 25 }, (_, number) => smsText(number)), smsText(99)]);
  t.deepEqual((await readdir(join(folder, 'taken'))).sort(), ['1.json', '2.json']);
});

test('a new file under the name of a taken one is a new file, and both are kept', async (t) => {
  const { folder, open } = await inboxOf(t);
  await drop(folder, 'sms.json', sms(1));
  const { cursor } = await open().since(null, 100);
  await drop(folder, 'sms.json', sms(2));
  const inbox = open();
  const page = await inbox.since(cursor, 100);
  t.deepEqual(bodies(page), [smsText(2)]);
  await inbox.kept(page);
  await drop(folder, 'sms.json', sms(3));
  const last = await inbox.since(page.cursor, 100);
  t.deepEqual(bodies(last), [smsText(3)]);
  await inbox.kept(last);
  t.deepEqual((await readdir(join(folder, 'taken'))).sort(), ['2-sms.json', 'sms.json']);
});

test('half-written files, hidden files, folders and the health file are not SMS', async (t) => {
  const { folder, open } = await inboxOf(t);
  await writeFile(join(folder, 'a.json.tmp'), '{"sender":');
  await writeFile(join(folder, '.b.json'), JSON.stringify(sms(1)));
  await writeFile(join(folder, 'health.json'), '{}');
  await mkdir(join(folder, 'c.json'));
  const page = await open().since(null, 100);
  t.deepEqual([page.rows, page.next], [[], 'idle']);
});

test('what is no SMS is named in the log without its text, costs no other SMS and is not read for ever', async (t) => {
  const { folder, open, log } = await inboxOf(t);
  await drop(folder, '1.json', 'no JSON at all');
  await drop(folder, '2.json', [sms(1), { sender: 5, body: 'secret text' }, null, { sender: 'x' }, sms(2)]);
  await drop(folder, '3.ndjson', `${JSON.stringify(sms(3))}\n{"sender":\n${JSON.stringify(sms(4))}`);
  const inbox = open();
  const page = await inbox.since(null, 100);
  t.deepEqual(bodies(page), [1, 2, 3, 4].map(smsText));
  await inbox.kept(page);
  t.deepEqual(await readdir(folder), ['taken']);
  t.is(log.lines.length, 5);
  t.false(log.lines.join().includes('secret text'));
});

test('with once the inbox ends when the folder is empty', async (t) => {
  const { folder, open } = await inboxOf(t);
  await drop(folder, '1.json', sms(1));
  const inbox = open(true);
  const page = await inbox.since(null, 100);
  t.is(page.next, 'more');
  await inbox.kept(page);
  t.is((await inbox.since(page.cursor, 100)).next, 'ended');
});

test('an SMS that says no time came just now, with offset; one that says what is no time has none', (t) => {
  const at = Date.UTC(2026, 0, 31, 4, 0, 0, 5);
  const now = parseSms({ sender: 'a', body: 'b' }, 'key', at);
  t.is(now.kind === 'sms' && now.row.receivedAt, '2026-01-31T10:00:00.005+06:00');
  for (const receivedAt of [null, '', 'yesterday', '2026-01-31T10:00:00', 5, '2026-13-41T10:00:00Z']) {
    const parsed = parseSms({ sender: 'a', body: 'b', received_at: receivedAt }, 'key', at);
    t.is(parsed.kind === 'sms' && parsed.row.receivedAt, null, String(receivedAt));
  }
  const given = parseSms({ sender: 'a', body: 'b', received_at: AT }, 'key', at);
  t.is(given.kind === 'sms' && given.row.receivedAt, AT);
});

test('a SIM slot that is not given is not guessed', (t) => {
  const parsed = parseSms({ sender: 'a', body: 'b', received_at: AT }, 'key', 0);
  t.is(parsed.kind === 'sms' && parsed.row.simSlot, null);
});

test('an SMS with a sender, a body and a slot that cannot be is refused', (t) => {
  const bad = [
    5,
    [],
    null,
    {},
    { sender: '', body: 'b' },
    { sender: 'a' },
    { sender: 'a', body: 'b', sim_slot: 0 },
    { sender: 'a', body: 'b', sim_slot: '1' },
  ];
  for (const value of bad) t.is(parseSms(value, 'key', 0).kind, 'fault', JSON.stringify(value));
});

test('a line on stdin is answered only once it is kept, in order, and a bad line does not stop the others', async (t) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const inbox = new StdinInbox(input, output, () => 0, new MemoryLog());
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

test('a line without end is refused and not gathered', async (t) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const inbox = new StdinInbox(input, output, () => 0, new MemoryLog());
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
});

test('a feeder that is faster than the disk is made to wait', async (t) => {
  const input = new PassThrough();
  const inbox = new StdinInbox(input, new PassThrough(), () => 0, new MemoryLog());
  const line = `${JSON.stringify(sms(1))}\n`;
  let pushed = 0;
  while (pushed < 100_000 && input.write(line.repeat(100))) {
    pushed += 100;
    await settled();
  }
  t.true(pushed < 10_000, `${pushed} lines were taken`);
  t.is((await inbox.since(null, 50)).rows.length, 50);
});

test('battery and network come from health.json; what is unusable is unknown, a half-written file changes nothing', async (t) => {
  const folder = await tempFolder(t);
  const phone = folderSimulator({ inbox: folder, outbox: join(folder, 'out') }, false, new MemoryLog());
  const unknown = { battery: null, charging: null, network: null, sims: [] };
  t.deepEqual(await phone.readHealth(), unknown);
  const sims = [{ slot: 1, number: '01700000000' }, { slot: 2 }, { slot: 'x' }];
  await drop(folder, 'health.json', { battery: 79.6, charging: true, network: 'wifi', sims });
  const good = {
    battery: 80,
    charging: true,
    network: 'wifi' as const,
    sims: [
      { slot: 1, number: '01700000000' },
      { slot: 2, number: null },
    ],
  };
  t.deepEqual(await phone.readHealth(), good);
  await drop(folder, 'health.json', '{"battery":');
  t.deepEqual(await phone.readHealth(), good);
  await drop(folder, 'health.json', { battery: 101, charging: 'yes', network: 'carrier pigeon', sims: 5 });
  t.deepEqual(await phone.readHealth(), unknown);
});

test('a last line that is too long is refused as such, wherever the input breaks off', async (t) => {
  for (const length of [70_000, 140_000]) {
    const input = new PassThrough();
    const output = new PassThrough();
    const inbox = new StdinInbox(input, output, () => 0, new MemoryLog());
    input.write('x'.repeat(70_000));
    input.end('x'.repeat(length - 70_000));
    await settled();
    const page = await inbox.since(null, 100);
    await inbox.kept(page, []);
    t.is(output.read()?.toString(), '{"refused":"a line is longer than 65536 characters"}\n', `${length}`);
  }
});

test('a phone on stdin has no known health', async (t) => {
  const clock = { now: () => 0, after: () => () => {} };
  const phone = stdinSimulator(new PassThrough(), new PassThrough(), clock, new MemoryLog());
  t.is((await phone.readHealth()).battery, null);
});
