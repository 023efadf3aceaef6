/** Asks a person whether to go on, on stderr, so that what is printed stays clean. */
import { refuse } from '../../base/errors/refuse.js';
import { requireTerminal } from './require-terminal.js';

/**
 * The answer is no unless it is said.
 * @param without what to do where nobody can be asked.
 * @throws KashboxError `invalid_input` if nobody is there, or the answer is no.
 */
export async function confirm(question: string, without: string): Promise<void> {
  requireTerminal('Nobody can be asked here', without);
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  const asked = { type: 'confirm', name: 'yes', message: question, default: false } as const;
  const isAgreed = await prompt<{ yes: boolean }>([asked])
    .then(({ yes }) => yes)
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === 'ExitPromptError') return false;
      throw error;
    });
  if (!isAgreed) refuse('You said no; nothing was changed', 'Start again to go on.');
}
