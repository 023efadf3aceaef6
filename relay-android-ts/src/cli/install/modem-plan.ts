/** What is put on a computer with GSM modems: all files and commands, from what is known of it. Pure. */
import { type ModemSpec, modemsText } from '../modems.js';
import { polkitRules, udevRules } from './modem-rules.js';
import { type Command, type InstallPlan, type PlannedFile, quote } from './plan.js';
import { systemdUnit } from './systemd-unit.js';

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

/** For everybody: the service is not root. */
const READABLE = 0o644;
const RUNNABLE = 0o755;

export interface ComputerFacts {
  readonly node: string;
  /** Absolute path by which Node starts the agent. */
  readonly program: string;
  /** The agent's one file, to be written there; null where it runs from a package. */
  readonly copy: PlannedFile | null;
  readonly modems: readonly ModemSpec[];
  /** Names below /dev/serial/by-id of devices that are named otherwise, by the name they were given. */
  readonly lastingNames: ReadonlyMap<string, string>;
  readonly hasUser: boolean;
  /** Whether systemd runs the machine. */
  readonly hasSystemd: boolean;
  readonly hasUdev: boolean;
  readonly hasModemManager: boolean;
  /** The rule of udev that is there; null if there is none. */
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

/** Without systemd as the first process (in a container, in an image) it starts at the next start. */
function startCommands({ hasSystemd }: ComputerFacts): Command[] {
  if (!hasSystemd) return [['systemctl', 'enable', SERVICE]];
  return [
    ['systemctl', 'daemon-reload'],
    ['systemctl', 'enable', SERVICE],
    // Starts it, and ends one of the version before.
    ['systemctl', 'restart', SERVICE],
  ];
}

/** What takes away all that any plan of this computer puts there. */
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
 * The command for people. It uses the home of the service, and as root it becomes the service's user: files
 * that root writes there the service could not read. What is about the machine stays root's.
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
