/** Plans the files and commands of an installation on a computer with GSM modems. Pure. */

import { basename } from 'node:path';
import { type ModemSpec, modemsText } from '../modems.js';
import { type Command, type InstallPlan, type PlannedFile, quote } from './plan.js';

export const SERVICE_USER = 'kashbox-relay';
export const SERVICE_HOME = '/var/lib/kashbox-relay';
export const SERVICE = 'kashbox-relay.service';

export const PATHS = {
  /** The agent's one file; a package stays where it is. */
  program: '/usr/local/lib/kashbox-relay/kashbox-relay.mjs',
  folder: '/usr/local/lib/kashbox-relay',
  launcher: '/usr/local/bin/kashbox-relay',
  unit: `/etc/systemd/system/${SERVICE}`,
  udev: '/etc/udev/rules.d/77-kashbox-relay.rules',
  polkit: '/etc/polkit-1/rules.d/77-kashbox-relay.rules',
} as const;

/** File mode readable by all users, because the service is not root. */
const READABLE = 0o644;
const RUNNABLE = 0o755;

export interface ComputerFacts {
  readonly node: string;
  /** Absolute path of the agent's program, which Node runs. */
  readonly program: string;
  /** The agent's one file, to be written there; null where it runs from a package. */
  readonly copy: PlannedFile | null;
  readonly modems: readonly ModemSpec[];
  /** Names below /dev/serial/by-id of devices that are named otherwise, by the name they were given. */
  readonly lastingNames: ReadonlyMap<string, string>;
  readonly hasUser: boolean;
  /** True if systemd is the init system that runs now. */
  readonly hasSystemd: boolean;
  readonly hasUdev: boolean;
  readonly hasModemManager: boolean;
  /** Existing udev rules file; null if there is none. */
  readonly udevNow: string | null;
}

const devicesOf = (modems: readonly ModemSpec[]): string[] =>
  modems.flatMap((spec) => (spec.program === 'gammu' ? [spec.device] : []));

export function modemPlan(facts: ComputerFacts): InstallPlan {
  const { copy, node, program, modems, lastingNames } = facts;
  const devices = devicesOf(modems).map((device) => lastingNames.get(device) ?? device);
  const rules = devices.length === 0 ? null : udevRules(devices);
  const unit = systemdUnit({ user: SERVICE_USER, home: SERVICE_HOME, node, program, modems });
  const usesManager = modems.some((spec) => spec.program === 'mm');
  const files: PlannedFile[] = [
    ...(copy === null ? [] : [copy]),
    { path: PATHS.launcher, text: launcher(facts), mode: RUNNABLE },
    ...(rules === null ? [] : [{ path: PATHS.udev, text: rules, mode: READABLE }]),
    ...(usesManager ? [{ path: PATHS.polkit, text: polkitRules(SERVICE_USER), mode: READABLE }] : []),
    { path: PATHS.unit, text: unit, mode: READABLE },
  ];
  const leftovers = [
    ...(copy === null ? [PATHS.folder] : []),
    ...[PATHS.udev, PATHS.polkit].filter((path) => !files.some((file) => file.path === path)),
  ];
  const prepare = [...userCommands(facts), ...udevCommands(facts, rules)];
  return { files, leftovers, prepare, start: startCommands(facts) };
}

function userCommands({ hasUser }: ComputerFacts): Command[] {
  const make: Command = [
    'useradd',
    ...['--system', '--user-group', '--home-dir', SERVICE_HOME, '--no-create-home'],
    ...['--shell', '/usr/sbin/nologin', SERVICE_USER],
  ];
  return [
    ...(hasUser ? [] : [make]),
    ['usermod', '--append', '--groups', 'dialout', SERVICE_USER],
    ['install', '-d', '-m', '0700', '-o', SERVICE_USER, '-g', SERVICE_USER, SERVICE_HOME],
  ];
}

/**
 * ModemManager lets go of a modem only when it is started again. It may be the way to the Internet, so that
 * this is done for a new rule only.
 */
function udevCommands(facts: ComputerFacts, rules: string | null): Command[] {
  const { hasUdev, hasModemManager, hasSystemd, udevNow } = facts;
  if (!hasUdev || rules === null) return [];
  const isHeld = hasModemManager && hasSystemd && rules !== udevNow;
  return [
    ['udevadm', 'control', '--reload'],
    ['udevadm', 'trigger', '--subsystem-match=usb', '--subsystem-match=tty'],
    ['udevadm', 'settle', '--timeout=30'],
    ...(isHeld ? ([['systemctl', 'try-restart', 'ModemManager.service']] as const) : []),
  ];
}

/** Only enables the service if systemd is not running (container, image): it starts at the next boot. */
function startCommands({ hasSystemd }: ComputerFacts): Command[] {
  if (!hasSystemd) return [['systemctl', 'enable', SERVICE]];
  return [
    ['systemctl', 'daemon-reload'],
    ['systemctl', 'enable', SERVICE],
    // Starts it, and ends one of the version before.
    ['systemctl', 'restart', SERVICE],
  ];
}

/** Commands and paths that remove everything that any plan for this computer installs. */
export function removalCommands(hasSystemd: boolean, hasUdev: boolean) {
  const stop: Command[] = hasSystemd
    ? [['systemctl', 'disable', '--now', SERVICE]]
    : [['systemctl', 'disable', SERVICE]];
  const after: Command[] = [
    ...(hasSystemd ? ([['systemctl', 'daemon-reload']] as const) : []),
    ...(hasUdev ? ([['udevadm', 'control', '--reload']] as const) : []),
  ];
  return { stop, paths: [PATHS.unit, PATHS.udev, PATHS.polkit, PATHS.launcher, PATHS.folder], after };
}

/**
 * Script `kashbox-relay`: uses the service's home folder, and switches from root to its user, who could not
 * read root's files. Commands that change the machine (install, uninstall, doctor) keep running as root.
 */
function launcher({ node, program, modems }: ComputerFacts): string {
  const command = `${quote(node)} ${quote(program)}`;
  return `#!/bin/sh
# Written by kashbox-relay install.
own() { exec ${command} "$@"; }
[ -z "$KASHBOX_RELAY_HOME" ] || own "$@"
case " $*" in *' --home'*) own "$@" ;; esac
export KASHBOX_RELAY_HOME=${quote(SERVICE_HOME)}
[ -n "$KASHBOX_RELAY_MODEMS" ] || export KASHBOX_RELAY_MODEMS=${quote(modemsText(modems))}
[ "$(id -u)" = 0 ] || own "$@"
case "$1" in install | uninstall | doctor) own "$@" ;; esac
exec setpriv --reuid=${SERVICE_USER} --regid=${SERVICE_USER} --init-groups ${command} "$@"
`;
}

/** Property by which udev identifies the USB modem that the device file belongs to. */
type StickMark =
  /** Maker, model and serial number, as in the name below /dev/serial/by-id. */
  | { readonly kind: 'serial'; readonly serial: string }
  /** The USB socket, as in the name below /dev/serial/by-path. */
  | { readonly kind: 'socket'; readonly path: string }
  /** The name of the device file itself. */
  | { readonly kind: 'name'; readonly name: string };

/**
 * Identifies the USB modem, not just one port, if the device name allows it: a modem has three to five serial
 * ports, the agent uses one, and ModemManager must ignore the others too.
 * @param device device name given to the agent, or its name in /dev/serial/by-id
 */
function markOf(device: string): StickMark {
  const name = basename(device);
  const serial = /\/by-id\/usb-(.+?)-if[0-9a-f]{2}(?:-port\d+)?$/.exec(device)?.[1];
  if (serial !== undefined) return { kind: 'serial', serial };
  // Newer systems have a second name, in which the version of USB stands; the property has none.
  const path = /\/by-path\/(.+-usb(?:v\d)?-[\d:.]+):\d+\.\d+(?:-port\d+)?$/.exec(device)?.[1];
  if (path !== undefined) return { kind: 'socket', path: path.replace(/-usbv\d-/, '-usb-') };
  return { kind: 'name', name };
}

/** Escapes a text for a udev rule: replaces special characters with `?`, which matches any character. */
const pattern = (text: string): string => text.replace(/[^\w#+.:=@-]/g, '?');

/** The lines of the rule for one device. */
export function udevLines(device: string): string[] {
  const mark = markOf(device);
  switch (mark.kind) {
    case 'serial':
      return [`ENV{ID_SERIAL}=="${pattern(mark.serial)}", ENV{ID_MM_DEVICE_IGNORE}="1"`];
    case 'socket':
      return [
        'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ENV{ID_PATH}=="", IMPORT{builtin}="path_id"',
        `ENV{ID_PATH}=="${pattern(mark.path)}|${pattern(mark.path)}:*", ENV{ID_MM_DEVICE_IGNORE}="1"`,
      ];
    case 'name':
      return [`SUBSYSTEM=="tty", KERNEL=="${pattern(mark.name)}", ENV{ID_MM_PORT_IGNORE}="1"`];
    default:
      return mark satisfies never;
  }
}

/** @param devices those that gammu-smsd is to have, by their most lasting names */
export function udevRules(devices: readonly string[]): string {
  return [
    '# Written by kashbox-relay install. ModemManager leaves these modems to gammu-smsd.',
    'ACTION=="remove", GOTO="kashbox_relay_end"',
    ...new Set(devices.flatMap(udevLines)),
    'LABEL="kashbox_relay_end"',
    '',
  ].join('\n');
}

/** Lets the service use modems: it has no session, so polkit would refuse its calls to ModemManager. */
export function polkitRules(user: string): string {
  return `// Written by kashbox-relay install. The agent may use the modems that ModemManager has.
polkit.addRule(function (action, subject) {
  if (subject.user === '${user}' && action.id.indexOf('org.freedesktop.ModemManager1.') === 0) {
    return polkit.Result.YES;
  }
});
`;
}

interface UnitFacts {
  readonly user: string;
  readonly home: string;
  /** Absolute paths of Node and of the agent. */
  readonly node: string;
  readonly program: string;
  readonly modems: readonly ModemSpec[];
}

const SERIAL = /^\/dev\/(serial\/|tty(USB|ACM|S|AMA)\d)/;

/** Quotes a text for a unit file, escapes `%` (specifiers); `commandWord` also escapes `$` (variables). */
function word(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}

const commandWord = (text: string): string =>
  /^[\w@+=:,./-]+$/.test(text) ? text : word(text).replaceAll('$', '$$$$');

/** The agent as a service of systemd: the text of its unit, and what an earlier one says. Pure. */
export function systemdUnit(facts: UnitFacts): string {
  const { user, home, node, program, modems } = facts;
  const start = [node, program].map(commandWord).join(' ');
  return `# Written by kashbox-relay install, which writes it again. Own changes: systemctl edit kashbox-relay
[Unit]
Description=Kashbox relay agent with GSM modems
${orderLines(modems).join('\n')}
# It goes on trying, however often it has failed.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${user}
Group=${user}
Environment=${word(`KASHBOX_RELAY_HOME=${home}`)}
Environment=${word(`KASHBOX_RELAY_MODEMS=${modemsText(modems)}`)}
ExecStart=${start} run --platform modem
Restart=always
RestartSec=15
# The agent ends gammu-smsd itself; what is left after that is killed.
KillMode=mixed
TimeoutStopSec=30
StandardOutput=journal
StandardError=journal
StateDirectory=kashbox-relay
StateDirectoryMode=0700
UMask=0077
MemoryMax=512M
TasksMax=128

${deviceLines(modems).join('\n')}
${HARDENING}
[Install]
WantedBy=multi-user.target
`;
}

/** The modems of an installed unit, as the command line has them; null if it names none. */
export function modemsInUnit(unit: string): string | null {
  return /^Environment="KASHBOX_RELAY_MODEMS=([^"]*)"$/m.exec(unit)?.[1]?.replaceAll('%%', '%') ?? null;
}

function orderLines(modems: readonly ModemSpec[]): string[] {
  const drivers = modems.some(({ program }) => program === 'gammu')
    ? ['modprobe@usbserial.service', 'modprobe@cdc_acm.service']
    : [];
  const manager = modems.some(({ program }) => program === 'mm') ? ['ModemManager.service'] : [];
  const wanted = [...drivers, ...manager].join(' ');
  return [
    ...(drivers.length === 0
      ? []
      : ['# DeviceAllow knows only drivers that are loaded, and a modem may be plugged in later.']),
    `Wants=${wanted}`,
    `After=network.target ${wanted}`,
  ];
}

/** gammu-smsd opens the serial port; mmcli needs no device, only the system bus. */
function deviceLines(modems: readonly ModemSpec[]): string[] {
  const devices = modems.flatMap((spec) => (spec.program === 'gammu' ? [spec.device] : []));
  if (devices.length === 0) return ['PrivateDevices=yes'];
  const drivers = ['ttyUSB', 'ttyACM', 'ttyS', 'ttyAMA'].map((name) => `DeviceAllow=char-${name} rw`);
  const others = devices.filter((one) => !SERIAL.test(one)).map((one) => `DeviceAllow=${one} rw`);
  return ['SupplementaryGroups=dialout', 'DevicePolicy=closed', ...drivers, ...others];
}

const HARDENING = `# It writes below its home and nowhere else.
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RemoveIPC=yes
# Netlink tells which addresses the machine has.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
# Not here: MemoryDenyWriteExecute, since the compiler in Node needs memory that it writes and runs; and
# ProtectProc, since the lock of a run before the last start of the machine is told by the process of another
# user that has its number now.
`;
