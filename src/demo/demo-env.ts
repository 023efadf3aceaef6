/** Describes the environment of the demo: temporary folder, programs of this package, clock, randomness. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../base/values/clock.js';
import type { RandomSource } from '../base/values/ids.js';
import type { ChildProcesses, Program } from '../cli/programs/child-processes.js';

export interface DemoEnv {
  readonly children: ChildProcesses;
  /** Signal that aborts when the demo fails or ends. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** HTTPS port to listen on; 0 for any. */
  readonly port: number;
  readonly places: DemoPaths;
  program(name: keyof typeof SCRIPTS, args: readonly string[]): Program;
}

type DemoPaths = ReturnType<typeof demoPaths>;

/** Returns the paths of the demo, all in one folder that is removed at the end. */
export function demoPaths(folder: string) {
  return {
    folder,
    /** KASHBOX_HOME of the daemon. */
    home: join(folder, 'shop'),
    /** Home of the relay agent. */
    phone: join(folder, 'phone'),
    /** Folder from which the simulated phone reads its SMS. */
    inbox: join(folder, 'phone', 'inbox'),
    daemonLog: join(folder, 'daemon.log'),
    relayLog: join(folder, 'relay.log'),
    chainLog: join(folder, 'chain.log'),
  };
}

const SCRIPTS = {
  kashbox: 'bin/run.js',
  // The file that phones fetch; every package has it.
  'kashbox-relay': 'dist/relay/kashbox-relay.mjs',
  anvil: 'dist/program/anvil-process.js',
} as const;

/**
 * @param root folder of this package.
 * @returns how to call one of its programs. Settings of the caller's own Kashbox, such as its database, are
 * kept away from them.
 */
export function programs(root: string, env: NodeJS.ProcessEnv, places: DemoPaths): DemoEnv['program'] {
  const strangers = Object.entries(env).filter(([name]) => !name.startsWith('KASHBOX_'));
  const own = { KASHBOX_HOME: places.home, KASHBOX_RELAY_HOME: places.phone };
  const clean = { ...Object.fromEntries(strangers), ...own };
  return (name, args) => ({ name, script: join(root, SCRIPTS[name]), args, env: clean });
}

/** True if nobody listens there yet. */
export function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}
