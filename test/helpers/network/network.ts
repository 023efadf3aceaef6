/**
 * A network of its own for a test's processes, in which one address looks public: so the guard of
 * notifications stays in force while nothing leaves this machine. Where the kernel or a container forbids
 * that, the same processes run on loopback with private webhooks allowed.
 */
import { spawnSync } from 'node:child_process';
import type { ExecutionContext } from 'ava';
import { type Environment, type Process, startNode, startProgram } from '../programs/processes.js';

/** In none of the ranges that the guard refuses; inside the namespace it is this machine and nobody else. */
const PUBLIC_LOOKING = '11.22.33.44';
/** Makes the network, then becomes the program, so that killing it kills the program. */
const ENTER = `ip addr add ${PUBLIC_LOOKING}/32 dev lo && ip link set lo up && exec "$@"`;

export interface Network {
  /** Where receivers listen; 127.0.0.1 is there as well. */
  readonly address: string;
  /** The setting `allowPrivateWebhooks` that notifications to `address` need. */
  readonly allowPrivate: boolean;
  /**
   * Starts `node` with these arguments in a new network. Only what this process starts in turn shares it:
   * the test itself cannot connect, so it gives its orders by arguments and reads what is printed.
   */
  start(args: readonly string[], env?: Environment): Process;
}

let possible: boolean | undefined;

function enter(...program: readonly string[]): string[] {
  return ['-rn', 'sh', '-c', ENTER, 'sh', ...program];
}

function canHaveOwn(): boolean {
  possible ??= spawnSync('unshare', enter('true'), { stdio: 'ignore' }).status === 0;
  return possible;
}

/** Says so in the test's log where there is no network of its own. */
export function openNetwork(t: ExecutionContext<unknown>): Network {
  if (canHaveOwn()) {
    return {
      address: PUBLIC_LOOKING,
      allowPrivate: false,
      start: (args, env) => startProgram(t, 'unshare', enter(process.execPath, ...args), env),
    };
  }
  t.log('no network namespace can be made here: receivers are on loopback, with private webhooks allowed');
  return {
    address: '127.0.0.1',
    allowPrivate: true,
    start: (args, env) => startNode(t, args, { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true', ...env }),
  };
}
