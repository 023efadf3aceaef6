/** What both runs of Stryker have in common; docs/development/mutation.md tells what for. */

/**
 * @param {string} name of the run
 * @param {{mutate: string[], folders: string[], skip: string, ignoreStatic?: boolean}} run what is changed,
 *   the folders of the tests that have to notice, the titles of those that are left out, and whether mutants
 *   in what is computed while files load are left out
 */
export const configure = (name, { mutate, folders, skip, ignoreStatic = false }) => ({
  mutate,
  ignoreStatic,
  ava: { folders, skip },
  plugins: ['./test/mutation/runner.js'],
  testRunner: 'ava',
  coverageAnalysis: 'perTest',
  // Stryker would rewrite it with a function that TypeScript 7 no longer has; esbuild reads it as it is.
  tsconfigFile: 'none',
  buildCommand: 'node test/mutation/build.js',
  concurrency: 1,
  ignorePatterns: ['dist', 'docs/screens', 'bench', 'relay-android-ts'],
  tempDirName: `dist/.mutation/${name}`,
  incremental: true,
  incrementalFile: `dist/.mutation/${name}.incremental.json`,
  jsonReporter: { fileName: `dist/.mutation/${name}.json` },
  reporters: ['progress-append-only', 'json'],
  thresholds: { high: 95, low: 90, break: 90 },
  dryRunTimeoutMinutes: 30,
  timeoutMS: 30_000,
});
