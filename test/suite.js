/**
 * Runs one package's tests with AVA: shows failures and whatever else AVA says in full, passes as a count.
 */
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../bin/build.js';

const PROGRESS_MS = 10_000;

/** AVA's lines, indented by two spaces; the second marks are those of terminals without Unicode. */
const PASSED = /^ {2}[✔√] /u;
const BROKEN = /^ {2}([✘×✖] |Uncaught exception in |Unhandled rejection in )/u;

/** A pattern of `--match` may fit tests of the other package only. */
const NO_MATCH = /^ {2}[✘×✖] Couldn’t find any matching tests/u;

/** What one line of AVA's report says about the tally; everything but a plain pass is worth showing. */
function judge(line) {
  if (PASSED.test(line)) return 'passed';
  if (NO_MATCH.test(line)) return 'unmatched';
  return BROKEN.test(line) ? 'failed' : 'other';
}

/**
 * @param {string} folder the package
 * @param {string[]} args files and options for AVA; none runs all
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{passed: number, failed: number}>} failed is at least 1 when the run ends badly
 */
export async function runAva(folder, args, env) {
  const name = relative(root, folder) || 'kashbox';
  console.log(`Tests of ${name} …`);
  const cli = join(root, 'node_modules', 'ava', 'entrypoints', 'cli.mjs');
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 2] });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  const ended = new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

  const count = { passed: 0, failed: 0, unmatched: 0, other: 0 };
  const progress = setInterval(() => console.log(`  … ${count.passed} passed so far`), PROGRESS_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    const verdict = judge(line);
    count[verdict] += 1;
    if (verdict !== 'passed') console.log(line);
  }
  const code = await ended;
  clearInterval(progress);
  process.off('SIGINT', pass);
  process.off('SIGTERM', pass);
  if (code !== 0 && count.failed + count.unmatched === 0) count.failed = 1;
  console.log(`${name}: ${count.passed} passed, ${count.failed} failed`);
  return { passed: count.passed, failed: count.failed };
}
