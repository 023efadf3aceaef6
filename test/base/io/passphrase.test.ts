/** Encryption under a passphrase: what opens, what does not, and which changes are noticed. */
import test from 'ava';
import { decrypted, encrypted, isEncrypted } from '../../../src/base/io/passphrase.js';
import { systemRandom } from '../../../src/base/values/ids.js';

const CHUNK = 65_536;
const SEALED_CHUNK = CHUNK + 16;
const WORDS = 'boat river morning seven';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const seal = (bytes: Buffer, size = 10_000) => whole(encrypted(pieces(bytes, size), WORDS, systemRandom));
const open = (bytes: Buffer, words = WORDS) => whole(decrypted(pieces(bytes, 5_000), words));
const content = (size: number) => Buffer.alloc(size, 'Tk 500 from 01900000001 ');

/** The three lines at the beginning, and the chunks behind them. */
function partsOf(file: Buffer): { readonly head: Buffer; readonly chunks: readonly Buffer[] } {
  let end = 0;
  for (let line = 0; line < 3; line += 1) end = file.indexOf('\n', end) + 1;
  const chunks: Buffer[] = [];
  for (let at = end; at < file.length; at += SEALED_CHUNK) chunks.push(file.subarray(at, at + SEALED_CHUNK));
  return { head: file.subarray(0, end), chunks };
}

for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
  test(`${size} bytes come back, and nothing of them can be read before`, async (t) => {
    const file = await seal(content(size));
    t.true(isEncrypted(file));
    t.false(file.includes('01900000001'));
    t.deepEqual(await open(file), content(size));
    t.is(partsOf(file).chunks.length, Math.max(1, Math.ceil(size / CHUNK)));
  });
}

test('another passphrase does not open it, the same in another way of writing does', async (t) => {
  const file = await whole(encrypted(pieces(content(9), 4), 'café কোথায় boat', systemRandom));
  await t.throwsAsync(open(file, 'cafe কোথায় boat'), { code: 'passphrase_wrong' });
  t.deepEqual(await open(file, 'café কোথায় boat'.normalize('NFD')), content(9));
});

test('two files of the same content have nothing in common', async (t) => {
  const [one, other] = [partsOf(await seal(content(100))), partsOf(await seal(content(100)))];
  t.notDeepEqual(one.chunks, other.chunks);
});

test('chunks that are missing, moved, doubled, added or of another file are noticed', async (t) => {
  const { head, chunks } = partsOf(await seal(content(3 * CHUNK + 5)));
  const [a, b, c, d] = chunks as [Buffer, Buffer, Buffer, Buffer];
  const foreign = partsOf(await seal(content(3 * CHUNK + 5))).chunks;
  const wrong: Readonly<Record<string, readonly Buffer[]>> = {
    'nothing at all': [],
    'the last is missing': [a, b, c],
    'the first is missing': [b, c, d],
    'one between is missing': [a, c, d],
    'two have changed places': [b, a, c, d],
    'one twice': [a, b, b, c, d],
    'the last in the middle': [a, d, b, c],
    'one behind the end': [a, b, c, d, a],
    'a byte behind the end': [a, b, c, d, Buffer.from('x')],
    'one of another file': [a, foreign[1] ?? a, c, d],
  };
  t.deepEqual(await open(Buffer.concat([head, a, b, c, d])), content(3 * CHUNK + 5));
  for (const [what, some] of Object.entries(wrong)) {
    await t.throwsAsync(open(Buffer.concat([head, ...some])), { code: 'backup_damaged' }, what);
  }
});

test('a changed byte is noticed wherever it is, and so is a cut', async (t) => {
  const file = await seal(content(2_000));
  const places = [...partsOf(file).head.keys()].filter((at) => at % 23 === 0);
  for (const at of [...places, file.length - 2_017, file.length - 1_000, file.length - 1]) {
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const error = await t.throwsAsync(open(changed), undefined, `byte ${at}`);
    t.regex(String((error as { code?: string }).code), /^(backup_damaged|passphrase_wrong)$/, `byte ${at}`);
    await t.throwsAsync(open(file.subarray(0, at)), { code: 'backup_damaged' }, `${at} bytes`);
  }
});

test('a file may not ask for more memory than a small machine has', async (t) => {
  const file = await seal(content(10));
  for (const [known, asked] of [
    ['"N":32768', '"N":1073741824'],
    ['"r":8', '"r":800'],
    ['"p":3', '"p":-1'],
  ] as const) {
    const greedy = Buffer.from(file.toString('latin1').replace(known, asked), 'latin1');
    await t.throwsAsync(open(greedy), { code: 'backup_damaged' }, asked);
  }
});
