/**
 * How the tests run. Those that start browsers and whole programs wait much and take long: they are spread
 * over the first part of the run, between tests that only compute, so that the processor has work all the
 * time and nothing long is left for the end. Which comes when follows from its name alone.
 */
import { createHash } from 'node:crypto';

const SLOW =
  /[/\\]test[/\\](e2e|clients|simulator)[/\\]|[/\\]groups[/\\](actions|browser|channels|commands|daemon)|[/\\](demo|every-command)\.test\.js$/;
/** The part of the run over which the slow ones are spread. */
const FIRST_PART = 0.6;

/** @returns a place from 0 to 1 */
function placeOf(file) {
  const name = file.slice(file.lastIndexOf('dist')).replaceAll('\\', '/');
  const place = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
  return SLOW.test(file) ? place * FIRST_PART : place;
}

export default {
  files: ['dist/test/**/*.test.js', 'dist/test/**/*.soak.js'],
  timeout: '5m',
  failFast: false,
  workerThreads: false,
  concurrency: 4,
  nodeArguments: ['--enable-source-maps'],
  sortTestFiles: (one, other) => placeOf(one) - placeOf(other),
};
