/**
 * `npm run package:woocommerce [-- FOLDER]`: makes kashbox-woocommerce-VERSION.zip, which WordPress installs
 * as it is: the plugin, and the client of clients/php. The same sources give the same bytes. It needs zip.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const plugin = join(root, 'clients', 'woocommerce', 'kashbox');
/** The first day that a zip can write. */
const TIME = new Date('1980-01-01T00:00:00Z');

/**
 * Copies the plugin into a folder, as `kashbox`.
 * @param {string} folder
 */
function placePlugin(folder) {
  const target = join(folder, 'kashbox');
  mkdirSync(folder, { recursive: true });
  cpSync(plugin, target, { recursive: true });
  cpSync(join(root, 'clients', 'php', 'src', 'Kashbox.php'), join(target, 'includes', 'Kashbox.php'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
}

/**
 * @param {string} folder where the zip is written
 * @returns {string} its path
 */
function packPlugin(folder) {
  const [, version] = /^ \* Version: (\S+)$/m.exec(readFileSync(join(plugin, 'kashbox.php'), 'utf8')) ?? [];
  const zip = resolve(folder, `kashbox-woocommerce-${version}.zip`);
  const stage = mkdtempSync(join(tmpdir(), 'kashbox-woocommerce-'));
  try {
    placePlugin(stage);
    const files = readdirSync(stage, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files) {
      chmodSync(file, 0o644);
      utimesSync(file, TIME, TIME);
    }
    const names = files.map((file) => file.slice(stage.length + 1).replaceAll(sep, '/')).sort();
    mkdirSync(resolve(folder), { recursive: true });
    rmSync(zip, { force: true });
    const env = { PATH: process.env.PATH, TZ: 'UTC' };
    execFileSync('zip', ['-X', '-q', '-9', zip, ...names], { cwd: stage, env });
  } finally {
    rmSync(stage, { recursive: true });
  }
  return zip;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(packPlugin(process.argv[2] ?? root));
