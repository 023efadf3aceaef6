/** `install` and `uninstall` on a phone: the agent as a service of Termux. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RelayError } from '../../core/errors.js';
import { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { readTextIfExists } from '../../ports/node-files.js';
import type { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { openHome, waitFor } from '../context.js';
import { pair } from '../pair.js';
import { pairOnce } from '../paired-server.js';
import {
  type Command,
  copyOfProgram,
  describePlan,
  type InstallPlan,
  type PlannedFile,
  quote,
  removePaths,
  writePlan,
} from './plan.js';

type InstallPaths = ReturnType<typeof installPaths>;

/** Termux sets both for everything that it starts. Throws `not_termux` elsewhere. */
export function installPaths({ PREFIX: prefix, HOME: home }: NodeJS.ProcessEnv) {
  if (home === undefined || prefix?.includes('com.termux') !== true) throw new RelayError('not_termux');
  return {
    sh: join(prefix, 'bin/sh'),
    /** The agent's one file, and the command that starts it. */
    program: join(prefix, 'lib/kashbox-relay/kashbox-relay.mjs'),
    launcher: join(prefix, 'bin/kashbox-relay'),
    /** Termux:Boot runs it when the phone has started. */
    boot: join(home, '.termux/boot/kashbox-relay'),
    /** Script of termux-services that starts its services; missing if the package is not installed. */
    startServices: join(prefix, 'etc/profile.d/start-services.sh'),
    service: join(prefix, 'var/service/kashbox-relay'),
    svlogger: join(prefix, 'share/termux-services/svlogger'),
    /** The folder in which svlogger keeps the agent's log. */
    serviceLog: join(prefix, 'var/log/sv/kashbox-relay'),
    sv: join(prefix, 'bin/sv'),
  };
}

export interface PhonePlan {
  readonly paths: InstallPaths;
  /** The node that runs now. */
  readonly node: string;
  /** The agent's home folder. */
  readonly home: string;
  /** Subscription ids of the SIMs, such as `1=3,2=4`; null if not given. */
  readonly simSubs: string | null;
  /** True if termux-services is installed. */
  readonly hasServices: boolean;
}

/** All scripts of an installation, in the order in which they are written. */
export function planScripts(plan: PhonePlan): PlannedFile[] {
  const { paths } = plan;
  const launcher = script(paths, paths.launcher, [
    `[ -n "$KASHBOX_RELAY_HOME" ] || KASHBOX_RELAY_HOME=${quote(plan.home)}`,
    'export KASHBOX_RELAY_HOME',
    ...(plan.simSubs === null ? [] : [`export KASHBOX_RELAY_SIM_SUBS=${quote(plan.simSubs)}`]),
    `exec ${quote(plan.node)} ${quote(paths.program)} "$@"`,
  ]);
  return [
    launcher,
    ...(plan.hasServices ? planService(paths) : []),
    script(paths, paths.boot, ['termux-wake-lock', ...bootLines(plan)]),
  ];
}

/** The service of runit: restarted whenever it ends, with a rotated log. */
function planService(paths: InstallPaths): PlannedFile[] {
  const run = ['exec 2>&1', `exec ${quote(paths.launcher)} run --platform termux`];
  // Without the pause, runit would restart a failing agent at once and drain the battery.
  const finish = ['[ "$1" = 0 ] || sleep 15'];
  return [
    script(paths, join(paths.service, 'log/run'), [`exec ${quote(paths.svlogger)}`]),
    script(paths, join(paths.service, 'finish'), finish),
    script(paths, join(paths.service, 'run'), run),
  ];
}

function bootLines({ paths, home, hasServices }: PhonePlan): string[] {
  if (hasServices) return [`. ${quote(paths.startServices)}`];
  const log = quote(agentLog(home));
  // Early failures and what the agent cannot log itself go to the same file.
  const run = `${quote(paths.launcher)} run --platform termux --log-file ${log} >>${log} 2>&1`;
  // Ends when the agent was stopped; restarts it otherwise.
  return [`(umask 077; while ! ${run}; do sleep 15; done) &`];
}

/** The agent's own log file, where no supervisor keeps one. */
function agentLog(home: string): string {
  return join(home, 'agent.log');
}

/** Path of the agent's log. */
export function logPath({ paths, home, hasServices }: PhonePlan): string {
  return hasServices ? paths.serviceLog : agentLog(home);
}

/** @returns `--sim-subs` of an existing launcher, which `install` keeps; null if there is none */
export function findSimSubs(launcher: string): string | null {
  return /^export KASHBOX_RELAY_SIM_SUBS='([0-9=,]+)'$/m.exec(launcher)?.[1] ?? null;
}

function script(paths: InstallPaths, path: string, lines: readonly string[]): PlannedFile {
  const text = [`#!${paths.sh}`, '# Written by kashbox-relay install.', ...lines, ''].join('\n');
  return { path, text, mode: 0o700 };
}

/** runsvdir looks for new services every 5 s, and an old phone needs some to start Node. */
const START_MS = 60_000;
const STOP_MS = 30_000;
const LOOK_MS = 200;

export interface PhoneOptions {
  readonly home?: string;
  readonly dryRun?: boolean;
  /** Subscription id of each SIM, `1=3,2=4`. */
  readonly simSubs?: string;
}

/** Android lets no program do these. */
const BY_HAND = [
  'Settings > Apps > Termux:API > Permissions: allow SMS, Contacts and Phone.',
  '  If they are grey: ⋮ (top right) > Allow restricted settings, then again.',
  'Settings > Apps > Termux > Battery: Unrestricted. The same for Termux:API and Termux:Boot.',
  'Open the app Termux:Boot once.',
  'In the app Messages: Settings > RCS chats > off. No program can read RCS messages.',
];

/** Command with which the user finds the subscription id of a SIM: no program can find it out. */
export const FIND_SUB = 'termux-sms-list -t inbox -l 1 --message-selection="sub_id = 1"';
export const SIM_SUBS_COMMAND = 'kashbox-relay install --sim-subs 1=…,2=…';
const TWO_SIMS_BY_HAND = [
  'If the phone has two SIMs: say which is which, or every payment waits for a person.',
  '  Send an SMS to SIM 1, and try sub_id = 1, 2, 3 and so on until this shows it:',
  `  ${FIND_SUB}`,
  `  The same for SIM 2. Then, with the two numbers: ${SIM_SUBS_COMMAND}`,
];

/** Safe to repeat: existing parts stay or are updated. */
export async function installOnPhone(link: string | undefined, options: PhoneOptions): Promise<string> {
  const plan = await loadPhonePlan(options);
  const all = await wholePlan(plan);
  if (options.dryRun === true) return describePlan(all);
  const home = openHome(options.home);
  const server = await pairOnce(home, link, async (text) => void (await pair(text, { home: home.path })));
  const isNew = await writePlan(all);
  // Enables a service that was switched off.
  await rm(`${plan.paths.service}/down`, { force: true });
  if (isNew) await stopAgent(home);
  const pid = await startAgent(home, all.start);
  if (pid === null) throw new RelayError('not_started');
  return [
    `Paired with ${server}.`,
    `The agent runs (process ${pid}) and starts with the phone.`,
    '',
    'Still to be done by hand, once:',
    ...[...BY_HAND, ...(plan.simSubs === null ? TWO_SIMS_BY_HAND : [])].map((line) =>
      line.startsWith(' ') ? `  ${line}` : `  - ${line}`,
    ),
    '',
    'Then see whether all is well: kashbox-relay doctor',
  ].join('\n');
}

/** Removes everything that `install` installed, except the pairing and the queue. */
export async function uninstallFromPhone(options: PhoneOptions): Promise<string> {
  const { paths, home: homePath } = await loadPhonePlan(options);
  if (existsSync(paths.service) && existsSync(paths.sv)) {
    await new TermuxCalls(dirname(paths.sv)).run({
      program: 'sv',
      args: ['force-shutdown', paths.service],
    });
  }
  await stopAgent(openHome(options.home));
  const log = agentLog(homePath);
  await removePaths([paths.service, paths.boot, paths.launcher, dirname(paths.program), log]);
  return [
    'The agent is stopped and does not start with the phone any more.',
    `Kept: the pairing and all SMS that are not delivered yet, in ${homePath}.`,
    'If this phone is not to be used again, run `kashbox devices revoke` on the server.',
  ].join('\n');
}

/** @throws RelayError `not_termux` elsewhere than on a phone */
export async function loadPhonePlan(options: PhoneOptions): Promise<PhonePlan> {
  const paths = installPaths(process.env);
  const launcher = (await readTextIfExists(paths.launcher)) ?? '';
  return {
    paths,
    node: process.execPath,
    home: openHome(options.home).path,
    simSubs: options.simSubs ?? findSimSubs(launcher),
    hasServices: existsSync(paths.startServices),
  };
}

/** Adds the program and the command that Termux:Boot will run. @throws RelayError `not_one_file` */
async function wholePlan(plan: PhonePlan): Promise<InstallPlan> {
  const { program, sh, boot } = plan.paths;
  const files = [await copyOfProgram(program, 0o600), ...planScripts(plan)];
  return { files, leftovers: [], prepare: [], start: [[sh, boot]] };
}

/** Starts the agent with Termux:Boot's script. @returns its process id; null if not started in time */
async function startAgent(home: Home, commands: readonly Command[]): Promise<number | null> {
  if ((await lockHolder(home.lockPath)) === null) {
    for (const [program, ...args] of commands) {
      const child = spawn(program, args, { detached: true, stdio: 'ignore' });
      child.on('error', () => {});
      child.unref();
    }
  }
  return waitFor(Date.now() + START_MS, LOOK_MS, () => lockHolder(home.lockPath));
}

/** Stops the agent if it runs; queued messages are kept. A supervisor may start the next agent at once. */
async function stopAgent(home: Home): Promise<void> {
  const pid = await lockHolder(home.lockPath);
  if (pid === null) return;
  process.kill(pid, 'SIGTERM');
  await waitFor(Date.now() + STOP_MS, LOOK_MS, async () =>
    (await lockHolder(home.lockPath)) === pid ? null : true,
  );
}
