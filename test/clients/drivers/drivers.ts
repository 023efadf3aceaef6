/**
 * Our clients in PHP, Python and TypeScript behind one interface, so that each runs the same calls. PHP and
 * Python are processes that answer line by line.
 */

import { spawn, spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  amountOf,
  FileDeliveryStore,
  Kashbox,
  KashboxError,
  type KashboxOptions,
  type NewPayment,
  type NewRefund,
  type PaymentQuery,
  type WebhookHeaders,
} from '../../../clients/typescript/src/kashbox.js';
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
  | { readonly do: 'create' | 'verify' | 'refund'; readonly options: Options; readonly call: object }
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

/** PHP's curl is the usual transport, and an extension that may be missing; streams stand in for it. */
const CURL = ['-d', 'extension=curl'];
const hasCurl = () =>
  spawnSync('php', ['-n', ...CURL, '-r', 'exit(function_exists("curl_init") ? 0 : 1);']).status === 0;

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

/** The client of TypeScript, in this process. */
async function runHere(call: Call): Promise<Outcome> {
  try {
    // Other calls than the types allow are part of the vectors.
    return { result: await outcome(call) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message, name } = error;
    return { error: { ...error, message, kind: error instanceof KashboxError ? name : 'other' } };
  }
}

async function outcome(call: Call): Promise<unknown> {
  if (call.do === 'amount') return amountOf(call.amount as string);
  const { deliveries: folder, ...options } = call.options;
  const deliveries = folder === undefined ? undefined : new FileDeliveryStore(folder);
  const kashbox = new Kashbox({ ...(options as KashboxOptions), deliveries });
  switch (call.do) {
    case 'create':
      return kashbox.create(call.call as NewPayment);
    case 'verify':
      return kashbox.verify(call.call as PaymentQuery);
    case 'refund':
      return kashbox.refund(call.call as NewRefund);
    case 'receive': {
      const now = call.now === undefined ? undefined : new Date(call.now * 1_000);
      return kashbox.receive(call.body, call.headers as WebhookHeaders, now);
    }
    case 'settle':
      return kashbox.settle(call.call as PaymentQuery, async ({ order }) => {
        if (call.fails === true) throw new Error('no stock');
        await appendFile(call.log, `${order}\n`);
      });
    case 'configure':
      return 'configured';
    default:
      return call satisfies never;
  }
}

export const TYPESCRIPT = (): Driver => runHere;

/** The languages; each start of PHP and Python is a process of its own. */
export const LANGUAGES: Readonly<Record<string, (owner: Owner) => Driver>> = {
  typescript: TYPESCRIPT,
  php: (owner) => startDriver(owner, 'php', ['-n', driverFile('driver.php')]),
  ...(hasCurl() && {
    'php with curl': (owner: Owner) => startDriver(owner, 'php', ['-n', ...CURL, driverFile('driver.php')]),
  }),
  python: (owner) => startDriver(owner, 'python3', ['-B', driverFile('driver.py')]),
};
