/**
 * The packages as `npm run package` builds them: twice the same bytes; the .deb installed, used, removed and
 * purged with the machine's own dpkg, and the tar.gz with its install.sh. Both on overlays that only these
 * processes see, so that nothing of it stays on the machine. Needs root on Debian.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/network/free-port.js';
import { type Machine, machineObstacle, openMachine } from '../helpers/programs/machine.js';
import {
  type Environment,
  ownerOf,
  root,
  runNode,
  runProgram,
  withinTime,
} from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const why = existsSync('/etc/debian_version') ? machineObstacle() : 'this is not Debian';
const onDebian = why === null ? test : test.skip;
const unless = why === null ? '' : ` (not run: ${why})`;

const owner = ownerOf(test);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const debian = process.arch === 'arm64' ? 'arm64' : 'amd64';
const EPOCH = '1767225600';

let built: Promise<string> | undefined;

/** @returns the folder of the packages, which all tests share */
async function packages(): Promise<string> {
  built ??= buildPackages();
  return built;
}

async function buildPackages(): Promise<string> {
  const folder = await temporaryFolder(owner);
  // npm reaches its registry as this user has set it up: proxies, certificates, its cache.
  const env = { ...(process.env as Environment), SOURCE_DATE_EPOCH: EPOCH };
  const { code, stdout, stderr } = await runNode(owner, [join(root, 'bin', 'package.js'), folder], env);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return folder;
}

test('the packages are for both processors, with checksums, and built twice they have the same bytes', async (t) => {
  const folder = await packages();
  const archives = ['x64', 'arm64'].map((architecture) => `kashbox-${version}-linux-${architecture}.tar.gz`);
  const debs = ['amd64', 'arm64'].map((architecture) => `kashbox_${version}_${architecture}.deb`);
  t.deepEqual(
    readdirSync(folder).sort(),
    ['SHA256SUMS', 'install.sh', `kashbox-${version}.cdx.json`, ...archives, ...debs].sort(),
  );
  t.is((await runProgram(t, 'sh', ['-c', 'cd "$0" && sha256sum --check SHA256SUMS', folder])).code, 0);
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  t.is(sums.trim().split('\n').length, 6);
  t.is(readFileSync(join(await buildPackages(), 'SHA256SUMS'), 'utf8'), sums);
});

test('the packages contain the Node of their processor, and nothing of the machine that built them', async (t) => {
  const folder = await packages();
  for (const [architecture, machine] of [
    ['x64', 'Advanced Micro Devices X86-64'],
    ['arm64', 'AArch64'],
  ] as const) {
    const to = await temporaryFolder(t);
    const archive = join(folder, `kashbox-${version}-linux-${architecture}.tar.gz`);
    t.is((await runProgram(t, 'tar', ['-xzf', archive, '-C', to])).code, 0);
    const program = join(to, `kashbox-${version}`, 'lib/kashbox');
    const { stdout } = await runProgram(t, 'readelf', ['-h', join(program, 'node/node')]);
    t.regex(stdout, new RegExp(`Machine: +${machine}`));
    const found = await runProgram(t, 'grep', ['-rlaF', '-e', root, '-e', folder, '-e', '_authToken', to]);
    t.like(found, { code: 1, stdout: '' });
    // npm's own names for where a package came from.
    t.like(await runProgram(t, 'grep', ['-rlE', '"_?resolved":', '--include=*.json', to]), { code: 1 });
  }
  const bill = readFileSync(join(folder, `kashbox-${version}.cdx.json`), 'utf8');
  t.regex(bill, /"cpe": "cpe:2\.3:a:nodejs:node\.js:\d+\.\d+\.\d+:/);
});

async function installs(t: ExecutionContext<unknown>, { run }: Machine, file: string): Promise<void> {
  const installed = await run('dpkg', '-i', file);
  t.is(installed.code, 0, installed.stderr);
  t.regex(installed.stdout, /sudo kashbox setup\n +sudo systemctl enable --now kashbox/);
  t.is((await run('stat', '-c', '%U %a', '/var/lib/kashbox')).stdout, 'kashbox 700\n');
  t.is((await run('stat', '-c', '%U %G %a', '/etc/default/kashbox')).stdout, 'root kashbox 640\n');
  const unit = '/usr/lib/systemd/system/kashbox.service';
  t.like(await run('systemd-analyze', 'verify', unit), { code: 0, stderr: '' });
  const security = await run('systemd-analyze', 'security', '--offline=true', '--threshold=25', unit);
  t.is(security.code, 0, security.stdout);
  t.is((await run('man', '--where', 'kashbox-payments')).code, 0);
  t.is((await run('bash', '-n', '/usr/share/bash-completion/completions/kashbox')).code, 0);
}

async function isOfTheUser(t: ExecutionContext<unknown>, { run }: Machine): Promise<void> {
  const nobody = ['setpriv', '--reuid', 'nobody', '--regid', 'nogroup', '--clear-groups', 'kashbox'];
  t.regex((await run(...nobody, '--version')).stdout, /^kashbox\/\d/);
  const refused = await run(...nobody, 'payments', 'list');
  t.is(refused.code, 4);
  t.regex(refused.stderr, /belongs to the user kashbox\nNext: .*: sudo kashbox payments …/);
  t.is((await run(...nobody, 'payments', 'lst')).code, 2, 'the program says what comes nearest');
  const sudo = ['env', 'SUDO_USER=rahim'];
  t.is((await run(...sudo, 'kashbox', 'merchants', 'create', '--name', 'Alo')).code, 0);
  const made = await run('kashbox', 'audit', 'list', '--action', 'merchant', '--json');
  t.is(JSON.parse(made.stdout)[0]?.who, 'cli:rahim', 'the audit names the person behind sudo');
  const owners = await run('find', '/var/lib/kashbox', '!', '-user', 'kashbox');
  t.deepEqual(owners, { code: 0, stdout: '', stderr: '' });
  t.is((await run('kashbox', 'doctor')).code, 0);
}

/** The home stands in a folder of root, and what was restored belongs to the daemon all the same. */
async function comesBack(t: ExecutionContext<unknown>, { run }: Machine): Promise<void> {
  t.is((await run('kashbox', 'backup', '/var/lib/kashbox/a.backup')).code, 0);
  t.is((await run('mv', '/var/lib/kashbox', '/var/lib/old')).code, 0);
  const restored = await run('kashbox', 'restore', '/var/lib/old/a.backup', '--yes');
  t.is(restored.code, 0, restored.stderr);
  t.regex((await run('kashbox', 'merchants', 'list')).stdout, /Alo/);
  t.is((await run('find', '/var/lib/kashbox', '!', '-user', 'kashbox')).stdout, '');
}

/** Settings of the file hold, and nothing in it is run. */
async function serves(t: ExecutionContext<unknown>, { run, start }: Machine): Promise<void> {
  const port = await freePort();
  const folder = await temporaryFolder(t);
  const settings = join(folder, 'settings');
  writeFileSync(
    settings,
    `# KASHBOX_PORT=1\n\nKASHBOX_PORT="${port}"\nKASHBOX_BASE_PATH='/pay'\ntouch ${folder}/a\nKASHBOX_BACKUP_FOLDER=$(touch ${folder}/b)`,
  );
  t.is((await run('cp', settings, '/etc/default/kashbox')).code, 0);
  const daemon = start(['kashbox', 'daemon', '--http-port', '0', '--json']);
  await daemon.printed(/"listening"/);
  const url = `https://127.0.0.1:${port}`;
  const trusting = ['curl', '-sS', '--cacert', '/var/lib/kashbox/tls/cert.pem'];
  t.is(JSON.parse((await run(...trusting, `${url}/readyz`)).stdout).status, true);
  t.is((await run(...trusting, '-o', '/dev/null', '-w', '%{http_code}', `${url}/pay/docs`)).stdout, '200');
  const users = await run('ps', '-o', 'user=', '-p', String(daemon.pid));
  t.is(users.stdout.trim(), 'kashbox', 'and no process of root beside it');
  t.false(existsSync(`${folder}/a`) || existsSync(`${folder}/b`));
  daemon.kill('SIGTERM');
  t.deepEqual(await withinTime(daemon), { code: 0, signal: null });
}

onDebian(
  `the package for Debian installs, serves as its own user, and leaves the payments when it goes${unless}`,
  async (t) => {
    const [machine, folder] = await Promise.all([openMachine(t), packages()]);
    const file = join(folder, `kashbox_${version}_${debian}.deb`);
    await installs(t, machine, file);
    await isOfTheUser(t, machine);
    await comesBack(t, machine);
    await serves(t, machine);
    const { run } = machine;
    t.is((await run('rm', '/etc/default/kashbox')).code, 0);
    t.is((await run('dpkg', '-i', file)).code, 0, 'who has removed the settings can still upgrade');
    t.is((await run('dpkg', '--force-confmiss', '-i', file)).code, 0, 'and has them back on demand');
    t.is((await run('dpkg', '-r', 'kashbox')).code, 0);
    t.is((await run('test', '-e', '/usr/lib/kashbox')).code, 1);
    const purged = await run('dpkg', '-P', 'kashbox');
    t.is(purged.code, 0, purged.stderr);
    t.regex(purged.stdout, /stay in \/var\/lib\/kashbox[\s\S]*sudo rm -r/);
    t.is((await run('test', '-e', '/etc/default/kashbox')).code, 1);
    t.is((await run('test', '-s', '/var/lib/kashbox/kashbox.db')).code, 0);
    t.false(
      existsSync('/var/lib/kashbox') && existsSync('/usr/lib/kashbox'),
      'nothing stays on this machine',
    );
  },
);

onDebian(
  `the tar.gz installs, serves as its own user, and leaves the payments when it goes${unless}`,
  async (t) => {
    const [machine, folder] = await Promise.all([openMachine(t), packages()]);
    const { run } = machine;
    const installed = await run('sh', join(folder, 'install.sh'));
    t.is(installed.code, 0, installed.stderr);
    t.regex(installed.stdout, /is installed in \/opt\/kashbox\/[\s\S]* sudo kashbox setup\n/);
    t.is((await run('stat', '-c', '%U %G', `/opt/kashbox/${version}/bin/kashbox`)).stdout, 'root root\n');
    t.is((await run('man', '--where', 'kashbox-payments')).code, 0);
    const demo = await run('kashbox', 'demo', '--once', '--port', '0');
    t.is(demo.code, 0, demo.stdout + demo.stderr);
    await isOfTheUser(t, machine);
    await comesBack(t, machine);
    await serves(t, machine);
    t.is((await run('/opt/kashbox/current/install.sh', '--uninstall')).code, 0);
    t.is((await run('test', '-e', '/opt/kashbox')).code, 1);
    t.is((await run('test', '-s', '/var/lib/kashbox/kashbox.db')).code, 0);
  },
);
