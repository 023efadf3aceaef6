/** Version of this Kashbox, from its package. */
import { readFileSync } from 'node:fs';

/** @returns a version such as `0.1.0`. Loaded here, not at import: most commands do not need it. */
export function version(): string {
  // The sources stand one folder higher than what is built of them.
  for (const path of ['../../../package.json', '../../../../package.json']) {
    const text = loadIfExists(new URL(path, import.meta.url));
    if (text !== null) return (JSON.parse(text) as { readonly version: string }).version;
  }
  throw new Error('package.json is missing beside the program');
}

function loadIfExists(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Parts of a version by Semantic Versioning 2.0.0; what follows a plus does not count. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/;

/** @returns below 0 if the first is older, 0 if they are equal; null if one is not a version. */
export function compareVersions(first: string, second: string): number | null {
  const [a, b] = [VERSION.exec(first), VERSION.exec(second)];
  if (a === null || b === null) return null;
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part]);
    if (difference !== 0) return difference;
  }
  const [early = '', late = ''] = [a[4], b[4]];
  // A pre-release is older than its release.
  if (early === '' || late === '') return Number(early === '') - Number(late === '');
  return early.localeCompare(late, 'en', { numeric: true });
}
