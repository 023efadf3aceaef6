/** Helpers shared by the commands: location of the home folder, its journals, common options. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type JournalState, replay } from '../core/journal/journal.js';
import { readIfExists } from '../ports/node-files.js';
import { Home } from '../ports/node-home.js';

/** Output streams and exit code of a command: the process, or a test's substitute. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  exitCode?: number | string | null | undefined;
}

/** Options that most commands have. */
export interface CommonOptions {
  readonly home?: string;
  readonly json?: boolean;
}

/** `--home`, else KASHBOX_RELAY_HOME, else ~/.kashbox-relay. */
export function openHome(option: string | undefined): Home {
  return new Home(resolve(option ?? process.env.KASHBOX_RELAY_HOME ?? join(homedir(), '.kashbox-relay')));
}

/** Folds a journal into `state` without touching the file; one that is not there is empty. */
export async function loadJournal<R, S extends JournalState<R>>(path: string, state: S): Promise<S> {
  replay((await readIfExists(path)) ?? new Uint8Array(), state);
  return state;
}

/** Ends a command with the options and the help that it has in common with others. */
export function common(
  command: Command,
  { json = true, examples }: { json?: boolean; examples: string },
): Command {
  if (json) command.option('--json', 'print the result as one JSON value');
  const help = 'folder for the pairing and the queue (default: KASHBOX_RELAY_HOME or ~/.kashbox-relay)';
  return command.option('--home <dir>', help).addHelpText('after', `\n${examples}`);
}

/** Polls until `look` returns a value or the time is over. The last poll may be after `untilMs`. */
export async function waitFor<T>(
  untilMs: number,
  everyMs: number,
  look: () => Promise<T | null>,
): Promise<T | null> {
  for (;;) {
    const found = await look();
    if (found !== null || Date.now() > untilMs) return found;
    await sleep(everyMs);
  }
}

export function print({ stdout }: Terminal, text: string): void {
  stdout.write(`${text}\n`);
}
