/** Builds the code and its tests in Stryker's copy, without checking types: no mutant would pass. */
import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const folders = ['src', 'daemon', 'commands', 'test'];
await build({
  entryPoints: folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  ),
  outbase: '.',
  outdir: 'dist',
  format: 'esm',
  target: 'node20',
});
// The checkout page's own files, as the last build has made them: Stryker's copy lies three folders below it.
for (const name of ['style.css', 'client', 'templates']) {
  const place = join('daemon', 'checkout', name);
  cpSync(resolve('..', '..', '..', place), join('dist', place), { recursive: true });
}
