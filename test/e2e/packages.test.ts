/**
 * The archive as it is built, with the Node that runs this test in place of the downloaded one: its files,
 * the same bytes twice, and a program that needs no other.
 */
import { cpSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { packaging, put, putNode } from '../helpers/programs/packages.js';
import { ownerOf, runProgram, startProgram, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const TIME = 1767225600;
const owner = ownerOf(test);

/** Built once: npm packs for some seconds. @returns the folder in which it is unpacked, and its archives */
async function buildArchives() {
  const stage = await temporaryFolder(owner);
  const { makeTree, addNode, makeArchive } = await packaging();
  const tree = join(stage, 'tree');
  makeTree(tree);
  addNode(tree, putNode(join(stage, 'node')));
  // Another machine: its files have other times and modes, and come in another order.
  const other = join(stage, 'other');
  for (const name of readdirSync(tree).reverse())
    cpSync(join(tree, name), join(other, name), { recursive: true });
  utimesSync(join(other, 'bin/kashbox'), 1, 1);
  await runProgram(owner, 'chmod', ['-R', 'go=', other]);
  const archives = [tree, other].map((from, at) => {
    const folder = join(stage, `archive-${at}`);
    put(join(folder, 'x'), '');
    return join(folder, makeArchive(from, process.arch, TIME, folder));
  });
  const unpacked = join(stage, 'unpacked');
  put(join(unpacked, 'x'), '');
  await runProgram(owner, 'tar', ['-xzf', archives[0] ?? '', '-C', unpacked]);
  return { archives, release: join(unpacked, `kashbox-${version}`) };
}

let built: ReturnType<typeof buildArchives> | undefined;
const archive = () => {
  built ??= buildArchives();
  return built;
};

test('an archive has the same bytes, whatever the times, modes and order of the files it is made of', async (t) => {
  const [first = '', second = ''] = (await archive()).archives;
  t.true(readFileSync(first).equals(readFileSync(second)));
  const { stdout } = await runProgram(t, 'tar', ['--utc', '-tvzf', first]);
  const lines = stdout.trim().split('\n');
  t.true(lines.length > 400);
  t.deepEqual(
    lines.filter((line) => !/^[-dl]rwx?[-rwx]+ root\/root +\d+ 2026-01-01 00:00 kashbox-/.test(line)),
    [],
  );
});

test('an archive contains program, agent, documents, licences, unit, manual pages and completion', async (t) => {
  const { release } = await archive();
  t.deepEqual(readdirSync(release).sort(), [
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'docs', 'etc', 'install.sh', 'lib'],
    ...['release', 'share'],
  ]);
  t.is(readFileSync(join(release, 'release'), 'utf8'), `VERSION=${version}\nARCHITECTURE=${process.arch}\n`);
  for (const path of [
    'docs/install.md',
    'etc/default/kashbox',
    'lib/kashbox/dist/program/licenses.txt',
    'lib/kashbox/dist/relay/kashbox-relay.mjs',
    'lib/kashbox/node/LICENSE',
    'lib/kashbox/node_modules/@expo-google-fonts/noto-sans-bengali/LICENSE_FONT',
    'lib/kashbox/node_modules/@resvg/resvg-wasm/index_bg.wasm',
    'lib/kashbox/node_modules/harfbuzzjs/dist/harfbuzz.wasm',
    'lib/kashbox/node_modules/zxing-wasm/package.json',
    'lib/systemd/system/kashbox.service',
    'share/bash-completion/completions/kashbox',
    'share/fish/vendor_completions.d/kashbox.fish',
    'share/man/man1/kashbox-payments.1.gz',
    'share/zsh/site-functions/_kashbox',
  ])
    t.true(readFileSync(join(release, path)).length > 10, path);
  const bill = JSON.parse(readFileSync(join(release, 'lib/kashbox/dist/program/sbom.cdx.json'), 'utf8')) as {
    components: { name: string; version: string }[];
  };
  t.like(bill.components.at(-1), { name: 'node', version: process.versions.node });
});

test('the program of an archive runs through links and with nothing but dirname and readlink in PATH', async (t) => {
  const { release } = await archive();
  const folder = await temporaryFolder(t);
  const programs = join(folder, 'programs');
  put(join(programs, 'x'), '');
  const { stdout: found } = await runProgram(t, 'sh', ['-c', 'command -v dirname; command -v readlink']);
  for (const path of found.trim().split('\n'))
    symlinkSync(path, join(programs, path.split('/').at(-1) ?? ''));
  symlinkSync(join(release, 'bin', 'kashbox'), join(folder, 'absolute'));
  symlinkSync('absolute', join(folder, 'relative'));
  const env = { PATH: programs, HOME: folder };
  for (const command of [
    join(release, 'bin', 'kashbox'),
    join(folder, 'absolute'),
    join(folder, 'relative'),
  ]) {
    const { code, stdout, stderr } = await runProgram(t, command, ['--version'], env);
    t.deepEqual({ code, stderr }, { code: 0, stderr: '' }, command);
    t.regex(stdout, new RegExp(`^kashbox/${version} linux-`));
  }
  const daemon = startProgram(
    t,
    join(folder, 'relative'),
    ['daemon', '--port=0', '--http-port=0', '--json'],
    env,
  );
  await daemon.printed(/"listening"/);
  daemon.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon), { code: 0, signal: null });
});

test('install.sh installs an archive that is next to it, and the command runs', async (t) => {
  const { archives, release } = await archive();
  const folder = await temporaryFolder(t);
  cpSync(archives[0] ?? '', join(folder, `kashbox-${version}-linux-${process.arch}.tar.gz`));
  cpSync(join(release, 'install.sh'), join(folder, 'install.sh'));
  const prefix = join(folder, 'kash');
  const installed = await runProgram(t, join(folder, 'install.sh'), ['--prefix', prefix]);
  t.like(installed, { code: 0, stderr: '' });
  const { stdout } = await runProgram(t, join(prefix, 'bin', 'kashbox'), ['--version'], { HOME: folder });
  t.regex(stdout, new RegExp(`^kashbox/${version} linux-`));
});
