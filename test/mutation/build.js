/** Builds the code and its tests in Stryker's copy, without checking types: no mutant would pass. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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
