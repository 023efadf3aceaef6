/**
 * Runs the programs of Termux:API, one at a time, each within a limit: they hang for ever when Android has
 * frozen the app, and Android allows only a few processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fieldsOf, parseJson } from '../../core/shape.js';

export interface TermuxCall {
  readonly program: string;
  readonly args?: readonly string[];
  /** For stdin; nothing unless given. */
  readonly input?: string;
  /** SMS go before health and notifications. */
  readonly urgent?: boolean;
  /** Breaks the call off, running or not. */
  readonly stop?: AbortSignal | undefined;
}

export type CallResult =
  | { readonly kind: 'answered'; readonly stdout: string }
  /** Termux:API refused: an object `{"error":…}` with exit code 0. */
  | { readonly kind: 'refused'; readonly message: string }
  /** There is no such program. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'hung' }
  | { readonly kind: 'failed'; readonly reason: string };

export type Failure = Exclude<CallResult, { kind: 'answered' }>;

/** What a call may take (0.05 to 4 s, or for ever). */
const CALL_LIMIT_MS = 15_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_REASON = 200;

interface Waiting {
  readonly call: TermuxCall;
  readonly resolve: (result: CallResult) => void;
}

export class TermuxCalls {
  private readonly path: readonly string[];
  private readonly urgent: Waiting[] = [];
  private readonly later: Waiting[] = [];
  private isBusy = false;

  /** `path` is the PATH in which programs are looked for. */
  constructor(
    path: string | undefined,
    private readonly limitMs = CALL_LIMIT_MS,
  ) {
    this.path = (path ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  }

  /** Never rejects: every result is a kind of CallResult. */
  run(call: TermuxCall): Promise<CallResult> {
    return new Promise((resolve) => {
      (call.urgent === true ? this.urgent : this.later).push({ call, resolve });
      if (!this.isBusy) void this.work();
    });
  }

  /** The fields of the object that a program prints; none if there is no answer. */
  async fields(program: string): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.run({ program });
    return result.kind === 'answered' ? fieldsOf(parseJson(result.stdout)) : {};
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    for (;;) {
      const next = this.urgent.shift() ?? this.later.shift();
      if (next === undefined) break;
      next.resolve(await this.runNow(next.call));
    }
    this.isBusy = false;
  }

  private runNow(call: TermuxCall): Promise<CallResult> {
    if (call.stop?.aborted === true) return Promise.resolve({ kind: 'failed', reason: 'stopped' });
    const file = findProgram(this.path, call.program);
    return file === undefined ? Promise.resolve({ kind: 'missing' }) : this.spawn(file, call);
  }

  private spawn(file: string, call: TermuxCall): Promise<CallResult> {
    return new Promise((resolve) => {
      // A group of its own: the script's children are what hangs. In / nothing matches the `*` of a number,
      // which the script for sending expands without quotes.
      const child = spawn(file, call.args ?? [], { detached: true, cwd: '/', stdio: 'pipe' });
      let broken: Failure | undefined;
      const breakOff = (why: Failure): void => {
        broken ??= why;
        killGroup(child);
        // What it started may hold its output open, and is not waited for.
        child.stdout.destroy();
        child.stderr.destroy();
      };
      const stopped = (): void => breakOff({ kind: 'failed', reason: 'stopped' });
      const timer = setTimeout(() => breakOff({ kind: 'hung' }), this.limitMs);
      call.stop?.addEventListener('abort', stopped);
      const end = (result: CallResult): void => {
        clearTimeout(timer);
        call.stop?.removeEventListener('abort', stopped);
        resolve(broken ?? result);
      };
      const out = collect(child.stdout, () => breakOff({ kind: 'failed', reason: 'it says too much' }));
      const err = collect(child.stderr, () => breakOff({ kind: 'failed', reason: 'it says too much' }));
      child.on('error', (error) => end({ kind: 'failed', reason: error.message }));
      child.on('close', (code) => end(judge(code, out(), err())));
      child.stdin.on('error', () => {});
      child.stdin.end(call.input ?? '');
    });
  }
}

/** For people, with what to do about it. */
export function explain(program: string, failure: Failure): string {
  switch (failure.kind) {
    case 'missing':
      return `${program} is not there: run "pkg install termux-api" and install the app Termux:API`;
    case 'refused':
      return `Termux:API refuses ${program}: ${failure.message}`;
    case 'hung':
      return (
        `${program} did not answer in time: open the app Termux:API once, and switch battery ` +
        'optimisation off for it and for Termux'
      );
    case 'failed':
      return `${program} failed: ${failure.reason}`;
    default:
      return failure satisfies never;
  }
}

/** The absolute path of a program, or undefined. */
export function findProgram(path: readonly string[], program: string): string | undefined {
  return path
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function judge(code: number | null, stdout: string, stderr: string): CallResult {
  // Not parsed for nothing: a list of SMS may be long.
  const isList = stdout.trimStart().startsWith('[');
  const { API_ERROR: apiError, error: message = apiError } = isList ? {} : fieldsOf(parseJson(stdout));
  if (typeof message === 'string') return { kind: 'refused', message: short(message) };
  if (code === 0) return { kind: 'answered', stdout };
  // A partial list contains SMS, and this text is logged.
  const words = short(stderr) || (isList ? '' : short(stdout));
  return { kind: 'failed', reason: `exit code ${code ?? 'none'}${words === '' ? '' : `: ${words}`}` };
}

function short(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON);
}

function collect(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) tooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
