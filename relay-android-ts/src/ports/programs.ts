/** Programs of the machine: found on a PATH, run without a shell, and ended when they take too long. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface ProgramRun {
  readonly args?: readonly string[];
  /** For stdin; nothing unless given. */
  readonly input?: string;
  /** Breaks the run off. */
  readonly stop?: AbortSignal | undefined;
  /** Milliseconds until it counts as hung, and is killed. */
  readonly limitMs: number;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export type ProgramEnd =
  /** `code` is null where a signal has ended it. */
  | { readonly kind: 'ended'; readonly code: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'hung' }
  /** It could not be started, was stopped, or printed more than 16 MiB. */
  | { readonly kind: 'failed'; readonly reason: string };

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_REASON = 200;

/** The folders of a PATH; relative ones are left out. */
export function foldersOf(path: string | undefined): readonly string[] {
  return (path ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
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

/** Runs the program `file` in the folder `/`. Never rejects. */
export function runProgram(file: string, run: ProgramRun): Promise<ProgramEnd> {
  const { args = [], input = '', stop, limitMs, env } = run;
  return new Promise((resolve) => {
    // A group of its own: the children of a script are what hangs.
    const options = { detached: true, cwd: '/', stdio: 'pipe', env: { ...process.env, ...env } } as const;
    const child = spawn(file, args, options);
    let broken: Exclude<ProgramEnd, { kind: 'ended' }> | undefined;
    const breakOff = (why: Exclude<ProgramEnd, { kind: 'ended' }>): void => {
      broken ??= why;
      killGroup(child);
      // What it started may hold its output open, and is not waited for.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const stopped = (): void => breakOff({ kind: 'failed', reason: 'stopped' });
    const timer = setTimeout(() => breakOff({ kind: 'hung' }), limitMs);
    stop?.addEventListener('abort', stopped);
    const end = (result: ProgramEnd): void => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', stopped);
      resolve(broken ?? result);
    };
    const tooMuch = (): void => breakOff({ kind: 'failed', reason: 'it says too much' });
    const out = collect(child.stdout, tooMuch);
    const err = collect(child.stderr, tooMuch);
    child.on('error', (error) => end({ kind: 'failed', reason: error.message }));
    child.on('close', (code) => end({ kind: 'ended', code, stdout: out(), stderr: err() }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** In one line, and not long. */
export function shortText(text: string): string {
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
