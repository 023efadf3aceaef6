/** The journal and its lines: what was confirmed comes back, whatever happens to the end of the file. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import {
  crc32,
  encodeLine,
  Journal,
  type JournalState,
  joinLines,
  scanLines,
} from '../../../src/core/journal/journal.js';
import { NodeDurableFile } from '../../../src/ports/node-files.js';
import { tempFolder } from '../../helpers/agent.js';
import { MemoryFile } from '../../helpers/memory-file.js';

/** A state that is simply the list of numbered texts, newest under a number wins. */
class Texts implements JournalState<{ n: number; text: string }> {
  readonly seen = new Map<number, string>();

  parse(record: unknown): { n: number; text: string } | undefined {
    const { n, text } = record as { n?: unknown; text?: unknown };
    return typeof n === 'number' && typeof text === 'string' ? { n, text } : undefined;
  }

  apply(record: { n: number; text: string }): void {
    this.seen.set(record.n, record.text);
  }

  snapshot(): { n: number; text: string }[] {
    return [...this.seen].map(([n, text]) => ({ n, text }));
  }
}

const BANGLA = 'আপনি ৫০০ টাকা পেয়েছেন\n{"t":"done"}\n';

test('CRC-32 gives the published check value', (t) => {
  t.is(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
});

test('a journal torn at every byte of its last record recovers all earlier records and can be written again', async (t) => {
  const lines = [1, 2, 3].map((n) => encodeLine({ n, text: BANGLA }));
  const whole = joinLines(lines);
  const lastStart = whole.length - (lines[2]?.length ?? 0);
  for (let cut = lastStart; cut < whole.length; cut++) {
    const file = new MemoryFile();
    file.bytes = whole.slice(0, cut);
    const before = new Texts();
    const { journal, recovery } = await Journal.open(file, before);
    t.deepEqual([...before.seen.keys()], [1, 2], `cut at ${cut}`);
    t.is(recovery.tornBytes, cut - lastStart);
    t.is(recovery.damaged, 0);
    await journal.append({ n: 4, text: 'after the crash' });
    const after = new Texts();
    await Journal.open(file, after);
    t.deepEqual([...after.seen.keys()], [1, 2, 4], `written after a cut at ${cut}`);
  }
});

test('a torn end of zeros or foreign bytes, as a power cut leaves them, is recognised', async (t) => {
  const whole = encodeLine({ n: 1, text: 'kept' });
  for (const end of [new Uint8Array(4096), new TextEncoder().encode('00000000 2 {'), whole.slice(3, -1)]) {
    const file = new MemoryFile();
    file.bytes = joinLines([whole, end]);
    const state = new Texts();
    const { recovery } = await Journal.open(file, state);
    t.deepEqual([...state.seen.keys()], [1]);
    t.is(recovery.tornBytes, end.length);
    t.deepEqual(file.bytes, whole);
  }
});

test('any single flipped bit in a line is noticed', (t) => {
  const line = encodeLine({ n: 1, text: 'x' });
  for (let at = 0; at < line.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = line.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      t.is(scanLines(flipped).records.length, 0, `bit ${bit} of byte ${at}`);
    }
  }
});

test('damage in the middle costs only the damaged line, and the file is set aside as it was', async (t) => {
  const lines = [1, 2, 3].map((n) => encodeLine({ n, text: 'text' }));
  const file = new MemoryFile();
  file.bytes = joinLines(lines);
  file.bytes[(lines[0]?.length ?? 0) + 20] = 0x21;
  const found = file.bytes.slice();
  const state = new Texts();
  const { recovery } = await Journal.open(file, state);
  t.deepEqual([...state.seen.keys()], [1, 3]);
  t.is(recovery.damaged, 1);
  t.deepEqual(file.copies, [found]);
  t.is(scanLines(file.bytes).damaged, 0);
});

test('damage in the last line is detected: a line that ends in a line break was confirmed, not torn', async (t) => {
  const lines = [1, 2].map((n) => encodeLine({ n, text: 'text' }));
  const torn = encodeLine({ n: 3, text: 'torn' }).slice(0, -1);
  for (const end of [new Uint8Array(), torn]) {
    const file = new MemoryFile();
    file.bytes = joinLines([...lines, end]);
    file.bytes[(lines[0]?.length ?? 0) + 20] = 0x21;
    const found = file.bytes.slice();
    const state = new Texts();
    const { recovery, journal } = await Journal.open(file, state);
    t.deepEqual([...state.seen.keys()], [1]);
    t.deepEqual([recovery.damaged, recovery.tornBytes], [1, end.length]);
    t.deepEqual(file.copies, [found]);
    await journal.append({ n: 4, text: 'after it' });
    const after = new Texts();
    await Journal.open(file, after);
    t.deepEqual([...after.seen.keys()], [1, 4]);
  }
});

test('a journal of one damaged line is not emptied without a copy', async (t) => {
  const path = join(await tempFolder(t), 'test.journal');
  const line = encodeLine({ n: 1, text: BANGLA });
  line[line.length - 3] = 0x21;
  await writeFile(path, line);
  const { journal, recovery } = await Journal.open(new NodeDurableFile(path), new Texts());
  await journal.close();
  t.deepEqual(await readFile(recovery.setAside ?? ''), Buffer.from(line));
});

test('a whole record that this version does not know is not thrown away in silence', async (t) => {
  const file = new MemoryFile();
  file.bytes = joinLines([encodeLine({ n: 1, text: 'text' }), encodeLine({ kind: 'from the future' })]);
  const { recovery } = await Journal.open(file, new Texts());
  t.is(recovery.damaged, 1);
  t.is(file.copies.length, 1);
});

test('records that come together share one write and its fsync', async (t) => {
  const file = new MemoryFile();
  const state = new Texts();
  const { journal } = await Journal.open(file, state);
  await Promise.all(Array.from({ length: 100 }, (_, n) => journal.append({ n, text: 'text' })));
  t.is(file.appends, 1);
  t.is(state.seen.size, 100);
});

test('the state changes only after the record is on the disk', async (t) => {
  const file = new MemoryFile();
  const state = new Texts();
  const { journal } = await Journal.open(file, state);
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const append = file.append.bind(file);
  file.append = async (bytes) => {
    await gate;
    await append(bytes);
  };
  const appended = journal.append({ n: 1, text: 'text' });
  await new Promise((resolve) => setImmediate(resolve));
  t.is(state.seen.size, 0);
  release();
  await appended;
  t.is(state.seen.size, 1);
});

test('a write that fails half way is rolled back, and the journal continues once the disk works', async (t) => {
  const file = new MemoryFile();
  const state = new Texts();
  const { journal } = await Journal.open(file, state);
  await journal.append({ n: 1, text: 'first' });
  const good = file.bytes.slice();
  file.failAppendAfter = 10;
  await t.throwsAsync(journal.append({ n: 2, text: 'second' }), { message: /cannot be read or written/ });
  t.deepEqual(file.bytes, good);
  t.deepEqual([...state.seen.keys()], [1]);
  file.failAppendAfter = undefined;
  await journal.append({ n: 3, text: 'third' });
  t.deepEqual(
    scanLines(file.bytes).records.map((record) => (record as { n: number }).n),
    [1, 3],
  );
});

test('when even the repair fails nothing more is written behind the doubtful bytes', async (t) => {
  const file = new MemoryFile();
  const { journal } = await Journal.open(file, new Texts());
  file.failAppendAfter = 10;
  file.failTruncate = true;
  await t.throwsAsync(journal.append({ n: 1, text: 'first' }));
  file.failAppendAfter = undefined;
  const doubtful = file.bytes.slice();
  await t.throwsAsync(journal.append({ n: 2, text: 'second' }));
  t.deepEqual(file.bytes, doubtful);
});

test('a journal that has grown is rewritten to what still counts', async (t) => {
  const file = new MemoryFile();
  const { journal } = await Journal.open(file, new Texts(), 1_000);
  for (let round = 0; round < 100; round++) await journal.append({ n: round % 3, text: `round ${round}` });
  t.true(file.replaces > 0);
  t.true(file.bytes.length <= 1_100, `${file.bytes.length} bytes`);
  const state = new Texts();
  await Journal.open(file, state);
  t.deepEqual([...state.seen.values()].sort(), ['round 97', 'round 98', 'round 99']);
});

test('a rewrite that the disk has no room for leaves the journal usable', async (t) => {
  const file = new MemoryFile();
  const { journal } = await Journal.open(file, new Texts(), 200);
  file.replace = async () => {
    throw new Error('ENOSPC: no space left on device');
  };
  for (let n = 0; n < 50; n++) await journal.append({ n, text: 'text' });
  const state = new Texts();
  await Journal.open(file, state);
  t.is(state.seen.size, 50);
});

test('on a real disk a journal survives reopening, a torn end and a rewrite', async (t) => {
  const path = join(await tempFolder(t), 'test.journal');
  const { journal } = await Journal.open(new NodeDurableFile(path), new Texts(), 2_000);
  for (let n = 0; n < 200; n++) await journal.append({ n: n % 5, text: BANGLA });
  await journal.close();
  const size = (await readFile(path)).length;
  t.true(size < 4_000, `${size} bytes`);
  const handle = await open(path, 'a');
  await handle.writeFile(encodeLine({ n: 9, text: 'torn' }).slice(0, -1));
  await handle.close();
  const state = new Texts();
  const again = await Journal.open(new NodeDurableFile(path), state);
  t.deepEqual([...state.seen.keys()].sort(), [0, 1, 2, 3, 4]);
  t.true(again.recovery.tornBytes > 0);
  t.is((await readFile(path)).length, size);
  await again.journal.close();
});

test('a damaged file on a real disk is kept next to the journal', async (t) => {
  const path = join(await tempFolder(t), 'test.journal');
  await writeFile(
    path,
    joinLines([
      encodeLine({ n: 1, text: 'a' }),
      new TextEncoder().encode('rot\n'),
      encodeLine({ n: 2, text: 'b' }),
    ]),
  );
  const found = await readFile(path);
  const { journal, recovery } = await Journal.open(new NodeDurableFile(path), new Texts());
  await journal.close();
  t.deepEqual(await readFile(recovery.setAside ?? ''), found);
});
