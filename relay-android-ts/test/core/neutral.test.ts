/** The core is handed its platform, its files, its network, its time and its chance; it takes none itself. */
import { readdir, readFile } from 'node:fs/promises';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import ts from 'typescript-classic';

const CORE = fileURLToPath(new URL('../../../src/core/', import.meta.url));

/**
 * What a file of the core should not name.
 * @param path inside the core, with slashes: what it imports must lie there, too.
 */
function foreignParts(path: string, source: string): string[] {
  const imports = ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
  const isOwn = (name: string) =>
    name === 'node:crypto' ||
    (name.startsWith('.') && !posix.join(posix.dirname(path), name).startsWith('..'));
  const globals = source.match(
    /\b(process|require|__dirname|setTimeout|setInterval|Math\.random|Date\.now)\b/g,
  );
  return [...imports.filter((name) => !isOwn(name)), ...(globals ?? [])];
}

test('the core imports only itself and hashes of Node, and uses no clock and no chance of its own', async (t) => {
  const names = await readdir(CORE, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => name.split(sep).join('/'));
  t.true(files.length > 15);
  for (const file of files) {
    t.deepEqual(foreignParts(file, await readFile(`${CORE}${file}`, 'utf8')), [], file);
  }
});

test('the check itself finds what it looks for', (t) => {
  const source = "import x from 'node:fs'; import y from '../ports/z.js'; Date.now()";
  t.deepEqual(foreignParts('agent.ts', source), ['node:fs', '../ports/z.js', 'Date.now']);
  t.deepEqual(foreignParts('sync/batch.ts', "import y from '../ports.js';"), []);
  t.deepEqual(foreignParts('sync/batch.ts', "import y from '../../ports/z.js';"), ['../../ports/z.js']);
});
