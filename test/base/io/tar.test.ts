/** Tar files as other programs read them, and what is refused. */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { extractTar, packTar, type TarMember } from '../../../src/base/io/tar.js';
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
  Buffer.concat(await collect(packTar(each(members), AT)));

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
  for await (const { name, content } of extractTar(each(pieces))) {
    all.push([name, Buffer.concat(await collect(content)).toString('latin1')]);
  }
  return all;
}

const MEMBERS = [
  member('manifest.json', Buffer.from('{}\n')),
  member('tls/key.pem', Buffer.alloc(512, 'k')),
  member('empty'),
  member(`formats/${'ক'.repeat(29)}.txt`, Buffer.alloc(700, 'a'), Buffer.alloc(900, 'b')),
  member(`tls/${'c'.repeat(250)}`, Buffer.from('c')),
];

test('reads back what it wrote, whatever the chunk size', async (t) => {
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
  t.is(readFileSync(join(folder, MEMBERS[4]?.name ?? ''), 'utf8'), 'c');
  t.is(statSync(join(folder, 'tls/key.pem')).mode & 0o777, 0o600);
});

test('a member larger than eleven octal digits says so in its header, and tar understands it', async (t) => {
  const size = 0o77_777_777_777 + 1;
  async function* zeros(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.alloc(100_000);
  }
  const chunks = packTar(each([{ name: 'huge', size, content: zeros() }]), AT);
  const { value: header = Buffer.alloc(0) } = (await chunks.next()) as { value?: Buffer };
  const ran = spawnSync('tar', ['-tvf', '-'], { input: header, encoding: 'utf8' });
  t.regex(ran.stdout, /8589934592 .* huge$/m);
  await chunks.return(undefined);
  const first = await extractTar(each([header, Buffer.alloc(1)])).next();
  t.is(first.value?.size, size);
});

test('a reader may leave members unread', async (t) => {
  const names: string[] = [];
  for await (const { name } of extractTar(each([await packed(...MEMBERS)]))) names.push(name);
  t.deepEqual(
    names,
    MEMBERS.map(({ name }) => name),
  );
});

test('a tar that is cut in a member, longer, or changed in a header is refused', async (t) => {
  const tar = await packed(...MEMBERS);
  const changed = (at: number) => Buffer.from(tar).fill((tar[at] ?? 0) ^ 1, at, at + 1);
  const broken = [
    ...[511, 513, 1_000, 1_100, tar.length - 1].map((end) => tar.subarray(0, end)),
    Buffer.concat([tar, Buffer.alloc(1)]),
    // A name, a mode, an owner, a kind.
    ...[0, 103, 110, 156].map(changed),
  ];
  for (const one of broken) {
    await t.throwsAsync(unpacked(one, 1_000), { code: 'backup_damaged' }, `${one.length} bytes`);
  }
});

test('nothing but plain files is read: no folders, no links', async (t) => {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'folder'));
  symlinkSync('/etc/passwd', join(folder, 'link'));
  writeFileSync(join(folder, 'one'), '');
  linkSync(join(folder, 'one'), join(folder, 'other'));
  for (const names of [['folder'], ['link'], ['one', 'other']]) {
    const { stdout } = spawnSync('tar', ['-c', ...names], { cwd: folder });
    await t.throwsAsync(unpacked(stdout, 1_000), { code: 'backup_damaged' }, names[0]);
  }
});

test('an error of what is packed reaches who reads, and one of what is read, too', async (t) => {
  async function* broken(...chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
    yield* chunks;
    throw Object.assign(new Error('the disk is gone'), { syscall: 'read' });
  }
  const tar = packTar(each([{ name: 'a', size: 9, content: broken(Buffer.from('x')) }]), AT);
  await t.throwsAsync(collect(tar), { message: 'the disk is gone' });
  const whole = await packed(...MEMBERS);
  for (const end of [0, 512, 1_000, 1_300]) {
    const read = async () => {
      for await (const { content } of extractTar(broken(whole.subarray(0, end)))) await collect(content);
    };
    await t.throwsAsync(read(), { message: 'the disk is gone' }, `after ${end} bytes`);
  }
});

test('a member that is not as long as it said is an error of its writer', async (t) => {
  const wrong = { ...member('a', Buffer.from('abc')), size: 4 };
  const error = await t.throwsAsync(packed(wrong));
  t.false(isKashboxError(error));
});
