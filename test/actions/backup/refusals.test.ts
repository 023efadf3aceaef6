/** Backups that are not whole, not ours or not for here: refused by name, and nothing of them stays. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { type Manifest, manifestText, writeBackupFile } from '../../../src/actions/backup/backup-file.js';
import { makeBackup } from '../../../src/actions/backup/make-backup.js';
import { checkBackup, type RestoreOrder, restoreBackup } from '../../../src/actions/backup/restore-backup.js';
import { gzipped } from '../../../src/base/io/checked-gzip.js';
import { encrypted } from '../../../src/base/io/passphrase.js';
import { packTar, type TarMember } from '../../../src/base/io/tar.js';
import { MIGRATIONS } from '../../../src/store/migrate.js';
import { engines, openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';
import { databaseWithTables, freshDatabase } from '../../helpers/stores/postgres.js';
import { backupOf, NOW, QUIET, restoreOrder } from './ground.js';

/** The version of the tables that this Kashbox knows. */
const NEWEST = MIGRATIONS.length;

const WORDS = 'boat river morning seven';

async function smallBackup(t: ExecutionContext<unknown>, passphrase: string | null = null): Promise<Buffer> {
  const core = await openTestCore(t, 'sqlite');
  const plain = readFileSync((await backupOf(t, core)).file);
  if (passphrase === null) return plain;
  // As `makeBackup` does it, but guessed in no time.
  return buffer(encrypted(each([plain]), passphrase, 8));
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function fileOf(t: ExecutionContext<unknown>, bytes: Buffer): Promise<string> {
  const file = join(await temporaryFolder(t), 'kashbox.backup');
  writeFileSync(file, bytes);
  return file;
}

/** Expects that restoring fails with that code, and that nothing lies where it would have been restored. */
async function refused(t: ExecutionContext<unknown>, order: RestoreOrder, code: string, what?: string) {
  await t.throwsAsync(restoreBackup(order), { code }, what);
  t.deepEqual(readdirSync(dirname(order.folder)), [], what);
}

/** Places all over a file, its ends among them. */
const placesIn = (bytes: Buffer, count: number) => {
  const step = Math.max(1, Math.floor(bytes.length / count));
  const between = Array.from({ length: count }, (_, at) => at * step);
  return [...between, bytes.length - 93, bytes.length - 92, bytes.length - 2, bytes.length - 1];
};

for (const passphrase of [null, WORDS]) {
  const kind = passphrase === null ? 'a plain' : 'an encrypted';
  test(`${kind} backup that is cut or has one other bit is refused, wherever that is`, async (t) => {
    const whole = await smallBackup(t, passphrase);
    const order = { ...(await restoreOrder(t, await fileOf(t, whole), 'sqlite')), passphrase };
    for (const at of placesIn(whole, 40)) {
      for (const [what, bytes] of [
        ['cut', whole.subarray(0, at)],
        ['changed', Buffer.from(whole).fill((whole[at] ?? 0) ^ 1, at, at + 1)],
      ] as const) {
        writeFileSync(order.file, bytes);
        const told = `${what} at ${at} of ${whole.length}`;
        const error = await t.throwsAsync(restoreBackup(order), undefined, told);
        const code = String((error as { readonly code?: string }).code);
        t.regex(code, /^(backup_damaged|passphrase_wrong|invalid_input)$/, told);
        t.deepEqual(readdirSync(dirname(order.folder)), [], told);
      }
    }
    writeFileSync(order.file, Buffer.concat([whole, Buffer.from('\n')]));
    await refused(t, order, 'backup_damaged', 'a byte behind its end');
    writeFileSync(order.file, whole);
    await t.notThrowsAsync(restoreBackup(order));
  });
}

test('an encrypted backup without its beginning, or made for another key than a passphrase, is refused', async (t) => {
  const whole = (await smallBackup(t, WORDS)).toString('latin1');
  for (const bytes of [
    whole.replace(' 8\n', ' 20\n'),
    whole.replace('scrypt', 'X25519'),
    whole.slice(0, 99),
  ]) {
    const order = await restoreOrder(t, await fileOf(t, Buffer.from(bytes, 'latin1')), 'sqlite');
    await refused(t, { ...order, passphrase: WORDS }, 'backup_damaged');
  }
});

test('distinguishes a wrong passphrase from damage', async (t) => {
  const order = await restoreOrder(t, await fileOf(t, await smallBackup(t, WORDS)), 'sqlite');
  await refused(t, { ...order, passphrase: 'boat river morning eight' }, 'passphrase_wrong');
});

test('rejects a file that is not a backup, is missing or is a folder', async (t) => {
  const folder = await temporaryFolder(t);
  for (const file of [await fileOf(t, Buffer.from('%PDF-1.7')), join(folder, 'nothing'), folder]) {
    await refused(t, await restoreOrder(t, file, 'sqlite'), 'invalid_input', file);
  }
});

test('a home that is in use is left as it is', async (t) => {
  const file = await fileOf(t, await smallBackup(t));
  const order = await restoreOrder(t, file, 'sqlite');
  mkdirSync(order.folder);
  writeFileSync(join(order.folder, 'kashbox.json'), '{}');
  const error = await t.throwsAsync(restoreBackup(order), { code: 'state_refused' });
  t.regex(error.message, /is not empty/);
  t.deepEqual(readdirSync(dirname(order.folder)), ['restored']);
  t.deepEqual(readdirSync(order.folder), ['kashbox.json']);
});

test('an empty home is taken', async (t) => {
  const order = await restoreOrder(t, await fileOf(t, await smallBackup(t)), 'sqlite');
  mkdirSync(order.folder);
  await restoreBackup(order);
  t.true(readdirSync(order.folder).includes('secret.key'));
  t.is(statSync(order.folder).mode & 0o777, 0o700);
});

for (const engine of engines) {
  test(`a database that has tables of Kashbox gets nothing of a backup from ${engine}`, async (t) => {
    const core = await openTestCore(t, engine);
    const { file } = await backupOf(t, core);
    const order = { ...(await restoreOrder(t, file, 'sqlite')), databaseUrl: await databaseWithTables(t) };
    await refused(t, order, 'state_refused');
  });

  test(`a damaged backup from ${engine} leaves the database as empty as it was`, async (t) => {
    const core = await openTestCore(t, engine);
    const { file } = await backupOf(t, core);
    const whole = readFileSync(file);
    const order = { ...(await restoreOrder(t, file, 'sqlite')), databaseUrl: await freshDatabase(t) };
    writeFileSync(file, Buffer.from(whole).fill(0, whole.length - 200, whole.length - 150));
    await refused(t, order, 'backup_damaged');
    writeFileSync(file, whole);
    await t.notThrowsAsync(restoreBackup(order));
  });
}

const MANIFEST: Manifest = {
  kashbox: '0.1.0',
  engine: 'postgres',
  madeAt: NOW,
  schemaVersion: NEWEST,
  payments: 0,
  merchants: 1,
  phones: 0,
  chainHead: null,
  files: [],
};
const VERSIONS = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ version: at + 1, name: `m${at}`, applied_at: 1 }),
  );
const OWNER = {
  id: 'mer_1',
  name: 'Alo',
  status: 'ACTIVE',
  mobile: '',
  whatsapp: '',
  email: '',
  allow_ips: '[]',
  created_at: 1,
};

/** A file whose checksums are right, with any members in it. */
async function made(
  t: ExecutionContext<unknown>,
  texts: readonly (readonly [name: string, text: string])[],
): Promise<string> {
  const file = join(await temporaryFolder(t), 'made.backup');
  async function* members(): AsyncGenerator<TarMember> {
    for (const [name, text] of texts) {
      const bytes = Buffer.from(text);
      yield { name, size: bytes.length, content: [bytes] };
    }
  }
  await writeBackupFile(file, members(), { ...QUIET, passphrase: null, now: NOW });
  return file;
}

const lines = (...rows: readonly string[]) => rows.map((row) => `${row}\n`).join('');
const about = (given: Partial<Manifest> = {}) =>
  ['manifest.json', manifestText({ ...MANIFEST, ...given })] as const;
const versions = (count = NEWEST) =>
  ['ledger/schema_versions.000001.ndjson', lines(...VERSIONS(count))] as const;
const owner = ['ledger/merchants.000001.ndjson', lines(JSON.stringify(OWNER))] as const;

for (const target of engines) {
  test(`rows that no such table takes, and rows that are missing, leave nothing in ${target}`, async (t) => {
    const broken = [
      [about(), versions(), ['ledger/merchants.000001.ndjson', lines('{"id":"mer_1","name":null}')]],
      [about({ merchants: 2 }), versions(), owner],
      [about(), owner],
    ] as const;
    for (const texts of broken) {
      const order = await restoreOrder(t, await made(t, texts), target);
      await t.throwsAsync(restoreBackup(order), { code: 'backup_damaged' }, JSON.stringify(texts));
      t.deepEqual(readdirSync(dirname(order.folder)), []);
      if (order.databaseUrl === null) continue;
      const { assertVacant } = await import('../../../src/actions/backup/restore-backup.js');
      await t.notThrowsAsync(assertVacant(order));
    }
  });
}

test('a newer Kashbox is needed for a newer ledger, and for a newer form of backups', async (t) => {
  const [, text] = about();
  for (const newer of [
    text.replace(`"schema_version": ${NEWEST}`, `"schema_version": ${NEWEST + 1}`),
    text.replace('"format_version": 1', '"format_version": 2'),
  ]) {
    const file = await made(t, [
      ['manifest.json', newer],
      ['something/new', 'x'],
    ]);
    const error = await t.throwsAsync(checkBackup(file, { ...QUIET, passphrase: null }), {
      code: 'store_newer',
    });
    t.regex(error.message, /created by Kashbox 0\.1\.0, which is newer/);
  }
});

test('names that lead out of the home folder, or are of no backup, are refused', async (t) => {
  const names = [
    '../escaped',
    '/etc/cron.d/escaped',
    'tls/../../escaped',
    'tls/..',
    'formats/a/b.json',
    'formats/a.txt',
    'ledger/pg_class.000001.ndjson',
    'ledger/merchants; DROP TABLE sms.000001.ndjson',
    'manifest.json',
    'run.sh',
  ];
  for (const name of names) {
    const order = await restoreOrder(
      t,
      await made(t, [about(), versions(), [name, '{}\n'], owner]),
      'sqlite',
    );
    await refused(t, order, 'backup_damaged', name);
  }
});

test('rejects a tar that ends before its checksums or continues after them', async (t) => {
  const content = [about({ files: [] }), versions(), owner];
  const sums = content.map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`);
  const withSums = [...content, ['SHA256SUMS', sums.join('')] as const];
  for (const [texts, isWhole] of [
    [content, false],
    [[...withSums, ['tls/key.pem', ''] as const], false],
    [[...withSums, ...withSums], false],
    [withSums, true],
  ] as const) {
    const members = texts.map(([name, text]) => ({
      name,
      size: Buffer.byteLength(text),
      content: [Buffer.from(text)],
    }));
    const bytes = await buffer(gzipped(packTar(each(members), NOW)));
    const order = await restoreOrder(t, await fileOf(t, bytes), 'sqlite');
    if (isWhole) await t.notThrowsAsync(restoreBackup(order));
    else await refused(t, order, 'backup_damaged', `${texts.length} members`);
  }
});

test('a member that the manifest names must be there, and the manifest must come first', async (t) => {
  for (const texts of [
    [about({ files: ['secret.key'] }), versions(), owner],
    [about({ engine: 'sqlite' }), versions(), owner],
    [versions(), about(), owner],
    [versions(), owner],
    [],
  ]) {
    await refused(
      t,
      await restoreOrder(t, await made(t, texts), 'sqlite'),
      'backup_damaged',
      `${texts.length}`,
    );
  }
});

test('a file that is there is replaced only by force, and no folder is', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const folder = await temporaryFolder(t);
  const file = join(folder, 'kashbox.backup');
  writeFileSync(file, 'something else', { mode: 0o644 });
  const order = { ...QUIET, file, passphrase: null, isOverwriting: false };
  await t.throwsAsync(makeBackup(core, order), { code: 'already_exists' });
  t.is(readFileSync(file, 'utf8'), 'something else');
  await makeBackup(core, { ...order, isOverwriting: true });
  t.is(statSync(file).mode & 0o777, 0o600);
  await t.throwsAsync(makeBackup(core, { ...order, file: folder }), { code: 'invalid_input' });
  await t.throwsAsync(makeBackup(core, { ...order, file: join(folder, 'no', 'a.backup') }), {
    code: 'invalid_input',
  });
  t.deepEqual(readdirSync(folder), ['kashbox.backup']);
});

test('a link to nowhere under that name is not followed', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const folder = await temporaryFolder(t);
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'kashbox.backup'));
  const order = { ...QUIET, file: join(folder, 'kashbox.backup'), passphrase: null, isOverwriting: false };
  await t.throwsAsync(makeBackup(core, order), { code: 'already_exists' });
  t.deepEqual(readdirSync(folder), ['kashbox.backup']);
});

test('making a backup reports errors of the store', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const order = {
    ...QUIET,
    file: join(await temporaryFolder(t), 'a'),
    passphrase: null,
    isOverwriting: false,
  };
  const gone = { ...core, home: { ...core.home, storeFile: join(core.home.folder, 'gone.db') } };
  await t.throwsAsync(makeBackup(gone, order), { code: 'store_unreachable' });
  t.deepEqual(readdirSync(dirname(order.file)), []);
});
