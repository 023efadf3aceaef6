/** Encryption under a passphrase: what opens, what does not, and which changes are noticed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { decrypted, encrypted, HEADER_BYTES, isEncrypted } from '../../../src/base/io/passphrase.js';
import { typedAt } from '../../helpers/programs/typed-at.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

const CHUNK = 65_536;
const SEALED_CHUNK = CHUNK + 16;
const NONCE = 16;
const WORDS = 'boat river morning seven';
/** Guessed in no time, for files that hold nothing. */
const QUICK = 8;

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const seal = (bytes: Buffer, words = WORDS) => whole(encrypted(pieces(bytes, 10_000), words, QUICK));
const open = (bytes: Buffer, words = WORDS) => whole(decrypted(pieces(bytes, 5_000), words));
const content = (size: number) => Buffer.alloc(size, 'Tk 500 from 01900000001 ');

/** The lines at the beginning, the number behind them, and the chunks. */
function partsOf(file: Buffer): { readonly head: Buffer; readonly chunks: readonly Buffer[] } {
  const end = file.indexOf('\n', file.indexOf('\n--- ') + 1) + 1 + NONCE;
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
  const file = await seal(content(9), 'café কোথায় boat');
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
  for (const at of [
    ...partsOf(file).head.keys(),
    file.length - 2_017,
    file.length - 1_000,
    file.length - 1,
  ]) {
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const error = await t.throwsAsync(open(changed), undefined, `byte ${at}`);
    t.regex(String((error as { code?: string }).code), /^(backup_damaged|passphrase_wrong)$/, `byte ${at}`);
    await t.throwsAsync(open(file.subarray(0, at)), { code: 'backup_damaged' }, `${at} bytes`);
  }
});

test('a file may not ask for more memory than a small machine has, nor be for another key', async (t) => {
  const file = (await seal(content(10))).toString('latin1');
  const stanza = /-> .*\n.*\n/.exec(file)?.[0] ?? '';
  t.true(isEncrypted(Buffer.from(file.slice(0, HEADER_BYTES), 'latin1')));
  for (const [known, made] of [
    [` ${QUICK}\n`, ' 20\n'],
    [` ${QUICK}\n`, ' 08\n8'],
    [stanza, stanza + stanza],
    [stanza, stanza.replace('scrypt', 'X25519')],
    [stanza, ''],
    [stanza, 'A'.repeat(1_000_000)],
  ] as const) {
    const other = Buffer.from(file.replace(known, made), 'latin1');
    t.throws(() => isEncrypted(other), { code: 'backup_damaged' }, made.slice(0, 100));
  }
});

test('the program age opens what is sealed here, and what it seals is opened here', async (t) => {
  const folder = await temporaryFolder(t);
  const ours = await whole(encrypted(pieces(content(2 * CHUNK), 10_000), WORDS));
  t.true(ours.includes(' 16\n'), '64 MiB for each guess');
  writeFileSync(join(folder, 'ours'), ours);
  await typedAt(folder, 'age --decrypt --output opened ours', [WORDS]);
  t.deepEqual(readFileSync(join(folder, 'opened')), content(2 * CHUNK));
  await typedAt(folder, 'age --passphrase --output theirs opened', [WORDS, WORDS]);
  const theirs = readFileSync(join(folder, 'theirs'));
  t.true(isEncrypted(theirs.subarray(0, HEADER_BYTES)));
  t.deepEqual(await open(theirs), content(2 * CHUNK));
});
