/** Where the build has put what is no TypeScript: templates, style and the browser's script. */
import { readFileSync } from 'node:fs';

/** From the sources (development without a build of them) the built files are those of the last build. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/daemon/checkout/' : './',
  import.meta.url,
);

/**
 * @param name path inside the checkout's folder.
 * @throws where the file is missing, which is so after a bare `tsc` on a fresh clone.
 */
export function readBuilt(name: string): Buffer {
  try {
    return readFileSync(new URL(name, folder));
  } catch (cause) {
    throw new Error(`The checkout page's ${name} is not built. Run "npm run build".`, { cause });
  }
}
