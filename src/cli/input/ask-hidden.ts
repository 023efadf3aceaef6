/** Asks a person for a secret, on stderr, so that what is printed stays clean. */
import { refuse } from '../../base/errors/refuse.js';

/** What is said after Ctrl-C. */
interface Left {
  readonly message: string;
  readonly hint: string;
}

/**
 * @param mask shown for each letter; nothing is shown without it.
 * @throws KashboxError `invalid_input` if the person leaves
 */
export async function askHidden(question: string, left: Left, mask?: string): Promise<string> {
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
