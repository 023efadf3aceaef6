/**
 * Bundles the compiled program into dist/program: one file for each command, and chunks for what they share,
 * packages included. A daemon then loads 40 files instead of 1,460 and starts with a third of the work.
 * Source maps lie beside the files, so that a stack trace names the sources.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Has no source beside it; the build leaves it alone when it removes what is stale. */
export const programBundle = join(dist, 'program');

/** Stay packages, because they read files of their own; the driver of SQLite, native code, is one more. */
export const packagesBeside = ['blessed', 'zxing-wasm'];
/** Of these only a trace is in the code. */
const EXTERNAL = [...packagesBeside, 'pg-native', 'typescript', 'ts-node', 'tsx'];

/** CommonJS code asks for Node's modules by `require`; our own code asks where its compiled file is. */
const BANNER = [
  "import { createRequire as kashboxRequire } from 'node:module';",
  'const require = kashboxRequire(import.meta.url);',
  "const kashboxDist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/program/')) + '/dist/';",
].join('\n');

/** In a chunk, `import.meta.url` is the chunk's; files that are found beside a source need that source's. */
const keepUrls = {
  name: 'keep-urls',
  setup(build) {
    build.onLoad({ filter: /[/\\]dist[/\\](src|daemon|commands)[/\\].*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = relative(dist, path).split(sep).join('/');
      return { contents: text.replaceAll('import.meta.url', `(kashboxDist + ${JSON.stringify(place)})`) };
    });
  },
};

/** @returns {Record<string, string>} name in dist/program -> compiled file */
function entries() {
  const commands = readdirSync(join(dist, 'commands'), { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => [`commands/${name.replace(/\.js$/, '')}`, join(dist, 'commands', name)]);
  return {
    ...Object.fromEntries(commands),
    'command-not-found': join(dist, 'src', 'cli', 'command', 'command-not-found.js'),
    help: join(dist, 'src', 'cli', 'command', 'help.js'),
    'anvil-process': join(dist, 'src', 'demo', 'anvil-process.js'),
    oclif: join(root, 'bin', 'oclif.js'),
  };
}

/** Their notices must be shipped with their code. */
const LICENCE = /^(licen[cs]e|notice|copying)/i;

/**
 * @param {readonly string[]} inputs files that the bundle is made of, relative to the root
 * @returns {string} the licences of all packages among them, in the order of their names
 */
function licencesOf(inputs) {
  const folders = inputs.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const files = readdirSync(join(root, folder)).filter((file) => LICENCE.test(file));
    const notices = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...notices].join('\n\n');
  });
  return `${[...new Set(texts)].sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** @returns {boolean} whether it is there, however old */
export const hasProgramBundle = () => existsSync(join(programBundle, 'oclif.js'));

/** @returns {Promise<boolean>} false after saying on stderr what is wrong */
export async function buildProgramBundle() {
  const { build } = await import('esbuild');
  rmSync(programBundle, { recursive: true, force: true });
  try {
    const { metafile } = await build({
      entryPoints: entries(),
      outdir: programBundle,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      charset: 'utf8',
      // Names stay, for stack traces. What is shorter is read faster at each start.
      minifyWhitespace: true,
      minifySyntax: true,
      external: EXTERNAL,
      sourcemap: true,
      sourcesContent: false,
      plugins: [keepUrls],
      banner: { js: BANNER },
      logLevel: 'error',
      metafile: true,
    });
    writeFileSync(join(programBundle, 'licenses.txt'), licencesOf(Object.keys(metafile.inputs)));
    return true;
  } catch {
    return false;
  }
}
