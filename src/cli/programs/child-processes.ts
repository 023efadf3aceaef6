/** Starts programs as processes of their own, and ends them. Knows nothing of payments. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { KashboxError } from '../../base/errors/errors.js';

export interface Program {
  /** Name in messages, such as "the daemon". */
  readonly name: string;
  /** File that Node runs. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const START_DEADLINE_MS = 20_000;
/** Deadline of a stop, longer than the daemon's own deadline for requests in progress. */
const STOP_DEADLINE_MS = 12_000;
/** Number of output lines kept per program; a failure shows the last `SHOWN_LINES` of them. */
const LAST_LINES = 40;
const SHOWN_LINES = 3;

/**
 * Code that each child loads first: it ends the child when its stdin closes, so that a killed parent leaves
 * no daemon running.
 */
const LIFELINE = `process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume().unref();`;

export class ChildProcesses {
  private readonly running = new Set<Child>();
  private stopping = false;

  /** @param onLost called if a program cannot be started, or ends unexpectedly after it was ready. */
  constructor(private readonly onLost: (error: KashboxError) => void) {}

  /**
   * Starts a long-running program, and waits until `ready` returns a value for a line of its output.
   * @param logFile receives all output of the program.
   * @returns the process id and the value from `ready`.
   * @throws KashboxError `internal` if the program ends or prints no such line in time
   */
  async start<T>(
    program: Program,
    logFile: string,
    ready: (line: string) => T | undefined,
  ): Promise<{ readonly pid: number; readonly said: T }> {
    const child = this.spawn(program);
    const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
    const last: string[] = [];
    let isReady = false;
    const said = await new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(failure(program, 'is not ready in time', last)),
        START_DEADLINE_MS,
      );
      const hear = (line: string) => {
        log.write(`${line}\n`);
        last.push(line);
        if (last.length > LAST_LINES) last.shift();
        const answer = isReady ? undefined : ready(line);
        if (answer === undefined) return;
        isReady = true;
        clearTimeout(timer);
        resolve(answer);
      };
      for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', hear);
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        log.end();
        const error = failure(program, `ended unexpectedly (${signal ?? `exit code ${code}`})`, last);
        if (isReady && !this.stopping) this.onLost(error);
        else reject(error);
      });
    });
    return { pid: child.pid ?? 0, said };
  }

  /**
   * Runs a program to its end.
   * @returns the one JSON value that it prints.
   * @throws KashboxError `internal` with what it said
   */
  async ask(program: Program): Promise<Record<string, unknown>> {
    const child = this.spawn(program);
    const [answer, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const value = parseObject(answer);
    if (value !== undefined && !('error' in value)) return value;
    const { message, hint } = (value?.error ?? {}) as { readonly message?: string; readonly hint?: string };
    if (message === undefined) throw failure(program, 'gave no answer', said.split('\n'));
    throw new KashboxError('internal', {
      message: `${program.name} ${program.args[0]} refused: ${message}`,
      hint: hint ?? 'Run it by itself to see why.',
    });
  }

  /** Stops all running programs, the newest first, and waits for them. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const child of [...this.running].reverse()) {
      const ended = once(child, 'exit');
      const deadline = setTimeout(() => killGroup(child), STOP_DEADLINE_MS);
      if (child.kill('SIGTERM')) await ended;
      clearTimeout(deadline);
    }
  }

  /** Ends all at once, without a wait: for the last moment of this process. */
  kill(): void {
    this.stopping = true;
    for (const child of this.running) killGroup(child);
  }

  private spawn(program: Program): Child {
    const preload = `data:text/javascript,${encodeURIComponent(LIFELINE)}`;
    // In a group of its own: Ctrl-C in a terminal reaches the parent alone, which then stops them in order.
    const child = spawn(process.execPath, ['--import', preload, program.script, ...program.args], {
      env: program.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.running.add(child);
    child.once('error', (error) => this.onLost(failure(program, `cannot be run: ${error.message}`, [])));
    child.once('exit', () => this.running.delete(child));
    return child;
  }
}

/** The child, and what it has started itself. Groups are unknown on Windows. */
function killGroup(child: Child): void {
  // One that could not be started has no id, and 0 would be our own group.
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function failure(program: Program, what: string, last: readonly string[]): KashboxError {
  const lines = last.filter((line) => line.trim() !== '');
  // A crash ends in a stack; what went wrong stands above it.
  const printing = lines.filter((line) => /error|fatal/i.test(line));
  const said = (printing.length > 0 ? printing : lines).slice(-SHOWN_LINES).join('\n      ');
  return new KashboxError('internal', {
    message: `${program.name} ${what}`,
    hint: said === '' ? 'Run it by itself to see why.' : `Look at what it said last:\n      ${said}`,
  });
}

function parseObject(answer: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Line that `kashbox daemon --json` prints when it is ready. */
interface ListeningDaemon {
  /** https address. */
  readonly url: string;
  /** SHA-256 of its certificate. */
  readonly fingerprint: string;
}

/** @returns what a line of a daemon says of its being ready; its log lines have no such field. */
export function parseReadyLine(line: string): ListeningDaemon | undefined {
  if (!line.startsWith('{"listening":')) return undefined;
  const { listening, fingerprint } = JSON.parse(line) as {
    readonly listening: { readonly https: string };
    readonly fingerprint: string;
  };
  return { url: listening.https, fingerprint };
}
