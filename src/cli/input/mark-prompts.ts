/** Prompts for the parts of a text that are values, on stderr. */
import type { LearnExample } from '../../actions/sms/learn-source.js';
import { isKashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { visible } from '../../base/values/cells.js';
import { MARKED_VALUES, type MarkedValue, type Marks, proposeTemplate } from '../../channels/mfs/index.js';
import { requireTerminal } from './ask.js';

const QUESTIONS: Readonly<Record<MarkedValue, string>> = {
  amount: 'The amount',
  id: 'The transaction id',
  payer: 'The payer',
  balance: 'The balance',
  date: 'The time',
};
/** Answer for a value that the text does not have. */
const NONE = '-';

/**
 * @param given marks from flags; there is no prompt for them.
 * @returns all marks. Enter accepts a proposal.
 * @throws KashboxError `invalid_input` without a terminal, or if the person leaves
 */
export async function promptMarks({ body, alike, stored }: LearnExample, given: Marks): Promise<Marks> {
  requireTerminal('No terminal for prompts', 'Add --yes to accept what is proposed, and flags for the rest.');
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  process.stderr.write(`${alike.length} of ${stored.length} stored SMS look like this one:\n\n`);
  process.stderr.write(
    `${body
      .split('\n')
      .map((line) => `  ${visible(line)}\n`)
      .join('')}\n`,
  );
  process.stderr.write(`Enter accepts the proposal, ${NONE} says that the text has no such value.\n`);
  let marks = given;
  for (const name of MARKED_VALUES) {
    if (given[name] !== undefined) continue;
    const proposed = proposeTemplate(body, marks, alike).parts[name] ?? NONE;
    const check = (typed: string) => faultOf(body, { ...marks, [name]: typed === NONE ? '' : typed });
    const question = {
      type: 'input',
      name: 'part',
      message: `${QUESTIONS[name]}:`,
      default: proposed,
      validate: check,
    } as const;
    const { part } = await prompt<{ part: string }>([question]).catch(left);
    if (part !== proposed) marks = { ...marks, [name]: part === NONE ? '' : part };
  }
  return marks;
}

function left(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'ExitPromptError') throw error;
  return refuse('You left; nothing was written', 'Start again, or use --yes.');
}

/** @returns true, or what is wrong, as the prompt shows it. */
function faultOf(body: string, marks: Marks): true | string {
  try {
    proposeTemplate(body, marks);
    return true;
  } catch (error) {
    if (isKashboxError(error)) return error.message;
    throw error;
  }
}
