/** The agent as a service of systemd: the text of its unit, and what an earlier one says. Pure. */
import { type ModemSpec, modemsText } from '../modems.js';

export interface UnitFacts {
  readonly user: string;
  readonly home: string;
  /** Absolute paths of Node and of the agent. */
  readonly node: string;
  readonly program: string;
  readonly modems: readonly ModemSpec[];
}

const SERIAL = /^\/dev\/(serial\/|tty(USB|ACM|S|AMA)\d)/;

/** In quotes; a per cent sign would begin a specifier, and a dollar sign a variable of the command. */
function word(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}

const commandWord = (text: string): string =>
  /^[\w@+=:,./-]+$/.test(text) ? text : word(text).replaceAll('$', '$$$$');

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
