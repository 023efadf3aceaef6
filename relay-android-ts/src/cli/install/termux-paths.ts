/** Where things go in Termux, and the small files that are put there. Writes nothing. */
import { join } from 'node:path';
import { RelayError } from '../../core/errors.js';
import { type PlannedFile, quote } from './plan.js';

export type InstallPaths = ReturnType<typeof installPaths>;

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
    /** What termux-services brings to start its services; without the file it is not installed. */
    startServices: join(prefix, 'etc/profile.d/start-services.sh'),
    service: join(prefix, 'var/service/kashbox-relay'),
    svlogger: join(prefix, 'share/termux-services/svlogger'),
    /** The folder in which svlogger keeps the agent's log. */
    serviceLog: join(prefix, 'var/log/sv/kashbox-relay'),
    sv: join(prefix, 'bin/sv'),
  };
}

export interface Plan {
  readonly paths: InstallPaths;
  /** The node that runs now. */
  readonly node: string;
  /** The agent's home folder. */
  readonly home: string;
  /** Subscription ids of the SIMs, such as `1=3,2=4`; null if not given. */
  readonly simSubs: string | null;
  /** Whether termux-services is there. */
  readonly hasServices: boolean;
}

/** All scripts of an installation, in the order in which they are written. */
export function planScripts(plan: Plan): PlannedFile[] {
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

function bootLines({ paths, home, hasServices }: Plan): string[] {
  if (hasServices) return [`. ${quote(paths.startServices)}`];
  const log = quote(agentLog(home));
  // Early failures and what the agent cannot log itself go to the same file.
  const run = `${quote(paths.launcher)} run --platform termux --log-file ${log} >>${log} 2>&1`;
  // Ends when the agent was stopped; restarts it otherwise.
  return [`(umask 077; while ! ${run}; do sleep 15; done) &`];
}

/** The agent's own log file, where no supervisor keeps one. */
export function agentLog(home: string): string {
  return join(home, 'agent.log');
}

/** Where to read what the agent has said. */
export function logPath({ paths, home, hasServices }: Plan): string {
  return hasServices ? paths.serviceLog : agentLog(home);
}

/** Kept from an earlier installation, so that `install` need not be given it again. */
export function simSubsIn(launcher: string): string | null {
  return /^export KASHBOX_RELAY_SIM_SUBS='([0-9=,]+)'$/m.exec(launcher)?.[1] ?? null;
}

function script(paths: InstallPaths, path: string, lines: readonly string[]): PlannedFile {
  const text = [`#!${paths.sh}`, '# Written by kashbox-relay install.', ...lines, ''].join('\n');
  return { path, text, mode: 0o700 };
}
