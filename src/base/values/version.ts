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
