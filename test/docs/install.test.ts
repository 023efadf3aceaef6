/** The files of docs/install and of the package for Debian: they name what there is, and are well formed. */
import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { SETTINGS, variableOf } from '../../src/config/settings.js';
import { root } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const run = promisify(execFile);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const PLACES = ['docs/install', 'bin/deb'];
const files = PLACES.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));

/** Of the files themselves, and read elsewhere than among the settings. */
const OTHERS = ['KASHBOX_HOME', 'KASHBOX_CONTEXT', 'KASHBOX_DOMAIN', 'KASHBOX_UPSTREAM', 'KASHBOX_'];

test('every variable that they name is a setting', (t) => {
  const known = new Set([...Object.keys(SETTINGS).map(variableOf), ...OTHERS]);
  const pages = [...files, 'docs/install.md', 'docs/upgrade.md'];
  const named = pages.flatMap((path) => read(path).match(/KASHBOX_[A-Z_]*/g) ?? []);
  t.true(named.length > 20);
  t.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    [],
  );
});

test('the files that compose.yaml and the Dockerfile name are there', (t) => {
  const compose = read('docs/install/compose.yaml');
  const dockerfile = read('docs/install/Dockerfile');
  for (const path of ['docs/install/Dockerfile', 'docs/install/docker-kashbox']) {
    t.true(files.includes(path), path);
    t.true((compose + dockerfile).includes(path), path);
  }
  t.true(compose.includes('./Caddyfile:') && files.includes('docs/install/Caddyfile'));
  const [, address] = /KASHBOX_TRUST_PROXY: (\S+)/.exec(compose) ?? [];
  t.true(address !== undefined && compose.includes(`ipv4_address: ${address}\n`), 'Caddy is who is trusted');
});

test('the shell scripts among them can be read by sh', async (t) => {
  const scripts = files.filter((path) => read(path).startsWith('#!/bin/sh'));
  t.true(scripts.length >= 5);
  for (const path of scripts) await t.notThrowsAsync(run('sh', ['-n', join(root, path)]), path);
});

test('in the container the address of PostgreSQL comes from its secret, and words reach the program whole', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'node'), '#!/bin/sh\nprintf "%s|" "$KASHBOX_DATABASE_URL" "$@"\n');
  chmodSync(join(folder, 'node'), 0o755);
  const secret = join(folder, 'database_url');
  writeFileSync(secret, 'postgres://kashbox:a$b@db/kashbox\n');
  const script = read('docs/install/docker-kashbox').replace('/run/secrets/database_url', secret);
  const { stdout } = await run('sh', ['-c', script, 'kashbox', 'payments', 'create', 'a b'], {
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  t.regex(
    stdout,
    /^postgres:\/\/kashbox:a\$b@db\/kashbox\|\/usr\/local\/\S+run\.js\|payments\|create\|a b\|$/,
  );
});
