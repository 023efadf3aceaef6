/**
 * The package for Debian: built, installed, used, removed and purged with the machine's own dpkg, on overlays
 * that only these processes see, so that nothing of it stays on the machine. Needs root on Debian.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/network/free-port.js';
import { root, startProgram, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

/** Covers what packages change, then says so and stays. */
const COVER = `
mount -t tmpfs tmpfs "$0" || exit 1
for folder in usr etc var; do
  mkdir "$0/$folder" "$0/$folder.work"
  mount -t overlay -o "lowerdir=/$folder,upperdir=$0/$folder,workdir=$0/$folder.work" overlay "/$folder" || exit 1
done
echo covered
exec cat`;
const enter = (folder: string) => ['--mount', '--propagation', 'private', 'sh', '-c', COVER, folder];

/** @returns why it cannot be tried here, or null. */
function obstacle(): string | null {
  if (process.getuid?.() !== 0) return 'only root can install packages';
  if (!existsSync('/etc/debian_version')) return 'this is not Debian';
  if (spawnSync('dpkg', ['-s', 'nodejs']).status !== 0) return 'this Node is not a package of Debian';
  const installed = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' }).stdout;
  if (installed?.trim() !== process.version) return 'another Node than that of the tests is installed';
  return spawnSync('unshare', enter('/mnt')).status === 0 ? null : 'no overlay can be mounted';
}

const why = obstacle();
const onDebian = why === null ? test : test.skip;
const unless = why === null ? '' : ` (not run: ${why})`;

/** A machine of its own: what is installed there is nowhere else. */
async function openMachine(t: ExecutionContext<unknown>) {
  const folder = await temporaryFolder(t);
  const cover = startProgram(t, 'unshare', enter(folder));
  await cover.printed(/^covered$/m);
  const inside = (words: readonly string[]) => ['--mount', '--target', String(cover.pid), '--', ...words];
  const start = (...words: readonly string[]) =>
    startProgram(t, 'nsenter', inside(words), { HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' });
  return {
    start,
    run: async (...words: readonly string[]) => {
      const program = start(...words);
      const { code } = await withinTime(program);
      return { code, stdout: program.stdout(), stderr: program.stderr() };
    },
  };
}

async function buildPackage(t: ExecutionContext<unknown>): Promise<string> {
  const folder = await temporaryFolder(t);
  const built = startProgram(t, process.execPath, [join(root, 'bin', 'deb.js'), folder], { HOME: folder });
  const { code } = await withinTime(built);
  t.is(code, 0, built.stderr());
  return built.stdout().trim();
}

type Machine = Awaited<ReturnType<typeof openMachine>>;

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
  const daemon = start('kashbox', 'daemon', '--http-port', '0', '--json');
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
    const [machine, file] = await Promise.all([openMachine(t), buildPackage(t)]);
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
