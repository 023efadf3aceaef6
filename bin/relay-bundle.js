/**
 * Builds the relay agent as the one file that a phone fetches: everything in it, for Node 20, without native
 * code. Names are kept, so that a stack trace from a phone can be read.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'relay-android-ts', 'bin', 'kashbox-relay.js');

/** Stands in dist without a source beside it. */
export const relayBundle = join(root, 'dist', 'relay', 'kashbox-relay.mjs');

/** What was written for CommonJS asks for Node's own modules by a `require` that ES modules don't have. */
const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

/** @returns {boolean} whether it is there, however old */
export const hasRelayBundle = () => existsSync(relayBundle);

/** The licence must be shipped with the code. */
function licenceOf(name) {
  const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim();
  return `/*\nContains ${name}:\n\n${text}\n*/`;
}

/** @returns {Promise<boolean>} false after saying on stderr what is wrong */
export async function buildRelayBundle() {
  mkdirSync(dirname(relayBundle), { recursive: true });
  const { build } = await import('esbuild');
  try {
    await build({
      entryPoints: [entry],
      outfile: relayBundle,
      bundle: true,
      minifyWhitespace: true,
      minifySyntax: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      charset: 'utf8',
      banner: { js: `${licenceOf('commander')}\n${REQUIRE}` },
      logLevel: 'error',
    });
    return true;
  } catch {
    return false;
  }
}
