/**
 * What `npm run soak` runs: every test in its long form, and those that only this tier has; the questions of
 * the benchmark, whatever their figures; failovers of PostgreSQL under load, each of which kills the primary,
 * promotes its standby, and gives that one a new standby; GSM modems whose programs are killed and whose
 * sticks are pulled out; and histories of the simulator. At its end it says what it has run.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from '../bin/child.js';
import { installTools } from './tools.js';

const USAGE = `Usage: npm run soak [-- WHAT [COUNT [FIRST]]]

  npm run soak                      all of these: the tests, the benchmark once, 200 failovers, 50 unplugs,
                                    then 100,000 histories
  npm run soak -- tests             every test in its long form
  npm run soak -- bench             each question of the benchmark once, with its smallest numbers
  npm run soak -- failovers 20      20 failovers of PostgreSQL under load
  npm run soak -- modems 50         2,000 SMS to two GSM modems and 500 from them, pulled out 50 times
  npm run soak -- histories 1000    1,000 histories of the simulator; their figures go to docs/development/simulator.md
  npm run soak -- histories 1000 501   those of seeds 501 to 1500, where others have run before`;

const root = fileURLToPath(new URL('..', import.meta.url));
const KINDS = {
  tests: {
    usual: 1,
    run: () => {
      const env = { ...process.env, KASHBOX_TEST_TIER: 'soak' };
      return runChild(process.execPath, ['test/run.js'], { cwd: root, env, stdio: 'inherit' });
    },
  },
  bench: {
    usual: 1,
    run: () => runChild(process.execPath, ['dist/bench/main.js', '--smoke'], { cwd: root }),
  },
  failovers: {
    usual: 200,
    run: (count) =>
      runTest('store/failover.test', 'failovers to a synchronous*', { KASHBOX_SOAK_FAILOVERS: count }),
  },
  modems: {
    usual: 50,
    run: (count) => runTest('e2e/modem.soak', '*over two modems*', { KASHBOX_SOAK_UNPLUGS: count }),
  },
  histories: { usual: 100_000, run: runHistories },
};

/** @returns {Promise<number>} the exit code */
async function runTest(file, title, counts) {
  await installTools();
  const ava = join(root, 'node_modules', 'ava', 'entrypoints', 'cli.mjs');
  const env = { ...process.env, ...counts };
  return runChild(process.execPath, [ava, `--match=${title}`, `dist/test/${file}.js`], {
    cwd: root,
    env,
  });
}

/** @returns {Promise<number>} the exit code */
async function runHistories(count, first) {
  const { soak } = await import('../dist/test/simulator/soak.js');
  return (await soak(count, first)) ? 0 : 1;
}

const [named, ...numbers] = process.argv.slice(2);
const [counted, first = '1'] = numbers;
const kinds = named === undefined ? Object.keys(KINDS) : [named];
const isNumbered = numbers.length < (named === 'histories' ? 3 : 2);
const areNumbers = numbers.every((number) => /^[1-9]\d{0,6}$/.test(number));
if (!kinds.every((kind) => Object.hasOwn(KINDS, kind)) || !isNumbered || !areNumbers) {
  console.error(USAGE);
  process.exit(2);
}
const ran = [];
for (const kind of kinds) {
  const { usual, run } = KINDS[kind];
  const count = Number(counted ?? usual);
  const began = performance.now();
  const code = await run(count, Number(first));
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  ran.push(`${code === 0 ? 'passed' : 'FAILED'}  ${kind}, ${count}, in ${minutes} minutes`);
  if (code !== 0) process.exitCode = 1;
}
console.log(ran.join('\n'));
