/** What a run of `kashbox` needs of oclif; the build puts it in one file (bin/program-bundle.js). */
export { Config } from '@oclif/core/config';
export { execute } from '@oclif/core/execute';
export { run } from '@oclif/core/run';
export { settings } from '@oclif/core/settings';
