/**
 * install.sh with small releases: into a folder as any user, and as root on a machine of its own. What it
 * refuses is simulated by programs at the front of PATH.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type Machine, machineObstacle, openMachine } from '../helpers/programs/machine.js';
import { put, putPrograms, putRelease } from '../helpers/programs/packages.js';
import { runProgram } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

test('install.sh --prefix installs, upgrades, goes back and uninstalls the program only', async (t) => {
  const folder = await temporaryFolder(t);
  const prefix = join(folder, 'a b', 'kash');
  const install = (script: string, ...words: string[]) =>
    runProgram(t, 'sh', [join(script, 'install.sh'), '--prefix', prefix, ...words]);
  const says = async () => (await runProgram(t, join(prefix, 'bin/kashbox'), ['payments', 'list'])).stdout;
  const [old, next] = [putRelease(folder, '0.1.0'), putRelease(folder, '0.2.0')];

  const first = await install(old);
  t.like(first, { code: 0, stderr: '' });
  t.is(
    first.stdout,
    `Kashbox 0.1.0 is installed in ${prefix}/0.1.0. Set up your shop: ${prefix}/bin/kashbox setup\n`,
  );
  t.is(await says(), `0.1.0: ${prefix}/current/lib/kashbox/bin/run.js payments list\n`);
  t.deepEqual(readdirSync(prefix).sort(), ['0.1.0', 'bin', 'current']);

  const upgraded = await install(next);
  t.is(upgraded.code, 0, upgraded.stderr);
  t.regex(upgraded.stdout, /^Kashbox 0\.2\.0 replaces 0\.1\.0\./);
  const [, back = ''] = /To go back, run (.*?), and restore/.exec(upgraded.stdout) ?? [];
  t.is(back, `${prefix}/0.1.0/install.sh --prefix ${prefix}`);
  t.regex(await says(), /^0\.2\.0: /);

  t.is((await install(join(prefix, '0.1.0'))).code, 0);
  t.is(readlinkSync(join(prefix, 'current')), '0.1.0');
  t.regex(await says(), /^0\.1\.0: /);

  put(join(prefix, 'jdk-21', 'release'), 'JAVA_VERSION="21"\n');
  const gone = await install(old, '--uninstall');
  t.like(gone, { code: 0, stdout: `Kashbox is removed from ${prefix}.\n`, stderr: '' });
  t.deepEqual(readdirSync(prefix), ['jdk-21'], 'only what it has installed');
  t.like(await install(old, '--uninstall'), {
    code: 1,
    stderr: `Error: Kashbox is not installed in ${prefix}.\n`,
  });
});

test('install.sh takes a folder as it is typed, and the same version again', async (t) => {
  const folder = await temporaryFolder(t);
  putRelease(folder, '0.1.0');
  for (const prefix of ['deep/../kash', './kash/', 'kash', `${folder}/kash`]) {
    const line = 'cd "$0" && mkdir -p deep && kashbox-0.1.0/install.sh --prefix="$1"';
    t.like(await runProgram(t, 'sh', ['-c', line, folder, prefix]), { code: 0, stderr: '' }, prefix);
  }
  t.deepEqual(readdirSync(join(folder, 'kash')).sort(), ['0.1.0', 'bin', 'current']);
});

test('install.sh unpacks the archive of this processor that is next to it, if its checksum is right', async (t) => {
  const folder = await temporaryFolder(t);
  const release = putRelease(join(folder, 'made'), '0.1.0');
  const archive = `kashbox-0.1.0-linux-${process.arch}.tar.gz`;
  await runProgram(t, 'cp', [join(release, 'install.sh'), folder]);
  const install = () => runProgram(t, join(folder, 'install.sh'), ['--prefix', join(folder, 'kash')]);
  t.regex((await install()).stderr, /^Error: There is no kashbox-VERSION-linux-\w+\.tar\.gz in /);
  await runProgram(t, 'tar', ['-czf', join(folder, archive), '-C', join(folder, 'made'), 'kashbox-0.1.0']);
  put(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  ${archive}\n`);
  t.regex((await install()).stderr, /^Error: \S+ is damaged: its checksum is not in SHA256SUMS\..*\n$/);
  t.deepEqual(readdirSync(join(folder, 'kash')), [], 'nothing stays of it');
  const { stdout } = await runProgram(t, 'sha256sum', [join(folder, archive)]);
  put(join(folder, 'SHA256SUMS'), stdout.replace(`${folder}/`, ''));
  t.like(await install(), { code: 0, stderr: '' });
  t.is(readlinkSync(join(folder, 'kash/current')), '0.1.0');
  await runProgram(t, 'cp', [join(folder, archive), join(folder, archive.replace('0.1.0', '0.2.0'))]);
  t.regex((await install()).stderr, /^Error: There are several versions in /);
});

const NO_NODE = 'echo "node: not found" >&2; exit 127';
const refusals: Readonly<
  Record<string, { programs: Record<string, string>; node?: string; says: RegExp; root?: true }>
> = {
  'somebody else than root': {
    programs: { id: 'echo 1000' },
    root: true,
    says: /^Error: Only root can install the service\. Type it with sudo, or .*--prefix/,
  },
  'an unknown processor': {
    programs: { uname: 'if [ "$1" = -m ]; then echo armv7l; else echo Linux; fi' },
    says: /^Error: Kashbox needs Linux on a 64-bit processor .* This is Linux on armv7l\.$/m,
  },
  'the other processor': {
    programs: {
      uname: `if [ "$1" = -m ]; then echo ${machine === 'x86_64' ? 'aarch64' : 'x86_64'}; else echo Linux; fi`,
    },
    says: /^Error: This package is for \w+, and this machine is \w+\. Take kashbox-0\.1\.0-linux-\w+\.tar\.gz\.$/m,
  },
  'a full disk': {
    programs: { df: 'echo Filesystem; echo "/dev/sda1 1000000 900000 40960 90% /"' },
    says: /^Error: \S+ has 40 MB free, and Kashbox needs 200 MB\./,
  },
  musl: {
    programs: { ldd: 'echo "musl libc (x86_64)" >&2; exit 1' },
    node: NO_NODE,
    says: /^Error: This system has musl, like Alpine, and Kashbox needs glibc 2\.28 or newer\. Use Debian/,
  },
  'an old glibc': {
    programs: { ldd: 'echo "ldd (GNU libc) 2.17"', getconf: 'echo glibc 2.17' },
    node: NO_NODE,
    says: /^Error: This system has glibc 2\.17, and Kashbox needs glibc 2\.28 or newer\. Upgrade it/,
  },
  'a system without libstdc++': {
    programs: { ldd: 'echo "ldd (GNU libc) 2.36"', getconf: 'echo glibc 2.36' },
    node: 'echo "error while loading shared libraries: libstdc++.so.6: cannot open" >&2; exit 127',
    says: /^Error: The library libstdc\+\+\.so\.6 is missing\. Install it/,
  },
  'a Node that fails for another reason': {
    programs: {},
    node: 'echo "Permission denied" >&2; exit 126',
    says: /^Error: The program does not run on this system: Permission denied$/m,
  },
};
for (const [name, { programs, node, root, says }] of Object.entries(refusals)) {
  test(`install.sh refuses ${name} in one sentence, and leaves nothing`, async (t) => {
    const folder = await temporaryFolder(t);
    const PATH = `${putPrograms(join(folder, 'bin'), programs)}:${process.env.PATH}`;
    const release = putRelease(folder, '0.1.0', node);
    const prefix = join(folder, 'kash');
    const words = root ? [] : ['--prefix', prefix];
    const ran = await runProgram(t, 'sh', [join(release, 'install.sh'), ...words], { PATH });
    t.is(ran.code, 1);
    t.is(ran.stdout, '');
    t.regex(ran.stderr, says);
    t.is(ran.stderr.split('\n').length, 2, ran.stderr);
    if (!root) t.deepEqual(readdirSync(prefix), []);
  });
}

test('install.sh never replaces a command that it has not installed', async (t) => {
  const folder = await temporaryFolder(t);
  const release = putRelease(folder, '0.1.0');
  put(join(folder, 'kash/bin/kashbox'), 'another');
  const ran = await runProgram(t, 'sh', [join(release, 'install.sh'), '--prefix', join(folder, 'kash')]);
  t.is(ran.code, 1);
  t.regex(ran.stderr, /kash\/bin\/kashbox is another program\. If it is the npm package, remove it first/);
  t.is(readFileSync(join(folder, 'kash/bin/kashbox'), 'utf8'), 'another');
});

const why = machineObstacle();
const asRoot = why === null ? test : test.skip;
const unless = why === null ? '' : ` (not run: ${why})`;

/** A release that is installed with fakes at the front of PATH. */
async function installOn({ run }: Machine, release: string, PATH: string, ...words: string[]) {
  return run('env', `PATH=${PATH}`, 'sh', join(release, 'install.sh'), ...words);
}

asRoot(
  `install.sh makes user, home, settings and links, and says how the daemon is started${unless}`,
  async (t) => {
    const on = await openMachine(t);
    const { run } = on;
    const folder = await temporaryFolder(t);
    const PATH = process.env.PATH ?? '';
    const node = `echo "$(id -un) $(sed -n 's/^CapAmb:.//p' /proc/self/status) $3"`;
    const first = await installOn(on, putRelease(folder, '0.1.0', node), PATH);
    t.is(first.code, 0, first.stderr);
    t.regex(first.stdout, /\n {2}sudo kashbox setup\n {2}sudo kashbox daemon\nThere is no systemd here/);
    t.is((await run('stat', '-c', '%U %a', '/var/lib/kashbox')).stdout, 'kashbox 700\n');
    t.is((await run('stat', '-c', '%U %G %a', '/etc/default/kashbox')).stdout, 'root kashbox 640\n');
    const settings = (await run('cat', '/etc/default/kashbox')).stdout;
    t.regex(settings, / \/opt\/kashbox\/current\/docs\/configuration\.md\. /);
    t.regex((await run('getent', 'passwd', 'kashbox')).stdout, /:\/var\/lib\/kashbox:\S*nologin\n$/);
    const link = '/usr/local/share/man/man1/kashbox-0.1.0.1.gz';
    t.is((await run('test', '-e', link)).code, 0);

    // As the user of the daemon; the daemon may open ports below 1024.
    t.is((await run('/usr/local/bin/kashbox', 'payments', 'list')).stdout, 'kashbox 0000000000000000 list\n');
    t.is((await run('/usr/local/bin/kashbox', 'daemon')).stdout, 'kashbox 0000000000000400 \n');

    t.is(
      (await run('sh', '-c', 'echo KASHBOX_PORT=1 > /etc/default/kashbox; echo 1 > /var/lib/kashbox/a')).code,
      0,
    );
    const upgraded = await installOn(on, putRelease(folder, '0.2.0'), PATH);
    t.is(upgraded.code, 0, upgraded.stderr);
    t.regex(upgraded.stdout, /To go back, run sudo \/opt\/kashbox\/0\.1\.0\/install\.sh, and restore/);
    t.is((await run('cat', '/etc/default/kashbox')).stdout, 'KASHBOX_PORT=1\n', 'settings are kept');
    t.is((await run('test', '-L', link)).code, 1, 'a page of the old version is gone');

    const gone = await run('/opt/kashbox/current/install.sh', '--uninstall');
    t.is(gone.code, 0, gone.stderr);
    t.regex(gone.stdout, /stay in \/var\/lib\/kashbox[\s\S]*sudo rm -r/);
    const left = 'ls -d /opt/kashbox /usr/local/bin/kashbox /usr/local/share/man/man1/kashbox* 2> /dev/null';
    t.is((await run('sh', '-c', left)).stdout, '');
    t.is((await run('cat', '/var/lib/kashbox/a', '/etc/default/kashbox')).stdout, '1\nKASHBOX_PORT=1\n');
  },
);

asRoot(
  `install.sh installs the unit where there is systemd, and restarts a running service${unless}`,
  async (t) => {
    const on = await openMachine(t);
    const { run } = on;
    const folder = await temporaryFolder(t);
    const calls = join(folder, 'calls');
    const fakes = putPrograms(join(folder, 'bin'), { systemctl: `echo "$*" >> ${calls}` });
    const PATH = `${fakes}:${process.env.PATH}`;
    t.is((await run('mkdir', '-p', '/run/systemd/system')).code, 0);
    const first = await installOn(on, putRelease(folder, '0.1.0'), PATH);
    t.is(first.code, 0, first.stderr);
    t.regex(first.stdout, /sudo kashbox setup\n {2}sudo systemctl enable --now kashbox\n$/);
    const unit = '/etc/systemd/system/kashbox.service';
    t.regex((await run('cat', unit)).stdout, /\nExecStart=\/opt\/kashbox\/current\/bin\/kashbox daemon\n/);
    t.like(await run('systemd-analyze', 'verify', unit), { code: 0, stderr: '' });
    t.is((await installOn(on, putRelease(folder, '0.2.0'), PATH)).code, 0);
    t.is(readFileSync(calls, 'utf8'), 'daemon-reload\ntry-restart kashbox.service\n'.repeat(2));

    // `setup --server` runs as the user of the daemon, who may not start the service.
    const setup = ['setup', '--server', '--domain', 'pay.example.com'];
    const prepared = await run('env', `PATH=${PATH}`, '/usr/local/bin/kashbox', ...setup);
    const line = `0.2.0: /opt/kashbox/current/lib/kashbox/bin/run.js ${setup.join(' ')}`;
    t.is(prepared.stdout, `${line} --only-settings\n${line}\n`);
    t.regex(readFileSync(calls, 'utf8'), /\n--quiet enable kashbox\.service\nrestart kashbox\.service\n$/);
    t.is((await installOn(on, '/opt/kashbox/current', PATH, '--uninstall')).code, 0);
    t.regex(readFileSync(calls, 'utf8'), /\ndisable --now kashbox\.service\ndaemon-reload\n$/);
    t.is((await run('test', '-e', unit)).code, 1);

    await run('sh', '-c', `echo ExecStart=/usr/bin/kashbox > ${unit}`);
    const refused = await installOn(on, join(folder, 'kashbox-0.1.0'), PATH);
    t.regex(refused.stderr, /kashbox\.service starts another program\. Move it away/);
  },
);
