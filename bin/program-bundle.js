/**
 * Bundles the compiled program into dist/program: one file for each command, and chunks for what they share,
 * packages included. A daemon then loads 40 files instead of 1,460 and starts with a third of the work.
 * Source maps lie beside the files, so that a stack trace names the sources.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Has no source beside it; the build leaves it alone when it removes what is stale. */
export const programBundle = join(dist, 'program');
/** What the last bundle was made of, for the test that holds the lists below against it. */
const packagesFound = join(dist, '.program-packages.json');

/** Packages that stay packages, each with what keeps it out of the bundle: `dependencies` of package.json. */
export const BESIDE = {
  '@resvg/resvg-wasm': 'its WebAssembly is a file of its own',
  blessed: 'reads tables of terminals from files of its own',
  harfbuzzjs: 'reads its WebAssembly from a file of its own',
  'zxing-wasm': 'reads its WebAssembly from a file of its own',
};

/** Packages of which our code reads files only; `dependencies` of package.json like those above. */
export const FILES = {
  '@expo-google-fonts/noto-sans-bengali': 'the font of preview cards',
};

/** Packages that an installation never has; a trace of each is in the code. */
export const NEVER = {
  'pg-native': 'pg takes it in its place where it is installed',
  typescript: 'oclif reads tsconfig.json by it where it runs sources',
};

/** Packages that our own code in the bundle imports, and what for; what they need comes with them. */
export const BUNDLED = {
  '@fastify/busboy': 'forms with files, of the API',
  '@fastify/multipart': 'slips on the checkout page',
  '@fastify/rate-limit': 'limits of requests',
  '@oclif/core': 'commands, flags, help',
  '@sinclair/typebox': 'schemas of the API',
  'acme-client': 'certificates of an authority',
  'age-encryption': 'encrypted backups',
  eta: 'templates of the checkout page and of /docs',
  ethers: 'nodes of the chain',
  fastify: 'HTTP',
  got: 'calls of shops, nodes and exchanges',
  'image-size': 'kind and size of a logo',
  inquirer: 'questions in a terminal',
  'ipaddr.js': 'ranges of IP addresses',
  kysely: 'SQL with types',
  'libphonenumber-js': 'numbers that an SMS is sent to',
  'lossless-json': 'the text of a JSON number',
  lowdb: 'kashbox.json and contexts',
  'node-cron': 'the schedule of the daemon',
  nodemailer: 'alerts by e-mail',
  pg: 'PostgreSQL',
  pino: 'the log',
  pngjs: 'pixels of pictures with QR codes',
  'prom-client': '/metrics',
  qrcode: 'QR codes',
  qs: 'urlencoded forms and queries',
  'secure-json-parse': 'JSON of strangers',
  selfsigned: 'the first certificate',
  'sms-segments-calculator': 'parts of an SMS',
  'tar-stream': 'the tar of a backup',
};

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

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * @param {readonly string[]} inputs files that the bundle is made of, relative to the root
 * @returns {string[]} the folders of the packages among them
 */
function packageFolders(inputs) {
  const folders = inputs.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(folders)];
}

/** @returns {string[]} the folders of packages that an installation loads beside the bundle */
function foldersBeside() {
  const { dependencies } = readJson('package.json');
  const found = new Set();
  const add = (names) => {
    for (const folder of names.map((name) => `node_modules/${name}`)) {
      if (found.has(folder) || !existsSync(join(root, folder))) continue;
      found.add(folder);
      add(Object.keys(readJson(`${folder}/package.json`).dependencies ?? {}));
    }
  };
  add(Object.keys(dependencies));
  return [...found];
}

const packageOf = (path) => /^(@[^/]+\/[^/]+|[^/]+)/.exec(path.split('node_modules/').at(-1))[1];

/**
 * @param {import('esbuild').Metafile} metafile
 * @returns {Record<'bundled' | 'external', string[]>} packages that our code imports, and those left outside
 */
function importedPackages({ inputs }) {
  const bundled = new Set();
  const external = new Set();
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path, external: isOutside } of imports) {
      if (isOutside && !isBuiltin(path) && path !== '<runtime>') external.add(packageOf(path));
      if (!isOutside && !file.includes('node_modules/') && path.includes('node_modules/'))
        bundled.add(packageOf(path));
    }
  }
  return { bundled: [...bundled].sort(), external: [...external].sort() };
}

/**
 * A software bill of materials, so that scanners see what is bundled: CycloneDX 1.6
 * (https://cyclonedx.org/docs/1.6/json). The same for the same packages, so it has no time and no number.
 * @param {readonly string[]} folders of packages
 */
function billOfMaterials(folders) {
  const components = folders.map((folder) => {
    const { name, version, license } = readJson(`${folder}/package.json`);
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licenses = typeof license === 'string' ? { licenses: [licenceOf(license)] } : {};
    return { type: 'library', 'bom-ref': purl, name, version, ...licenses, purl };
  });
  const { name, version, license } = readJson('package.json');
  const ofProgram = { type: 'application', name, version, licenses: [licenceOf(license)] };
  const sorted = [...new Map(components.map((one) => [one.purl, one])).values()].sort((a, b) =>
    a.purl < b.purl ? -1 : 1,
  );
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: ofProgram } };
  return `${JSON.stringify({ ...bill, components: sorted }, null, 2)}\n`;
}

/** One identifier of SPDX, or an expression of several. */
const licenceOf = (text) => (/[ (]/.test(text) ? { expression: text } : { license: { id: text } });

/**
 * @param {readonly string[]} folders of packages
 * @returns {string} the licences of all of them, in the order of their names
 */
function licencesOf(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license } = readJson(`${folder}/package.json`);
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
      target: 'node24',
      // V8 keeps a file with a letter beyond Latin-1 in two bytes a letter.
      charset: 'ascii',
      // Names stay, for stack traces. What is shorter is read faster at each start.
      minifyWhitespace: true,
      minifySyntax: true,
      external: [...Object.keys(BESIDE), ...Object.keys(NEVER)],
      sourcemap: true,
      sourcesContent: false,
      plugins: [keepUrls],
      banner: { js: BANNER },
      logLevel: 'error',
      metafile: true,
    });
    const folders = packageFolders(Object.keys(metafile.inputs));
    writeFileSync(packagesFound, `${JSON.stringify(importedPackages(metafile), null, 2)}\n`);
    writeFileSync(join(programBundle, 'licenses.txt'), licencesOf([...folders, ...foldersBeside()]));
    writeFileSync(join(programBundle, 'sbom.cdx.json'), billOfMaterials([...folders, ...foldersBeside()]));
    return true;
  } catch {
    return false;
  }
}
