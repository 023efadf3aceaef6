/** Where things go in Termux, and the small files that are put there. Pure: writes nothing. */
import { join } from 'node:path';
import { RelayError } from '../../core/errors.js';

export interface Places {
  readonly sh: string;
  /** The agent's one file, and the command that starts it. */
  readonly program: string;
  readonly launcher: string;
  /** Termux:Boot runs it when the phone has started. */
  readonly boot: string;
  /** What termux-services brings to start its services; without the file it is not installed. */
  readonly startServices: string;
  readonly service: string;
  readonly svlogger: string;
  /** The folder in which svlogger keeps the agent's log. */
  readonly serviceLog: string;
  readonly sv: string;
}

export interface PlannedFile {
  readonly path: string;
  readonly text: string;
}

/** Termux sets both for everything that it starts. Throws `not_termux` elsewhere. */
export function placesOf({ PREFIX: prefix, HOME: home }: NodeJS.ProcessEnv): Places {
  if (home === undefined || prefix?.includes('com.termux') !== true) throw new RelayError('not_termux');
  return {
    sh: join(prefix, 'bin/sh'),
    program: join(prefix, 'lib/kashbox-relay/kashbox-relay.mjs'),
    launcher: join(prefix, 'bin/kashbox-relay'),
    boot: join(home, '.termux/boot/kashbox-relay'),
    startServices: join(prefix, 'etc/profile.d/start-services.sh'),
    service: join(prefix, 'var/service/kashbox-relay'),
    svlogger: join(prefix, 'share/termux-services/svlogger'),
    serviceLog: join(prefix, 'var/log/sv/kashbox-relay'),
    sv: join(prefix, 'bin/sv'),
  };
}

export interface Plan {
  readonly places: Places;
  /** The node that runs now. */
  readonly node: string;
  /** The agent's home folder. */
  readonly home: string;
  /** Subscription ids of the SIMs, such as `1=3,2=4`; null if nobody has named them. */
  readonly simSubs: string | null;
  /** Whether termux-services is there. */
  readonly hasServices: boolean;
}

/** All scripts of an installation, in the order in which they are written. */
export function planScripts(plan: Plan): PlannedFile[] {
  const { places } = plan;
  const launcher = script(places, [
    `[ -n "$KASHBOX_RELAY_HOME" ] || KASHBOX_RELAY_HOME=${quote(plan.home)}`,
    'export KASHBOX_RELAY_HOME',
    ...(plan.simSubs === null ? [] : [`export KASHBOX_RELAY_SIM_SUBS=${quote(plan.simSubs)}`]),
    `exec ${quote(plan.node)} ${quote(places.program)} "$@"`,
  ]);
  return [
    { path: places.launcher, text: launcher },
    ...(plan.hasServices ? planService(places) : []),
    { path: places.boot, text: script(places, ['termux-wake-lock', ...bootLines(plan)]) },
  ];
}

/** The one supervised by runit: it is started again whenever it ends, and its log is rotated. */
function planService(places: Places): PlannedFile[] {
  const run = ['exec 2>&1', `exec ${quote(places.launcher)} run --platform termux`];
  // runit would start again at once what ends at once, and empty the battery.
  const finish = ['[ "$1" = 0 ] || sleep 15'];
  return [
    { path: join(places.service, 'log/run'), text: script(places, [`exec ${quote(places.svlogger)}`]) },
    { path: join(places.service, 'finish'), text: script(places, finish) },
    { path: join(places.service, 'run'), text: script(places, run) },
  ];
}

function bootLines({ places, home, hasServices }: Plan): string[] {
  if (hasServices) return [`. ${quote(places.startServices)}`];
  const log = quote(agentLog(home));
  // What ends the agent before it has a log, or that it cannot log itself, goes to the same file.
  const run = `${quote(places.launcher)} run --platform termux --log-file ${log} >>${log} 2>&1`;
  // Ends when the agent was told to stop; whatever else ended it, it is started again.
  return [`(umask 077; while ! ${run}; do sleep 15; done) &`];
}

/** Where the agent writes its log if nobody else keeps it. */
export function agentLog(home: string): string {
  return join(home, 'agent.log');
}

/** Where to read what the agent has said. */
export function logPlace({ places, home, hasServices }: Plan): string {
  return hasServices ? places.serviceLog : agentLog(home);
}

/** What an earlier installation was told; whoever runs `install` again need not say it again. */
export function simSubsIn(launcher: string): string | null {
  return /^export KASHBOX_RELAY_SIM_SUBS='([0-9=,]+)'$/m.exec(launcher)?.[1] ?? null;
}

function script(places: Places, lines: readonly string[]): string {
  return [`#!${places.sh}`, '# Written by kashbox-relay install.', ...lines, ''].join('\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
