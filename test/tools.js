/**
 * The programs beside Node that the tests use, found or installed: as root on Debian with apt-get, elsewhere
 * it is said plainly what is missing, and the tests that need it fail.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runChild } from '../bin/child.js';

const onPath = (...names) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => names.some((name) => existsSync(join(folder, name))));

/** The library lies in the folder of the machine's architecture. */
const hasFaketime = () =>
  existsSync('/usr/lib') && readdirSync('/usr/lib').some((name) => existsSync(`/usr/lib/${name}/faketime`));

/** The folder of the extensions has the number of PHP's interface. */
const PHP_EXTENSIONS = '/usr/lib/php';
const hasPhpWithCurl = () =>
  onPath('php') &&
  (!existsSync(PHP_EXTENSIONS) ||
    readdirSync(PHP_EXTENSIONS).some((name) => existsSync(`${PHP_EXTENSIONS}/${name}/curl.so`)));

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const hasPostgres = () =>
  onPath('initdb') || (existsSync(DEBIAN_POSTGRES) && readdirSync(DEBIAN_POSTGRES).length > 0);

function tools() {
  return [
    { name: 'PostgreSQL', packages: ['postgresql'], isThere: hasPostgres },
    { name: 'a C compiler', packages: ['gcc', 'libc6-dev'], isThere: () => onPath('cc', 'gcc', 'clang') },
    { name: 'OpenSSL', packages: ['openssl'], isThere: () => onPath('openssl') },
    { name: 'the ip command', packages: ['iproute2'], isThere: () => onPath('ip') },
    { name: 'PHP with its extension curl', packages: ['php-cli', 'php-curl'], isThere: hasPhpWithCurl },
    { name: 'zip', packages: ['zip'], isThere: () => onPath('zip') },
    { name: 'Python', packages: ['python3'], isThere: () => onPath('python3') },
    { name: 'curl', packages: ['curl'], isThere: () => onPath('curl') },
    { name: 'systemd-notify', packages: ['systemd'], isThere: () => onPath('systemd-notify') },
    { name: 'man', packages: ['man-db', 'groff-base'], isThere: () => onPath('man') },
    { name: 'tmux', packages: ['tmux'], isThere: () => onPath('tmux') },
    { name: 'age', packages: ['age'], isThere: () => onPath('age') },
    { name: 'sqlite3', packages: ['sqlite3'], isThere: () => onPath('sqlite3') },
    {
      name: 'ModemManager, with dbus-daemon and dbus-monitor',
      packages: ['modemmanager', 'dbus'],
      isThere: () => ['mmcli', 'dbus-daemon', 'dbus-monitor', 'busctl'].every((program) => onPath(program)),
    },
    { name: 'gammu-smsd', packages: ['gammu-smsd'], isThere: () => onPath('gammu-smsd') },
    {
      name: 'pebble, with pebble-challtestsrv',
      packages: ['pebble'],
      isThere: () => onPath('pebble') && onPath('pebble-challtestsrv'),
    },
    { name: 'zbarimg', packages: ['zbar-tools'], isThere: () => onPath('zbarimg') },
    { name: 'socat', packages: ['socat'], isThere: () => onPath('socat') },
    { name: 'libfaketime', packages: ['libfaketime'], isThere: hasFaketime },
    { name: 'Chromium', packages: ['chromium'], isThere: () => existsSync('/usr/bin/chromium') },
    {
      name: 'a font with Bengali letters',
      packages: ['fonts-noto-core'],
      isThere: () => existsSync('/usr/share/fonts/truetype/noto/NotoSansBengali-Regular.ttf'),
    },
  ];
}

let installing;

/** Installs what is missing where that is allowed, once for all who ask. */
export function installTools() {
  installing ??= installMissing();
  return installing;
}

async function installMissing() {
  const missing = tools().filter((tool) => !tool.isThere());
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages);
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath('apt-get')) {
    console.log(`Installing for the tests: apt-get install ${packages.join(' ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runChild('apt-get', ['update', '-q'], { env });
    await runChild('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], { env });
  }
  for (const tool of missing.filter((item) => !item.isThere())) {
    console.log(`The tests need ${tool.name} (Debian: apt-get install ${tool.packages.join(' ')}).`);
  }
}
