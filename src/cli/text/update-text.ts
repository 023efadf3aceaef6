/** How this Kashbox was installed, and how it is upgraded. docs/upgrade.md has the same at length. */

const DEB_ROOT = '/usr/lib/kashbox';

/** `archive`: unpacked with a Node of its own. */
export type InstalledBy = 'deb' | 'archive' | 'npm' | 'git';

interface InstalledProgram {
  /** Folder of package.json. */
  readonly root: string;
  /** The Node that runs it. */
  readonly node: string;
  exists(path: string): boolean;
}

export function installedBy({ root, node, exists }: InstalledProgram): InstalledBy {
  if (root === DEB_ROOT) return 'deb';
  if (exists(`${root}/.git`)) return 'git';
  if (node.startsWith(`${root}/`)) return 'archive';
  return 'npm';
}

const DEB_ARCHITECTURE: Readonly<Record<string, string>> = { x64: 'amd64' };

/** @param version to upgrade to. @param arch of Node, such as `x64`. @returns what to type. */
export function upgradeCommand(way: InstalledBy, version: string, arch: string): string {
  switch (way) {
    case 'deb':
      return `sudo apt install ./kashbox_${version}_${DEB_ARCHITECTURE[arch] ?? arch}.deb`;
    case 'archive':
      return `tar xzf kashbox-${version}-linux-${arch}.tar.gz && sudo kashbox-${version}/install.sh`;
    case 'npm':
      return `sudo npm install --global kashbox@${version}`;
    case 'git':
      return 'git pull && npm run build';
    default:
      return way satisfies never;
  }
}
