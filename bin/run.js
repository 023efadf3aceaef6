#!/usr/bin/env node
/**
 * The `kashbox` command: hands over to oclif and knows nothing else. It loads only the parts of oclif that a
 * run needs, because every command starts with this file.
 */
import module from 'node:module';
import { join } from 'node:path';

/** As in package.json. What is older has no SQLite of its own, or one that changes still. */
const NODE = 24;
if (Number.parseInt(process.versions.node, 10) < NODE) {
  console.error(`Error: Kashbox needs Node ${NODE} or newer; this is Node ${process.versions.node}`);
  console.error(
    'Next: Install it from https://nodejs.org, or use the .deb or tar.gz of Kashbox, which contain one',
  );
  process.exit(1);
}

/**
 * Node keeps compiled code: a daemon then starts with five sixths of the work. Not where others may write
 * (Node's own default is the folder for temporary files), and not for root, who may have a user's HOME.
 */
const { HOME, XDG_CACHE_HOME } = process.env;
const cache = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
if (cache && process.getuid?.() !== 0) module.enableCompileCache(join(cache, 'kashbox'));

const { execute, settings } = await import('../dist/program/oclif.js');

// With NODE_ENV=test (AVA sets it, and children inherit it) oclif would look for the TypeScript sources
// and transpile them; this entry always runs what was built.
settings.enableAutoTranspile = false;

await execute({ dir: import.meta.url });
