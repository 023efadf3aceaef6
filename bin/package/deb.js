/** kashbox_<version>_<architecture>.deb: the tree below /usr, with the files of dpkg. It needs dpkg-deb. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { description, makeReproducible, name, PLACES, parts, put, run, version } from './tree.js';

/** The names of Debian for processors, by those of Node. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** As dpkg-gencontrol counts, so that it does not depend on the file system here. @returns {number} KiB */
function installedSize(root) {
  const entries = readdirSync(root, { recursive: true }).map((path) => statSync(join(root, path)));
  return entries.reduce((sum, entry) => sum + (entry.isFile() ? Math.ceil(entry.size / 1024) : 1), 0);
}

/** Moves what Debian has in other places. */
function moveFiles(tree, root) {
  const usr = join(root, 'usr');
  mkdirSync(root);
  renameSync(tree, usr);
  renameSync(join(usr, 'etc'), join(root, 'etc'));
  renameSync(join(usr, PLACES.documents, 'LICENSE'), join(usr, PLACES.documents, 'copyright'));
  renameSync(join(usr, PLACES.zsh), join(usr, 'share', 'zsh', 'vendor-completions'));
  put(join(usr, PLACES.program, 'is-service'), '');
}

function writeControl(root, architecture) {
  const control = join(root, 'DEBIAN');
  const fields = {
    Package: name,
    Version: version,
    Architecture: architecture,
    Maintainer: 'Kashbox <kashbox@localhost>',
    'Installed-Size': installedSize(root),
    Depends: 'libc6 (>= 2.28), libstdc++6, adduser, util-linux',
    Section: 'web',
    Priority: 'optional',
    Description: `${description}\n Payments by mobile wallets, Bangla QR, USDT and bank transfer, confirmed by SMS\n that phones relay, by banks and by the chain.`,
  };
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
  put(join(control, 'control'), lines.join(''));
  put(join(control, 'conffiles'), `/${PLACES.settings}\n`);
  for (const script of ['postinst', 'prerm', 'postrm']) {
    put(join(control, script), readFileSync(join(parts, script)), 0o755);
  }
}

/**
 * @param {string} tree with a Node; it is moved
 * @param {keyof typeof ARCHITECTURES} architecture
 * @param {number} time of all files, in seconds
 * @param {string} folder where the package is written
 * @returns {string} its name
 */
export function makeDeb(tree, architecture, time, folder) {
  const root = `${tree}-root`;
  moveFiles(tree, root);
  writeControl(root, ARCHITECTURES[architecture]);
  makeReproducible(root, time);
  chmodSync(join(root, PLACES.settings), 0o640);
  const file = `${name}_${version}_${ARCHITECTURES[architecture]}.deb`;
  // The number of threads changes the bytes.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time), DPKG_DEB_THREADS_MAX: '1' };
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', root, join(folder, file)], { env });
  return file;
}
