/**
 * The newest version of Kashbox in a registry of npm, which only a typed command queries, and how this one is
 * upgraded. docs/upgrade.md has the latter at length.
 */
import { refuse } from '../../base/errors/refuse.js';
import { asRecord, parseJson } from '../../base/values/fields.js';
import { compareVersions } from '../../base/values/version.js';
import { callHttp } from '../../channels/http.js';
import { mayCall } from '../../channels/sources.js';

const NPM = 'https://registry.npmjs.org';
const PATH = 'kashbox/latest';
const DEADLINE_MS = 10_000;
/** Many times what a registry says of one version. */
const MAX_BYTES = 1_048_576;

/** `ahead`: the registry has only older versions. `detail` repeats nothing of the answer. */
export type UpdateCheck =
  | { readonly state: 'up_to_date' | 'newer' | 'ahead'; readonly newest: string }
  | { readonly state: 'not_published' }
  | { readonly state: 'failed'; readonly detail: string };

/**
 * @returns the registry that npm would use, by its usual variable, with a slash at its end.
 * @throws KashboxError `invalid_input` if the variable holds no https address
 */
export function npmRegistry(env: Readonly<Record<string, string | undefined>>): URL {
  // As npm itself, in any case of letters.
  const name = Object.keys(env).find((key) => key.toLowerCase() === 'npm_config_registry') ?? '';
  const text = env[name]?.trim() || NPM;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !mayCall(url)) {
    refuse(
      'npm_config_registry is not an https address',
      `Set it to the address of a registry, such as ${NPM}, or unset it.`,
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url;
}

/** @param current version of this Kashbox. */
export async function checkUpdate(registry: URL, current: string): Promise<UpdateCheck> {
  const answer = await callHttp({
    method: 'GET',
    url: new URL(PATH, registry),
    headers: { accept: 'application/json' },
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
  });
  if (answer.outcome === 'failed') return { state: 'failed', detail: answer.detail };
  if (answer.status === 404) return { state: 'not_published' };
  if (answer.status !== 200) return { state: 'failed', detail: `it answered ${answer.status}` };
  const newest = asRecord(parseJson(answer.text)).version;
  const order = typeof newest === 'string' ? compareVersions(newest, current) : null;
  if (typeof newest !== 'string' || order === null) {
    return { state: 'failed', detail: 'its answer names no version, so it is not a registry of npm' };
  }
  return { state: order === 0 ? 'up_to_date' : order > 0 ? 'newer' : 'ahead', newest };
}

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
