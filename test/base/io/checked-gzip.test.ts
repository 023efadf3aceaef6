/** Gzip that notices each changed byte, and that other programs read all the same. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import test from 'ava';
import { CLOSING_BYTES, gunzipped, gzipped } from '../../../src/base/io/checked-gzip.js';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const TEXT = Buffer.from(Array.from({ length: 5_000 }, (_, at) => `row ${at} of the ledger\n`).join(''));
const packed = () => whole(gzipped(pieces(TEXT, 1_000)));

test('decompresses what it compressed, whatever the chunk size', async (t) => {
  const file = await packed();
  t.true(file.length < TEXT.length);
  for (const size of [7, 1_000, 1_000_000]) t.deepEqual(await whole(gunzipped(pieces(file, size))), TEXT);
});

test('the program gzip reads it without a complaint, and sha256 agrees with the end of the file', async (t) => {
  const file = await packed();
  const ran = spawnSync('gzip', ['-dc'], { input: file });
  t.is(ran.stderr.toString(), '');
  t.deepEqual(ran.stdout, TEXT);
  const digest = createHash('sha256').update(file.subarray(0, -CLOSING_BYTES)).digest('hex');
  t.true(file.subarray(-CLOSING_BYTES).includes(`sha256:${digest}`));
});

test('every changed byte, every cut and everything behind the end is noticed', async (t) => {
  const file = await whole(gzipped(pieces(TEXT.subarray(0, 300), 100)));
  const opened = (bytes: Buffer) => whole(gunzipped(pieces(bytes, 64)));
  for (let at = 0; at < file.length; at += 1) {
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ 4;
    await t.throwsAsync(opened(changed), { code: 'backup_damaged' }, `byte ${at}`);
    await t.throwsAsync(opened(file.subarray(0, at)), { code: 'backup_damaged' }, `${at} bytes`);
  }
  await t.throwsAsync(opened(Buffer.concat([file, Buffer.from('x')])), { code: 'backup_damaged' });
  await t.throwsAsync(opened(Buffer.concat([file, file])), { code: 'backup_damaged' });
});

test('an error of what is packed reaches who reads', async (t) => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield TEXT;
    throw new Error('the disk is gone');
  }
  await t.throwsAsync(whole(gzipped(broken())), { message: 'the disk is gone' });
});
