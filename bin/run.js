#!/usr/bin/env node
/**
 * The `kashbox` command: hands over to oclif and knows nothing else.
 * Only the parts of oclif that a run needs are loaded, because every command pays for this file.
 */
import { execute } from '@oclif/core/execute';
import { settings } from '@oclif/core/settings';

// With NODE_ENV=test (AVA sets it, and children inherit it) oclif would look for the TypeScript sources
// and transpile them; this entry always runs what was built.
settings.enableAutoTranspile = false;

await execute({ dir: import.meta.url });
