/**
 * Runs an operator's command through the shell, with a time limit. Knows nothing of its input. Its output is
 * discarded: it may contain anything, and others read the log.
 */
import { spawn } from 'node:child_process';

const LIMIT_MS = 10_000;

interface CommandCall {
  /** Command for `/bin/sh -c`. */
  readonly command: string;
  /** Complete environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  /** Time limit after which the command and all its child processes are killed, ms; default: 10 s. */
  readonly limitMs?: number;
}

export type CommandEnd =
  | { readonly end: 'exited'; readonly code: number }
  | { readonly end: 'killed'; readonly signal: string }
  | { readonly end: 'too_slow'; readonly limitMs: number }
  | { readonly end: 'not_started'; readonly reason: string };

/** Runs the command. Never rejects. */
export function runCommand({ command, env, input, limitMs = LIMIT_MS }: CommandCall): Promise<CommandEnd> {
  return new Promise((resolve) => {
    // A group of its own, so that what it starts can be ended with it.
    const child = spawn('/bin/sh', ['-c', command], {
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    let isTooSlow = false;
    const timer = setTimeout(() => {
      isTooSlow = true;
      if (child.pid !== undefined) killGroup(child.pid);
    }, limitMs);
    const end = (how: CommandEnd) => {
      clearTimeout(timer);
      resolve(how);
    };
    child.once('error', (error) => end({ end: 'not_started', reason: error.message }));
    child.once('exit', (code, signal) => {
      if (isTooSlow) end({ end: 'too_slow', limitMs });
      else if (code === null) end({ end: 'killed', signal: signal ?? 'unknown' });
      else end({ end: 'exited', code });
    });
    // Many commands never read it.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
