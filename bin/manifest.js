/**
 * Writes oclif.manifest.json, the list of commands with their flags, so that starting one command does not
 * load all of them. Run by the build; throws when a command cannot be loaded.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Plugin, settings } from '@oclif/core';

settings.enableAutoTranspile = false;
const root = fileURLToPath(new URL('..', import.meta.url));

const plugin = new Plugin({
  root,
  isRoot: true,
  ignoreManifest: true,
  errorOnManifestCreate: true,
  // Defaults that depend on the machine (a home folder) must not be frozen into the file.
  respectNoCacheDefault: true,
});
await plugin.load();
// In a fixed order: oclif's is the one in which commands happened to load, and packages must be reproducible.
const commands = Object.entries(plugin.manifest.commands).sort(([one], [other]) => (one < other ? -1 : 1));
const manifest = { ...plugin.manifest, commands: Object.fromEntries(commands) };
await writeFile(`${root}/oclif.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
