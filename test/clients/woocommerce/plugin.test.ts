/** The plugin for WooCommerce as it is packed: its files, its PHP and its texts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { ownerOf, root, runNode, runProgram } from '../../helpers/programs/processes.js';
import { unpackPlugin } from './site.js';

const owner = ownerOf(test);
let folder: string;
let files: readonly string[];

test.before('the plugin is packed and unpacked', async () => {
  const base = mkdtempSync(join(tmpdir(), 'kashbox-plugin-'));
  owner.teardown(() => rmSync(base, { recursive: true }));
  folder = await unpackPlugin(owner, base);
  files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
});

const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
/** The plugin's own PHP; the client has tests of its own. */
const phpFiles = () => files.filter((name) => name.endsWith('.php') && !name.endsWith('/Kashbox.php'));

test('the zip has the plugin and the client of clients/php, and no other file', (t) => {
  t.snapshot(files);
  const client = readFileSync(join(root, 'clients/php/src/Kashbox.php'), 'utf8');
  t.is(textOf('includes/Kashbox.php'), client);
});

test('packing twice gives the same bytes', async (t) => {
  const target = mkdtempSync(join(tmpdir(), 'kashbox-zip-'));
  t.teardown(() => rmSync(target, { recursive: true }));
  const pack = async () => {
    const { stdout } = await runNode(t, [join(root, 'bin/woocommerce.js'), target]);
    return readFileSync(stdout.trim());
  };
  const first = await pack();
  t.true(first.length > 10_000);
  t.true(first.equals(await pack()));
});

test('PHP parses every file', async (t) => {
  const names = files.filter((name) => name.endsWith('.php'));
  t.true(names.length >= 10);
  for (const name of names) {
    const { code, stdout } = await runProgram(t, 'php', ['-n', '-l', join(folder, name)]);
    t.is(code, 0, stdout);
  }
});

test('orders are read and changed by WooCommerce alone, so that their tables do not matter', (t) => {
  const POSTS =
    /\b(?:get|add|update|delete)_post_?meta\b|\bwp_(?:insert|update|delete)_post\b|\bget_posts?\b|\bWP_Query\b|->post(?:s|meta)\b/;
  t.regex('update_post_meta($id)', POSTS);
  for (const name of phpFiles()) t.notRegex(textOf(name), POSTS, name);
});

test('every text of the plugin has its Bangla, with the same blanks, and none is left over', (t) => {
  const TEXT = /\b(?:__|esc_html__|esc_attr__)\(\s*'((?:[^'\\]|\\.)*)',\s*'kashbox'\s*\)/g;
  const inPhp = (text: string) => text.replaceAll("\\'", "'");
  const used = new Set<string>();
  for (const name of phpFiles()) {
    const text = textOf(name);
    const found = [...text.matchAll(TEXT)].map(([, one = '']) => inPhp(one));
    t.is(
      found.length,
      [...text.matchAll(/\b(?:__|_e|_n|_x|esc_html__|esc_html_e|esc_attr__)\(/g)].length,
      name,
    );
    for (const one of found) used.add(one);
  }
  const bangla = new Map(
    [
      ...textOf('languages/kashbox-bn_BD.l10n.php').matchAll(
        /^ {4}'((?:[^'\\]|\\.)*)' => '((?:[^'\\]|\\.)*)',$/gm,
      ),
    ].map(([, english = '', text = '']) => [inPhp(english), inPhp(text)]),
  );
  t.deepEqual([...bangla.keys()].sort(), [...used].sort());
  const blanks = (text: string) => (text.match(/%(?:\d\$)?[sd]/g) ?? []).sort();
  for (const [english, text] of bangla) {
    t.deepEqual(blanks(text), blanks(english), english);
    if (/[a-z]{4}/.test(english)) t.regex(text, /[\u0980-\u09ff]/, english);
  }
});

test('plugin and readme name one version', (t) => {
  const [, version] = /^ \* Version: (\S+)$/m.exec(textOf('kashbox.php')) ?? [];
  t.truthy(version);
  t.true(textOf('kashbox.php').includes(`const VERSION = '${version}';`));
  t.true(textOf('readme.txt').includes(`Stable tag: ${version}\n`));
});
