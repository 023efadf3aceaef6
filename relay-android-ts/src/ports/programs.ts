/**
 * Programs of the machine: found on a PATH, run without a shell, killed after a time limit, and found by a
 * device that they have open (in /proc of Linux; none elsewhere).
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

interface ProgramRun {
  readonly args?: readonly string[];
  /** Text for stdin; default: empty. */
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
  /** The program could not be started, was stopped, or printed more than 16 MiB. */
  | { readonly kind: 'failed'; readonly reason: string };

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_REASON = 200;

/** The folders of a PATH; relative ones are left out. */
export function splitPath(path: string | undefined): readonly string[] {
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
      if (child.pid !== undefined) kill(-child.pid);
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

/** Collapses a text to one line of at most 200 characters. */
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

/** @param pid below 0 for a group of processes */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** A process that has a device open. */
export interface DeviceHolder {
  readonly pid: number;
  readonly name: string;
}

/** Ids of all processes that are visible to this one. */
export async function pids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/**
 * Finds the processes that have the device open; only root sees those of other users.
 * @param own process id of the agent, which is left out together with its children; null for none
 */
export async function findDeviceHolders(device: string, own: number | null): Promise<DeviceHolder[]> {
  const target = await realpath(device).catch(() => null);
  if (target === null) return [];
  const holders: DeviceHolder[] = [];
  for (const pid of await pids()) {
    if (pid === own || pid === process.pid || !(await hasOpen(pid, target))) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const [, name = '?', parent = ''] = /^Name:\t(.+)$[\s\S]*^PPid:\t(\d+)$/m.exec(status) ?? [];
    if (own === null || Number(parent) !== own) holders.push({ pid, name });
  }
  return holders;
}

async function hasOpen(pid: number, target: string): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return targets.includes(target);
}
