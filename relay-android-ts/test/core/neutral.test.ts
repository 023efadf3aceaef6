/** The core must run where there is no Node: it may import itself and nothing else. */
import { readdir, readFile } from 'node:fs/promises';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import ts from 'typescript';

const CORE = fileURLToPath(new URL('../../../src/core/', import.meta.url));

/**
 * What a file of the core should not name.
 * @param path inside the core, with slashes: what it imports must lie there, too.
 */
function foreignParts(path: string, source: string): string[] {
  const imports = ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
  const isOwn = (name: string) =>
    name.startsWith('.') && !posix.join(posix.dirname(path), name).startsWith('..');
  const globals = source.match(
    /\b(process|Buffer|require|__dirname|setTimeout|setInterval|Math\.random|Date\.now)\b/g,
  );
  return [...imports.filter((name) => !isOwn(name)), ...(globals ?? [])];
}

test('the core imports only itself and uses no global of Node, no clock and no chance of its own', async (t) => {
  const names = await readdir(CORE, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => name.split(sep).join('/'));
  t.true(files.length > 30);
  for (const file of files) {
    t.deepEqual(foreignParts(file, await readFile(`${CORE}${file}`, 'utf8')), [], file);
  }
});

test('the check itself finds what it looks for', (t) => {
  const source = "import x from 'node:fs'; import y from '../ports/z.js'; Buffer.from(x)";
  t.deepEqual(foreignParts('agent.ts', source), ['node:fs', '../ports/z.js', 'Buffer']);
  t.deepEqual(foreignParts('sync/batch.ts', "import y from '../ports.js';"), []);
  t.deepEqual(foreignParts('sync/batch.ts', "import y from '../../ports/z.js';"), ['../../ports/z.js']);
});
