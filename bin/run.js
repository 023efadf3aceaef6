#!/usr/bin/env node
/**
 * The `kashbox` command: hands over to oclif and knows nothing else. It loads only the parts of oclif that a
 * run needs, because every command starts with this file.
 */
import { execute, settings } from '../dist/program/oclif.js';

// With NODE_ENV=test (AVA sets it, and children inherit it) oclif would look for the TypeScript sources
// and transpile them; this entry always runs what was built.
settings.enableAutoTranspile = false;

await execute({ dir: import.meta.url });
