/**
 * `npm run package [-- FOLDER]`: builds the packages that need no other program, for both processors on
 * either: the tar.gz and the .deb with a Node of their own, install.sh, the bill of materials and SHA256SUMS.
 * The same sources give the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNodeFor } from './install.js';
import { makeArchive } from './package/archive.js';
import { makeDeb } from './package/deb.js';
import { addNode, makeTree, name, PLACES, parts, version } from './package/tree.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const ARCHITECTURES = ['x64', 'arm64'];

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** @returns {number} seconds: SOURCE_DATE_EPOCH, or else the time of the last commit */
function sourceTime() {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  const commit = () =>
    spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout;
  const seconds = (given ?? commit() ?? '').trim();
  if (/^\d{1,11}$/.test(seconds)) return Number(seconds);
  return fail(
    given === undefined
      ? 'The time of the files is unknown, because there is no git history here. Set SOURCE_DATE_EPOCH.'
      : 'SOURCE_DATE_EPOCH must be a number of seconds since 1970, such as 1767225600.',
  );
}

/** Builds both packages of one processor. @returns {Promise<string[]>} their names */
async function buildFor(architecture, { common, stage, time, folder }) {
  const node = await fetchNodeFor(architecture, join(stage, `node-${architecture}`));
  if (node === undefined) {
    fail(
      `The Node for ${architecture} could not be downloaded from the npm registry. Check the connection and try again.`,
    );
  }
  const treeWithNode = (form) => {
    const tree = join(stage, `${architecture}-${form}`);
    cpSync(common, tree, { recursive: true });
    addNode(tree, node);
    return tree;
  };
  const tree = treeWithNode('tar');
  cpSync(join(tree, PLACES.bill), join(folder, `${name}-${version}.cdx.json`));
  const archive = makeArchive(tree, architecture, time, folder);
  const deb = makeDeb(treeWithNode('deb'), architecture, time, folder);
  rmSync(join(stage, `node-${architecture}`), { recursive: true });
  return [archive, deb];
}

const [argument = 'release', ...rest] = process.argv.slice(2);
if (argument.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run package [-- FOLDER]   (by default the folder release)');
  process.exit(2);
}
// Before a minute of work.
const folder = resolve(argument);
try {
  mkdirSync(folder, { recursive: true });
} catch (error) {
  fail(`The folder ${folder} cannot be created (${error.code}). Name another one.`);
}
const time = sourceTime();
for (const program of ['tar', 'gzip', 'dpkg-deb']) {
  if (spawnSync(program, ['--version']).status !== 0)
    fail(`The packages need ${program}. Install it, for example with: apt-get install tar gzip dpkg`);
}

const stage = mkdtempSync(join(tmpdir(), 'kashbox-package-'));
process.on('exit', () => rmSync(stage, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const common = join(stage, 'common');
makeTree(common);
const files = [`${name}-${version}.cdx.json`, 'install.sh'];
cpSync(join(parts, 'install.sh'), join(folder, 'install.sh'));
chmodSync(join(folder, 'install.sh'), 0o755);
for (const architecture of ARCHITECTURES) {
  files.push(...(await buildFor(architecture, { common, stage, time, folder })));
}
const sums = files.sort().map((file) => {
  const sum = createHash('sha256').update(readFileSync(join(folder, file)));
  return `${sum.digest('hex')}  ${file}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log([...files, 'SHA256SUMS'].map((file) => join(folder, file)).join('\n'));
