/**
 * kashbox-<version>-linux-<architecture>.tar.gz: the tree in a folder, with the documents at its top and the
 * script that installs it. It needs GNU tar and gzip.
 */
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeReproducible, name, PLACES, parts, put, run, version } from './tree.js';

/**
 * @param {string} tree with a Node; it is moved
 * @param {string} architecture as Node names it
 * @param {number} time of all files, in seconds
 * @param {string} folder where the archive is written
 * @returns {string} its name
 */
export function makeArchive(tree, architecture, time, folder) {
  const stage = `${tree}-archive`;
  const top = join(stage, `${name}-${version}`);
  put(join(top, 'release'), `VERSION=${version}\nARCHITECTURE=${architecture}\n`);
  put(join(top, 'install.sh'), readFileSync(join(parts, 'install.sh')), 0o755);
  const documents = join(tree, PLACES.documents);
  for (const one of readdirSync(documents)) renameSync(join(documents, one), join(top, one));
  rmSync(join(tree, 'share', 'doc'), { recursive: true });
  for (const one of readdirSync(tree)) renameSync(join(tree, one), join(top, one));
  makeReproducible(stage, time);
  const file = `${name}-${version}-linux-${architecture}.tar.gz`;
  const same = ['--sort=name', '--owner=root:0', '--group=root:0', '--format=gnu'];
  // Without its name and time: what it reads is a pipe.
  run('tar', [...same, '--use-compress-program=gzip -n', '-cf', join(folder, file), `${name}-${version}`], {
    cwd: stage,
  });
  return file;
}
