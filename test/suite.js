/**
 * Runs one package's tests with AVA: shows failures and whatever else AVA says in full, passes as a count.
 */
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../bin/build.js';

const PROGRESS_MS = 10_000;
/** AVA ends a process that is quiet for five minutes, unless a test has asked for longer. */
const QUIET_MS = 7 * 60_000;
/** How long an AVA that is told to stop may take to name the tests that it waits for. */
const LAST_WORDS_MS = 15_000;
/** AVAs at a time. Most wait for programs, timers and browsers: this many keep two processors busy. */
const LANES = 6;

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
 * @param {(passed: number) => void} onPassed told with each test that passes
 * @returns {Promise<{passed: number, failed: number, lines: string[]}>} failed is at least 1 when the run
 *   ends badly; lines are what AVA said beside the passes
 */
async function runAva(folder, args, env, onPassed) {
  const cli = join(root, 'node_modules', 'ava', 'entrypoints', 'cli.mjs');
  // In a group of processes of its own, so that one signal reaches whatever it has started.
  const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 2], detached: true };
  const child = spawn(process.execPath, [cli, ...args], options);
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  const ended = new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

  const count = { passed: 0, failed: 0, unmatched: 0, other: 0 };
  const lines = [];
  let killing;
  const quiet = setTimeout(() => {
    lines.push(`  ✘ No word from AVA for ${QUIET_MS / 60_000} minutes: ${titleOf(args)} is stopped.`);
    count.failed += 1;
    child.kill('SIGINT');
    killing = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), LAST_WORDS_MS);
  }, QUIET_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    if (killing === undefined) quiet.refresh();
    const verdict = judge(line);
    count[verdict] += 1;
    if (verdict === 'passed') onPassed();
    else if (verdict !== 'unmatched') lines.push(line);
  }
  const code = await ended;
  clearTimeout(quiet);
  clearTimeout(killing);
  process.off('SIGINT', pass);
  process.off('SIGTERM', pass);
  if (code !== 0 && count.failed + count.unmatched === 0) count.failed = 1;
  return { passed: count.passed, failed: count.failed, lines };
}

/** @returns such as `actions-0` or `e2e/kill` */
const titleOf = (args) =>
  args.at(-1)?.replace(/^dist\/test\/(groups\/)?(.+)\.(test|soak)\.js$/, '$2') ?? 'all files';

/**
 * Runs one package's tests, some AVAs at a time, and prints what each has to say, and its time, when it ends.
 * @param {string} folder the package
 * @param {string[][]} runs the arguments of each AVA, in the order in which they begin
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runSuite(folder, runs, env) {
  const name = relative(root, folder) || 'kashbox';
  console.log(`Tests of ${name} …`);
  const total = { passed: 0, failed: 0 };
  let passed = 0;
  const progress = setInterval(() => console.log(`  … ${passed} passed so far`), PROGRESS_MS);
  const waiting = [...runs];
  const lane = async () => {
    for (let args = waiting.shift(); args !== undefined; args = waiting.shift()) {
      const start = performance.now();
      const count = await runAva(folder, args, env, () => {
        passed += 1;
      });
      total.passed += count.passed;
      total.failed += count.failed;
      for (const line of count.lines) console.log(line);
      const seconds = Math.round((performance.now() - start) / 1000);
      if (runs.length > 1) console.log(`  ${titleOf(args)}: ${count.passed} passed in ${seconds} s`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  clearInterval(progress);
  console.log(`${name}: ${total.passed} passed, ${total.failed} failed`);
  return total;
}
