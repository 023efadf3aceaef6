/** A file is whole or not there: what fails, is stopped or comes too late leaves nothing behind. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { writeNewFile } from '../../../src/base/io/new-file.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

const random = (size: number) => new Uint8Array(size).fill(7);

async function* textsOf(...texts: readonly (string | Error | (() => void))[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    if (typeof text === 'string') yield text;
    else text();
  }
}

test('texts become one file of its owner, counted in bytes', async (t) => {
  const file = join(await temporaryFolder(t), 'a');
  const seen: number[] = [];
  const onBytes = (done: number) => seen.push(done);
  const bytes = await writeNewFile({ file, isOverwriting: false, random, onBytes }, textsOf('আ', 'b'));
  t.deepEqual([bytes, readFileSync(file, 'utf8'), statSync(file).mode & 0o777], [4, 'আb', 0o600]);
  t.deepEqual(seen, [3, 4]);
});

test('a failure and a stop leave what was there, and no part of what is new', async (t) => {
  const folder = await temporaryFolder(t);
  const place = { file: join(folder, 'a'), isOverwriting: true, random };
  writeFileSync(place.file, 'old');
  await t.throwsAsync(writeNewFile(place, textsOf('new', new RangeError('no more'))), { message: 'no more' });
  const stopping = new AbortController();
  const stopped = writeNewFile(
    { ...place, signal: stopping.signal },
    textsOf('new', () => stopping.abort(new Error('stopped')), 'rest'),
  );
  await t.throwsAsync(stopped, { message: 'stopped' });
  t.deepEqual([readFileSync(place.file, 'utf8'), readdirSync(folder)], ['old', ['a']]);
});

test('does not replace a file that another program creates in the meantime', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'a');
  const late = textsOf('new', () => writeFileSync(file, 'theirs'));
  await t.throwsAsync(writeNewFile({ file, isOverwriting: false, random }, late), { code: 'already_exists' });
  t.deepEqual([readFileSync(file, 'utf8'), readdirSync(folder)], ['theirs', ['a']]);
});
