/** Prompts for secrets, on stderr, so that stdout contains results only. */
import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { refuse } from '../../base/errors/refuse.js';

/** Error shown after Ctrl-C. */
interface AbortMessage {
  readonly message: string;
  readonly hint: string;
}

/**
 * @param mask shown for each letter; nothing is shown without it.
 * @throws KashboxError `invalid_input` if the person leaves
 */
export async function promptSecret(question: string, left: AbortMessage, mask?: string): Promise<string> {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  const masked = mask === undefined ? {} : { mask };
  try {
    const asked = { type: 'password', name: 'text', message: question, ...masked } as const;
    return (await prompt<{ text: string }>([asked])).text;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ExitPromptError') throw error;
    return refuse(left.message, left.hint);
  }
}

/** True if the terminal can show a prompt and read the answer. */
export const isTerminal = () => process.stdin.isTTY && process.stderr.isTTY;

/** Refuses to wait for an answer that nobody can give. @throws KashboxError `invalid_input` */
export function requireTerminal(what: string, hint: string): void {
  if (isTerminal()) return;
  refuse(what, hint);
}

/**
 * Prompts for yes or no; default: no.
 * @param without hint of the error if no terminal is available.
 * @throws KashboxError `invalid_input` if no terminal is available, or the answer is no.
 */
export async function confirm(question: string, without: string): Promise<void> {
  requireTerminal('Nobody can be asked here', without);
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  const shown = { type: 'confirm', name: 'yes', message: question, default: false } as const;
  const isAgreed = await prompt<{ yes: boolean }>([shown])
    .then(({ yes }) => yes)
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === 'ExitPromptError') return false;
      throw error;
    });
  if (!isAgreed) refuse('You said no; nothing was changed', 'Start again to go on.');
}

/**
 * @param what error message if there is no terminal; `hint` says what to do without one.
 * @throws KashboxError `invalid_input` if there is no terminal
 */
export function terminalInput(what: string, hint: string): ReadStream {
  return (
    (process.stdout.isTTY ? (process.stdin.isTTY ? process.stdin : openTerminal()) : null) ??
    refuse(what, hint)
  );
}

/** @returns null where the process has none, as under cron. */
function openTerminal(): ReadStream | null {
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return null;
  }
}
