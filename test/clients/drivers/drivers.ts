/**
 * Our clients in PHP, Python and TypeScript behind one interface, so that each runs the same calls. PHP and
 * Python are processes that answer line by line.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bareEnvironment, type Owner, root } from '../../helpers/programs/processes.js';

/** What a call returned, or what it threw. */
export interface Outcome {
  readonly result?: unknown;
  readonly error?: {
    /** Name of the class without namespace; `other` for what is not a KashboxError. */
    readonly kind: string;
    readonly message: string;
    readonly status?: number;
    readonly reason?: string;
  };
}

export interface Options {
  readonly url?: unknown;
  readonly key?: unknown;
  readonly secret?: unknown;
  readonly ca?: unknown;
  readonly timeout?: unknown;
  /** Folder of a store of files. */
  readonly deliveries?: string;
}

export type Call =
  | { readonly do: 'configure'; readonly options: Options }
  | { readonly do: 'create' | 'verify'; readonly options: Options; readonly call: object }
  | { readonly do: 'amount'; readonly amount: unknown }
  | {
      readonly do: 'receive';
      readonly options: Options;
      readonly body: string;
      readonly headers: object;
      /** Unix time in seconds; default: the clock. */
      readonly now?: number;
    }
  | {
      readonly do: 'settle';
      readonly options: Options;
      readonly call: object;
      /** File to which a delivery appends its order. */
      readonly log: string;
      /** Whether the delivery throws. */
      readonly fails?: boolean;
    };

export type Driver = (call: Call) => Promise<Outcome>;

const driverFile = (name: string) => join(root, 'test/clients/drivers', name);

function startDriver(owner: Owner, command: string, args: readonly string[]): Driver {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: bareEnvironment({}) });
  owner.teardown(() => child.kill('SIGKILL'));
  // It answers in the order of the calls.
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  return async (call) => {
    const line = new Promise<string>((resolve) => {
      waiting.push(resolve);
    });
    child.stdin.write(`${JSON.stringify(call)}\n`);
    return JSON.parse(await line) as Outcome;
  };
}

/** The languages; each start is a process of its own. */
export const LANGUAGES: Readonly<Record<string, (owner: Owner) => Driver>> = {
  php: (owner) => startDriver(owner, 'php', ['-n', driverFile('driver.php')]),
};
