/**
 * Builds the files of the checkout page that the daemon serves: the browser's scripts as small files, the
 * styles without their white space, the templates as they are. The type check of the script is part of it.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileTypes } from './tsc.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'daemon', 'checkout');
const built = join(root, 'dist', 'daemon', 'checkout');

/** The oldest browser that is common on cheap phones. */
const TARGET = 'chrome70';

/** Scripts and styles that pages inline. */
const ENTRIES = [
  ...['main', 'link', 'display'].map((name) => join('client', `${name}.ts`)),
  ...['style.css', 'link.css', 'display.css'],
];

/** @returns {boolean} whether everything is there, however old */
export function hasCheckoutAssets() {
  const templates = readdirSync(join(source, 'templates')).map((name) => join('templates', name));
  return [...templates, ...ENTRIES].every((name) => existsSync(join(built, name.replace(/\.ts$/, '.js'))));
}

/** @returns {Promise<boolean>} false after saying on stderr what is wrong */
export async function buildCheckoutAssets() {
  mkdirSync(join(built, 'templates'), { recursive: true });
  for (const name of readdirSync(join(source, 'templates'))) {
    copyFileSync(join(source, 'templates', name), join(built, 'templates', name));
  }
  const { build } = await import('esbuild');
  try {
    await build({
      entryPoints: ENTRIES.map((name) => join(source, name)),
      outbase: source,
      outdir: built,
      bundle: true,
      minify: true,
      format: 'iife',
      target: TARGET,
      charset: 'utf8',
      logLevel: 'error',
    });
  } catch {
    return false;
  }
  return (await compileTypes(join(source, 'client'))) === 0;
}
