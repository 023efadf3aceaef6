/** Releases as install.sh gets them, small ones and real ones. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './processes.js';

interface TreeModule {
  makeTree(tree: string): void;
  addNode(tree: string, node: string): void;
}
interface ArchiveModule {
  makeArchive(tree: string, architecture: string, time: number, folder: string): string;
}

const bin = <T>(path: string) => import(join(root, 'bin', 'package', path)) as Promise<T>;
export const packaging = async () => ({
  ...(await bin<TreeModule>('tree.js')),
  ...(await bin<ArchiveModule>('archive.js')),
});

export function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Programs for the front of PATH, each with its script. @returns the folder */
export function putPrograms(folder: string, scripts: Readonly<Record<string, string>>): string {
  for (const [name, script] of Object.entries(scripts))
    put(join(folder, name), `#!/bin/sh\n${script}\n`, 0o755);
  return folder;
}

/**
 * An unpacked release whose Node says what it was given.
 * @param node script that is that Node
 * @returns its folder
 */
export function putRelease(
  folder: string,
  version: string,
  node = `[ "$1" = --version ] || echo "${version}: $*"`,
): string {
  const release = join(folder, `kashbox-${version}`);
  put(join(release, 'release'), `VERSION=${version}\nARCHITECTURE=${process.arch}\n`);
  for (const [from, to] of [
    ['bin/package/install.sh', 'install.sh'],
    ['bin/package/kashbox', 'bin/kashbox'],
    ['bin/package/default', 'etc/default/kashbox'],
    ['docs/install/kashbox.service', 'lib/systemd/system/kashbox.service'],
  ] as const)
    cpSync(join(root, from), join(release, to));
  putPrograms(join(release, 'lib/kashbox/node'), { node });
  put(join(release, 'lib/kashbox/dist/program/commands/payments/list.js'), '');
  put(join(release, 'share/man/man1/kashbox.1.gz'), '');
  put(join(release, `share/man/man1/kashbox-${version}.1.gz`), '');
  put(join(release, 'share/zsh/site-functions/_kashbox'), '');
  return release;
}

/** A package of Node as npm has it, of the Node that runs this. @returns its folder */
export function putNode(folder: string): string {
  put(join(folder, 'package.json'), JSON.stringify({ version: process.versions.node, license: 'MIT' }));
  put(join(folder, 'LICENSE'), 'Licence of Node\n');
  mkdirSync(join(folder, 'bin'));
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
  return folder;
}
