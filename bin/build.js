/**
 * Builds what is missing or stale: the two TypeScript packages into their dist folders, the files of the
 * checkout page, the relay agent as one file, the program in few files, the list of commands, then the manual
 * pages. Knows nothing of what the code does; needs the packages to be installed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCheckoutAssets, hasCheckoutAssets } from './checkout-assets.js';
import { runChild } from './child.js';
import { buildManPages, manPages } from './man-pages.js';
import { buildProgramBundle, hasProgramBundle, programBundle } from './program-bundle.js';
import { buildRelayBundle, hasRelayBundle, relayBundle } from './relay-bundle.js';
import { compileTypes } from './tsc.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
const relay = join(root, 'relay-android-ts');
const manifest = join(root, 'oclif.manifest.json');

/** Every file under a folder, without installed, built or foreign ones. */
function* files(folder, skip) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (skip.includes(path)) continue;
    if (entry.isDirectory()) yield* files(path, skip);
    else yield path;
  }
}

/**
 * Inputs and outputs of a build as one text. It includes the compiler's notes, so that a `tsc` run by hand is
 * not taken for our build.
 */
function fingerprint(folder) {
  const hash = createHash('sha256');
  const skip = ['node_modules', 'dist', '.git', 'docs'].map((name) => join(folder, name));
  // The simulator runs the agent's own core, which is compiled with it.
  if (folder === root) skip.push(...['dist', 'test'].map((name) => join(relay, name)));
  const sources = [...files(folder, skip)].filter((path) => /\.([mc]?[jt]sx?|json|css|eta)$/.test(path));
  const notes = join(folder, 'dist', '.tsbuildinfo');
  for (const path of [...sources.sort(), join(root, 'package-lock.json'), notes]) {
    if (path === manifest || !existsSync(path)) continue;
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Outputs without a source would still run as tests or appear as commands. */
function removeOrphans(folder) {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) return;
  for (const path of files(dist, [programBundle, manPages])) {
    const source = join(folder, relative(dist, path)).replace(/\.map$/, '');
    const sources = [source, source.replace(/\.d\.ts$/, '.ts'), source.replace(/\.(m|c)?js$/, '.$1ts')];
    if (path === relayBundle || path.startsWith(`${dist}${sep}.`) || sources.some((name) => existsSync(name)))
      continue;
    rmSync(path);
  }
}

const stampOf = (folder) => join(folder, 'dist', '.build-stamp');

/** @returns {Promise<{ok: boolean, fresh: boolean}>} fresh: nothing had changed since the last good build */
async function compile(folder, name) {
  const stamp = stampOf(folder);
  removeOrphans(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(folder))
    return { ok: true, fresh: true };
  console.error(`Building ${name} …`);
  const code = await compileTypes(folder, ['--pretty', `${process.stderr.isTTY === true}`]);
  if (code === 0) writeFileSync(stamp, fingerprint(folder));
  return { ok: code === 0, fresh: false };
}

/**
 * Builds all; what is up to date costs only the reading of the sources.
 * @returns {Promise<{name: string, ok: boolean}[]>} one entry per part; a failed part has printed its reason
 *   on stderr. The compiler writes output even with type errors, so a caller may still run tests.
 */
export async function build() {
  // A compiler keeps one processor busy.
  const [main, agent] = await Promise.all([compile(root, 'kashbox'), compile(relay, 'kashbox-relay')]);
  // After a failure these files are missing or stale, but the record of the type check does not show it.
  const assets = main.fresh && hasCheckoutAssets() ? true : await buildCheckoutAssets();
  if (!assets) rmSync(stampOf(root), { force: true });
  const bundle = agent.fresh && hasRelayBundle() ? true : await buildRelayBundle();
  if (!bundle) rmSync(stampOf(relay), { force: true });
  const isBundled = main.fresh && hasProgramBundle();
  const program = isBundled || (await buildProgramBundle());
  if (!program) rmSync(stampOf(root), { force: true });
  let commands = true;
  if (!isBundled || !existsSync(manifest)) {
    commands = (await runChild(process.execPath, [join(root, 'bin', 'manifest.js')], { cwd: root })) === 0;
  }
  if (commands && (!isBundled || !existsSync(manPages))) buildManPages();
  return [
    { name: 'types of kashbox', ok: main.ok },
    { name: 'types of kashbox-relay', ok: agent.ok },
    { name: 'files of the checkout page', ok: assets },
    { name: 'relay agent as one file', ok: bundle },
    { name: 'kashbox in few files', ok: program },
    { name: 'list of commands', ok: commands },
  ];
}
