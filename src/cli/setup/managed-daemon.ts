/** The daemon as a service of systemd: its unit, and how it is put in place. */
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import type { Core } from '../../actions/core/core.js';
import { KashboxError } from '../../base/errors/errors.js';
import { EVERY_ADDRESS } from '../input/daemon-address.js';
import { ChildProcesses, parseReadyLine } from '../programs/child-processes.js';

const NAME = 'kashbox.service';
const UNITS_OF_MACHINE = ['/usr/lib/systemd/system', '/lib/systemd/system', '/etc/systemd/system'];

interface Service {
  /** Path of the home folder. */
  readonly home: string;
  /** Address to listen on; undefined for what the settings say. */
  readonly host: string | undefined;
  /** True for a system unit, which only root can create; false for a user unit. */
  readonly isOfMachine: boolean;
}

/** A word of a unit: specifiers begin with %, variables with $. */
function word(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w./:@+,=%$-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
}

/** @returns the Node in the package of this program, by a path that an upgrade keeps; or else this Node. */
function nodeOf(script: string): string {
  const packaged = join(dirname(script), '..', 'node', 'node');
  return existsSync(packaged) ? packaged : process.execPath;
}

/** @returns the text of the unit, which runs this very program. */
export function serviceUnit({ home, host, isOfMachine }: Service): string {
  const [, script = ''] = process.argv;
  const command = [nodeOf(script), script, 'daemon'];
  const listen = host === undefined ? [] : ['--host', host];
  const ofMachine = [
    'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
    'ProtectSystem=strict',
    `ReadWritePaths=${word(home)}`,
    'PrivateTmp=yes',
  ];
  return [
    '[Unit]',
    'Description=Kashbox payment gateway',
    'After=network-online.target',
    'Wants=network-online.target',
    '',
    '[Service]',
    // A small program of systemd tells of the daemon, not the daemon itself (daemon/service-manager).
    'Type=notify',
    'NotifyAccess=all',
    `Environment=${word(`KASHBOX_HOME=${home}`)}`,
    `ExecStart=${[...command, ...listen].map(word).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    'Restart=on-failure',
    'RestartSec=2',
    // A first start after an upgrade may rebuild large tables.
    'TimeoutStartSec=15min',
    // Requests under way have 10 s.
    'TimeoutStopSec=30',
    'WatchdogSec=60',
    'LimitNOFILE=65536',
    'NoNewPrivileges=yes',
    ...(isOfMachine ? ofMachine : []),
    '',
    '[Install]',
    `WantedBy=${isOfMachine ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

/** @throws KashboxError `already_exists`, `state_refused` */
export function writeUnit(file: string, service: Service): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, serviceUnit(service), { flag: 'wx', mode: 0o644 });
  } catch (cause) {
    const isThere = existsSync(file);
    throw new KashboxError(isThere ? 'already_exists' : 'state_refused', {
      message: isThere ? `${file} already exists` : `${file} cannot be written`,
      hint: 'Name another file.',
      cause,
    });
  }
}

/** True if a service can be installed: systemd runs on this machine, and no unit of that name exists. */
export function canInstall(): boolean {
  return existsSync('/run/systemd/system') && !hasUnitOfMachine() && !existsSync(unitFile(false));
}

/** True if a system unit of that name exists, such as the one of the Debian package. */
function hasUnitOfMachine(): boolean {
  return UNITS_OF_MACHINE.some((folder) => existsSync(join(folder, NAME)));
}

/** @returns what starts the daemon, for people. @param host undefined for what the settings say. */
export function daemonCommand(host: string | undefined): string {
  const start = 'sudo systemctl enable --now kashbox';
  if (host === undefined) return hasUnitOfMachine() ? start : 'kashbox daemon';
  return hasUnitOfMachine()
    ? `KASHBOX_HOST=${host} in /etc/default/kashbox, then ${start}`
    : `kashbox daemon --host ${host}`;
}

function unitFile(isOfMachine: boolean): string {
  return isOfMachine
    ? join('/etc/systemd/system', NAME)
    : join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'systemd/user', NAME);
}

/** Commands that start the unit now and at each boot. */
export function startLines(isOfMachine: boolean): string[] {
  const systemctl = isOfMachine ? 'systemctl' : 'systemctl --user';
  const lines = [`${systemctl} daemon-reload`, `${systemctl} enable --now kashbox`];
  // Without it a user's services end with the last session.
  return isOfMachine ? lines : [...lines, 'loginctl enable-linger'];
}

/** Writes the unit, starts it. @returns the file. @throws KashboxError `already_exists`, `state_refused` */
export function installService(service: Service): string {
  const file = unitFile(service.isOfMachine);
  writeUnit(file, service);
  for (const line of startLines(service.isOfMachine)) {
    const [program = '', ...args] = line.split(' ');
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
    if (status === 0) continue;
    throw new KashboxError('state_refused', {
      message: `"${line}" failed: ${(error?.message ?? stderr).trim()}`,
      hint: `The unit is ${file}. Start it yourself: ${startLines(service.isOfMachine).join('; ')}`,
    });
  }
  return file;
}

/** Restarts a service that is installed, with changed settings. @returns false if there is none */
export function restartService(isOfMachine: boolean): boolean {
  if (isOfMachine ? !hasUnitOfMachine() : !existsSync(unitFile(false))) return false;
  const scope = isOfMachine ? [] : ['--user'];
  return spawnSync('systemctl', [...scope, 'restart', NAME], { stdio: 'ignore' }).status === 0;
}

const ASK_MS = 2_000;

/** @returns the certificate fingerprint of the server on our port; null if there is none. */
function listener({ settings }: Core): Promise<string | null> {
  const { host, port } = settings;
  return new Promise((resolve) => {
    const asked = get({
      host: EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host,
      port,
      path: '/healthz',
      // It is only asked whether it is the one that we know.
      rejectUnauthorized: false,
      timeout: ASK_MS,
      agent: false,
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', () => resolve(null));
    asked.once('response', (answer) => {
      const { fingerprint256 } = (answer.socket as TLSSocket).getPeerCertificate();
      answer.destroy();
      resolve(fingerprint256);
    });
  });
}

/** @returns null if there is no certificate file; then any server on the port is taken for the daemon. */
function knownFingerprint({ settings, home }: Core): string | null {
  const file = settings.tlsCert === '' ? join(home.tlsFolder, 'cert.pem') : settings.tlsCert;
  return existsSync(file) ? new X509Certificate(readFileSync(file)).fingerprint256 : null;
}

export async function isServing(core: Core): Promise<boolean> {
  const known = knownFingerprint(core);
  const found = await listener(core);
  return found !== null && (known === null || found === known);
}

export interface ManagedDaemon {
  stop(): Promise<void>;
}

/**
 * @param env of the installation.
 * @param host address to listen on; undefined for what the settings say.
 * @returns it, once it listens; it ends with this process at the latest.
 * @throws KashboxError with its last words if it does not start
 */
export async function startManagedDaemon(
  core: Core,
  env: NodeJS.ProcessEnv,
  host: string | undefined,
): Promise<ManagedDaemon> {
  const children = new ChildProcesses(() => {});
  const args = ['daemon', ...(host === undefined ? [] : ['--host', host]), '--json'];
  const program = { name: 'the daemon', script: process.argv[1] ?? '', args, env };
  const kill = () => children.kill();
  process.once('exit', kill);
  try {
    await children.start(program, join(core.home.folder, 'daemon.log'), parseReadyLine);
  } catch (error) {
    await children.stop();
    process.off('exit', kill);
    throw error;
  }
  return {
    stop: async () => {
      await children.stop();
      process.off('exit', kill);
    },
  };
}
