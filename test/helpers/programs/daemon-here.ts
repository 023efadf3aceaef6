/**
 * The daemon inside this process: what `kashbox daemon` runs, with ports, loops, drain and its own store.
 * A tenth of the work of starting a process, which is right for tests of what it answers. Those of its life
 * (signals, exit codes, what it prints, what a kill leaves) start one as a process.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDaemon } from '../../../daemon/main.js';
import { freePort } from '../network/free-port.js';
import { type DaemonClient, type Listening, type StartDaemon, talkTo, UNLIMITED } from './daemon.js';
import { bareEnvironment, type Owner } from './processes.js';

export interface DaemonHere extends DaemonClient {
  /** As SIGTERM does. Resolves with the exit code when all is closed. */
  stop(): Promise<number>;
}

/** What the daemon listens to as if the process were its own. */
const EVENTS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'exit'] as const;
type Listener = (...args: unknown[]) => unknown;

const listenersNow = () => EVENTS.flatMap((name) => process.listeners(name as 'exit') as Listener[]);

let last: Promise<unknown> = Promise.resolve();

/** Starts one on 127.0.0.1 and waits until it listens; stopped at the end of the test at the latest. */
export function startDaemonHere(t: Owner, options: StartDaemonHere): Promise<DaemonHere> {
  // One after the other: what is added to the process meanwhile belongs to this one.
  const mine = last.then(() => startNow(t, options));
  last = mine.catch(() => {});
  return mine;
}

export type StartDaemonHere = Pick<StartDaemon, 'home' | 'env' | 'port'>;

async function startNow(t: Owner, { home, env = {}, port }: StartDaemonHere): Promise<DaemonHere> {
  const before = new Set(listenersNow());
  const given = { port: String(port ?? (await freePort())), httpPort: '0' };
  const own = { ...UNLIMITED, HOME: home, KASHBOX_HOME: home, KASHBOX_LOG_LEVEL: 'silent', ...env };
  let ended: Promise<number> | undefined;
  const listening = await new Promise<Listening>((resolve, reject) => {
    ended = runDaemon({ folder: home, env: bareEnvironment(own), given, onListening: resolve });
    ended.catch(reject);
  });
  const told = takeListeners(before);
  const stop = () => {
    told.SIGTERM?.('SIGTERM');
    told.SIGTERM = undefined;
    return ended as Promise<number>;
  };
  t.teardown(stop);
  return { ...talkTo(t, listening, readFileSync(join(home, 'tls', 'cert.pem'))), stop };
}

/** A signal is meant for the whole process, not for the daemons in it. @returns what each event would call */
function takeListeners(before: ReadonlySet<Listener>) {
  const taken: Partial<Record<(typeof EVENTS)[number], Listener | undefined>> = {};
  for (const name of EVENTS) {
    for (const listener of process.listeners(name as 'exit') as Listener[]) {
      if (before.has(listener)) continue;
      process.off(name, listener);
      taken[name] = listener;
    }
  }
  return taken;
}
