/** Where the demo plays: its throw-away folder, the programs of this package, and the world around it. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../base/values/clock.js';
import type { RandomSource } from '../base/values/ids.js';
import type { Children, Program } from '../cli/programs/children.js';

export interface Stage {
  readonly children: Children;
  /** Aborted when the demo cannot go on, or is over. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** HTTPS port to listen on; 0 for any. */
  readonly port: number;
  readonly places: DemoPaths;
  program(name: keyof typeof SCRIPTS, args: readonly string[]): Program;
}

type DemoPaths = ReturnType<typeof demoPaths>;

/** All of it lies in the folder and goes with it. */
export function demoPaths(folder: string) {
  return {
    folder,
    /** KASHBOX_HOME of the daemon. */
    home: join(folder, 'shop'),
    /** Home of the relay agent. */
    phone: join(folder, 'phone'),
    /** Where the simulated phone finds its SMS. */
    inbox: join(folder, 'phone', 'inbox'),
    daemonLog: join(folder, 'daemon.log'),
    relayLog: join(folder, 'relay.log'),
    chainLog: join(folder, 'chain.log'),
  };
}

const SCRIPTS = {
  kashbox: 'bin/run.js',
  'kashbox-relay': 'relay-android-ts/bin/kashbox-relay.js',
  anvil: 'dist/program/anvil-process.js',
} as const;

/**
 * @param root folder of this package.
 * @returns how to call one of its programs. Settings of the caller's own Kashbox, such as its database, are
 * kept away from them.
 */
export function programs(root: string, env: NodeJS.ProcessEnv, places: DemoPaths): Stage['program'] {
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
