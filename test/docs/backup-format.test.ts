/** The recipes of docs/development/backup-format.md read backups without Kashbox. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { makeBackup } from '../../src/actions/backup/make-backup.js';
import { checkBackup } from '../../src/actions/backup/restore-backup.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { blocksOf, readPage, sectionOf } from '../helpers/browser/pages.js';
import { typedAt } from '../helpers/programs/typed-at.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, temporaryFolder } from '../helpers/stores/engines.js';

const page = readPage('docs/development/backup-format.md');
const [byHand = ''] = blocksOf(sectionOf(page, 'By hand'), 'sh');
const [ofTheWhole = ''] = blocksOf(sectionOf(page, 'Checksum of the whole'), 'sh');
const [decrypt = ''] = blocksOf(sectionOf(page, 'Encrypted'), 'sh');

async function backup(
  t: ExecutionContext<unknown>,
  engine: 'sqlite' | 'postgres',
  passphrase: string | null,
) {
  const core = await openTestCore(t, engine);
  await openShop(core);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'kashbox.backup');
  const { signal } = new AbortController();
  await makeBackup(core, { file, passphrase, isOverwriting: false, signal, onBytes: () => {} });
  const run = (script: string) => {
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
    return spawnSync('sh', ['-eu', '-c', script], { cwd: folder, env, encoding: 'utf8' });
  };
  return { folder, file, run };
}

for (const engine of engines) {
  test(`a backup from ${engine} is opened by hand, and its checksums are right`, async (t) => {
    const { folder, run } = await backup(t, engine, null);
    const opened = run(byHand);
    t.is(opened.status, 0, opened.stderr);
    t.is(opened.stderr, '');
    t.regex(opened.stdout, /^secret\.key: OK$/m);
    const names = readdirSync(join(folder, 'opened'));
    if (engine === 'sqlite') {
      const ledger = new SqliteFile(join(folder, 'opened', 'kashbox.db'), { readOnly: true });
      t.is(ledger.column('SELECT name FROM merchants')[0], 'Alo Store');
      ledger.close();
      t.deepEqual(readdirSync(join(folder, 'opened')), names, 'it needs no files beside it');
    } else {
      const rows = readFileSync(join(folder, 'opened', 'ledger', 'merchants.000001.ndjson'), 'utf8');
      t.is((JSON.parse(rows) as { readonly name: string }).name, 'Alo Store');
    }
    const whole = run(ofTheWhole);
    const [computed = '', stated = ''] = whole.stdout.split('\n');
    t.is(stated, `sha256:${computed.slice(0, 64)}`, whole.stderr);
  });
}

test('an encrypted backup is opened by age and tar', async (t) => {
  const words = 'the words of this page';
  const { folder, run, file } = await backup(t, 'sqlite', words);
  await t.throwsAsync(typedAt(folder, `set -eu; ${decrypt}`, ['other words']), {
    message: /no passphrase|incorrect/,
  });
  rmdirSync(join(folder, 'opened'));
  t.regex(await typedAt(folder, `set -eu; ${decrypt}`, [words]), /^kashbox\.db: OK/m);

  const { signal } = new AbortController();
  const check = (name: string, passphrase: string | null) =>
    checkBackup(join(folder, name), { passphrase, signal, onBytes: () => {} });
  const [opening = '', sealing = ''] = page.match(/(?<=`)age [^`]+(?=`)/g) ?? [];
  await typedAt(folder, opening, [words]);
  const plain = await check('opened.backup', null);
  renameSync(join(folder, 'opened.backup'), file);
  await typedAt(folder, sealing, [words, words]);
  const sealed = await check('sealed.backup', words);
  t.deepEqual({ ...sealed, file }, { ...plain, file, encrypted: true });
  t.is(run(byHand.replaceAll('opened', 'again')).status, 0);
});
