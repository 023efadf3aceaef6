/** Runs the TypeScript compiler. */
import { fileURLToPath } from 'node:url';
import { runChild } from './child.js';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/**
 * With several threads the compiler does some work twice, and its garbage collector runs beside it: on two
 * processors that others need as well, that takes three times the work and hardly less time.
 * @param {string} folder the package, or a folder with a tsconfig.json of its own
 * @param {string[]} [options]
 * @returns {Promise<number>} its exit code, after it has printed what is wrong on stderr
 */
export function compileTypes(folder, options = []) {
  const args = [compiler, '-p', folder, '--singleThreaded', ...options];
  return runChild(process.execPath, args, { env: { GOGC: '400', ...process.env } });
}
