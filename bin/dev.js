#!/usr/bin/env node
/**
 * The `kashbox` command from its TypeScript sources, for development; needs no build. It registers tsx and
 * names the source folder itself, because oclif silently falls back to the old dist when it cannot load tsx.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execute, Plugin, settings } from '@oclif/core';
import { register } from 'tsx/esm/api';

register();
settings.enableAutoTranspile = false;

const root = fileURLToPath(new URL('..', import.meta.url));
const pjson = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
pjson.oclif.commands = './commands';
pjson.oclif.hooks = { command_not_found: './src/cli/command/command-not-found.ts' };
pjson.oclif.helpClass = './src/cli/command/help.ts';

// A manifest left by a build names the files in dist, and oclif would run those.
const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true });
await plugin.load();
await execute({ development: true, loadOptions: { root, pjson, plugins: [plugin] } });
