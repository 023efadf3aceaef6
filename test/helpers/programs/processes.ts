/**
 * Real processes for tests: started without the test runner's environment, read while they run, and gone
 * when the test is over. Knows nothing of what they do.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext, TestFn } from 'ava';

export type Environment = Readonly<Record<string, string>>;

/** The owner of started programs, who stops them: a test, or a program that is over at its end. */
export type Owner = Pick<ExecutionContext<unknown>, 'teardown'>;

/** @returns an owner whose programs run until the last test of a file is over. */
export function ownerOf<Context>(test: TestFn<Context>): Owner {
  const ends: (() => unknown)[] = [];
  test.after.always('ends what all tests of the file shared', async () => {
    for (const end of ends.reverse()) await end();
  });
  return { teardown: (end) => ends.push(end) };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Process {
  readonly pid: number;
  readonly stdin: Writable;
  /** Everything that was written so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves once `stdout` matches; rejects with all output when the process ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same for `stderr`, which may arrive here later than what was printed after it. */
  logged(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended and its output is read. */
  readonly ended: Promise<Exit>;
}

/** The root of the repository, seen from `dist/test/helpers`. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const kashboxProgram = `${root}bin/run.js`;
export const relayProgram = `${root}relay-android-ts/bin/kashbox-relay.js`;

const END_TIMEOUT_MS = 240_000;

/** Those that run now; a test process that ends before its teardowns takes them along. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// AVA stops a process that takes too long by this signal, and waits for its end. A program under test may
// listen, too, and would keep it alive.
process.on('SIGTERM', () => process.exit(143));

/** What a program gets from a bare login; the rest is the test's to say. */
export function bareEnvironment(extra: Environment): Environment {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  // What one process has compiled, the others need not: the test runner says where it lies.
  const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  return { PATH, LANG: 'C.UTF-8', ...compiled, ...extra };
}

/** Starts `node` with these arguments; the process is killed at the end of the test if it is still there. */
export function startNode(t: Owner, args: readonly string[], env: Environment = {}): Process {
  return startProgram(t, process.execPath, args, env);
}

/** The same with any program, which must not leave children behind: only it is killed. */
export function startProgram(
  t: Owner,
  program: string,
  args: readonly string[],
  env: Environment = {},
): Process {
  const child = spawn(program, args, { env: bareEnvironment(env), stdio: 'pipe' });
  const output = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  // Writing to a process that has died is the test's subject, not its failure.
  child.stdin.on('error', () => {});
  running.add(child);
  const ended = exitOf(child).finally(() => running.delete(child));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    stdout: output.stdout.text,
    stderr: output.stderr.text,
    printed: (pattern) => found(child, output, output.stdout, pattern),
    logged: (pattern) => found(child, output, output.stderr, pattern),
    kill: (signal) => {
      child.kill(signal);
    },
    ended,
  };
}

/** Runs a program to its end, while the test goes on. */
export async function runProgram(
  t: Owner,
  program: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const child = startProgram(t, program, args, env);
  child.stdin.end();
  const exit = await withinTime(child);
  return { ...exit, stdout: child.stdout(), stderr: child.stderr() };
}

/** The same with `node`. */
export function runNode(t: Owner, args: readonly string[], env: Environment = {}) {
  return runProgram(t, process.execPath, args, env);
}

/**
 * Pairs a relay agent, whose home is `folder`, with a daemon.
 * @throws Error with what it said, where it fails
 */
export async function pairRelay(
  t: Owner,
  { url, fingerprint }: { readonly url: string; readonly fingerprint: string },
  code: string,
  folder: string,
): Promise<void> {
  const args = ['pair', '--home', folder, '--url', url, '--code', code, '--fingerprint', fingerprint];
  const { code: exit, stderr } = await runNode(t, [relayProgram, ...args]);
  if (exit !== 0) throw new Error(`the agent could not be paired: ${stderr}`);
}

/** Waits for the end of a process, but not for ever. */
export async function withinTime(child: Process): Promise<Exit> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`process ${child.pid} did not end:\n${child.stdout()}${child.stderr()}`));
    }, END_TIMEOUT_MS);
  });
  return Promise.race([child.ended, late]).finally(() => clearTimeout(timer));
}

interface Collected {
  readonly stream: Readable;
  text(): string;
}

function collect(stream: Readable): Collected {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { stream, text: () => text };
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

function found(
  child: ChildProcess,
  output: { readonly stdout: Collected; readonly stderr: Collected },
  where: Collected,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(where.text());
      if (match !== null) resolve(match);
    };
    where.stream.on('data', look);
    child.on('close', (code, signal) => {
      const all = output.stdout.text() + output.stderr.text();
      reject(new Error(`the process ended (${code ?? signal}) without saying ${pattern}:\n${all}`));
    });
    look();
  });
}
