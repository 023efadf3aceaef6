/**
 * What `npm run soak` runs: failovers of PostgreSQL under load, one after the other. Each kills the primary,
 * promotes its standby, and gives that one a new standby. 200 take six minutes and more; `npm run soak -- 20`
 * runs 20.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from '../bin/child.js';
import { installTools } from './tools.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const [wanted = '200'] = process.argv.slice(2);
if (!/^[1-9]\d{0,4}$/.test(wanted)) {
  console.error(`Usage: npm run soak [-- FAILOVERS], such as npm run soak -- 20; this is ${wanted}`);
  process.exit(2);
}
await installTools();
const ava = join(root, 'node_modules', 'ava', 'entrypoints', 'cli.mjs');
const args = ['--match=failovers to a synchronous*', 'dist/test/store/failover.test.js'];
const env = { ...process.env, KASHBOX_SOAK_FAILOVERS: wanted };
process.exitCode = await runChild(process.execPath, [ava, ...args], { cwd: root, env });
