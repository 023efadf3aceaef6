/** The recipes and the program of docs/development/backup-format.md read backups without code of Kashbox. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { makeBackup } from '../../src/actions/backup/make-backup.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { blocksOf, readPage, sectionOf } from '../helpers/browser/pages.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, temporaryFolder } from '../helpers/stores/engines.js';

const page = readPage('docs/development/backup-format.md');
const [byHand = ''] = blocksOf(sectionOf(page, 'By hand'), 'sh');
const [ofTheWhole = ''] = blocksOf(sectionOf(page, 'Checksum of the whole'), 'sh');
const [program = ''] = blocksOf(sectionOf(page, 'Encrypted'), 'js');
const [open = ''] = blocksOf(sectionOf(page, 'Encrypted'), 'sh');

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

test('an encrypted backup is opened by the program of the page', async (t) => {
  const { folder, run } = await backup(t, 'sqlite', 'the words of this page');
  writeFileSync(join(folder, 'open-backup.mjs'), program);
  const opened = run(open.replace("'the words'", "'the words of this page'"));
  t.is(opened.status, 0, opened.stderr);
  copyFileSync(join(folder, 'opened.backup'), join(folder, 'kashbox.backup'));
  t.is(run(byHand).status, 0);
  t.not(run(open).status, 0, 'not with other words');
});
