/**
 * The command line inside this process: what `bin/run.js` does, with standard streams, environment and exit
 * code of its own for each run. A tenth of the time of a process; test/commands/every-command.soak.ts starts
 * each command as one. Runs follow each other, because a process has one of each of these.
 */
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from './processes.js';

export interface InProcessRun {
  readonly args: readonly string[];
  /** The whole of it; PATH and the like are not added. */
  readonly env: Environment;
  /** What is piped in. */
  readonly input: string;
}

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The root of the repository, seen from `dist/test/helpers`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
type Oclif = Pick<typeof import('@oclif/core'), 'Config' | 'run' | 'settings'>;
let loading: Promise<Oclif> | undefined;

let last: Promise<unknown> = Promise.resolve();

/** Waits for the runs before, then runs the command to its end. Never rejects for what a command does. */
export function runInProcess(wanted: InProcessRun): Promise<Output> {
  const mine = last.then(() => runNow(wanted));
  last = mine.catch(() => {});
  return mine;
}

async function runNow({ args, env, input }: InProcessRun): Promise<Output> {
  loading ??= loadOclif();
  const { Config, run } = await loading;
  // Anew each time: printing a command's help changes what it is called in there.
  const config = await Config.load(root);
  const [stdout, stderr] = [new Kept(), new Kept()];
  const restore = replace({ stdout, stderr, stdin: Readable.from([Buffer.from(input)]), env });
  try {
    await run([...args], config);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } catch (error) {
    const { message, oclif } = error as Error & { readonly oclif?: { readonly exit?: number } };
    return { code: oclif?.exit ?? 1, stdout: stdout.text(), stderr: `${stderr.text()}${message}\n` };
  } finally {
    restore();
  }
}

/** The one that the shipped commands share. */
async function loadOclif(): Promise<Oclif> {
  const oclif = (await import(`${root}dist/program/oclif.js`)) as Oclif;
  // With NODE_ENV=test oclif would look for the TypeScript sources.
  oclif.settings.enableAutoTranspile = false;
  return oclif;
}

class Kept extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

interface Surroundings {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdin: Readable;
  readonly env: Environment;
}

/** @returns puts everything back as it was. */
function replace({ stdout, stderr, stdin, env }: Surroundings): () => void {
  const restores = [
    define(process, 'stdout', stdout),
    define(process, 'stderr', stderr),
    define(process, 'stdin', stdin),
    define(process, 'env', { ...env }),
    // The console remembers its streams from its first use on.
    define(console, '_stdout', stdout),
    define(console, '_stderr', stderr),
  ];
  const { exitCode } = process;
  process.exitCode = undefined;
  return () => {
    process.exitCode = exitCode;
    for (const restore of restores) restore();
  };
}

function define(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  if (before === undefined) throw new TypeError(`there is no ${name} to replace`);
  Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  return () => void Object.defineProperty(owner, name, before);
}
