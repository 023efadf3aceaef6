/** Tar files as other programs read them, and what is refused. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { fitsTar, readTar, type TarMember, tarOf } from '../../../src/base/io/tar.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

const AT = Date.UTC(2026, 7, 21);

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const member = (name: string, ...pieces: readonly Buffer[]): TarMember => ({
  name,
  size: Buffer.concat(pieces).length,
  content: pieces,
});

const packed = async (...members: readonly TarMember[]) =>
  Buffer.concat(await collect(tarOf(each(members), AT)));

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** In pieces of that size, none of which ends where a member does. */
async function unpacked(tar: Buffer, size: number): Promise<[string, string][]> {
  const pieces = Array.from({ length: Math.ceil(tar.length / size) }, (_, at) =>
    tar.subarray(at * size, (at + 1) * size),
  );
  const all: [string, string][] = [];
  for await (const { name, content } of readTar(each(pieces))) {
    all.push([name, Buffer.concat(await collect(content)).toString('latin1')]);
  }
  return all;
}

const MEMBERS = [
  member('manifest.json', Buffer.from('{}\n')),
  member('tls/key.pem', Buffer.alloc(512, 'k')),
  member('empty'),
  member(`formats/${'ক'.repeat(29)}.txt`, Buffer.alloc(700, 'a'), Buffer.alloc(900, 'b')),
];

test('what is written is read, in whatever pieces it comes', async (t) => {
  const tar = await packed(...MEMBERS);
  const expected = MEMBERS.map(({ name, content }) => [
    name,
    Buffer.concat([...(content as Buffer[])]).toString('latin1'),
  ]);
  for (const size of [1, 511, 513, 100_000])
    t.deepEqual(await unpacked(tar, size), expected as [string, string][]);
});

test('the program tar reads it, too', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'a.tar'), await packed(...MEMBERS));
  const ran = spawnSync('tar', ['-xvf', 'a.tar'], { cwd: folder, encoding: 'utf8' });
  t.is(ran.status, 0, ran.stderr);
  t.is(ran.stderr, '');
  t.is(readFileSync(join(folder, 'tls/key.pem'), 'utf8'), 'k'.repeat(512));
  t.is(readFileSync(join(folder, MEMBERS[3]?.name ?? ''), 'utf8'), 'a'.repeat(700) + 'b'.repeat(900));
});

test('a member larger than eleven octal digits says so in its header, and tar understands it', async (t) => {
  const size = 0o77_777_777_777 + 1;
  const chunks = tarOf(each([{ name: 'huge', size, content: [] }]), AT);
  const { value: header = Buffer.alloc(0) } = (await chunks.next()) as { value?: Buffer };
  const ran = spawnSync('tar', ['-tvf', '-'], { input: header, encoding: 'utf8' });
  t.regex(ran.stdout, /8589934592 .* huge$/m);
  const first = await readTar(each([header])).next();
  t.is(first.value?.size, size);
});

test('a reader may leave members unread', async (t) => {
  const names: string[] = [];
  for await (const { name } of readTar(each([await packed(...MEMBERS)]))) names.push(name);
  t.deepEqual(
    names,
    MEMBERS.map(({ name }) => name),
  );
});

test('a tar that is cut, longer, or changed in a header or between members is refused', async (t) => {
  const tar = await packed(...MEMBERS);
  const changed = (at: number) => Buffer.from(tar).fill((tar[at] ?? 0) ^ 1, at, at + 1);
  const broken = [
    ...[0, 511, 513, tar.length - 1024, tar.length - 1].map((end) => tar.subarray(0, end)),
    Buffer.concat([tar, Buffer.alloc(1)]),
    // A name, a mode, an owner, a kind, and what lies between two members.
    ...[0, 103, 110, 156, 520].map(changed),
  ];
  for (const one of broken) {
    await t.throwsAsync(unpacked(one, 1_000), { code: 'backup_damaged' }, `${one.length} bytes`);
  }
});

test('a member that is not as long as it said is an error of its writer', async (t) => {
  const wrong = { ...member('a', Buffer.from('abc')), size: 4 };
  const error = await t.throwsAsync(packed(wrong));
  t.false(isKashboxError(error));
});

test('names of more than 100 bytes do not fit', async (t) => {
  t.true(fitsTar('a'.repeat(100)));
  t.false(fitsTar('ক'.repeat(34)));
  await t.throwsAsync(packed(member('a'.repeat(101))));
});
