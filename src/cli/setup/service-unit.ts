/** The daemon as a service of systemd: its unit, and how it is put in place. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { KashboxError } from '../../base/errors/errors.js';

const NAME = 'kashbox.service';
const UNITS_OF_MACHINE = ['/usr/lib/systemd/system', '/lib/systemd/system', '/etc/systemd/system'];

export interface Service {
  /** Path of the home folder. */
  readonly home: string;
  /** Address to listen on; undefined for what the settings say. */
  readonly host: string | undefined;
  /** Whether it is one of the whole machine, which only root can make. */
  readonly isOfMachine: boolean;
}

/** A word of a unit: specifiers begin with %, variables with $. */
function word(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w./:@+,=%$-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
}

/** @returns the text of the unit, which runs this very program. */
export function serviceUnit({ home, host, isOfMachine }: Service): string {
  const command = [process.execPath, process.argv[1] ?? '', 'daemon'];
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
      message: isThere ? `${file} is there already` : `${file} cannot be written`,
      hint: 'Name another file.',
      cause,
    });
  }
}

/** Whether a service can be offered: systemd runs this machine, and has no unit of that name yet. */
export function canInstall(): boolean {
  return existsSync('/run/systemd/system') && !hasUnitOfMachine() && !existsSync(unitFile(false));
}

/** Whether the machine has a unit of that name, as the Debian package brings it. */
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

/** What starts the unit now and with the machine. */
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
