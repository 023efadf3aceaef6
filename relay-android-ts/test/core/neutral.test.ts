/** The core must run where there is no Node: it may import itself and nothing else. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import ts from 'typescript';

const CORE = fileURLToPath(new URL('../../../src/core/', import.meta.url));

/** What a file of the core should not name. */
function foreignParts(source: string): string[] {
  const imports = ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
  const globals = source.match(
    /\b(process|Buffer|require|__dirname|setTimeout|setInterval|Math\.random|Date\.now)\b/g,
  );
  return [...imports.filter((name) => !/^\.\/[a-z0-9-]+\.js$/.test(name)), ...(globals ?? [])];
}

test('the core imports only itself and uses no global of Node, no clock and no chance of its own', async (t) => {
  const names = await readdir(CORE);
  t.true(names.length > 15);
  for (const name of names) t.deepEqual(foreignParts(await readFile(`${CORE}${name}`, 'utf8')), [], name);
});

test('the check itself finds what it looks for', (t) => {
  t.deepEqual(foreignParts("import x from 'node:fs'; import y from '../ports/z.js'; Buffer.from(x)"), [
    'node:fs',
    '../ports/z.js',
    'Buffer',
  ]);
});
